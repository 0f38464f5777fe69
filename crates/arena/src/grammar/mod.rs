//! The command line of a match, in the words that testers know from cutechess and c-gomoku-cli:
//! `-engine name=.. cmd=.. -each tc=.. -rounds 50 -openings file=.. type=offset`.

mod engine;

use crate::config::MatchConfig;
use crate::game::{AgreedDraw, AgreedWin};
use crate::openings::{FileFormat, OpeningsFile, RandomOpenings};
use crate::schedule::Format;
use crate::stats::{Model, Sprt};
use engine::EngineWords;
use fivestone_game::opening::{Opening, UnknownOpening};
use fivestone_game::{Rule, Size};
use std::path::PathBuf;
use std::str::FromStr;

/// What a command line asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The match, unless only a journal is named.
    pub config: Option<MatchConfig>,
    /// The journal to begin or to go on with.
    pub journal: Option<PathBuf>,
    /// Games between two reports; 0 for none before the end.
    pub report_interval: u64,
    /// Games at once, if given.
    pub concurrency: Option<usize>,
}

/// Every option with one line of explanation, for the help text.
pub const OPTIONS: &[(&str, &str)] = &[
    ("-engine KEY=VALUE...", "an engine; without cmd= the built-in one called name= (or engine=)"),
    ("-each KEY=VALUE...", "the same for every engine that does not say otherwise"),
    ("    name=N", "its name in reports"),
    ("    engine=E", "the built-in engine, when name= is to be something else"),
    ("    cmd=PATH args=A dir=D", "a program that speaks the Gomocup protocol, its arguments and directory"),
    ("    tc=M/T+I", "seconds for the game / the move + back after each move; 0 or inf: no limit"),
    ("    st=T", "seconds for each move"),
    ("    visits=N (or nodes=N)", "visits, iterations or nodes for each move"),
    ("    depth=N", "plies to search"),
    ("    threads=N memory=350MB", "threads and memory (all processes together); a bare number means MB"),
    ("    tolerance=T", "seconds a move may be late before it loses [0.5]; timemargin=MS does the same"),
    ("    restart=on", "start the program anew for every game"),
    ("    stderr=FILE", "keep what the program writes to standard error"),
    ("    option.X=V", "INFO X V for a program, parameter X of a built-in engine (there also plain X=V)"),
    ("-rule R", "freestyle, standard, renju, caro, caro-overline, or the protocol's 0, 1, 4, 9, 8"),
    ("-boardsize N", "5 to 22 [15]"),
    ("-rounds N", "rounds [1]"),
    ("-games N", "games of each encounter in a round [2]"),
    ("-repeat / -norepeat", "each opening twice with colours swapped [yes], or once"),
    ("-gauntlet / -swiss", "the first engine against all others / swiss pairing; otherwise round robin"),
    ("-opening-rule R", "swap2, swap, pro, long-pro or soosorv-8: the players make the opening themselves"),
    ("-openings file=F type=T", "openings, one a line; T is offset, pos (rows from the top) or moves"),
    ("-openings shipped=on", "the set that comes with fivestone for the rule (main rules, sizes 15 and 20)"),
    ("    order=random srand=N", "in a random order, as shipped ones are; order=sequential as they stand"),
    ("    start=N symmetries=on", "from the Nth on; each turned and mirrored at random"),
    ("-openings random=N", "make N balanced openings first, with plies=P engine=E visits=V srand=S"),
    ("-sprt elo0=A elo1=B", "stop when decided; alpha=0.05 beta=0.05 model=normalized|logistic"),
    ("-resign count=N score=S", "a win when both sides agree on it for N moves (or winrate=P)"),
    ("-draw number=M count=N score=S", "a draw when both sides agree on it, after M moves"),
    ("-maxmoves N", "a draw after N moves"),
    ("-concurrency N", "games at once [1]"),
    ("-srand N", "seed of everything random [1]"),
    ("-anchor NAME=RATING", "fix the rating of an engine in a pool; may be given several times"),
    ("-summary FILE", "the final statistics as JSON"),
    ("-pgnout FILE, -sgf FILE", "all games in one file"),
    ("-psq DIR", "one PSQ file per game"),
    ("-log FILE", "a JSON line per move"),
    ("-chart FILE", "an SVG chart of rating and LLR over games"),
    ("-config file=FILE", "keep the journal of the match there; if the file exists, resume from it"),
    ("-ratinginterval N", "print the report every N games"),
    ("-recover", "accepted; a broken engine is always started anew"),
];

