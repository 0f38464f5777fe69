//! Any bytes to the protocol's parser: read the same in one piece and byte by byte, and every command as it is written.
#![no_main]

use fivestone_formats::gomocup::{Command, Info, Parser, Reply};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut whole = Parser::new();
    let mut found = whole.read(bytes);
    found.extend(whole.finish());

    let mut pieces = Parser::new();
    let mut again: Vec<_> = bytes.iter().flat_map(|&byte| pieces.read(&[byte])).collect();
    again.extend(pieces.finish());
    assert_eq!(found, again);

    for command in found.into_iter().flatten() {
        if matches!(command, Command::Info(Info::Ignored | Info::Evaluate | Info::Folder(_))) {
            continue;
        }
        assert_eq!(Parser::new().read(format!("{command}\n").as_bytes()), [Ok(command)]);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        if let Some(reply) = Reply::parse(text) {
            let _ = reply.to_string();
        }
    }
});
