//! A stream of bytes with a window to look into: lines, and stretches up to a mark, of bounded length.

use std::io::Read;
use std::ops::Range;

/// The window at first; it grows with what is asked for. Most files of single games are smaller.
const WINDOW: usize = 8 * 1024;
/// A file that brings no game in so many bytes is given up, whatever its reader is looking for.
const PATIENCE: u64 = 32 << 20;

/// A stretch of bytes that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stretch {
    /// Where it is in the window; good until the next request.
    Whole(Range<usize>),
    /// It is longer than allowed; what was read of it is passed over.
    TooLong,
}

/// Bytes of a file as they come.
pub struct Source<'a> {
    input: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// File offset of `start`.
    offset: u64,
    /// File offset after the last game.
    last_good: u64,
    ended: bool,
    failure: Option<String>,
}

impl<'a> Source<'a> {
    /// Reads from here on.
    pub fn new(input: impl Read + 'a) -> Source<'a> {
        Source {
            input: Box::new(input),
            buffer: vec![0; WINDOW],
            start: 0,
            end: 0,
            offset: 0,
            last_good: 0,
            ended: false,
            failure: None,
        }
    }

    /// The offset of the next byte in the file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Says that all up to here was good: a game, or part of one.
    pub fn is_good_so_far(&mut self) {
        self.last_good = self.offset;
    }

    /// Why the stream stopped, if it did not simply end. Told once.
    pub fn take_failure(&mut self) -> Option<String> {
        self.failure.take()
    }

    /// The bytes that are in the window.
    pub fn window(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The bytes of a stretch.
    pub fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.buffer[range]
    }

    /// Reads until the window has this many bytes, or all there are.
    pub fn peek(&mut self, wanted: usize) -> &[u8] {
        while self.end - self.start < wanted && self.fill() {}
        self.window()
    }

    /// Passes over bytes of the window.
    pub fn consume(&mut self, count: usize) {
        debug_assert!(count <= self.end - self.start);
        self.start += count;
        self.offset += count as u64;
    }

    /// The next line without its end; the last one may lack it.
    pub fn line(&mut self, longest: usize) -> Option<Stretch> {
        let stretch = self.until(b'\n', longest)?;
        let Stretch::Whole(mut range) = stretch else {
            self.pass_over(b'\n');
            return Some(Stretch::TooLong);
        };
        for end in *b"\n\r" {
            if range.end > range.start && self.buffer[range.end - 1] == end {
                range.end -= 1;
            }
        }
        Some(Stretch::Whole(range))
    }

    /// The bytes up to and with the next `mark`, or up to the end of the file.
    pub fn until(&mut self, mark: u8, longest: usize) -> Option<Stretch> {
        let mut searched = 0;
        self.take(longest, |window| {
            let found = memchr::memchr(mark, &window[searched..]).map(|found| searched + found + 1);
            searched = window.len();
            found
        })
    }

    /// The stretch whose length `scan` finds in the window, which grows between calls and keeps its beginning; the rest
    /// of the file if it never finds one.
    pub fn take(&mut self, longest: usize, mut scan: impl FnMut(&[u8]) -> Option<usize>) -> Option<Stretch> {
        let length = loop {
            let window = self.window();
            if let Some(length) = scan(window) {
                break length;
            }
            let searched = window.len();
            if searched > longest {
                self.consume(searched);
                return Some(Stretch::TooLong);
            }
            if !self.fill() {
                break searched;
            }
        };
        if length == 0 {
            return None;
        }
        let from = self.start;
        self.consume(length);
        Some(Stretch::Whole(from..from + length))
    }

    /// Passes over everything up to and with the next `mark`; whether there was one.
    pub fn pass_over(&mut self, mark: u8) -> bool {
        loop {
            let window = self.window();
            match memchr::memchr(mark, window) {
                Some(found) => {
                    self.consume(found + 1);
                    return true;
                }
                None => self.consume(self.end - self.start),
            }
            if !self.fill() {
                return false;
            }
        }
    }

    /// Brings more bytes into the window, moving what is there to the front; whether there were any.
    pub fn fill(&mut self) -> bool {
        if self.offset - self.last_good > PATIENCE && !self.ended {
            self.failure = Some("no game in 32 megabytes".to_owned());
            self.ended = true;
        }
        if self.ended {
            return false;
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buffer.len() - self.end < self.buffer.len() / 2 {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let (before, enough) = (self.end, self.end + self.buffer.len() / 4);
        // A reader that trickles must not make long stretches be searched over and over.
        while self.end < enough && !self.ended {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error.to_string());
                    self.ended = true;
                }
            }
        }
        self.end > before
    }
}