/// Reads a command line.
pub fn parse(words: &[String]) -> Result<Request, String> {
    let mut reader = Reader::default();
    let mut rest = words;
    while let Some((option, tail)) = rest.split_first() {
        if !is_option(option) {
            return Err(format!(
                "\"{option}\" stands alone: options begin with - (see fivestone match --help)"
            ));
        }
        let count = tail.iter().take_while(|word| !is_option(word)).count();
        let (values, next) = tail.split_at(count);
        // Two dashes are as good as one.
        let name = option.trim_start_matches('-');
        reader.option(name, values).map_err(|problem| format!("-{name}: {problem}"))?;
        rest = next;
    }
    reader.finish()
}

/// A word that begins an option: a dash followed by a letter, so that negative numbers are values.
fn is_option(word: &str) -> bool {
    word.starts_with('-') && word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_alphabetic())
}

#[derive(Default)]
struct Reader {
    engines: Vec<EngineWords>,
    each: EngineWords,
    settings: Vec<Setting>,
    anchors: Vec<(String, f64)>,
    journal: Option<PathBuf>,
    report_interval: u64,
    concurrency: Option<usize>,
    /// Seed of the order of openings; the match's unless given.
    openings_seed: Option<u64>,
}

type Setting = Box<dyn FnOnce(&mut MatchConfig)>;

impl Reader {
    fn set(&mut self, setting: impl FnOnce(&mut MatchConfig) + 'static) {
        self.settings.push(Box::new(setting));
    }

    fn option(&mut self, name: &str, values: &[String]) -> Result<(), String> {
        match name {
            "engine" => self.engines.push(EngineWords::read(values)?),
            "each" => self.each.merge(EngineWords::read(values)?),
            "rule" => {
                let rule = parse_rule(one(values)?)?;
                self.set(move |config| config.rule = rule);
            }
            "boardsize" | "size" => {
                let word = one(values)?;
                let size = word.parse().ok().and_then(Size::new);
                let size =
                    size.ok_or_else(|| format!("{word} is no board size ({} to {})", Size::MIN, Size::MAX))?;
                self.set(move |config| config.size = size);
            }
            "rounds" | "games" | "maxmoves" | "drawafter" => {
                let number: usize = positive(one(values)?)?;
                match name {
                    "rounds" => self.set(move |config| config.rounds = number),
                    "games" => self.set(move |config| config.games = number),
                    _ => self.set(move |config| config.adjudication.max_moves = Some(number)),
                }
            }
            "repeat" | "norepeat" => {
                let paired = name == "repeat" && values.first().is_none_or(|word| word != "1");
                self.set(move |config| config.paired = paired);
            }
            "gauntlet" => self.set(|config| config.format = Format::Gauntlet),
            "swiss" => self.set(|config| config.format = Format::Swiss),
            "tournament" => {
                let format = match one(values)? {
                    "roundrobin" | "round-robin" => Format::RoundRobin,
                    "gauntlet" => Format::Gauntlet,
                    "swiss" => Format::Swiss,
                    other => {
                        return Err(format!(
                            "unknown form \"{other}\" (one of: round-robin, gauntlet, swiss)"
                        ));
                    }
                };
                self.set(move |config| config.format = format);
            }
            "opening-rule" => {
                let rule: Opening =
                    one(values)?.parse().map_err(|error: UnknownOpening| error.to_string())?;
                self.set(move |config| config.opening_rule = rule);
            }
            "openings" => self.openings(values)?,
            "sprt" => {
                let sprt = parse_sprt(values)?;
                self.set(move |config| config.sprt = Some(sprt));
            }
            "resign" => {
                let agreed = parse_resign(values)?;
                self.set(move |config| config.adjudication.resign = Some(agreed));
            }
            "draw" => {
                let agreed = parse_draw(values)?;
                self.set(move |config| config.adjudication.draw = Some(agreed));
            }
            "concurrency" => self.concurrency = Some(positive(one(values)?)?),
            "srand" | "seed" => {
                let seed = number(one(values)?)?;
                self.set(move |config| config.seed = seed);
            }
            "anchor" => {
                for word in values {
                    let (name, rating) = pair(word)?;
                    self.anchors.push((name.to_owned(), number(rating)?));
                }
            }
            "summary" => self.path(values, |config| &mut config.outputs.summary)?,
            "pgnout" => self.path(values, |config| &mut config.outputs.pgn)?,
            "sgf" => self.path(values, |config| &mut config.outputs.sgf)?,
            "psq" => self.path(values, |config| &mut config.outputs.psq)?,
            "log" => self.path(values, |config| &mut config.outputs.log)?,
            "chart" => self.path(values, |config| &mut config.outputs.chart)?,
            "config" => self.journal = Some(file_of(values)?),
            "ratinginterval" => self.report_interval = number(one(values)?)?,
            "recover" => {}
            _ => return Err("unknown option (see fivestone match --help)".to_owned()),
        }
        Ok(())
    }

