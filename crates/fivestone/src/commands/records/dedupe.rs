//! `fivestone records dedupe`.

use super::input::Input;
use super::output::Output;
use super::seen::Seen;
use anyhow::Result;
use clap::Args;
use fivestone_formats::fingerprint::Follower;
use fivestone_formats::reader::Game;

/// Write every game once.
///
/// Games are the same when their boards and moves are; players and results do not count. The first one stays.
#[derive(Args)]
pub struct Dedupe {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
    /// Turned and mirrored games are the same.
    #[arg(long)]
    symmetric: bool,
}

impl Dedupe {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        let mut writer = self.output.open()?;
        let mut seen = Seen::default();
        let mut follower: Option<Follower> = None;
        let mut repeated: u64 = 0;
        // A tree is one game: two of them are the same when all their lines are.
        let tally = self.input.read(self.output.branches()?, |_, entry| {
            let new = match &entry.game {
                Game::Line(record) => {
                    let follower = super::stats::follow(&mut follower, record.header.size);
                    record.moves.iter().for_each(|&turn| _ = follower.play(turn));
                    seen.insert(if self.symmetric { follower.symmetric_game() } else { follower.game() })
                }
                Game::Tree(tree) => {
                    let mut images = [0u64; 2];
                    for line in tree.lines() {
                        let follower = super::stats::follow(&mut follower, line.header.size);
                        line.moves.iter().for_each(|&turn| _ = follower.play(turn));
                        // The order of the variations does not matter.
                        images[0] = images[0].wrapping_add(follower.game());
                        images[1] = images[1].wrapping_add(follower.symmetric_game());
                    }
                    seen.insert(images[usize::from(self.symmetric)])
                }
            };
            if new {
                return writer.write(entry.game);
            }
            repeated += 1;
            Ok(())
        })?;
        tally.check()?;
        let written = writer.finish()?;
        eprintln!("{}; {repeated} repeated, {written}", tally.summary());
        Ok(())
    }
}
