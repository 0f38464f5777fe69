//! Games from text files: scored self-play, tables of engine games, and lists of games with a result.

use super::{SampleGame, SamplePly, file};
use fivestone_game::notation::parse_moves;
use fivestone_game::{Color, Point, Rule, Size};
use flate2::read::GzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Scores are in this unit: the odds of winning are e to the score over it.
const SCORE_UNIT: f32 = 200.0;

/// Why games cannot be read, and where.
#[derive(Debug)]
pub struct ImportError {
    path: PathBuf,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    Io(io::Error),
    Samples(file::SampleError),
    Line(usize),
    Unknown,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.problem {
            Problem::Io(error) => write!(f, "{error}"),
            Problem::Samples(error) => write!(f, "{error}"),
            Problem::Line(line) => write!(f, "line {line} is not a game"),
            Problem::Unknown => f.write_str("neither training samples nor a list of games"),
        }
    }
}

impl std::error::Error for ImportError {}

/// Reads the games of one rule from a file: training samples, or one of three texts (also gzipped), each known by its
/// first line. Scored self-play has `rule size result opening move:score ...` lines; a table of engine games has a head
/// line; lists of renju games have `black|white|draw|unknown move move ...` lines. Games with a pass end before it.
pub fn read_games(path: &Path, rule: Rule) -> Result<Vec<SampleGame>, ImportError> {
    let error = |problem| ImportError { path: path.to_owned(), problem };
    let io = |e| error(Problem::Io(e));
    let mut file = BufReader::new(File::open(path).map_err(io)?);
    let start = file.fill_buf().map_err(io)?;
    let mut games = Vec::new();
    if start.starts_with(b"FIVESAM") {
        let keep = |game: SampleGame| games.extend((game.rule == rule).then_some(game));
        file::read_samples(file, file::TornEnd::LeftOut, keep).map_err(|e| error(Problem::Samples(e)))?;
        games.shrink_to_fit();
        return Ok(games);
    }
    let mut bytes = Vec::new();
    if start.starts_with(&[0x1f, 0x8b]) {
        GzDecoder::new(file).read_to_end(&mut bytes).map_err(io)?;
    } else {
        file.read_to_end(&mut bytes).map_err(io)?;
    }
    let text = str::from_utf8(&bytes).map_err(|_| error(Problem::Unknown))?;
    let first = text.split_whitespace().next().unwrap_or_default();
    let (parse, head): (fn(&str) -> Option<SampleGame>, usize) = match first {
        "size" => (engine_game, 1),
        "black" | "white" | "draw" | "unknown" => (listed_game, 0),
        word if word.parse::<Rule>().is_ok() => (scored_game, 0),
        _ => return Err(error(Problem::Unknown)),
    };
    for (number, line) in text.lines().enumerate().skip(head) {
        let game = parse(line).ok_or_else(|| error(Problem::Line(number + 1)))?;
        games.extend((game.rule == rule).then_some(game));
    }
    Ok(games)
}

fn played(point: Point) -> SamplePly {
    SamplePly::played(point, None)
}

fn scored_game(line: &str) -> Option<SampleGame> {
    let mut words = line.split_whitespace();
    let rule = words.next()?.parse().ok()?;
    let size = Size::new(words.next()?.parse().ok()?)?;
    let winner = match words.next()? {
        "1-0" => Some(Color::Black),
        "0-1" => Some(Color::White),
        "1/2-1/2" | "1/2" | "draw" => None,
        _ => return None,
    };
    let opening = parse_moves(words.next()?, size).ok()?;
    let plies = words.map(|word| {
        let (point, score) = word.split_once(':')?;
        let score: f32 = score.parse().ok()?;
        let value = 1.0 / (1.0 + (-score / SCORE_UNIT).exp());
        Some(SamplePly::played(Point::parse(point, size).ok()?, Some(value)))
    });
    let plies = plies.collect::<Option<_>>()?;
    Some(SampleGame { rule, size, winner, result_known: true, opening, plies, harvest: Vec::new() })
}

fn engine_game(line: &str) -> Option<SampleGame> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [size, rule, _, _, winner, opening, moves] = fields[..] else { return None };
    let size = Size::new(size.parse().ok()?)?;
    let (winner, result_known) = match winner {
        "B" => (Some(Color::Black), true),
        "W" => (Some(Color::White), true),
        "D" => (None, true),
        "-" => (None, false),
        _ => return None,
    };
    let mut opening_moves = parse_moves(moves, size).ok()?;
    let later = opening_moves.split_off(opening_moves.len().min(opening.parse().ok()?));
    let plies = later.into_iter().map(played).collect();
    Some(SampleGame {
        rule: rule.parse().ok()?,
        size,
        winner,
        result_known,
        opening: opening_moves,
        plies,
        harvest: Vec::new(),
    })
}

fn listed_game(line: &str) -> Option<SampleGame> {
    let size = Size::STANDARD;
    let mut words = line.split_whitespace();
    let (winner, result_known) = match words.next()? {
        "black" => (Some(Color::Black), true),
        "white" => (Some(Color::White), true),
        "draw" => (None, true),
        "unknown" => (None, false),
        _ => return None,
    };
    let moves = words.take_while(|&word| word != "--").map(|word| Point::parse(word, size).ok().map(played));
    let plies = moves.collect::<Option<_>>()?;
    Some(SampleGame {
        rule: Rule::Renju,
        size,
        winner,
        result_known,
        opening: Vec::new(),
        plies,
        harvest: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_texts_are_read() {
        let scored = scored_game("freestyle 15 0-1 h8i9 a1:0 o15:200").unwrap();
        assert_eq!((scored.winner, scored.opening.len(), scored.plies.len()), (Some(Color::White), 2, 2));
        assert_eq!(scored.plies[0].findings.expectation(), Some(0.5));
        assert!((scored.plies[1].findings.expectation().unwrap() - 0.731).abs() < 1e-3);
        let engines = engine_game("20\tfreestyle\tA\tB\tD\t3\tb4 e6 e5 f4 f6").unwrap();
        assert_eq!((engines.winner, engines.opening.len(), engines.plies.len()), (None, 3, 2));
        let listed = listed_game("unknown h8 h9 -- i10").unwrap();
        assert_eq!((listed.result_known, listed.plies.len()), (false, 2));
        assert!(scored_game("freestyle 15 0-1 h8i9 a1:0 o16:200").is_none());
        assert!(engine_game("20\tfreestyle").is_none());
    }
}
