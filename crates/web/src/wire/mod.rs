//! All that goes over the wire, declared once: requests, answers, and the words in them.
//!
//! The types can tell their JSON schemas in tests; `page/openapi.json` is still written by hand.

mod answer;
mod catalogue;
#[cfg(test)]
mod contract;
mod position;
mod record;
mod request;
mod word;

pub use answer::{Acted, Answer, Defence, Ending, Forced, Judgement, Reviewed, Said, SaidAll, Solved};
pub use catalogue::{
    Catalogue, EngineEntry, LevelEntry, Load, OpeningEntry, ParameterEntry, ProgramEntry, Rating,
};
pub use position::{Cell, End, EndKind, ForbiddenPoint, Layers, NamedOpening, Position, Shape, TaskView};
pub use record::{ExportRequest, GameTree, Hints, Imported, TreeNode};
pub use request::{
    ActRequest, AnalyseRequest, ExplainRequest, GameSpec, PlayerSpec, PositionRequest, Request,
    ReviewRequest, SolveRequest,
};
pub use word::Word;
