//! What stops a threat.

use super::{Vcf, Verdict};
use fivestone_game::{Board, Class, Color, Direction, Pattern, Point, PointSet, Rule};

/// The defender's moves that leave the attacker without a five next move, given that the attacker threatens one.
/// Empty when nothing stops it. Whether the defender may play there (renju) is not asked.
///
/// Under most rules that is the one cell that completes the five; in caro a stone at the end of the would-be five
/// can do as well.
pub fn stops(board: &mut Board, attacker: Color) -> PointSet {
    let fives = board.cells(attacker, Class::Five);
    if !matches!(board.rule(), Rule::Caro | Rule::CaroOverline) {
        return if board.count(attacker, Class::Five) == 1 { fives } else { PointSet::EMPTY };
    }
    let mut candidates = fives;
    for five in fives.iter() {
        for direction in Direction::ALL {
            if board.pattern(attacker, five, direction) == Pattern::Five {
                candidates = candidates.union(&ends_of_run(board, attacker, five, direction));
            }
        }
    }
    debug_assert_eq!(board.to_move(), !attacker);
    candidates
        .iter()
        .filter(|&candidate| {
            board.play_unchecked(candidate);
            let stopped = board.count(attacker, Class::Five) == 0;
            board.undo();
            stopped
        })
        .collect()
}

/// The empty cells at the ends of the row that a stone of `color` on `point` would be part of.
fn ends_of_run(board: &Board, color: Color, point: Point, direction: Direction) -> PointSet {
    let (dx, dy) = direction.delta();
    let mut ends = PointSet::EMPTY;
    for sign in [1, -1] {
        let mut cell = point;
        while let Some(next) = cell.offset(sign * dx, sign * dy, board.size()) {
            cell = next;
            if board.stone(cell) != Some(color) {
                break;
            }
        }
        if cell != point && board.is_empty(cell) {
            ends.insert(cell);
        }
    }
    ends
}

/// The cells along the lines through `point`, in the given directions, that a stone's pattern there can depend on.
pub(super) fn line_cells(
    board: &Board,
    point: Point,
    directions: impl IntoIterator<Item = Direction>,
) -> PointSet {
    const REACH: isize = 5;
    let mut cells = PointSet::from_iter([point]);
    for direction in directions {
        let (dx, dy) = direction.delta();
        for distance in (-REACH..=REACH).filter(|&distance| distance != 0) {
            let cell = point.offset(distance * dx, distance * dy, board.size());
            if let Some(cell) = cell.filter(|&cell| board.is_empty(cell)) {
                cells.insert(cell);
            }
        }
    }
    cells
}

/// The moves of the side to move that refute a win by fours which the other side threatens. Answers nothing when the
/// other side threatens no such win within `nodes`.
///
/// The list is complete: every other move was shown to lose. A move whose refutation is not found within `nodes`
/// counts as saving.
pub fn saving_moves(board: &mut Board, vcf: &mut Vcf, nodes: u64) -> Option<PointSet> {
    board.pass();
    let threatened = vcf.solve(board, nodes);
    board.undo();
    if threatened != Verdict::Win {
        return None;
    }
    let side = board.to_move();
    let mut saving = PointSet::EMPTY;
    for point in board.empty().iter().collect::<Vec<_>>() {
        if board.rule().restricts(side) && board.is_forbidden(point) {
            continue;
        }
        let wins = board.class(side, point) == Class::Five;
        board.play_unchecked(point);
        if wins || vcf.solve(board, nodes) != Verdict::Win {
            saving.insert(point);
        }
        board.undo();
    }
    Some(saving)
}
