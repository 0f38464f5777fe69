//! `fivestone records filter`.

use super::input::Input;
use super::output::Output;
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use fivestone_formats::index::Position;
use fivestone_formats::reader::Game;
use fivestone_formats::record::{Header, Outcome, Record};
use fivestone_game::{Color, Rule, Size, notation};

/// Write the games that meet every condition.
#[derive(Args)]
pub struct Filter {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
    /// Games of this rule.
    #[arg(long)]
    rule: Option<Rule>,
    /// Games on boards of this side.
    #[arg(long, value_parser = crate::arguments::parse_size)]
    size: Option<Size>,
    /// Games with this result; may be given several times.
    #[arg(long, value_name = "RESULT")]
    result: Vec<Ending>,
    /// Games with at least so many stones.
    #[arg(long, value_name = "N")]
    min_moves: Option<usize>,
    /// Games with at most so many stones.
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
    /// Games with this player, or part of a name, on either side.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Games of this event, or part of its name.
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Games that reach the position after these moves, turned or mirrored as may be: h8h9i10.
    #[arg(long, value_name = "MOVES")]
    reaches: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ending {
    Black,
    White,
    Draw,
    Unknown,
}

impl Ending {
    fn outcome(self) -> Outcome {
        match self {
            Ending::Black => Outcome::Win(Color::Black),
            Ending::White => Outcome::Win(Color::White),
            Ending::Draw => Outcome::Draw,
            Ending::Unknown => Outcome::Unknown,
        }
    }
}

impl Filter {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        let position = self.position()?;
        let mut writer = self.output.open()?;
        let (mut taken, mut dropped) = (0u64, 0u64);
        let tally = self.input.read(self.output.branches()?, |_, entry| {
            if self.wants(&entry.game, position.as_ref()) {
                taken += 1;
                return writer.write(entry.game);
            }
            dropped += 1;
            Ok(())
        })?;
        tally.check()?;
        let written = writer.finish()?;
        eprintln!("{}; {taken} wanted, {dropped} not, {written}", tally.summary());
        Ok(())
    }

    fn position(&self) -> Result<Option<Position>> {
        let Some(moves) = &self.reaches else { return Ok(None) };
        let size = self.size.unwrap_or(Size::STANDARD);
        let moves = notation::parse_moves(moves, size).context("--reaches")?;
        let moves: Vec<_> = moves.into_iter().map(Some).collect();
        Ok(Some(Position::new(size, &moves)))
    }

    fn wants(&self, game: &Game, position: Option<&Position>) -> bool {
        let main;
        let (header, record): (&Header, &Record) = match game {
            Game::Line(record) => (&record.header, record),
            Game::Tree(tree) => {
                main = tree.main_line();
                (&tree.header, &main)
            }
        };
        let named = |wanted: &Option<String>, names: &[&String]| {
            wanted.as_ref().is_none_or(|wanted| {
                let wanted = wanted.to_lowercase();
                names.iter().any(|name| name.to_lowercase().contains(&wanted))
            })
        };
        let stones = record.stones();
        let reaches = |position: &Position| match game {
            Game::Line(record) => position.is_reached_by(record),
            Game::Tree(tree) => tree.lines().any(|line| position.is_reached_by(&line)),
        };
        self.rule.is_none_or(|rule| header.rule == Some(rule))
            && self.size.is_none_or(|size| header.size == size)
            && (self.result.is_empty() || self.result.iter().any(|ending| ending.outcome() == header.outcome))
            && self.min_moves.is_none_or(|least| stones >= least)
            && self.max_moves.is_none_or(|most| stones <= most)
            && named(&self.player, &[&header.black, &header.white])
            && named(&self.event, &[&header.event])
            && position.is_none_or(reaches)
    }
}
