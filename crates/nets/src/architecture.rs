//! The net's shape and number formats: one place for training, file and play.

/// Channels a line contributes to its cell.
pub const CHANNELS: usize = 64;
/// The first channels, which are convolved with the neighbouring cells.
pub const CONVOLVED: usize = 32;
/// Numbers kept of a cell: its channels, then the convolved ones.
pub const STORED: usize = CHANNELS + CONVOLVED;
/// Numbers of a cell that moves and value are made of: the channels not convolved, then the convolved ones.
pub const CELL: usize = STORED - CONVOLVED;
/// Hidden numbers of a candidate move.
pub const HIDDEN: usize = 32;
/// Regions whose cells are summed for the value: three by three.
pub const REGIONS: usize = 9;
/// Numbers a region, or the whole board, is reduced to.
pub const REGION: usize = 32;
/// The first value layer's input: corners, edges, centre, whole board.
pub const POOLED: usize = 4 * REGION;
/// The first value layer's output; also what the move weights are generated from.
pub const VALUE1: usize = 64;
/// The second value layer's output.
pub const VALUE2: usize = 32;
/// Win, draw, loss.
pub const OUTCOMES: usize = 3;

/// How far from a stone a cell is still looked at.
pub const REACH: usize = 3;

/// Activations are integers in this unit: 256 is 1.0.
pub const ONE: i16 = 256;
/// The highest activation; with it the sum of four convolution neighbours, times four, fits into sixteen bits.
pub const HIGHEST: i16 = 2047;
/// The highest magnitude of a line table's numbers: four of them fit into sixteen bits.
pub const TABLE_LIMIT: i16 = 8191;
/// Convolution weights are integers in this unit.
pub const CONVOLUTION_ONE: f32 = 8192.0;
/// Weights of the hidden move layer are integers in this unit, as a shift.
pub const HIDDEN_SHIFT: u32 = 11;
/// The highest magnitude of a hidden move weight: a full cell times it fits into 32 bits.
pub const HIDDEN_LIMIT: i16 = 10_000;
/// A region's sum is multiplied by this before the value layers.
pub const POOL_SCALE: f32 = 1.0 / 16.0;

/// A number that changes whenever the shape or a number format does.
pub const fn hash() -> u64 {
    let numbers = [
        CHANNELS as u64,
        CONVOLVED as u64,
        HIDDEN as u64,
        REGION as u64,
        VALUE1 as u64,
        VALUE2 as u64,
        REACH as u64,
        ONE as u64,
        HIGHEST as u64,
        CONVOLUTION_ONE as u64,
        HIDDEN_SHIFT as u64,
        17,
        super::features::HISTORY as u64,
        super::lines::HALVES as u64,
    ];
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < numbers.len() {
        hash = (hash ^ numbers[i]).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}
