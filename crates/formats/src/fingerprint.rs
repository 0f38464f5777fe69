//! Numbers that stand for positions and games, equal under the eight symmetries where that is asked for.

use crate::record::Turn;
use fivestone_game::{Color, Size, Symmetry};

/// A (state, move) pair, or a state alone: the stones on the board and the next one. As itself and as the least of its eight images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Differs for turned and mirrored pairs.
    pub exact: u64,
    /// The same for all images of the pair.
    pub symmetric: u64,
}

/// Follows a game and keeps the fingerprints of its eight images.
#[derive(Clone)]
pub struct Follower {
    size: Size,
    keys: Vec<[Keys; 2]>,
    state: [u64; 8],
    sequence: [u64; 8],
    white_to_move: bool,
}

/// The keys of one cell's eight images: for a stone there, and for a move about to be played there.
#[derive(Clone, Copy)]
struct Keys {
    stone: [u64; 8],
    choice: [u64; 8],
}

impl Follower {
    /// The start of a game on a board of this size.
    pub fn new(size: Size) -> Follower {
        let keys = size
            .points()
            .map(|point| {
                Color::BOTH.map(|color| {
                    let images = Symmetry::ALL.map(|symmetry| {
                        let image = symmetry.apply(point, size);
                        (image.y() * 64 + image.x()) * 2 + color.index()
                    });
                    Keys {
                        stone: images.map(|i| mix(4 * i as u64)),
                        choice: images.map(|i| mix(4 * (i & !1) as u64 + 1)),
                    }
                })
            })
            .collect();
        let mut follower = Follower { size, keys, state: [0; 8], sequence: [0; 8], white_to_move: false };
        follower.restart();
        follower
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Back to the start of a game.
    pub fn restart(&mut self) {
        let seed = mix(2 + 4 * self.size.side() as u64);
        self.state = [seed; 8];
        self.sequence = [seed; 8];
        self.white_to_move = false;
    }

    /// Plays a ply; answers the pair of the state before it and the stone, nothing for a pass.
    pub fn play(&mut self, turn: Turn) -> Option<Pair> {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let color = usize::from(self.white_to_move);
        self.white_to_move = !self.white_to_move;
        let Some(point) = turn else {
            self.sequence = self.sequence.map(|value| value.wrapping_mul(FACTOR).rotate_left(23));
            return None;
        };
        let keys = &self.keys[point.dense(self.size)][color];
        let mut symmetric = u64::MAX;
        let exact = self.state[0] ^ keys.choice[0];
        for i in 0..8 {
            symmetric = symmetric.min(self.state[i] ^ keys.choice[i]);
            self.state[i] ^= keys.stone[i];
            self.sequence[i] = (self.sequence[i] ^ keys.choice[i]).wrapping_mul(FACTOR).rotate_left(23);
        }
        Some(Pair { exact, symmetric })
    }

    /// The fingerprint of the stones on the board: as they stand, and the same for turned and mirrored positions.
    pub fn position(&self) -> Pair {
        let symmetric = self.state.into_iter().min().expect("there are eight images");
        Pair { exact: self.state[0], symmetric }
    }

    /// The fingerprint of the moves so far in their order.
    pub fn game(&self) -> u64 {
        self.sequence[0]
    }

    /// The same for turned and mirrored games.
    pub fn symmetric_game(&self) -> u64 {
        self.sequence.into_iter().min().expect("there are eight images")
    }
}

/// The step function of `SplitMix64`.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
