//! Lists the games of files in any format, and what is wrong with those that cannot be played:
//! `list_games FILES...`.

use fivestone_formats::reader::{Options, Reader};
use std::fs::File;
use std::io;

fn main() -> io::Result<()> {
    for path in std::env::args().skip(1) {
        let mut reader = Reader::new(File::open(&path)?, Options::default());
        let (mut games, mut problems) = (0_u64, 0_u64);
        for found in &mut reader {
            match found {
                Ok(entry) => {
                    games += 1;
                    let record = entry.game.into_record();
                    let header = &record.header;
                    let rule = header.rule.map_or("rule not told", |rule| rule.name());
                    let (number, size, stones) = (entry.number, header.size, record.stones());
                    println!("{number}: {size}x{size}, {rule}, {stones} stones, {}", header.outcome);
                }
                Err(problem) => {
                    problems += 1;
                    println!("{problem}");
                }
            }
        }
        let format = reader.format().map_or("unknown format", |format| format.name());
        println!("{path}: {format}, {games} games, {problems} problems");
    }
    Ok(())
}
