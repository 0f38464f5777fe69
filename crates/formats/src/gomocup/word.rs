//! Splits bytes into words and line ends, holding no more than one bounded word.

/// The longest word kept: room for a path.
const LONGEST: usize = 1024;

/// A piece of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// Bytes between white space; cut when too long.
    Word(Word),
    /// The end of a line.
    LineEnd,
}

/// A word as it came, perhaps no text at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Word {
    bytes: Vec<u8>,
    cut: bool,
}

impl Word {
    /// The word as text if it is short ASCII, as everything the protocol knows is.
    pub fn text(&self) -> Option<&str> {
        self.unicode().filter(|text| text.is_ascii())
    }

    /// The word as text of any script.
    pub fn unicode(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok().filter(|_| !self.cut)
    }

    /// The word made fit for a message.
    pub fn shown(&self) -> String {
        const SHOWN: usize = 24;
        let text = String::from_utf8_lossy(&self.bytes);
        let printable = |c: char| if c.is_ascii_graphic() { c } else { '?' };
        let dots = if self.cut || text.chars().count() > SHOWN { "..." } else { "" };
        text.chars().take(SHOWN).map(printable).chain(dots.chars()).collect()
    }
}

/// Gathers bytes to words.
#[derive(Default, Debug)]
pub(super) struct Words {
    word: Word,
}

impl Words {
    /// Takes one byte and hands on the word and the line end it completes.
    pub fn push(&mut self, byte: u8, mut sink: impl FnMut(Piece)) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => {
                if !self.word.bytes.is_empty() {
                    sink(Piece::Word(std::mem::take(&mut self.word)));
                }
                if matches!(byte, b'\r' | b'\n') {
                    sink(Piece::LineEnd);
                }
            }
            _ if self.word.bytes.len() < LONGEST => self.word.bytes.push(byte),
            _ => self.word.cut = true,
        }
    }
}
