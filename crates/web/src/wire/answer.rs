//! What is said: on the live stream, and by requests that run one search.

#[cfg(test)]
use super::contract::shapes;
use super::word::Word;
use crate::fault::Fault;
use fivestone_engine::solver::{Kind, Verdict};
use fivestone_game::Color;
use fivestone_host::views::ReportView;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// One message to a page.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Answer {
    /// The number of the request; none when it could not be read.
    pub id: Option<u64>,
    /// What is said.
    #[serde(flatten)]
    pub said: Said,
}

impl Answer {
    /// What is wrong with a request.
    pub fn refusal(id: Option<u64>, fault: &Fault) -> Answer {
        let refusal = Refusal { error: fault.message.clone(), status: fault.status.as_u16() };
        Answer { id, said: Said::Error(refusal) }
    }

    /// The message as text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain data becomes JSON")
    }
}

/// All that one search said.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SaidAll {
    /// The messages; of an analysis only the newest report.
    pub said: Vec<Answer>,
}

/// What a search says.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "is", rename_all = "camelCase")]
pub enum Said {
    /// The state of an analysis.
    Report(#[cfg_attr(test, schemars(with = "shapes::Report"))] ReportView),
    /// A forced win was found.
    Proof(Forced),
    /// One more move of a review is judged.
    Reviewed {
        /// Moves judged so far.
        done: usize,
        /// Moves in all.
        total: usize,
        /// The judgement.
        entry: Box<Reviewed>,
    },
    /// What a player decided.
    Acted(Acted),
    /// What the search for a forced win found.
    Solved(Solved),
    /// It has ended and why.
    Done {
        /// Why.
        why: Ending,
    },
    /// What is wrong.
    Error(Refusal),
}

impl Said {
    /// Whether it is the last that a search says.
    pub const fn ends(&self) -> bool {
        match self {
            Said::Acted(_) | Said::Solved(_) | Said::Done { .. } | Said::Error(_) => true,
            Said::Report(_) | Said::Proof(_) | Said::Reviewed { .. } => false,
        }
    }
}

/// Why a search has ended.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum Ending {
    /// Every candidate has a certain result.
    Proven,
    /// There is nothing more to search.
    Exhausted,
    /// The time or the visits asked for are used up.
    Limit,
    /// A forgotten page does not heat the room.
    Paused,
    /// Every move is judged.
    Complete,
}

/// A refused request on the live stream.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Refusal {
    /// What is wrong and where, in one line.
    pub error: String,
    /// The status that HTTP would have.
    pub status: u16,
}

/// A forced win.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Forced {
    /// False if the side to move wins; true if the other side would, were it its turn.
    pub threat: bool,
    /// By which moves.
    pub kind: Word<Kind>,
    /// The length of the win.
    pub plies: usize,
    /// The win against the longest defence.
    pub line: Vec<String>,
    /// Why no reply to the first move helps.
    pub defences: Vec<Defence>,
    /// What follows any other reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Vec<String>>,
}

/// A reply and the line that refutes it. The line is empty where the reply is forbidden.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Defence {
    /// The reply.
    pub reply: String,
    /// What follows it.
    pub line: Vec<String>,
}

/// What a review says of one move.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Reviewed {
    /// The move's number, from 1.
    pub ply: usize,
    /// The move.
    pub r#move: String,
    /// Who played it.
    pub color: Word<Color>,
    /// The best move.
    pub best: String,
    /// Win probability of the mover before the move, with best play.
    pub before: f64,
    /// Win probability of the mover after the move.
    pub after: f64,
    /// What the move gave away.
    pub loss: f64,
    /// What the move is called.
    pub judgement: Judgement,
    /// What the judge expects, beginning with the best move.
    pub pv: Vec<String>,
    /// The forced win that the mover had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forced: Option<Forced>,
}

/// What a move is called.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// Nothing is to be said of it.
    #[serde(rename = "")]
    Unremarkable,
    /// The only good move.
    OnlyMove,
    /// It gave away a little.
    Inaccuracy,
    /// It gave away more.
    Mistake,
    /// It gave away much.
    Blunder,
    /// It gave away a won game.
    MissedWin,
    /// It is forbidden.
    Forbidden,
}

/// What a player decided.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Acted {
    /// The decision as a word: a point, `black`, `white`, `add` or a number.
    pub decision: String,
    /// Further decisions of the opening that were made together with the first.
    pub then: Vec<String>,
    /// Win probability for the player, where it has one.
    pub winrate: Option<f64>,
    /// Visits, iterations or nodes.
    pub visits: Option<u64>,
    /// What it expects.
    pub pv: Vec<String>,
    /// In how many plies the player certainly wins.
    pub wins_in: Option<u16>,
    /// The time it took.
    pub elapsed_ms: u64,
}

impl Acted {
    /// A decision about which nothing else is known.
    pub fn of(decision: String) -> Acted {
        Acted {
            decision,
            then: Vec::new(),
            winrate: None,
            visits: None,
            pv: Vec::new(),
            wins_in: None,
            elapsed_ms: 0,
        }
    }
}

/// What the search for a forced win found.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Solved {
    /// Whether there is one.
    pub verdict: Word<Verdict>,
    /// The win.
    pub proof: Option<Forced>,
    /// Positions searched.
    pub nodes: u64,
}
