//! The file of a move predictor: `*.fspolicy`.
//!
//! All numbers are little-endian. In order: the eight bytes `FIVEPOL\0`; version (u32); side of the board it was trained
//! on (u32); its architecture and its description, each as a length (u32) and UTF-8 bytes. For a table input, for the
//! lines along the sides and for the diagonals: counts of inner nines and of whole lines (u32 each) and their numbers
//! (u32 each). Then each list of weights: its length (u32), the value of one unit (f32) and the weights in that unit
//! (i16 each). The last eight bytes are a checksum of all before them.

use super::architecture::{Input, PolicyArchitecture};
use super::input::InputRows;
use super::net::PolicyNet;
use crate::NetError;
use crate::file::{CHECKSUM, Reader, checksum};
use crate::lines::LineRows;
use fivestone_game::Size;
use std::fs;
use std::path::Path;

const MAGIC: &[u8; 8] = b"FIVEPOL\0";
const VERSION: u32 = 1;

impl PolicyNet {
    /// Reads a net from the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<PolicyNet, NetError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetError::NotANet)?;
        let mut head = Reader { rest, part: "head" };
        let version = head.u32()?;
        if version != VERSION {
            return Err(NetError::Version(version));
        }
        let body = bytes.len().checked_sub(CHECKSUM).filter(|&body| body > MAGIC.len() + 4);
        let (body, sum) = bytes.split_at(body.ok_or(NetError::Truncated { part: "head" })?);
        let intact = u64::from_le_bytes(sum.try_into().expect("eight bytes")) == checksum(body);
        let read = read_body(Reader { rest: &body[MAGIC.len() + 4..], part: "head" });
        // A file that is cut off has no checksum to believe: say which of the two it is.
        match read {
            Err(error @ NetError::Truncated { .. }) => Err(error),
            _ if !intact => Err(NetError::Checksum),
            read => read,
        }
    }

    /// Reads a net file.
    pub fn read_file(path: &Path) -> Result<PolicyNet, NetError> {
        PolicyNet::from_bytes(&fs::read(path).map_err(NetError::Io)?)
    }

    /// The bytes of the net's file. Weights are rounded to sixteen bits of the largest of their list.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let number = |bytes: &mut Vec<u8>, number: usize| bytes.extend((number as u32).to_le_bytes());
        bytes.extend(VERSION.to_le_bytes());
        number(&mut bytes, self.size.side());
        for text in [&self.architecture.to_string(), &self.description] {
            number(&mut bytes, text.len());
            bytes.extend(text.as_bytes());
        }
        for rows in self.rows.iter().flat_map(|rows| &rows.lines) {
            number(&mut bytes, rows.nines().len());
            number(&mut bytes, rows.lines().len());
            bytes.extend(rows.nines().iter().chain(rows.lines()).flat_map(|number| number.to_le_bytes()));
        }
        for tensor in &self.tensors {
            let highest = tensor.iter().fold(0.0_f32, |highest, number| highest.max(number.abs()));
            let unit = if highest > 0.0 { highest / f32::from(i16::MAX) } else { 1.0 };
            number(&mut bytes, tensor.len());
            bytes.extend(unit.to_le_bytes());
            bytes.extend(tensor.iter().flat_map(|number| ((number / unit).round() as i16).to_le_bytes()));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }
}

fn read_text(reader: &mut Reader) -> Result<String, NetError> {
    let length = reader.u32()? as usize;
    let bytes = reader.bytes(length)?;
    Ok(std::str::from_utf8(bytes).map_err(|_| NetError::Invalid("its description"))?.to_owned())
}

fn read_rows(reader: &mut Reader) -> Result<LineRows, NetError> {
    let (nines, lines) = (reader.u32()? as usize, reader.u32()? as usize);
    let nines = reader.list(nines, u32::from_le_bytes)?;
    LineRows::new(nines, reader.list(lines, u32::from_le_bytes)?)
        .ok_or(NetError::Invalid("a line number in its tables"))
}

fn read_body(mut reader: Reader) -> Result<PolicyNet, NetError> {
    let size = Size::new(reader.u32()? as usize).ok_or(NetError::Invalid("its board"))?;
    let architecture: PolicyArchitecture =
        read_text(&mut reader)?.parse().map_err(|_| NetError::Architecture)?;
    let description = read_text(&mut reader)?;
    reader.part = "tables";
    let rows = match architecture.input {
        Input::Lines(_) => Some(InputRows { lines: [read_rows(&mut reader)?, read_rows(&mut reader)?] }),
        Input::Stones | Input::Colours => None,
    };
    reader.part = "weights";
    let mut tensors = Vec::new();
    for shape in architecture.tensors(size.cells(), rows.as_ref().map_or(0, InputRows::count)) {
        if reader.u32()? as usize != shape.count() {
            return Err(NetError::Architecture);
        }
        let unit = f32::from_le_bytes(reader.array()?);
        let numbers = reader.list(shape.count(), i16::from_le_bytes)?;
        tensors.push(numbers.into_iter().map(|number| f32::from(number) * unit).collect());
    }
    if !reader.rest.is_empty() {
        return Err(NetError::Checksum);
    }
    PolicyNet::new(architecture, size, rows, tensors, description).map_err(|_| NetError::Architecture)
}
