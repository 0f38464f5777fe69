//! Eight hex digits that change when the engines' play changes.

use crate::arguments::play_all;
use anyhow::Result;
use fivestone_engine::{ENGINES, Limits, Report, Stop};
use fivestone_game::{Rule, Size, notation};

/// Quiet, sharp, at the edge, and on boards of other sizes.
const POSITIONS: &[(usize, &str)] = &[
    (15, ""),
    (15, "h8g7e11i7h6h7j7g6"),
    (15, "h8i9h10h9g9f8i7j6g10"),
    (15, "a1b2a2b3a3b4c1d2"),
    (20, "j10k11k9l10j12i11"),
    (9, "e5d4e3e4f4d6d5f5c5b5"),
];
const VISITS: u64 = 300;

/// Lets every engine think about every position under every rule and mixes what it says.
pub fn signature() -> Result<u32> {
    let mut mixed = Mixer::default();
    for rule in Rule::ALL {
        for &(side, moves) in POSITIONS {
            let size = Size::new(side).expect("a board size");
            let board = play_all(size, rule, &notation::parse_moves(moves, size)?)?;
            if board.end().is_some() {
                continue;
            }
            for kind in ENGINES {
                let mut engine = fivestone_engine::build(kind.name, [])?;
                let limits = Limits { threads: 1, ..Limits::visits(VISITS) };
                mixed.report(&engine.think(&board, &limits, &Stop::new(), &mut |_| {}));
            }
        }
    }
    Ok(mixed.digest())
}

/// FNV-1a over what a report says.
struct Mixer(u64);

impl Default for Mixer {
    fn default() -> Mixer {
        Mixer(0xcbf2_9ce4_8422_2325)
    }
}

impl Mixer {
    fn report(&mut self, report: &Report) {
        self.number(report.visits);
        for line in &report.lines {
            self.number(line.point.index() as u64);
            self.number(line.visits);
            // Coarser than the last bits, in which mathematical libraries may differ.
            self.number((line.winrate * 1e6).round() as u64);
        }
    }

    fn number(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn digest(&self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}
