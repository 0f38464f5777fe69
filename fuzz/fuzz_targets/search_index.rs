//! Searches any bytes as an index, also with their checksums put right.
#![no_main]

use fivestone_formats::index::{Builder, Position, search};
use fivestone_game::{Size, notation};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let moves = notation::parse_moves("h8h9i10", Size::STANDARD).expect("the moves are right");
    let position = Position::new(Size::STANDARD, &moves.into_iter().map(Some).collect::<Vec<_>>());
    let _ = search(&mut &bytes[..], &position, 10);
    let mut index = Vec::new();
    let _ = Builder::new(&[], &mut index);
    index.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    index.extend_from_slice(&crc32fast::hash(bytes).to_le_bytes());
    index.extend_from_slice(bytes);
    let _ = search(&mut index.as_slice(), &position, 10);
});
