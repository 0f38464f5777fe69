//! What stops a threat.

use super::{Vcf, Verdict};
use fivestone_game::{Board, Class, Color, Direction, Pattern, Point, PointSet};

/// The defender's moves that leave the attacker without a five next move, given that the attacker threatens one.
/// Empty when nothing stops it. Whether the defender may play there (renju) is not asked.
///
/// Under most rules that is the one cell that completes the five; in caro a stone at the end of the would-be five
/// can do as well.
pub fn stops(board: &mut Board, attacker: Color) -> PointSet {
    let fives = board.cells(attacker, Class::Five);
    if !board.rule().ends_matter() {
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
fn line_cells(board: &Board, point: Point, directions: impl IntoIterator<Item = Direction>) -> PointSet {
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

/// The moves that make an open four (or two fours at once, where that is as good) and are not forbidden: after any of
/// them no single stone stops the five.
pub(crate) fn legal_open_fours(board: &mut Board, attacker: Color) -> PointSet {
    let restricted = board.rule().restricts(attacker);
    // In caro one stone can be in the way of two fours.
    let two_fours_win = !restricted && !board.rule().ends_matter();
    let classes = if two_fours_win { &[Class::OpenFour, Class::DoubleFour][..] } else { &[Class::OpenFour] };
    let mut fours = board.cells_of(attacker, classes);
    if restricted && !fours.is_empty() {
        for four in fours.iter().collect::<Vec<_>>() {
            if board.is_forbidden(four) {
                fours.remove(four);
            }
        }
    }
    fours
}

/// The moves among which every defence against threatened open fours is, but for fours of the defender's own.
///
/// A stone off the lines of one open four leaves that four as it is, unless it could make the point forbidden.
pub(super) fn stops_of_open_fours(board: &Board, attacker: Color, open_fours: &PointSet) -> PointSet {
    let may_become_forbidden =
        |four| board.rule().restricts(attacker) && has_two_threes(board, attacker, four);
    match open_fours.iter().find(|&four| !may_become_forbidden(four)) {
        None => *board.empty(),
        Some(four) => {
            let is_four = |&direction: &Direction| board.pattern(attacker, four, direction) >= Pattern::Four;
            line_cells(board, four, Direction::ALL.into_iter().filter(is_four))
        }
    }
}

/// The moves among which every answer to threatened open fours is: what stops them, and the defender's own fours.
pub(crate) fn answers_to_open_fours(board: &Board, attacker: Color, open_fours: &PointSet) -> PointSet {
    stops_of_open_fours(board, attacker, open_fours).union(&board.cells_of(!attacker, &Class::FOURS))
}

/// The defender's moves that can spoil a winning line of fours (beginning with the attacker): the cells it uses, the
/// defender's own fours, and cells with which one of the forced replies would become a four. No other stone matters.
pub(crate) fn answers_to_fours(board: &mut Board, attacker: Color, line: &[Point]) -> PointSet {
    let defender = !attacker;
    if board.rule().ends_matter() {
        // Fours have several answers there, and the line shows only one of them.
        return *board.empty();
    }
    let mut answers = board.cells_of(defender, &Class::FOURS);
    let mut everything_matters = false;
    board.pass();
    for (ply, &point) in line.iter().enumerate() {
        answers.insert(point);
        if ply % 2 == 0 {
            everything_matters |= board.rule().restricts(attacker) && has_two_threes(board, attacker, point);
        } else {
            everything_matters |= forbidden_to_mover(board, point);
            let prepares_four =
                |&direction: &Direction| board.pattern(defender, point, direction) >= Pattern::Three;
            let directions = Direction::ALL.into_iter().filter(prepares_four);
            answers = answers.union(&line_cells(board, point, directions));
        }
        board.play_unchecked(point);
        answers = answers.union(&board.cells(attacker, Class::Five));
    }
    for _ in line {
        board.undo();
    }
    board.undo();
    if everything_matters { *board.empty() } else { answers.intersection(board.empty()) }
}

/// Whether a point is forbidden to the side to move.
pub(super) fn forbidden_to_mover(board: &mut Board, point: Point) -> bool {
    board.rule().restricts(board.to_move()) && board.is_forbidden(point)
}

/// With two threes, some of them not real yet, a point could still become forbidden by an enemy stone elsewhere.
fn has_two_threes(board: &Board, color: Color, point: Point) -> bool {
    let is_three = |&&direction: &&Direction| board.pattern(color, point, direction) == Pattern::OpenThree;
    Direction::ALL.iter().filter(is_three).count() > 1
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
