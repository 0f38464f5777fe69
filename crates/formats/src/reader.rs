//! One reader for every format: recognises it by its content, answers game after game and what is wrong with those
//! that cannot be played. Memory stays bounded whatever comes in.

use crate::detect::{self, Format};
use crate::line::{LONGEST, Lines};
use crate::moves::Rows;
use crate::problem::{Fault, Flaw, Loss, Place, Problem};
use crate::record::{Outcome, Record};
use crate::renlib::{self, Walker};
use crate::replay::Replay;
use crate::source::{Source, Stretch};
use crate::text::Context;
use crate::tree::Tree;
use crate::{playok, pos, psq, rif, sav, sgf};
use fivestone_game::{Rule, Size};
use std::collections::VecDeque;
use std::io::Read;

/// `.pos` and `.sav` files are small.
const LARGEST_WHOLE: usize = 64 * 1024;

/// What becomes of the branches of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Branches {
    /// Trees stay trees.
    #[default]
    Keep,
    /// Only the main line is read.
    MainLine,
    /// Every line from the root to a last node is a game of its own.
    Split,
}

/// How to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The format; found out by itself when not given.
    pub format: Option<Format>,
    /// The rule of all games, whatever the file says.
    pub rule: Option<Rule>,
    /// The board of games that do not tell theirs; 15 when not given.
    pub size: Option<Size>,
    /// What becomes of branches.
    pub branches: Branches,
    /// Games that go on after five in a row are skipped, too.
    pub strict: bool,
}

/// A game as it was read.
#[derive(Clone, PartialEq, Debug)]
pub enum Game {
    /// A game without branches.
    Line(Record),
    /// A game with them.
    Tree(Tree),
}

impl Game {
    /// The game, or the main line of the tree.
    pub fn into_record(self) -> Record {
        match self {
            Game::Line(record) => record,
            Game::Tree(tree) => tree.main_line(),
        }
    }

    /// The tree, or the game as a tree.
    pub fn into_tree(self) -> Tree {
        match self {
            Game::Line(record) => Tree::from_record(&record),
            Game::Tree(tree) => tree,
        }
    }
}

/// A game and where it was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The game's number in the file, from 1; broken games count.
    pub number: u64,
    /// Where it is.
    pub place: Place,
    /// Its own name in the file.
    pub id: Option<String>,
    /// The game.
    pub game: Game,
}

enum Layout {
    Lines(Lines),
    Psq(psq::Reader),
    Playok(playok::Reader),
    Rif(Box<rif::Reader>),
    Sgf,
    Lib,
    LibLines(Box<Walker>),
    Whole(Format),
    Done,
}

/// Reads the games of one file. Iterate over it.
pub struct Reader<'a> {
    source: Source<'a>,
    options: Options,
    format: Option<Format>,
    layout: Layout,
    replay: Replay,
    ready: VecDeque<Result<Entry, Problem>>,
    games: u64,
    nodes: u64,
}

