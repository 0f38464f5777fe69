//! A file of samples that grows, whatever happens to its writer.

use super::file::{Blocks, SampleError, SampleWriter, VERSION};
use super::{SampleGame, SampleSummary};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Why games cannot be added to a file.
#[derive(Debug)]
pub struct StoreError {
    path: PathBuf,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    Io(io::Error),
    Samples(SampleError),
    InUse,
    OldVersion(u32),
    NotWritten { error: io::Error, games: u64, cut: bool },
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.problem {
            Problem::Io(error) => write!(f, "{error}"),
            Problem::Samples(error) => write!(f, "{error}; games are added only to a whole file"),
            Problem::OldVersion(version) => {
                write!(f, "training samples of version {version}; games are added only to version {VERSION}")
            }
            Problem::InUse => f.write_str("another process is adding games to it"),
            Problem::NotWritten { error, games, cut: true } => {
                write!(f, "a game could not be written ({error}); the file keeps its {games} whole games")
            }
            Problem::NotWritten { error, games, cut: false } => {
                write!(
                    f,
                    "a game could not be written ({error}); after {games} whole games it has a broken end, which is cut off when it is next opened"
                )
            }
        }
    }
}

impl std::error::Error for StoreError {}

/// Where blocks are written.
trait Medium: Write {
    /// Cuts what lies behind so many bytes, and goes on there.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl Medium for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)?;
        self.seek(SeekFrom::Start(length)).map(|_| ())
    }
}

/// Between two requests to put what was written onto the disk itself: a killed process loses nothing without them, a
/// machine without power may lose this much.
const SYNC: Duration = Duration::from_secs(10);

/// A file of samples, open for one writer.
pub struct SampleStore {
    path: PathBuf,
    file: File,
    /// Where its whole blocks end.
    end: u64,
    games: u64,
    targets: u64,
    cut: u64,
    synced: Instant,
    series: Option<Series>,
}

/// Files that are filled one after the other: `games-0001.fssamples` and so on.
struct Series {
    /// The name without the number.
    name: PathBuf,
    number: u32,
    games_per_file: u64,
    /// Games and targets of the files before this one.
    before: (u64, u64),
}

/// A file of a series.
fn numbered(name: &Path, number: u32) -> PathBuf {
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    let extension = name.extension().unwrap_or("fssamples".as_ref()).to_string_lossy();
    name.with_file_name(format!("{stem}-{number:04}.{extension}"))
}

