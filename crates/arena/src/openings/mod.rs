//! Openings: files of them, making balanced ones, checking them.

mod file;
mod generate;
mod part;
mod shipped;

pub use file::{
    BadOpening, FileFormat, OpeningFile, OpeningFileError, UnknownFormat, read_openings, write_openings,
};
pub use generate::{
    BALANCED, Judge, Judged, Made, MakeError, Wanted, balanced_opening, generate, go_on, judge_all,
};
pub use part::{BadPart, PartError, PartFile};
pub use shipped::shipped;

use fivestone_engine::Rng;
use fivestone_game::{Point, Size, Symmetry};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where a match takes its openings from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningsFile {
    /// The file; the shipped set of the rule and size if there is none.
    pub path: Option<PathBuf>,
    /// How openings are written in it.
    pub format: FileFormat,
    /// Whether they are shuffled first.
    pub random: bool,
    /// Seed of the shuffling.
    pub seed: u64,
    /// How many are passed over.
    pub start: usize,
    /// Whether each opening is turned and mirrored at random.
    pub symmetries: bool,
}

/// A list of openings that is gone through again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningBook {
    size: Size,
    openings: Vec<Vec<Point>>,
    start: usize,
    symmetries: Option<u64>,
}

impl OpeningBook {
    /// A book that has only the empty board.
    pub fn empty(size: Size) -> OpeningBook {
        OpeningBook { size, openings: vec![Vec::new()], start: 0, symmetries: None }
    }

    /// A book of given openings; the empty board if there are none.
    pub fn new(size: Size, openings: Vec<Vec<Point>>) -> OpeningBook {
        let openings = if openings.is_empty() { vec![Vec::new()] } else { openings };
        OpeningBook { size, openings, start: 0, symmetries: None }
    }

    /// Puts the openings into a random order.
    pub fn shuffled(mut self, seed: u64) -> OpeningBook {
        let mut rng = Rng::new(seed);
        for last in (1..self.openings.len()).rev() {
            self.openings.swap(last, rng.below(last + 1));
        }
        self
    }

    /// Begins with a later opening.
    pub fn starting_at(mut self, start: usize) -> OpeningBook {
        self.start = start;
        self
    }

    /// Turns and mirrors each opening at random.
    pub fn with_symmetries(mut self, seed: u64) -> OpeningBook {
        self.symmetries = Some(seed);
        self
    }

    /// How many openings it has.
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Whether it has only the empty board.
    pub fn is_empty(&self) -> bool {
        self.openings.iter().all(Vec::is_empty)
    }

    /// The opening of a number, counted on past the end of the list.
    pub fn opening(&self, number: u64) -> Vec<Point> {
        let opening = &self.openings[(self.start as u64 + number) as usize % self.openings.len()];
        let symmetry = match self.symmetries {
            Some(seed) => {
                let index = Rng::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).below(8);
                Symmetry::new(index).expect("there are eight symmetries")
            }
            None => Symmetry::IDENTITY,
        };
        opening.iter().map(|&point| symmetry.apply(point, self.size)).collect()
    }
}

/// Openings to be made before a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RandomOpenings {
    /// How many.
    pub count: usize,
    /// Stones in each.
    pub plies: usize,
    /// The built-in engine that judges them; the strongest unless named.
    pub engine: String,
    /// Its visits for each.
    pub visits: u64,
    /// Seed of the random moves.
    pub seed: u64,
}

impl Default for RandomOpenings {
    fn default() -> RandomOpenings {
        RandomOpenings { count: 50, plies: 5, engine: String::new(), visits: 1000, seed: 1 }
    }
}
