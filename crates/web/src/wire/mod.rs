//! All that goes over the wire, declared once: requests, answers, and the words in them.
//!
//! `contract.rs` makes the schemas of `page/openapi.json` and the types in `page/js/messages.d.ts` from these types,
//! and a test fails when the two files say something else.

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
