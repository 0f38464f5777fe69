//! A scanner for XML as record files use it: tags, attributes and text in a stream. It keeps no stack of elements and
//! declares no entities, so that neither deep nesting nor entity expansion can hurt.

use crate::source::{Source, Stretch};
use std::ops::Range;

/// Longer tags and texts are passed over.
const LONGEST: usize = 1 << 20;

/// What comes next in the file; ranges are bytes of the source, good until the next request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// `<name attributes>` or `<name attributes/>`.
    Open {
        /// What stands between the brackets.
        tag: Range<usize>,
        /// The element ends here too.
        closed: bool,
    },
    /// `</name>`.
    Close(Range<usize>),
    /// Text between tags.
    Text(Range<usize>),
    /// `<?xml ...?>` and its like.
    Instruction(Range<usize>),
    /// A tag or text that was too long.
    TooLong,
}

/// Where the scanner is.
#[derive(Default)]
pub struct Scanner {
    in_tag: bool,
}

impl Scanner {
    /// What comes next.
    pub fn next(&mut self, source: &mut Source) -> Option<Event> {
        loop {
            if !self.in_tag {
                let range = match source.until(b'<', LONGEST)? {
                    Stretch::Whole(range) => range,
                    Stretch::TooLong => return Some(Event::TooLong),
                };
                self.in_tag = source.bytes(range.clone()).ends_with(b"<");
                let text = range.start..range.end - usize::from(self.in_tag);
                if !source.bytes(text.clone()).trim_ascii().is_empty() {
                    return Some(Event::Text(text));
                }
                continue;
            }
            self.in_tag = false;
            let start = source.peek(8);
            if start.starts_with(b"!--") {
                source.consume(3);
                pass_over(source, b"-->");
            } else if start.starts_with(b"![CDATA[") {
                source.consume(8);
                let mut searched = 0;
                let text = source.take(LONGEST, |window| {
                    let found = memchr::memmem::find(&window[searched..], b"]]>").map(|at| searched + at + 3);
                    searched = window.len().saturating_sub(2);
                    found
                })?;
                return Some(match text {
                    Stretch::Whole(range) => {
                        Event::Text(range.start..range.end.saturating_sub(3).max(range.start))
                    }
                    Stretch::TooLong => Event::TooLong,
                });
            } else if start.starts_with(b"!") {
                pass_over_declaration(source);
            } else {
                return tag(source);
            }
        }
    }
}

fn tag(source: &mut Source) -> Option<Event> {
    let (mut at, mut quote) = (0, None);
    let stretch = source.take(LONGEST, |window| {
        loop {
            let rest = &window[at..];
            let found = match quote {
                Some(quote) => memchr::memchr(quote, rest),
                None => memchr::memchr3(b'>', b'"', b'\'', rest),
            };
            let Some(found) = found else {
                at = window.len();
                return None;
            };
            at += found + 1;
            match (quote, rest[found]) {
                (None, b'>') => return Some(at),
                (None, mark) => quote = Some(mark),
                (Some(_), _) => quote = None,
            }
        }
    })?;
    let Stretch::Whole(mut range) = stretch else { return Some(Event::TooLong) };
    let tag = source.bytes(range.clone());
    let tag = tag.strip_suffix(b">")?;
    range.end -= 1;
    Some(match (tag.first(), tag.last()) {
        (Some(b'/'), _) => Event::Close(range.start + 1..range.end),
        (Some(b'?'), _) => Event::Instruction(range),
        (_, Some(b'/')) => Event::Open { tag: range.start..range.end - 1, closed: true },
        _ => Event::Open { tag: range, closed: false },
    })
}

fn pass_over(source: &mut Source, mark: &[u8]) {
    loop {
        let window = source.window();
        if let Some(found) = memchr::memmem::find(window, mark) {
            source.consume(found + mark.len());
            return;
        }
        let (length, keep) = (window.len(), window.len().min(mark.len() - 1));
        source.consume(length - keep);
        if !source.fill() {
            source.consume(keep);
            return;
        }
    }
}

/// `<!DOCTYPE name [ declarations ]>`: whatever it declares is not used.
fn pass_over_declaration(source: &mut Source) {
    let has_list = match source.until(b'>', LONGEST) {
        Some(Stretch::Whole(range)) => {
            let declaration = source.bytes(range);
            declaration.contains(&b'[') && !declaration.contains(&b']')
        }
        _ => false,
    };
    if has_list {
        source.pass_over(b']');
        source.pass_over(b'>');
    }
}

/// The name of an element.
pub fn name(tag: &[u8]) -> &[u8] {
    let end = tag.iter().position(u8::is_ascii_whitespace).unwrap_or(tag.len());
    &tag[..end]
}

/// The attributes of a tag with their raw values.
pub fn attributes(tag: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = &tag[name(tag).len()..];
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let equals = memchr::memchr(b'=', rest)?;
        let key = rest[..equals].trim_ascii();
        let value = rest[equals + 1..].trim_ascii_start();
        let (&quote, value) = value.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
        let end = memchr::memchr(quote, value)?;
        rest = &value[end + 1..];
        Some((key, &value[..end]))
    })
}

/// Text with the five named and the numbered characters put in place; anything else stays as it is.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        let character = end.and_then(|end| entity(&rest[1..end]));
        if let (Some(character), Some(end)) = (character, end) {
            out.push(character);
            rest = &rest[end + 1..];
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}
