//! Muzika 2017: the four matches between tree searches and the net.

use super::report::wilson;
use fivestone_arena::stats::Tally;
use fivestone_arena::{EngineSpec, MatchConfig, Source, Standings};
use fivestone_game::Rule;
use std::fmt::Write;
use std::time::Duration;

/// What an engine may use for a move.
#[derive(Clone, Copy)]
enum Limit {
    Time(Duration),
    Visits(u64),
    /// It does not search.
    None,
}

/// One match of the paper.
pub struct Duel {
    /// A word for files.
    pub name: &'static str,
    players: [(&'static str, [Limit; 2]); 2],
    /// Parameters of the first engine that are not the usual ones.
    options: &'static [(&'static str, &'static str)],
    /// Pairs of games, quick and full.
    pub pairs: [usize; 2],
    paper: &'static str,
    /// The paper's share of wins of the first engine.
    share: f64,
}

const fn time(milliseconds: u64) -> Limit {
    Limit::Time(Duration::from_millis(milliseconds))
}

/// The matches; limits are those of a quick run and of a full one.
pub const DUELS: [Duel; 5] = [
    Duel {
        name: "equal-time",
        players: [("mcts-nn", [time(100), time(1000)]), ("mcts-basic", [time(100), time(1000)])],
        options: &[],
        pairs: [10, 100],
        paper: "90.3 % of 2100 games, 1 min a move",
        share: 0.903,
    },
    Duel {
        name: "equal-time-net-alone",
        players: [("mcts-nn", [time(100), time(1000)]), ("mcts-basic", [time(100), time(1000)])],
        options: &[("own-net", "0"), ("threats", "0"), ("rollout-moves", "0"), ("threshold", "0.013")],
        pairs: [10, 100],
        paper: "90.3 % of 2100 games, 1 min a move",
        share: 0.903,
    },
    Duel {
        name: "equal-iterations",
        players: [
            ("mcts-nn", [Limit::Visits(300), Limit::Visits(30_000)]),
            ("mcts-basic", [Limit::Visits(300), Limit::Visits(30_000)]),
        ],
        options: &[],
        pairs: [10, 37],
        paper: "90.5 % of 74 games, 30,000 iterations",
        share: 0.905,
    },
    Duel {
        name: "basic-net",
        players: [
            ("mcts-basic", [Limit::Visits(1000), Limit::Visits(1000)]),
            ("policy-net", [Limit::None, Limit::None]),
        ],
        options: &[],
        pairs: [25, 500],
        paper: "95 % of 1000 games, 1000 iterations",
        share: 0.95,
    },
    Duel {
        name: "nn-net",
        players: [("mcts-nn", [Limit::Visits(50), time(1000)]), ("policy-net", [Limit::None, Limit::None])],
        options: &[],
        pairs: [25, 100],
        paper: "99.9 % of 1000 games, 1 s a move (about 50 iterations)",
        share: 0.999,
    },
];

impl Duel {
    /// The match as the arena plays it.
    pub fn config(&self, quick: bool) -> MatchConfig {
        let engines = self.players.iter().enumerate().map(|(place, (name, limits))| {
            let mut spec = EngineSpec::new(*name, Source::BuiltIn((*name).to_owned()));
            if place == 0 {
                let options = self.options.iter();
                spec.options.extend(options.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
            }
            match limits[usize::from(!quick)] {
                Limit::Time(turn) => spec.time.turn = Some(turn),
                Limit::Visits(visits) => spec.visits = Some(visits),
                Limit::None => spec.visits = Some(1),
            }
            spec
        });
        let mut config = MatchConfig::new(engines.collect());
        config.rule = Rule::Standard;
        config.rounds = self.pairs[usize::from(!quick)];
        config
    }

    /// The first engine with the parameters it was given.
    fn first(&self) -> String {
        let options = self.options.iter().map(|(name, value)| format!(", {name} {value}"));
        self.players[0].0.to_owned() + &options.collect::<String>()
    }

    fn limit(&self, player: usize, quick: bool) -> String {
        match self.players[player].1[usize::from(!quick)] {
            Limit::Time(turn) => format!("{} ms a move", turn.as_millis()),
            Limit::Visits(visits) => format!("{visits} iterations"),
            Limit::None => "one query".to_owned(),
        }
    }
}

/// A match that was played.
pub struct Played<'a> {
    /// The match.
    pub duel: &'a Duel,
    /// Its standings; the first engine is the duel's first.
    pub standings: Standings,
}

impl Played<'_> {
    fn tally(&self) -> Tally {
        self.standings.between(0, 1)
    }

    /// The share of points of the first engine, with its 95 % bounds.
    fn share(&self) -> (f64, f64, f64) {
        let tally = self.tally();
        let games = tally.games().max(1) as f64;
        let share = tally.points() / games;
        let (low, high) = wilson(share, games);
        (share, low, high)
    }

    fn milliseconds(&self, engine: usize) -> f64 {
        let time = self.standings.time_of(engine);
        time.total / time.moves.max(1) as f64
    }
}

/// The report.
pub fn markdown(played: &[Played], quick: bool) -> String {
    let mut text = "# Muzika 2017: does the net make the tree search stronger?\n\n".to_owned();
    let _ = writeln!(
        text,
        "The paper plays four matches between `mcts-basic`, its net alone (`policy-net`) and both together (`mcts-nn`), exactly five \
         wins. Here each is played from balanced openings with both colours, standard 15x15; intervals are Wilson's, 95 %. \
         Ours takes a node's moves from our larger net, completes and stops fives and open fours and finds wins by fours without asking, looks at fewer moves (`threshold 0.08`), and calls \
         rollouts drawn after 15 moves; with `own-net 0, threats 0, rollout-moves 0, threshold 0.013` it is the paper's engine to the letter.\n\n\
         Measured: {}.\n\n\
         | Match | Limits | Games | + = - | Score | 95 % | Paper | ms a move |\n|---|---|---|---|---|---|---|---|",
        if quick {
            "**quick scale**, with far less time and fewer games than the paper's"
        } else {
            "full scale"
        }
    );
    for one in played {
        let (tally, (share, low, high)) = (one.tally(), one.share());
        let _ = writeln!(
            text,
            "| `{}` - `{}` | {} - {} | {} | {} {} {} | {:.1} % | {:.1} to {:.1} % | {} | {:.1} - {:.1} |",
            one.duel.first(),
            one.duel.players[1].0,
            one.duel.limit(0, quick),
            one.duel.limit(1, quick),
            tally.games(),
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * share,
            100.0 * low,
            100.0 * high,
            one.duel.paper,
            one.milliseconds(0),
            one.milliseconds(1)
        );
    }
    text.push_str("\n![Scores with their intervals, and the paper's](muzika.svg)\n");
    text
}

/// A row for each match.
pub fn csv(played: &[Played]) -> String {
    let mut text = "match,engine,opponent,wins,draws,losses,score,low,high,paper\n".to_owned();
    for one in played {
        let (tally, (share, low, high)) = (one.tally(), one.share());
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{share:.4},{low:.4},{high:.4},{}",
            one.duel.name,
            one.duel.players[0].0,
            one.duel.players[1].0,
            tally.wins,
            tally.draws,
            tally.losses,
            one.duel.share
        );
    }
    text
}

/// The scores as dots with their intervals, the paper's as rings.
pub fn svg(played: &[Played]) -> String {
    let (left, right, row) = (230.0, 620.0, 30.0);
    let x = |share: f64| left + share * (right - left);
    let height = row * (played.len() as f64 + 1.5);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for tick in [0.0, 0.5, 1.0] {
        let _ = writeln!(
            svg,
            "<path d=\"M{0:.1} 8V{1:.1}\" stroke=\"#ccc\"/><text x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{3:.0} %</text>",
            x(tick),
            height - row,
            height - 10.0,
            100.0 * tick
        );
    }
    for (place, one) in played.iter().enumerate() {
        let (share, low, high) = one.share();
        let y = row * (place as f64 + 0.8);
        let _ = writeln!(
            svg,
            "<text x=\"8\" y=\"{:.1}\">{} - {}</text><path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"#1f77b4\" stroke-width=\"2\"/>\
             <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#1f77b4\"/>\
             <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"6\" fill=\"none\" stroke=\"#d62728\"/>",
            y + 4.0,
            one.duel.first(),
            one.duel.players[1].0,
            x(low),
            x(high),
            x(share),
            x(one.duel.share)
        );
    }
    svg.push_str("</svg>\n");
    svg
}