/// The numbers of a series that are there, in order.
fn numbers(name: &Path) -> io::Result<Vec<u32>> {
    let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let stem = format!("{}-", name.file_stem().unwrap_or_default().to_string_lossy());
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let file = PathBuf::from(entry?.file_name());
        let number = file.file_stem().and_then(|word| word.to_str()?.strip_prefix(&stem)?.parse().ok());
        numbers.extend(number.filter(|&number| numbered(name, number).file_name() == Some(file.as_os_str())));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

impl SampleStore {
    /// Opens the last file of a series or begins the first one; a new file begins after this many
    /// games. Damage in any of the files is refused.
    pub fn open_series(name: &Path, games_per_file: u64) -> Result<SampleStore, StoreError> {
        let fail = |path: &Path, problem| StoreError { path: path.to_owned(), problem };
        let mut numbers = numbers(name).map_err(|error| fail(name, Problem::Io(error)))?;
        let number = numbers.pop().unwrap_or(1);
        let mut store = SampleStore::open(&numbered(name, number))?;
        let mut before = (0, 0);
        for path in numbers.into_iter().map(|number| numbered(name, number)) {
            let (summary, counted) = SampleSummary::of_file(&path);
            match counted {
                // A machine may lose its power after a file was begun and before all of the last
                // one was on the disk.
                Ok(()) | Err(SampleError::Truncated { .. }) => {}
                Err(error) => return Err(fail(&path, Problem::Samples(error))),
            }
            before = (before.0 + summary.games, before.1 + summary.targets());
        }
        store.series = Some(Series { name: name.to_owned(), number, games_per_file, before });
        Ok(store)
    }

    /// Goes on with the next file of a series if this one is full.
    fn turn_page(&mut self) -> Result<(), StoreError> {
        let Some(series) = self.series.as_mut().filter(|series| self.games >= series.games_per_file) else {
            return Ok(());
        };
        series.number += 1;
        series.before = (series.before.0 + self.games, series.before.1 + self.targets);
        let next = numbered(&series.name, series.number);
        self.sync()?;
        let series = self.series.take();
        *self = SampleStore { series, ..SampleStore::open(&next)? };
        Ok(())
    }

    /// Opens a file or begins it. A broken end, as a kill or a full disk leaves it, is cut off; damage before the end is
    /// refused.
    pub fn open(path: &Path) -> Result<SampleStore, StoreError> {
        let fail = |problem| StoreError { path: path.to_owned(), problem };
        let io = |error| fail(Problem::Io(error));
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        file.try_lock().map_err(|_| fail(Problem::InUse))?;
        let length = file.metadata().map_err(io)?.len();
        let mut store = SampleStore {
            path: path.to_owned(),
            file,
            end: 0,
            games: 0,
            targets: 0,
            cut: 0,
            synced: Instant::now(),
            series: None,
        };
        let begun = store.scan(length).map_err(fail)?;
        store.file.cut(store.end).map_err(io)?;
        store.cut = length - store.end;
        if !begun {
            let start = SampleWriter::begin(Vec::new()).map_err(io)?.into_inner();
            store.append_block(&start)?;
        }
        Ok(store)
    }

    /// Counts the whole games; answers whether the file has its beginning.
    fn scan(&mut self, length: u64) -> Result<bool, Problem> {
        let whole_start = super::file::START as u64;
        let mut blocks = match Blocks::begin(BufReader::new(&self.file)) {
            // Its writer was killed while it began the file.
            Err(SampleError::NotSamples) if length < whole_start => return Ok(false),
            other => other.map_err(Problem::Samples)?,
        };
        if blocks.version != VERSION {
            return Err(Problem::OldVersion(blocks.version));
        }
        let targets = &mut self.targets;
        let mut end = blocks.end;
        let result = blocks.read_all(|games, block_end| {
            *targets += games.iter().map(|game| game.targets() as u64).sum::<u64>();
            end = block_end;
        });
        match result {
            // A machine that lost its power may have written only parts of the last block.
            Err(SampleError::Checksum { .. }) if blocks.end as u64 == length && blocks.end > end => {}
            Ok(()) | Err(SampleError::Truncated { .. }) => {}
            Err(error) => return Err(Problem::Samples(error)),
        }
        self.games = blocks.games as u64;
        self.end = end as u64;
        Ok(true)
    }

    /// Adds a game. If that fails, the file is left as it was.
    pub fn append(&mut self, game: &SampleGame) -> Result<(), StoreError> {
        self.turn_page()?;
        let mut writer = SampleWriter::append(Vec::new());
        let problem = |error| StoreError { path: self.path.clone(), problem: Problem::Io(error) };
        writer.write(game).and_then(|()| writer.end_block()).map_err(problem)?;
        self.append_block(&writer.into_inner())?;
        self.games += 1;
        self.targets += game.targets() as u64;
        if self.synced.elapsed() > SYNC {
            self.sync()?;
        }
        Ok(())
    }

    fn append_block(&mut self, block: &[u8]) -> Result<(), StoreError> {
        let written = write_or_cut(&mut self.file, self.end, block);
        written.map_err(|(error, cut)| {
            let problem = Problem::NotWritten { error, games: self.games, cut };
            StoreError { path: self.path.clone(), problem }
        })?;
        self.end += block.len() as u64;
        Ok(())
    }

    /// Puts what was written onto the disk itself.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        self.synced = Instant::now();
        let fail = |error| StoreError { path: self.path.clone(), problem: Problem::Io(error) };
        self.file.sync_data().map_err(fail)
    }

    /// Whole games in the file, or in all files of the series.
    pub fn games(&self) -> u64 {
        self.games + self.series.as_ref().map_or(0, |series| series.before.0)
    }

    /// Positions to learn from in them.
    pub fn targets(&self) -> u64 {
        self.targets + self.series.as_ref().map_or(0, |series| series.before.1)
    }

    /// The file that is written now.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of a broken end that were cut off when the file was opened.
    pub fn cut(&self) -> u64 {
        self.cut
    }
}