    fn path(
        &mut self,
        values: &[String],
        place: fn(&mut MatchConfig) -> &mut Option<PathBuf>,
    ) -> Result<(), String> {
        let path = file_of(values)?;
        self.set(move |config| *place(config) = Some(path));
        Ok(())
    }

    fn openings(&mut self, values: &[String]) -> Result<(), String> {
        let mut file = OpeningsFile {
            path: None,
            format: FileFormat::Offset,
            random: false,
            seed: 1,
            start: 0,
            symmetries: false,
        };
        let mut random = RandomOpenings::default();
        let (mut count, mut shipped) = (None, false);
        let (mut order, mut seed) = (None, None);
        for word in values {
            let (key, value) = pair(word)?;
            match key {
                "file" => file.path = Some(value.into()),
                "shipped" => shipped = switch(value)?,
                "type" | "format" => file.format = value.parse()?,
                "order" => match value {
                    "random" => order = Some(true),
                    "sequential" => order = Some(false),
                    other => return Err(format!("unknown order \"{other}\" (random or sequential)")),
                },
                "srand" | "seed" => seed = Some(number(value)?),
                "start" => file.start = positive::<usize>(value)? - 1,
                "symmetries" => file.symmetries = switch(value)?,
                "random" => count = Some(positive(value)?),
                "plies" => random.plies = positive(value)?,
                "engine" => value.clone_into(&mut random.engine),
                "visits" => random.visits = positive(value)?,
                _ => return Err(format!("unknown key \"{key}\"")),
            }
        }
        random.seed = seed.unwrap_or(random.seed);
        file.random = order.unwrap_or(shipped && file.path.is_none());
        match count {
            Some(count) => {
                random.count = count;
                self.set(move |config| config.random_openings = Some(random));
            }
            None if file.path.is_none() && !shipped => {
                return Err("give file=, shipped=on or random=".to_owned());
            }
            None => {
                self.set(move |config| config.openings = Some(file));
                self.openings_seed = seed;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Request, String> {
        let Reader { engines, each, settings, anchors, journal, report_interval, concurrency, .. } = self;
        if engines.is_empty() && journal.is_some() {
            return Ok(Request { config: None, journal, report_interval, concurrency });
        }
        let mut specs = Vec::new();
        for words in engines {
            let spec = words.or(&each).build()?;
            specs.push(spec);
        }
        engine::make_names_unique(&mut specs);
        if specs.len() < 2 {
            return Err("a match needs two engines: -engine name=... -engine name=...".to_owned());
        }
        let mut config = MatchConfig::new(specs);
        for setting in settings {
            setting(&mut config);
        }
        config.concurrency = concurrency.unwrap_or(1);
        if let Some(openings) = &mut config.openings {
            openings.seed = self.openings_seed.unwrap_or(config.seed);
        }
        for (name, rating) in anchors {
            let engine = config.engines.iter().position(|spec| spec.name == name);
            let engine = engine.ok_or_else(|| format!("-anchor: no engine is called \"{name}\""))?;
            config.anchors.push((engine, rating));
        }
        Ok(Request { config: Some(config), journal, report_interval, concurrency })
    }
}

/// A rule by its word or by the number of the protocol.
pub fn parse_rule(word: &str) -> Result<Rule, String> {
    match word {
        "0" => Ok(Rule::Freestyle),
        "1" => Ok(Rule::Standard),
        "4" => Ok(Rule::Renju),
        "8" => Ok(Rule::CaroOverline),
        "9" => Ok(Rule::Caro),
        _ => word.parse().map_err(|error: fivestone_game::UnknownRule| error.to_string()),
    }
}

fn parse_sprt(values: &[String]) -> Result<Sprt, String> {
    let mut sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    for word in values {
        let (key, value) = pair(word)?;
        match key {
            "elo0" => sprt.elo0 = number(value)?,
            "elo1" => sprt.elo1 = number(value)?,
            "alpha" => sprt.alpha = number(value)?,
            "beta" => sprt.beta = number(value)?,
            "model" => {
                sprt.model = match value {
                    "normalized" | "normalised" => Model::Normalized,
                    "logistic" => Model::Logistic,
                    other => return Err(format!("unknown model \"{other}\" (normalized or logistic)")),
                }
            }
            _ => return Err(format!("unknown key \"{key}\"")),
        }
    }
    sprt.check().map_err(|error| error.to_string())?;
    Ok(sprt)
}

fn parse_resign(values: &[String]) -> Result<AgreedWin, String> {
    let mut agreed = AgreedWin { moves: 3, winrate: 0.95 };
    for word in values {
        let (key, value) = pair(word)?;
        match key {
            "count" | "movecount" => agreed.moves = positive(value)?,
            "score" => agreed.winrate = winrate_of_score(number(value)?),
            "winrate" => agreed.winrate = number(value)?,
            "twosided" => {}
            _ => return Err(format!("unknown key \"{key}\"")),
        }
    }
    if agreed.winrate > 0.5 && agreed.winrate <= 1.0 {
        return Ok(agreed);
    }
    Err("the winner's win probability must be above 0.5 (score above 0)".to_owned())
}

fn parse_draw(values: &[String]) -> Result<AgreedDraw, String> {
    let mut agreed = AgreedDraw { after: 0, moves: 8, margin: 0.02 };
    for word in values {
        let (key, value) = pair(word)?;
        match key {
            "number" | "movenumber" => agreed.after = number(value)?,
            "count" | "movecount" => agreed.moves = positive(value)?,
            "score" => agreed.margin = winrate_of_score(number::<f64>(value)?.abs()) - 0.5,
            "winrate" => agreed.margin = number(value)?,
            _ => return Err(format!("unknown key \"{key}\"")),
        }
    }
    Ok(agreed)
}

/// The win probability of a score in centi-units.
fn winrate_of_score(score: f64) -> f64 {
    1.0 / (1.0 + (-score / 200.0).exp())
}

fn one(values: &[String]) -> Result<&str, String> {
    match values {
        [value] => Ok(value),
        [] => Err("a value is missing".to_owned()),
        [_, extra, ..] => Err(format!("\"{extra}\" is one value too many")),
    }
}

fn pair(word: &str) -> Result<(&str, &str), String> {
    word.split_once('=').ok_or_else(|| format!("\"{word}\" is not key=value"))
}

fn file_of(values: &[String]) -> Result<PathBuf, String> {
    let word = one(values)?;
    let path = word.strip_prefix("file=").unwrap_or(word);
    if path.is_empty() { Err("the file has no name".to_owned()) } else { Ok(path.into()) }
}

fn number<T: FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("\"{word}\" is not a number that fits here"))
}

fn positive<T: FromStr + PartialOrd + From<u8>>(word: &str) -> Result<T, String> {
    let value: T = number(word)?;
    if value >= T::from(1) { Ok(value) } else { Err(format!("{word} must be at least 1")) }
}

fn switch(word: &str) -> Result<bool, String> {
    match word {
        "on" | "yes" | "true" | "1" => Ok(true),
        "off" | "no" | "false" | "0" | "auto" => Ok(false),
        _ => Err(format!("\"{word}\" is neither on nor off")),
    }
}

#[cfg(test)]
mod tests;
