//! Games to begin self-play in.

use crate::commands::records::{expand, open};
use anyhow::{Result, bail};
use clap::Args;
use fivestone_formats::reader::{Branches, Options, Reader};
use fivestone_formats::record::{Outcome, Record};
use fivestone_game::{Color, Point, Rule, Size};
use fivestone_learn::selfplay::{StartGame, Starts};
use indicatif::ProgressBar;
use std::path::PathBuf;

/// Where games begin.
#[derive(Args)]
pub struct StartArguments {
    /// Begin some games in lost games or positions of these files, in any format that `fivestone
    /// records` reads.
    ///
    /// A decided game is left some plies before its end (see --from-plies). A game without a
    /// result, an opening or a position is taken as it is. Draws are passed over, and so are games
    /// of another rule or size.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,
    /// Share of the games that begin there.
    #[arg(long, value_name = "SHARE", default_value = "0.25", requires = "from", value_parser = parse_share)]
    from_share: f64,
    /// Only games that this player lost, as the files spell the name.
    #[arg(long, value_name = "PLAYER", requires = "from")]
    from_lost_by: Option<String>,
    /// The fewest and the most plies before the end of a decided game.
    #[arg(long, value_name = "FEWEST-MOST", default_value = "4-24", requires = "from", value_parser = parse_range)]
    from_plies: (usize, usize),
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("\"{text}\" is no share: a number from 0 to 1"))
}

fn parse_range(text: &str) -> Result<(usize, usize), String> {
    let (fewest, most) = text.split_once('-').unwrap_or((text, text));
    let range = fewest.trim().parse().ok().zip(most.trim().parse().ok());
    let fits = |&(fewest, most): &(usize, usize)| (1..=most).contains(&fewest) && most <= 400;
    range.filter(fits).ok_or_else(|| format!("\"{text}\" is no range of plies such as 4-24"))
}

impl StartArguments {
    /// Reads the files; nothing without any.
    pub fn read(&self, rule: Rule, sizes: &[Size]) -> Result<Option<Starts>> {
        if self.from.is_empty() {
            return Ok(None);
        }
        let (mut games, mut passed_over) = (Vec::new(), 0);
        for file in expand(&self.from)? {
            let name = file.display().to_string();
            let options = Options { branches: Branches::MainLine, ..Options::default() };
            for found in &mut Reader::new(open(&file, &ProgressBar::hidden())?, options) {
                match found {
                    Ok(entry) => match self.start(&entry.game.into_record(), rule, sizes) {
                        Some(game) => games.push(game),
                        None => passed_over += 1,
                    },
                    Err(problem) => eprintln!("{name}: {problem}"),
                }
            }
        }
        if games.is_empty() {
            bail!(
                "--from: no lost game or position of {rule} on the boards of --sizes ({passed_over} others)"
            );
        }
        println!("{} games and positions to begin in, {passed_over} others passed over", games.len());
        Ok(Some(Starts { games, share: self.from_share, back: self.from_plies }))
    }

    fn start(&self, record: &Record, rule: Rule, sizes: &[Size]) -> Option<StartGame> {
        let header = &record.header;
        if header.rule.is_some_and(|of_game| of_game != rule) || !sizes.contains(&header.size) {
            return None;
        }
        let loser = match header.outcome {
            Outcome::Draw => return None,
            Outcome::Win(Color::Black) => Some(&header.white),
            Outcome::Win(Color::White) => Some(&header.black),
            Outcome::Unknown => None,
        };
        if self.from_lost_by.as_ref().is_some_and(|wanted| loser != Some(wanted)) {
            return None;
        }
        let moves = record.moves.iter().copied().collect::<Option<Vec<Point>>>()?;
        let fits = !moves.is_empty();
        fits.then(|| StartGame { size: header.size, moves, ended: loser.is_some() })
    }
}
