//! `monomial-v1`: the decisions of the first version: finish a row, stop a row, else the point of the highest value.

use super::algebra::Monomials;
use super::explain;
use super::scores::Scores;
use crate::parameters::{number, parameters};
use crate::random::playable;
use crate::registry::{EngineKind, NetUse};
use crate::report::Line;
use crate::{Engine, Event, Limits, Report, Stop};
use fivestone_game::{Board, Class, Color, Point};

/// The listing of the engine.
pub const KIND: EngineKind = EngineKind {
    name: "monomial-v1",
    paper: Some("Garcia 2020"),
    description: "plays the point of the highest monomial value, after finishing and stopping rows",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
    explain: Some(explain::version1),
    build: |settings| Box::new(Version1 { defence: Parameters::of(&settings.values()).defence }),
};

parameters! {
    struct Parameters {
        // The thesis calls the version aggressive and says that it looks at the attack.
        defence: f64 =
            number(0.0, 0.0..=10.0, "weight of the opponent's value of a point beside one's own"),
    }
}

struct Version1 {
    defence: f64,
}

/// Both players' tables of a position.
pub fn scores_of(board: &Board) -> [Scores<'static>; 2] {
    let size = board.size();
    let mut tables = [(); 2].map(|()| Scores::new(Monomials::of(size), size.cells()));
    for color in Color::BOTH {
        for point in board.stones(color).iter() {
            tables[color.index()].own(point.dense(size));
            tables[(!color).index()].opponent(point.dense(size));
        }
    }
    tables
}

/// A free point with how urgent it is and what it is worth, both larger for better.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Choice {
    point: Point,
    urgency: u8,
    value: f64,
}

impl Version1 {
    /// The decision tree of the version: scores 16 and 8 of either side, then the point table.
    fn choices(&self, board: &Board, points: &[Point]) -> Vec<Choice> {
        let size = board.size();
        let (me, you) = (board.to_move(), !board.to_move());
        let tables = scores_of(board);
        let urgency = [(me, 6), (you, 5)].map(|(color, urgency)| {
            let table = &tables[color.index()];
            (color, urgency, rows_through(table, size.cells()))
        });
        let mut choices: Vec<Choice> = points
            .iter()
            .map(|&point| {
                let cell = point.dense(size);
                let value = |color: Color| f64::from(tables[color.index()].value(cell));
                let urgent = urgency.iter().map(|(color, urgency, rows)| {
                    if rows[cell] >= 16 && board.class(*color, point) == Class::Five {
                        *urgency
                    } else if rows[cell] >= 8 && makes_open_four(board, *color, point) {
                        // Three in a row with room: to be turned into four, or to be stopped.
                        *urgency - 2
                    } else {
                        0
                    }
                });
                Choice {
                    point,
                    urgency: urgent.max().unwrap_or(0),
                    value: value(me) + self.defence * value(you),
                }
            })
            .collect();
        choices.sort_by(|a, b| {
            let by_value = b.urgency.cmp(&a.urgency).then(b.value.total_cmp(&a.value));
            // The table is symmetric: among equals the one nearer to the centre.
            by_value.then(size.ring(a.point).cmp(&size.ring(b.point))).then(a.point.cmp(&b.point))
        });
        choices
    }
}

/// The highest score of the monomials through each cell.
fn rows_through(table: &Scores<'_>, cells: usize) -> Vec<u32> {
    (0..cells).map(|cell| table.highest_score(cell)).collect()
}

/// The "additional analysis of the free variables" of a monomial of score 8: whether a stone makes four that cannot be
/// blocked.
fn makes_open_four(board: &Board, color: Color, point: Point) -> bool {
    board.class(color, point) == Class::OpenFour
}

impl Engine for Version1 {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn think(&mut self, board: &Board, limits: &Limits, _: &Stop, _: &mut dyn FnMut(Event)) -> Report {
        let budget = limits.budget(board.stone_count());
        let points = playable(board, limits);
        let choices = self.choices(board, &points);
        let tables = scores_of(board);
        let total = |color: Color| -> f64 {
            points.iter().map(|point| f64::from(tables[color.index()].value(point.dense(board.size())))).sum()
        };
        let (mine, yours) = (total(board.to_move()), total(!board.to_move()));
        let share = if mine + yours > 0.0 { mine / (mine + yours) } else { 0.5 };
        let lines = choices.iter().take(limits.lines.max(1)).map(|choice| Line {
            point: choice.point,
            winrate: match choice.urgency {
                6 => 1.0,
                4 => 0.95,
                _ => share,
            },
            visits: 1,
            pv: vec![choice.point],
            proof: (choice.urgency == 6).then_some(crate::Proof::Win(1)),
            prior: None,
        });
        Report {
            lines: lines.collect(),
            visits: points.len().min(limits.visits.map_or(usize::MAX, |v| v as usize)) as u64,
            depth: 1,
            elapsed: budget.started.elapsed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use fivestone_game::{Rule, Size, notation};

    #[test]
    fn an_open_three_is_turned_into_four_and_stopped() {
        let size = Size::STANDARD;
        let mut engine = (KIND.build)(&Settings::defaults(&KIND));
        let mut best = |moves: &str| {
            let board =
                Board::from_moves(size, Rule::Freestyle, &notation::parse_moves(moves, size).unwrap())
                    .unwrap();
            let report = engine.think(&board, &Limits::default(), &Stop::new(), &mut |_| {});
            report.best().name(size)
        };
        assert!(["g8", "k8"].contains(&best("h8a1i8a2j8a15").as_str()));
        assert!(["g8", "k8"].contains(&best("h8a1i8c2j8").as_str()));
        assert_eq!(best(""), "h8");
    }
}
