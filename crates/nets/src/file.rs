//! The file of a net: `*.fsnet`.
//!
//! All numbers are little-endian. In order: the eight bytes `FIVENET\0`; version (u32); architecture hash (u64); rule
//! (u8, its place in [`Rule::ALL`]); smallest and largest board side trained on (u8 each); sets of weights (u8);
//! length (u32) and bytes of the description in UTF-8. Then for each set, for the lines along the sides and for the
//! diagonals: counts of inner nines and of whole lines (u32 each), their numbers (u32 each), and the rows (i16). Then
//! the convolution (i16: centre, edge, corner, bias), the moves' hidden layer (i16 weights, i32 bias) and the heads
//! (f32). The last eight bytes are a checksum of all before them.
//!
//! Version 1 ends its heads before what the solver's verdicts add; it is read as if that were
//! zeros, and a net of which all of that is zero is written as version 1.

use crate::architecture::{self, CELL, CHANNELS, CONVOLVED, HIDDEN, TABLE_LIMIT};
use crate::heads::Heads;
use crate::lines::LineRows;
use crate::net::{Convolution, LineTable, Net, PolicyLayer, Row, SideNet};
use fivestone_game::{Rule, Size};
use std::path::Path;
use std::{fmt, fs, io};

const MAGIC: &[u8; 8] = b"FIVENET\0";
const VERSION: u32 = 2;
const WITHOUT_THREATS: u32 = 1;
pub(crate) const CHECKSUM: usize = size_of::<u64>();

/// Why a net cannot be read.
#[derive(Debug)]
pub enum NetError {
    /// The file cannot be read at all.
    Io(io::Error),
    /// It does not begin as a net does.
    NotANet,
    /// It was written by another version.
    Version(u32),
    /// It has another shape than this program's.
    Architecture,
    /// It ends too early.
    Truncated {
        /// What was being read.
        part: &'static str,
    },
    /// Its bytes are not what was written.
    Checksum,
    /// A number in it makes no sense.
    Invalid(&'static str),
    /// It is for another rule.
    Rule {
        /// The net's rule.
        found: Rule,
        /// The rule asked for.
        wanted: Rule,
    },
    /// It was trained on boards of other sizes.
    Size {
        /// The smallest and the largest side it knows.
        found: (u8, u8),
        /// The size asked for.
        wanted: Size,
    },
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetError::Io(error) => write!(f, "cannot read the net: {error}"),
            NetError::NotANet => f.write_str("not a net file"),
            NetError::Version(version) => {
                write!(f, "a net file of version {version}; this program reads 1 to {VERSION}")
            }
            NetError::Architecture => f.write_str("the net has another shape than this program's nets"),
            NetError::Truncated { part } => write!(f, "the net file is cut off in its {part}"),
            NetError::Checksum => f.write_str("the net file is damaged: its checksum does not match"),
            NetError::Invalid(what) => write!(f, "the net file is damaged: {what}"),
            NetError::Rule { found, wanted } => write!(f, "the net is for {found}, not for {wanted}"),
            NetError::Size { found: (least, most), wanted } if least == most => {
                write!(f, "the net is for boards of {least}x{least}, not of {wanted}x{wanted}")
            }
            NetError::Size { found: (least, most), wanted } => {
                write!(
                    f,
                    "the net is for boards of {least}x{least} to {most}x{most}, not of {wanted}x{wanted}"
                )
            }
        }
    }
}

impl std::error::Error for NetError {}

/// A checksum over bytes, eight at a time.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64 ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 32;
    }
    hash
}

pub(crate) struct Reader<'a> {
    pub(crate) rest: &'a [u8],
    pub(crate) part: &'static str,
}

