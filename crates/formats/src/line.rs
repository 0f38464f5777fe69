//! Formats that have one game on each line.

use crate::detect::Format;
use crate::problem::Flaw;
use crate::record::Record;
use crate::text::{self, Context};
use crate::{openings, positions, tables};

/// Longer lines are no games.
pub const LONGEST: usize = 1 << 20;

/// How the lines of a file are read.
pub struct Lines {
    format: Format,
    context: Context,
    number: u64,
}

impl Lines {
    /// Lines of a format, with what they do not say themselves.
    pub fn new(format: Format, context: Context) -> Lines {
        Lines { format, context, number: 0 }
    }

    /// The number of the last line, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Counts a line that cannot be looked at.
    pub fn pass_over(&mut self) {
        self.number += 1;
    }

    /// The game on the next line, if there is one.
    pub fn parse(&mut self, line: &[u8]) -> Option<Result<Record, Flaw>> {
        self.number += 1;
        let line = if self.number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        let Context { rule, size, .. } = self.context;
        match self.format {
            Format::Engines => tables::parse_row(line, rule),
            Format::Teacher => tables::parse_scored(line, rule),
            Format::Openings => openings::parse(line, rule, size),
            Format::Positions => positions::parse(line, rule, size),
            _ => text::parse(line, &mut self.context),
        }
    }
}
