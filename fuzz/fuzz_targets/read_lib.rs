//! Reads any bytes as the format `lib` and writes what was read.
#![no_main]

#[path = "../reading.rs"]
mod reading;

use fivestone_formats::detect::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(bytes, Some(Format::Lib)));