impl<'a> Reader<'a> {
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], NetError> {
        let (head, rest) =
            self.rest.split_at_checked(count).ok_or(NetError::Truncated { part: self.part })?;
        self.rest = rest;
        Ok(head)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], NetError> {
        Ok(self.bytes(N)?.try_into().expect("as many bytes as asked for"))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, NetError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn list<const N: usize, T>(
        &mut self,
        count: usize,
        of: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, NetError> {
        let bytes = self.bytes(count.checked_mul(N).ok_or(NetError::Invalid("a count is too high"))?)?;
        Ok(bytes.as_chunks::<N>().0.iter().map(|&chunk| of(chunk)).collect())
    }

    fn shorts<const N: usize>(&mut self) -> Result<[i16; N], NetError> {
        let list = self.list(N, i16::from_le_bytes)?;
        Ok(std::array::from_fn(|i| list[i]))
    }
}

impl Net {
    /// Reads a net from the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetError::NotANet)?;
        let mut reader = Reader { rest, part: "head" };
        let version = reader.u32()?;
        let heads = match version {
            VERSION => Heads::NUMBERS,
            WITHOUT_THREATS => Heads::NUMBERS_WITHOUT_THREATS,
            _ => return Err(NetError::Version(version)),
        };
        if u64::from_le_bytes(reader.array()?) != architecture::hash() {
            return Err(NetError::Architecture);
        }
        let [rule, smallest, largest, sets] = reader.array()?;
        let length = reader.u32()? as usize;
        let description = reader.bytes(length)?;

        // What follows is as long as it says: a wrong length is told from wrong bytes by walking through once.
        let start = reader.rest;
        let mut walk = Reader { rest: start, part: "weights" };
        for _ in 0..sets {
            skip_set(&mut walk, heads)?;
        }
        if walk.rest.len() < CHECKSUM {
            return Err(NetError::Truncated { part: "checksum" });
        }
        let (body, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        if walk.rest.len() > CHECKSUM
            || u64::from_le_bytes(sum.try_into().expect("eight bytes")) != checksum(body)
        {
            return Err(NetError::Checksum);
        }

        let rule = *Rule::ALL.get(usize::from(rule)).ok_or(NetError::Invalid("no such rule"))?;
        if usize::from(sets) != Net::sets_of(rule) {
            return Err(NetError::Invalid("wrong number of weight sets for its rule"));
        }
        let description =
            std::str::from_utf8(description).map_err(|_| NetError::Invalid("its description"))?.to_owned();
        reader.part = "weights";
        let sets = (0..sets).map(|_| read_set(&mut reader, heads)).collect::<Result<_, _>>()?;
        Ok(Net { rule, sides: (smallest, largest), description, sets })
    }

    /// Reads a net file.
    pub fn read_file(path: &Path) -> Result<Net, NetError> {
        if !fs::metadata(path).map_err(NetError::Io)?.is_file() {
            return Err(NetError::NotANet);
        }
        Net::from_bytes(&fs::read(path).map_err(NetError::Io)?)
    }

    /// Whether the net can be played with under a rule on boards of a size; if not, why.
    pub fn check(&self, rule: Rule, size: Size) -> Result<(), NetError> {
        if self.rule != rule {
            return Err(NetError::Rule { found: self.rule, wanted: rule });
        }
        let sides = usize::from(self.sides.0)..=usize::from(self.sides.1);
        if sides.contains(&size.side()) {
            Ok(())
        } else {
            Err(NetError::Size { found: self.sides, wanted: size })
        }
    }

    /// The bytes of the net's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rule = Rule::ALL.iter().position(|&rule| rule == self.rule).expect("every rule is listed");
        let sees_threats = self.sets.iter().any(|set| set.heads.sees_threats());
        let (version, heads) = if sees_threats {
            (VERSION, Heads::NUMBERS)
        } else {
            (WITHOUT_THREATS, Heads::NUMBERS_WITHOUT_THREATS)
        };
        let mut bytes = MAGIC.to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend(architecture::hash().to_le_bytes());
        bytes.extend([rule as u8, self.sides.0, self.sides.1, self.sets.len() as u8]);
        bytes.extend((self.description.len() as u32).to_le_bytes());
        bytes.extend(self.description.as_bytes());
        for set in &self.sets {
            write_set(set, heads, &mut bytes);
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Eight hexadecimal digits that name the net by its content.
    pub fn content_name(bytes: &[u8]) -> String {
        format!("{:08x}", checksum(bytes) >> 32)
    }
}

const POLICY_WEIGHTS: usize = CELL * HIDDEN;

fn skip_set(reader: &mut Reader, heads: usize) -> Result<(), NetError> {
    for _ in 0..2 {
        let (nines, lines) = (reader.u32()? as usize, reader.u32()? as usize);
        let rows = nines + lines + crate::lines::SEVEN_ROWS;
        reader.bytes(4 * (nines + lines) + 2 * CHANNELS * rows)?;
    }
    reader.bytes(2 * 4 * CONVOLVED + 2 * POLICY_WEIGHTS + 4 * HIDDEN + 4 * heads)?;
    Ok(())
}

fn read_table(reader: &mut Reader) -> Result<LineTable, NetError> {
    let (nines, lines) = (reader.u32()? as usize, reader.u32()? as usize);
    let nines = reader.list(nines, u32::from_le_bytes)?;
    let lines = reader.list(lines, u32::from_le_bytes)?;
    let index = LineRows::new(nines, lines).ok_or(NetError::Invalid("a line number in its tables"))?;
    let rows = reader.list(index.rows(), |bytes: [u8; 2 * CHANNELS]| {
        Row(std::array::from_fn(|i| i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]])))
    })?;
    if rows.iter().flat_map(|row| row.0).any(|number| !(-TABLE_LIMIT..=TABLE_LIMIT).contains(&number)) {
        return Err(NetError::Invalid("a weight in its tables"));
    }
    Ok(LineTable { index, rows })
}

