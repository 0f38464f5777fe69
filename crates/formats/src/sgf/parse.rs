//! The grammar: nodes, properties, values, and where game trees open and close.

use crate::problem::Fault;

/// Deeper nesting of variations is no game.
const DEEPEST: usize = 10_000;

/// A property and its values as they stand in the file, escapes included.
#[derive(Clone, Debug)]
pub struct Property<'a> {
    /// Capital letters.
    pub name: Vec<u8>,
    /// What stands between the brackets.
    pub values: Vec<&'a [u8]>,
}

impl<'a> Property<'a> {
    /// The first value.
    pub fn first(&self) -> &'a [u8] {
        self.values.first().copied().unwrap_or_default()
    }
}

/// What comes next in a game tree.
pub enum Token<'a> {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `;` and the properties after it.
    Node(Vec<Property<'a>>),
}

/// Cuts a game tree into tokens.
pub struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    double_byte: bool,
}

impl<'a> Tokens<'a> {
    /// The tokens of a game tree; `double_byte` says that bytes from 0x81 on lead a character of two bytes.
    pub fn new(bytes: &'a [u8], double_byte: bool) -> Tokens<'a> {
        Tokens { bytes, at: 0, depth: 0, double_byte }
    }

    /// The next token; nothing after the last bracket.
    pub fn next(&mut self) -> Result<Option<Token<'a>>, Fault> {
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                return if self.depth == 0 { Ok(None) } else { Err(Fault::Truncated) };
            };
            match byte {
                b'(' => {
                    self.at += 1;
                    self.depth += 1;
                    if self.depth > DEEPEST {
                        return Err(Fault::TooLarge("variations nest deeper than 10,000"));
                    }
                    return Ok(Some(Token::Open));
                }
                b')' => {
                    self.at += 1;
                    self.depth = self.depth.saturating_sub(1);
                    return Ok(Some(Token::Close));
                }
                b';' => {
                    self.at += 1;
                    return self.properties().map(|properties| Some(Token::Node(properties)));
                }
                // Properties without a node in front of them, as some programs write at the root.
                b'A'..=b'Z' => return self.properties().map(|properties| Some(Token::Node(properties))),
                // Stray characters between nodes are passed over, a stray value with all it holds.
                b'[' => {
                    self.at += 1;
                    self.value()?;
                }
                _ => self.at += 1,
            }
        }
    }

    fn properties(&mut self) -> Result<Vec<Property<'a>>, Fault> {
        let mut properties = Vec::new();
        loop {
            self.blanks();
            let start = self.at;
            while self.bytes.get(self.at).is_some_and(u8::is_ascii_alphabetic) {
                self.at += 1;
            }
            if start == self.at {
                return Ok(properties);
            }
            // Older files write long names with small letters in between, which do not count.
            let name = self.bytes[start..self.at].iter().copied().filter(u8::is_ascii_uppercase).collect();
            let mut values = Vec::new();
            self.blanks();
            while self.bytes.get(self.at) == Some(&b'[') {
                self.at += 1;
                values.push(self.value()?);
                self.blanks();
            }
            properties.push(Property { name, values });
        }
    }

    fn blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<&'a [u8], Fault> {
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b']' => return Ok(&self.bytes[start..self.at - 1]),
                b'\\' => self.at += 1,
                0x81.. if self.double_byte => self.at += 1,
                _ => {}
            }
        }
        Err(Fault::Truncated)
    }
}

/// A value's text: escapes resolved.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match characters.next() {
            // A line break after a backslash only folds the line.
            Some('\r') => _ = characters.next_if_eq(&'\n'),
            Some('\n') => _ = characters.next_if_eq(&'\r'),
            Some(escaped) => out.push(escaped),
            None => {}
        }
    }
    out
}

/// A text as a value: brackets and backslashes escaped, and the colon where the value is made of two parts.
pub fn escape(text: &str, colon: bool, out: &mut String) {
    for c in text.chars() {
        if matches!(c, ']' | '\\') || colon && c == ':' {
            out.push('\\');
        }
        out.push(c);
    }
}