/// Writes a block at the end, or cuts off what was written of it; answers then also whether that worked.
fn write_or_cut(file: &mut impl Medium, end: u64, block: &[u8]) -> Result<(), (io::Error, bool)> {
    let written = file.write_all(block).and_then(|()| file.flush());
    written.map_err(|error| (error, file.cut(end).is_ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{SamplePly, TornEnd, read_samples};
    use fivestone_game::{Color, Point, Rule, Size};
    use std::fs;

    fn game(moves: usize) -> SampleGame {
        let size = Size::STANDARD;
        let ply =
            |at| SamplePly { learn: at % 2 == 0, ..SamplePly::played(Point::from_dense(at, size), None) };
        SampleGame {
            rule: Rule::Freestyle,
            size,
            winner: Some(Color::Black),
            result_known: true,
            opening: Vec::new(),
            plies: (0..moves).map(ply).collect(),
            harvest: Vec::new(),
        }
    }

    fn new_path(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("fivestone-store-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join(name);
        let _ = fs::remove_file(&path);
        path
    }

    fn count(path: &Path) -> usize {
        read_samples(fs::File::open(path).unwrap(), TornEnd::Refused, |_| ()).unwrap()
    }

    #[test]
    fn games_are_added_to_what_is_there() {
        let path = new_path("added");
        for round in 0..3 {
            let mut store = SampleStore::open(&path).unwrap();
            assert_eq!((store.games(), store.targets(), store.cut()), (2 * round, 7 * round, 0));
            store.append(&game(5)).unwrap();
            store.append(&game(8)).unwrap();
        }
        assert_eq!(count(&path), 6);
    }

    #[test]
    fn a_broken_end_is_cut_off_wherever_it_broke() {
        let path = new_path("broken");
        let mut store = SampleStore::open(&path).unwrap();
        store.append(&game(5)).unwrap();
        let first = store.end as usize;
        store.append(&game(8)).unwrap();
        drop(store);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut store = SampleStore::open(&path).unwrap();
            assert_eq!(store.games(), u64::from(length >= first), "{length} bytes");
            store.append(&game(3)).unwrap();
            let games = store.games();
            drop(store);
            assert_eq!(count(&path) as u64, games);
        }
        // Bytes of the last block that never reached the disk.
        let mut torn = whole.clone();
        torn[first + 20..].fill(0);
        fs::write(&path, &torn).unwrap();
        assert_eq!(SampleStore::open(&path).unwrap().games(), 1);
    }

    #[test]
    fn damage_before_the_end_and_other_files_are_refused_untouched() {
        let path = new_path("damaged");
        let mut store = SampleStore::open(&path).unwrap();
        (0..3).for_each(|_| store.append(&game(5)).unwrap());
        drop(store);
        let whole = fs::read(&path).unwrap();
        for (at, word) in [(50, "checksum"), (0, "not a file"), (8, "version 3"), (9, "version 258")] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let error = SampleStore::open(&path).err().unwrap().to_string();
            assert!(error.contains(word) && error.contains("/damaged: "), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn a_series_begins_new_files_and_goes_on_with_the_last() {
        let name = new_path("series").join("games.fssamples");
        let _ = fs::remove_dir_all(name.parent().unwrap());
        fs::create_dir_all(name.parent().unwrap()).unwrap();
        fs::write(name.with_file_name("games-old.fssamples"), "another file").unwrap();
        for round in 0..5_u64 {
            let mut store = SampleStore::open_series(&name, 2).unwrap();
            assert_eq!((store.games(), store.targets()), (3 * round, 9 * round));
            (0..3).for_each(|_| store.append(&game(5)).unwrap());
            assert!(SampleStore::open_series(&name, 2).is_err(), "the last file is in use");
        }
        let counts: Vec<usize> = (1..=8).map(|number| count(&numbered(&name, number))).collect();
        assert_eq!(counts, [2, 2, 2, 2, 2, 2, 2, 1]);
        // A kill may break the end of the last file; what is damaged before is named.
        let last = fs::read(numbered(&name, 8)).unwrap();
        fs::write(numbered(&name, 8), &last[..last.len() - 1]).unwrap();
        assert_eq!(SampleStore::open_series(&name, 2).unwrap().games(), 14);
        let mut third = fs::read(numbered(&name, 3)).unwrap();
        third[20] ^= 1;
        fs::write(numbered(&name, 3), third).unwrap();
        let error = SampleStore::open_series(&name, 2).err().unwrap().to_string();
        assert!(error.contains("games-0003.fssamples: ") && error.contains("byte 12"), "{error}");
    }

    #[test]
    fn nothing_is_added_to_a_file_of_version_1() {
        let path = new_path("old");
        let old = include_bytes!("../../tests/fixtures/version-1.fssamples");
        fs::write(&path, old).unwrap();
        let error = SampleStore::open(&path).err().unwrap().to_string();
        assert!(error.contains("/old: training samples of version 1;"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), old);
    }

    #[test]
    fn there_is_one_writer_at_a_time() {
        let path = new_path("locked");
        let first = SampleStore::open(&path).unwrap();
        assert!(SampleStore::open(&path).err().unwrap().to_string().contains("another process"));
        drop(first);
        SampleStore::open(&path).unwrap();
    }

    /// A disk that is full after so many bytes.
    struct FullDisk(Vec<u8>, usize);

    impl Write for FullDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let room = self.1 - self.0.len();
            if room == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let count = room.min(bytes.len());
            self.0.extend(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Medium for FullDisk {
        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.0.truncate(length as usize);
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_leaves_what_was_whole() {
        let mut disk = FullDisk(Vec::new(), 25);
        write_or_cut(&mut disk, 0, &[1; 20]).unwrap();
        let (error, cut) = write_or_cut(&mut disk, 20, &[2; 20]).unwrap_err();
        assert_eq!((error.kind(), cut, disk.0.len()), (io::ErrorKind::StorageFull, true, 20));
    }
}