fn read_set(reader: &mut Reader, heads: usize) -> Result<SideNet, NetError> {
    let tables = [read_table(reader)?, read_table(reader)?];
    let convolution = Convolution {
        centre: reader.shorts()?,
        edge: reader.shorts()?,
        corner: reader.shorts()?,
        bias: reader.shorts()?,
    };
    let weights = reader.list(POLICY_WEIGHTS, i16::from_le_bytes)?;
    let bias = reader.list(HIDDEN, i32::from_le_bytes)?;
    let policy = Box::new(PolicyLayer {
        weights: std::array::from_fn(|pair| {
            std::array::from_fn(|out| std::array::from_fn(|i| weights[(pair * HIDDEN + out) * 2 + i]))
        }),
        bias: std::array::from_fn(|i| bias[i]),
    });
    if !policy.in_range() {
        return Err(NetError::Invalid("a weight of its hidden layer"));
    }
    let mut heads = reader.list(heads, f32::from_le_bytes)?;
    if heads.iter().any(|number| !number.is_finite()) {
        return Err(NetError::Invalid("a weight of its heads"));
    }
    heads.resize(Heads::NUMBERS, 0.0);
    Ok(SideNet { tables, convolution, policy, heads: Heads::from_numbers(&heads) })
}

fn write_set(set: &SideNet, heads: usize, bytes: &mut Vec<u8>) {
    for table in &set.tables {
        let index = &table.index;
        bytes.extend((index.nines().len() as u32).to_le_bytes());
        bytes.extend((index.lines().len() as u32).to_le_bytes());
        bytes.extend(index.nines().iter().chain(index.lines()).flat_map(|number| number.to_le_bytes()));
        bytes.extend(table.rows.iter().flat_map(|row| row.0).flat_map(i16::to_le_bytes));
    }
    let Convolution { centre, edge, corner, bias } = &set.convolution;
    let numbers = centre.iter().chain(edge).chain(corner).chain(bias);
    bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
    let weights = set.policy.weights.as_flattened().as_flattened();
    bytes.extend(weights.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(set.policy.bias.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(set.heads.numbers()[..heads].iter().copied().flat_map(f32::to_le_bytes));
}
