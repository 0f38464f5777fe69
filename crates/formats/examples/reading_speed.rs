//! How fast files are read and checked, from memory and on one core: `reading_speed FILES...`.

use fivestone_formats::reader::{Branches, Options, Reader};
use std::time::Instant;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        for branches in [Branches::MainLine, Branches::Keep] {
            let started = Instant::now();
            let mut reader = Reader::new(bytes.as_slice(), Options { branches, ..Options::default() });
            let (mut games, mut problems) = (0u64, 0u64);
            for found in &mut reader {
                if found.is_ok() { games += 1 } else { problems += 1 }
            }
            let seconds = started.elapsed().as_secs_f64();
            println!(
                "{path}: {} {branches:?}: {games} games, {problems} problems, {} nodes in {seconds:.3} s: {:.0} MB/s, {:.1} M nodes/s",
                reader.format().map_or("?", |format| format.name()),
                reader.nodes(),
                bytes.len() as f64 / seconds / 1e6,
                reader.nodes() as f64 / seconds / 1e6,
            );
        }
    }
    Ok(())
}
