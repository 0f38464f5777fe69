//! A file as a slice of bytes, brought into memory by the system as it is read.

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// A file mapped into memory for reading. Whoever writes to it meanwhile may change what is read.
#[derive(Debug)]
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a file.
    pub fn open(path: &Path) -> io::Result<MappedFile> {
        let file = File::open(path)?;
        // SAFETY: the bytes are only ever read as plain numbers, every one of which is checked by its reader; files that
        // are mapped here are written whole under another name first and never changed in place.
        unsafe { Mmap::map(&file) }.map(MappedFile)
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