impl<'a> Reader<'a> {
    /// Starts to read; looks at the beginning to find out the format.
    pub fn new(input: impl Read + 'a, options: Options) -> Reader<'a> {
        let mut source = Source::new(input);
        let sample = source.peek(detect::SAMPLE + 1);
        let whole = sample.len() <= detect::SAMPLE;
        let sample = &sample[..sample.len().min(detect::SAMPLE)];
        let empty = whole && sample.trim_ascii().is_empty();
        let format = options.format.or_else(|| detect::detect(sample, whole));
        let size = match (options.size, format) {
            (Some(size), _) => size,
            (None, Some(Format::Openings)) => detect::opening_size(sample),
            _ => Size::STANDARD,
        };
        let mut reader = Reader {
            source,
            options,
            format,
            layout: Layout::Done,
            replay: Replay::new(size, options.rule),
            ready: VecDeque::new(),
            games: 0,
            nodes: 0,
        };
        match format {
            Some(format) => reader.layout = reader.layout_of(format, size),
            None => {
                if let Some(failure) = reader.source.take_failure() {
                    reader.report_rest(Fault::Unreadable(failure));
                } else if !empty {
                    reader.report_rest(Fault::Unrecognised);
                }
            }
        }
        reader
    }

    fn layout_of(&mut self, format: Format, size: Size) -> Layout {
        let rule = self.options.rule;
        let rows = if format == Format::TopText { Rows::FromTop } else { Rows::FromBottom };
        match format {
            Format::Psq => Layout::Psq(psq::Reader::new(rule)),
            Format::Playok => Layout::Playok(playok::Reader::new(rule, size)),
            Format::Rif => Layout::Rif(Box::new(rif::Reader::new(rule, self.options.size))),
            Format::Sgf => Layout::Sgf,
            Format::Lib if self.options.branches == Branches::Keep => Layout::Lib,
            Format::Lib => match Walker::new(&mut self.source, rule) {
                Ok(walker) => Layout::LibLines(Box::new(walker)),
                Err(fault) => {
                    self.report_rest(fault);
                    Layout::Done
                }
            },
            Format::Pos | Format::Sav => Layout::Whole(format),
            _ => Layout::Lines(Lines::new(format, Context { rule, size, rows })),
        }
    }

    /// The format, as told or as found out.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// How many bytes have been read.
    pub fn offset(&self) -> u64 {
        self.source.offset()
    }

    /// How many tree nodes have been read.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Reads until something is ready; whether there may be more.
    fn advance(&mut self) -> bool {
        match &mut self.layout {
            Layout::Done => return false,
            Layout::Lines(lines) => {
                let Some(stretch) = self.source.line(LONGEST) else { return self.end() };
                let found = match stretch {
                    Stretch::Whole(range) => lines.parse(self.source.bytes(range)),
                    Stretch::TooLong => {
                        lines.pass_over();
                        Some(Err(Fault::TooLarge("a line is longer than a megabyte").into()))
                    }
                };
                let place = Place::Line(lines.number());
                if let Some(found) = found {
                    self.offer(place, None, found);
                }
            }
            Layout::Psq(reader) => match reader.next(&mut self.source) {
                Some((place, found)) => self.offer(place, None, found),
                None => return self.end(),
            },
            Layout::Playok(reader) => match reader.next(&mut self.source) {
                Some((place, found)) => self.offer(place, None, found),
                None => return self.end(),
            },
            Layout::Rif(reader) => match reader.next(&mut self.source) {
                Some(found) => self.offer(found.place, Some(found.id), found.game),
                None => return self.end(),
            },
            Layout::Sgf => return self.next_sgf(),
            Layout::Lib => self.whole_library(),
            Layout::LibLines(_) => self.next_library_line(),
            Layout::Whole(format) => {
                let format = *format;
                let bytes = self.source.peek(LARGEST_WHOLE + 1);
                let found = match format {
                    _ if bytes.len() > LARGEST_WHOLE => {
                        Err(Fault::TooLarge("larger than a game can be").into())
                    }
                    Format::Pos => pos::read(bytes, self.options.rule),
                    _ => sav::read(bytes, self.options.rule),
                };
                self.offer(Place::Byte(0), None, found);
                return self.end();
            }
        }
        true
    }

    /// The end of the file, or the failure that stopped it.
    fn end(&mut self) -> bool {
        self.layout = Layout::Done;
        if let Some(failure) = self.source.take_failure() {
            self.report_rest(Fault::Unreadable(failure));
        }
        false
    }

    /// Takes a game that was read: checks it by playing it.
    fn offer(&mut self, place: Place, id: Option<String>, found: Result<Record, Flaw>) {
        self.games += 1;
        let checked = found.and_then(|record| Ok((self.replay.verify(&record)?, record)));
        match checked {
            Ok((Some(late), _)) if self.options.strict => self.report(place, id, late, Loss::Game),
            Ok((late, mut record)) => {
                if let Some(late) = late {
                    self.report(place, id.clone(), late, Loss::Nothing);
                }
                if self.format == Some(Format::Psq) {
                    // The file does not say who won but by its last stone.
                    if let Some(winner) = self.replay.winner() {
                        record.header.outcome = Outcome::Win(winner);
                    } else if self.replay.is_full() {
                        record.header.outcome = Outcome::Draw;
                    }
                }
                self.accept(place, id, Game::Line(record));
            }
            Err(flaw) => self.report(place, id, flaw, Loss::Game),
        }
    }

    fn accept(&mut self, place: Place, id: Option<String>, game: Game) {
        self.source.is_good_so_far();
        self.ready.push_back(Ok(Entry { number: self.games, place, id, game }));
    }

    fn report(&mut self, place: Place, id: Option<String>, flaw: Flaw, loss: Loss) {
        let Flaw { ply, fault } = flaw;
        self.ready.push_back(Err(Problem { game: self.games, id, place, ply, fault, loss }));
    }

    fn report_branches(&mut self, place: Place, flaws: impl IntoIterator<Item = Flaw>) {
        for flaw in flaws {
            let kept = matches!(flaw.fault, Fault::AfterEnd(_));
            self.report(place, None, flaw, if kept { Loss::Nothing } else { Loss::Branch });
        }
    }

    fn report_rest(&mut self, fault: Fault) {
        let problem = Problem {
            game: self.games + 1,
            id: None,
            place: Place::Byte(self.source.offset()),
            ply: None,
            fault,
            loss: Loss::Rest,
        };
        self.ready.push_back(Err(problem));
    }

    fn next_sgf(&mut self) -> bool {
        loop {
            match sgf::find_start(self.source.window()) {
                Some(start) => {
                    self.source.consume(start);
                    break;
                }
                None => self.source.consume(self.source.window().len()),
            }
            if !self.source.fill() {
                return self.end();
            }
        }
        let place = Place::Byte(self.source.offset());
        let mut tail = sgf::Tail::default();
        let found = match self.source.take(sgf::LARGEST, |window| sgf::find_end(window, &mut tail)) {
            None => return self.end(),
            Some(Stretch::TooLong) => {
                Err(Fault::TooLarge("the game tree is larger than 24 megabytes").into())
            }
            Some(Stretch::Whole(range)) => {
                sgf::read(self.source.bytes(range), self.options.rule, self.options.size)
            }
        };
        self.games += 1;
        match found {
            Err(flaw) => self.report(place, None, flaw, Loss::Game),
            Ok((tree, cut)) => {
                self.nodes += tree.len() as u64;
                self.report_branches(place, cut);
                self.offer_tree(place, tree);
            }
        }
        true
    }

    fn offer_tree(&mut self, place: Place, tree: Tree) {
        match self.options.branches {
            Branches::Keep => self.accept(place, None, Game::Tree(tree)),
            Branches::MainLine => self.accept(place, None, Game::Line(tree.main_line())),
            Branches::Split => {
                for (i, line) in tree.lines().enumerate() {
                    self.games += u64::from(i > 0);
                    self.accept(place, None, Game::Line(line));
                }
            }
        }
    }

    fn whole_library(&mut self) {
        self.layout = Layout::Done;
        let library = renlib::read_stream(&mut self.source, self.options.rule);
        self.games += 1;
        match library {
            Err(fault) => self.report(Place::Byte(0), None, fault.into(), Loss::Game),
            Ok(library) => {
                self.nodes += library.tree.len() as u64;
                self.report_branches(Place::Byte(0), library.flaws);
                self.accept(Place::Byte(0), None, Game::Tree(library.tree));
                if let Some(fault) = library.broken {
                    self.break_library(fault);
                }
            }
        }
    }

    fn break_library(&mut self, fault: Fault) {
        let fault = self.source.take_failure().map_or(fault, Fault::Unreadable);
        let place = Place::Byte(self.source.offset());
        self.report(place, None, fault.into(), Loss::Rest);
        self.layout = Layout::Done;
    }

    fn next_library_line(&mut self) {
        let Layout::LibLines(walker) = &mut self.layout else { return };
        let place = Place::Byte(self.source.offset());
        match walker.next(&mut self.source) {
            Ok(Some(renlib::Found::Node(late))) => {
                self.nodes += 1;
                self.source.is_good_so_far();
                let wanted = self.games == 0 || self.options.branches == Branches::Split;
                if walker.is_leaf && wanted {
                    let header = crate::record::Header::new(self.options.rule, Size::STANDARD);
                    let mut record = Record::new(header);
                    record.moves = walker.replay().turns().to_vec();
                    self.games += 1;
                    self.accept(place, None, Game::Line(record));
                }
                self.report_branches(place, late);
            }
            Ok(Some(renlib::Found::Cut(flaw))) => self.report_branches(place, [flaw]),
            Ok(None) => {
                self.end();
            }
            Err(fault) => self.break_library(fault),
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Entry, Problem>;

    fn next(&mut self) -> Option<Result<Entry, Problem>> {
        while self.ready.is_empty() && self.advance() {}
        self.ready.pop_front()
    }
}
