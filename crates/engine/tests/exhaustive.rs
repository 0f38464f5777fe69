//! The verdicts of the search by fours and threes against exhaustive search on small boards, both
//! ways.
//!
//! `FIVESTONE_CASES=100000 cargo test --release -p fivestone-engine --test exhaustive --
//! --nocapture` runs the long comparison and shows what the positions were.

mod brute;

use brute::{Brute, Exhaustive, built_position, cases, some_position};
use fivestone_engine::Rng;
use fivestone_engine::solver::{Vct, Verdict};
use fivestone_game::{Board, Rule};
use std::fmt;

/// Positions the exhaustive search may look at; what takes more is drawn again.
const LIMIT: usize = 100_000;

/// A position and what is true about it.
struct Case {
    board: Board,
    wins: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    WinByFours,
    WinByThrees,
    /// The attacker can threaten, but that does not win.
    ThreatsFail,
    NoThreat,
}

/// Draws positions and counts their kinds.
struct Sample {
    rule: Rule,
    rng: Rng,
    counts: [usize; 4],
    too_large: usize,
}

impl Sample {
    fn new(rule: Rule, seed: u64) -> Sample {
        Sample { rule, rng: Rng::new(seed + rule as u64), counts: [0; 4], too_large: 0 }
    }

    fn draw(&mut self) -> Case {
        loop {
            let board = self.position();
            let mut exhaustive = Exhaustive::of(&board, board.to_move());
            // Wins by fours are compared elsewhere, and no threats are seen at once: a few will do.
            let plain = exhaustive.wins_by_fours() || !exhaustive.has_threat();
            if plain && self.rng.below(24) != 0 {
                continue;
            }
            let Some(wins) = exhaustive.wins_by_threes(LIMIT) else {
                self.too_large += 1;
                continue;
            };
            let kind = match (wins, plain) {
                (true, true) => Kind::WinByFours,
                (true, false) => Kind::WinByThrees,
                (false, false) => Kind::ThreatsFail,
                (false, true) => Kind::NoThreat,
            };
            self.counts[kind as usize] += 1;
            return Case { board, wins };
        }
    }

    /// On crowded boards few positions are too large; most wins by threes are among the built ones.
    fn position(&mut self) -> Board {
        let side = if self.rng.below(3) == 0 { 8..9 } else { 7..8 };
        if self.rng.below(8) == 0 {
            some_position(self.rule, &mut self.rng, side, 14..34)
        } else {
            built_position(self.rule, &mut self.rng, side)
        }
    }

    fn count(&self, kind: Kind) -> usize {
        self.counts[kind as usize]
    }

    /// A sample without wins by threes, or without threats that fail, would prove nothing.
    fn assert_telling(&self) {
        println!("{self}");
        let all: usize = self.counts.iter().sum();
        assert!(self.count(Kind::WinByThrees) * 10 > all, "few wins by threes: {self}");
        assert!(self.count(Kind::ThreatsFail) * 4 > all, "few threats that fail: {self}");
        assert!(self.too_large * 8 < all, "many positions left out: {self}");
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [fours, threes, fail, none] = self.counts;
        write!(
            f,
            "{}: {fours} wins by fours, {threes} by threes, {fail} with threats that fail, {none} without, \
             {} too large and drawn again",
            self.rule, self.too_large
        )
    }
}

/// Wrong verdicts, counted by what is wrong, and the first positions.
#[derive(Default)]
struct Wrong {
    false_wins: usize,
    missed_wins: usize,
    unknown: usize,
    examples: Vec<String>,
}

impl Wrong {
    /// Holds a verdict against the truth. `Unknown` is wrong here.
    fn check(&mut self, case: &Case, verdict: Verdict, how: &str) {
        let count = match (verdict, case.wins) {
            (Verdict::Win, true) | (Verdict::NoWin, false) => return,
            (Verdict::Win, false) => &mut self.false_wins,
            (Verdict::NoWin, true) => &mut self.missed_wins,
            (Verdict::Unknown, _) => &mut self.unknown,
        };
        *count += 1;
        if *count <= 3 {
            let mut board = case.board.clone();
            let alone = Vct::with_memory(1 << 20).solve(&mut board, u64::MAX);
            let truth = if case.wins { "a win" } else { "no win" };
            self.examples.push(format!(
                "{verdict:?} {how} ({alone:?} by a search of its own), but it is {truth}:\n{board:?}"
            ));
        }
    }

