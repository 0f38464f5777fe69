//! What each paper measured, and what we play in its place.

use fivestone_arena::openings::{FileFormat, OpeningsFile};
use fivestone_arena::schedule::Format;
use fivestone_arena::{EngineSpec, Source};
use std::time::Duration;

/// An engine of an experiment.
pub struct Entry {
    /// The engine of the registry.
    pub engine: &'static str,
    /// Its visits in a quick run. They are few and do not take all engines the same time: the report says how long each took.
    pub visits: u64,
}

/// Time for a move of a full run.
const FULL_TIME: Duration = Duration::from_secs(1);

impl Entry {
    /// The engine under the limits of a run.
    pub fn spec(&self, quick: bool) -> EngineSpec {
        let mut spec = EngineSpec::new(self.engine, Source::BuiltIn(self.engine.to_owned()));
        if quick {
            spec.visits = Some(self.visits);
        } else {
            spec.time.turn = Some(FULL_TIME);
        }
        spec
    }
}

/// A statement of a paper about two of its engines: the first is the stronger one.
pub struct Claim {
    /// The stronger engine.
    pub better: &'static str,
    /// The weaker one.
    pub worse: &'static str,
    /// The paper's words or figures.
    pub paper: &'static str,
}

/// An experiment.
pub struct Experiment {
    /// The word that asks for it.
    pub name: &'static str,
    /// The paper and the question.
    pub title: &'static str,
    /// Who plays.
    pub engines: &'static [Entry],
    /// Who meets whom.
    pub format: Format,
    /// Pairs of games of each two engines.
    pub quick_pairs: usize,
    /// The same of a full run.
    pub full_pairs: usize,
    /// About how long a quick run takes on one core.
    pub quick_time: &'static str,
    /// The same of a full run.
    pub full_time: &'static str,
    /// What the paper says.
    pub claims: &'static [Claim],
    /// What the paper did, and how this differs.
    pub setting: &'static str,
}

const fn entry(engine: &'static str, visits: u64) -> Entry {
    Entry { engine, visits }
}

const fn claim(better: &'static str, worse: &'static str, paper: &'static str) -> Claim {
    Claim { better, worse, paper }
}

/// Every experiment.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "garcia",
        title: "Garcia 2020: is each version of the monomial engine stronger than the one before?",
        engines: &[
            entry("monomial-v1", 1),
            entry("monomial-v2", 200),
            entry("monomial-v3", 400),
            entry("mcts-basic", 4000),
        ],
        format: Format::RoundRobin,
        quick_pairs: 15,
        full_pairs: 50,
        quick_time: "2 min",
        full_time: "10 h",
        claims: &[
            claim("monomial-v3", "monomial-v2", "v3 beats engines that v2 never beat"),
            claim("monomial-v2", "monomial-v1", "v2 is \"overall a huge success\""),
            claim("monomial-v3", "mcts-basic", "no figure: our own ladder"),
        ],
        setting: "The thesis plays Wine at one minute a move and wins 20 % when moving first. Wine takes part where \
                  its program is given with `--opponent`; our own plain tree search stands in the ladder.",
    },
    Experiment {
        name: "lin-cao",
        title: "Lin & Cao: what do network and tree search add to each other?",
        engines: &[entry("adp", 1), entry("uct", 2000), entry("adp-uct", 400), entry("monomial-v1", 1)],
        format: Format::RoundRobin,
        quick_pairs: 15,
        full_pairs: 50,
        quick_time: "3 min",
        full_time: "10 h",
        claims: &[
            claim("adp-uct", "adp", "against four programs 10:0 10:0 9:1 2:8, adp 10:0 9:1 7:3 3:7"),
            claim("adp", "uct", "against four programs 10:0 9:1 7:3 3:7, uct 5:5 2:8 1:9 0:10"),
            claim("adp-uct", "uct", "see above"),
        ],
        setting: "The paper plays Mushroom, PureRocky, Valkyrie and Pisq7, ten games each. They take part where their \
                  programs are given with `--opponent`.",
    },
    Experiment {
        name: "wang-shen",
        title: "Wang & Shen: does the search over situations beat simple engines from either side?",
        engines: &[
            entry("situation-mcts", 200),
            entry("random", 1),
            entry("monomial-v1", 1),
            entry("uct", 2000),
            entry("mcts-basic", 4000),
        ],
        format: Format::Gauntlet,
        quick_pairs: 5,
        full_pairs: 50,
        quick_time: "3 min",
        full_time: "8 h",
        claims: &[
            claim("situation-mcts", "random", "beats five simple programs with either colour"),
            claim("situation-mcts", "monomial-v1", "beats five simple programs with either colour"),
            claim("situation-mcts", "uct", "beats five simple programs with either colour"),
            claim("situation-mcts", "mcts-basic", "beats five simple programs with either colour"),
        ],
        setting: "The report plays Mushroom, PureRocky, Eulring, Fiverow and Valkyrie. They take part where their \
                  programs are given with `--opponent`; our own simple engines stand in for them.",
    },
    Experiment {
        name: "round-robin",
        title: "All engines of these papers and the flagship, everybody against everybody",
        engines: &[
            entry("fivestone", 200),
            entry("mcts-basic", 4000),
            entry("policy-net", 1),
            entry("mcts-nn", 100),
            entry("monomial-v1", 1),
            entry("monomial-v2", 200),
            entry("monomial-v3", 400),
            entry("situation-mcts", 200),
            entry("adp", 1),
            entry("uct", 2000),
            entry("adp-uct", 400),
        ],
        format: Format::RoundRobin,
        quick_pairs: 1,
        full_pairs: 20,
        quick_time: "5 min",
        full_time: "30 h",
        claims: &[
            claim("monomial-v3", "monomial-v2", "v3 beats engines that v2 never beat"),
            claim("monomial-v2", "monomial-v1", "v2 is \"overall a huge success\""),
            claim("adp-uct", "adp", "see lin-cao"),
            claim("adp", "uct", "see lin-cao"),
        ],
        setting: "No paper has it: one rating list for all of them.",
    },
];

/// Balanced openings for freestyle on 15x15, each played with both colours.
pub fn openings() -> OpeningsFile {
    OpeningsFile { path: None, format: FileFormat::Offset, random: true, seed: 1, start: 0, symmetries: true }
}
