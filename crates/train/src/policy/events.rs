//! Scalars as `TensorBoard` reads them: records of protocol buffers, each with checksums of its length and its bytes.

use super::protobuf::Message;
use std::io::Write;
use std::path::Path;
use std::{fs, io};

/// CRC-32C, bit by bit: the records are few and short.
fn crc32c(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

fn masked(bytes: &[u8]) -> [u8; 4] {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

fn record(message: &Message) -> Vec<u8> {
    let body = message.bytes();
    let length = (body.len() as u64).to_le_bytes();
    let mut bytes = length.to_vec();
    bytes.extend(masked(&length));
    bytes.extend(body);
    bytes.extend(masked(body));
    bytes
}

/// Adds scalars of a step to a file of events, which is begun if it is not there. `time` is in seconds since 1970.
pub fn add_scalars(path: &Path, step: usize, time: f64, scalars: &[(&str, f64)]) -> io::Result<()> {
    let mut bytes = Vec::new();
    if !path.exists() {
        let version = Message::new().double(1, time).text(3, "brain.Event:2");
        bytes.extend(record(&version));
    }
    let mut summary = Message::new();
    for &(tag, value) in scalars {
        summary = summary.message(1, &Message::new().text(1, tag).float(2, value as f32));
    }
    let event = Message::new().double(1, time).number(2, step as u64).message(5, &summary);
    bytes.extend(record(&event));
    fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
    }
}