    fn assert_none(&self) {
        let Wrong { false_wins, missed_wins, unknown, examples } = self;
        assert!(
            examples.is_empty(),
            "{false_wins} false wins, {missed_wins} missed wins, {unknown} unknown\n{}",
            examples.join("\n")
        );
    }
}

fn compare(rule: Rule, usual: usize) {
    let mut sample = Sample::new(rule, 100);
    let mut wrong = Wrong::default();
    let mut vct = Vct::with_memory(1 << 20);
    for _ in 0..cases(usual) {
        let case = sample.draw();
        let verdict = vct.solve(&mut case.board.clone(), u64::MAX);
        wrong.check(&case, verdict, "without a limit");
    }
    sample.assert_telling();
    wrong.assert_none();
}

#[test]
fn freestyle_threes_agree_with_exhaustive_search() {
    compare(Rule::Freestyle, 500);
}

#[test]
fn standard_threes_agree_with_exhaustive_search() {
    compare(Rule::Standard, 500);
}

#[test]
fn renju_threes_agree_with_exhaustive_search() {
    compare(Rule::Renju, 250);
}

#[test]
fn caro_threes_agree_with_exhaustive_search() {
    compare(Rule::Caro, 250);
}

#[test]
fn caro_overline_threes_agree_with_exhaustive_search() {
    compare(Rule::CaroOverline, 250);
}

#[test]
fn unknown_is_said_only_when_the_budget_is_spent() {
    let mut wrong = Wrong::default();
    let mut went_on = 0;
    for rule in Rule::ALL {
        let mut sample = Sample::new(rule, 200);
        for _ in 0..cases(250) / 5 {
            let case = sample.draw();
            for budget in [1, 10, 100, 1000] {
                let mut vct = Vct::with_memory(1 << 20);
                let board = &mut case.board.clone();
                let verdict = vct.solve(board, budget);
                if verdict != Verdict::Unknown {
                    wrong.check(&case, verdict, &format!("within {budget} nodes"));
                    continue;
                }
                let nodes = vct.nodes();
                assert!(nodes >= budget, "gave up after {nodes} of {budget} nodes\n{board:?}");
                went_on += 1;
                wrong.check(&case, vct.solve(board, u64::MAX), &format!("going on after {budget} nodes"));
            }
        }
    }
    assert!(went_on * 4 > cases(250), "only {went_on} searches were cut off");
    wrong.assert_none();
}

#[test]
fn tiny_tables_make_no_verdict_wrong() {
    let mut wrong = Wrong::default();
    let mut forgetful = Vct::with_memory(1 << 12);
    for rule in Rule::ALL {
        let mut sample = Sample::new(rule, 300);
        for _ in 0..cases(250) / 5 {
            let case = sample.draw();
            let verdict = forgetful.solve(&mut case.board.clone(), u64::MAX);
            wrong.check(&case, verdict, "with a tiny table");
        }
    }
    wrong.assert_none();
}

#[test]
fn exhaustive_search_agrees_with_its_definition() {
    // The plain search tries everything everywhere: it needs boards that are nearly full.
    const MOST_EMPTY: usize = 12;
    let (mut all_by_fours, mut all_by_threes) = (0, 0);
    for rule in Rule::ALL {
        let mut rng = Rng::new(400 + rule as u64);
        let (mut checked, mut wins_by_threes, mut wins_by_fours) = (0, 0, 0);
        while checked < cases(120) {
            let board = match rng.below(2) {
                0 => some_position(rule, &mut rng, 6..7, 24..28),
                _ => built_position(rule, &mut rng, 6..7),
            };
            let attacker = board.to_move();
            let mut fast = Exhaustive::of(&board, attacker);
            if board.empty().len() > MOST_EMPTY || !fast.has_threat() {
                continue;
            }
            let Some(wins) = fast.wins_by_threes(LIMIT) else { continue };
            let mut plain = Brute::of(&board);
            let by_fours = fast.wins_by_fours();
            assert_eq!(by_fours, plain.wins_by_fours(attacker), "by fours\n{board:?}");
            assert_eq!(wins, plain.wins_by_threes(attacker), "by threes\n{board:?}");
            checked += 1;
            wins_by_fours += usize::from(by_fours);
            wins_by_threes += usize::from(wins && !by_fours);
        }
        println!("{rule}: {checked} positions, {wins_by_fours} wins by fours, {wins_by_threes} by threes");
        all_by_fours += wins_by_fours;
        all_by_threes += wins_by_threes;
    }
    assert!(all_by_fours > 100, "few wins by fours: {all_by_fours}");
    assert!(all_by_threes > 0, "no win by threes");
}
