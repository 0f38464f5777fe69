//! Programs that speak the Gomocup protocol. They are named when the server is started, never by a page.

use crate::fault::Fault;
use crate::game::{Game, decision_word};
use crate::wire::Acted;
use axum::http::StatusCode;
use fivestone_engine::{Limits, Stop};
use fivestone_game::opening::Decision;
use fivestone_game::{Point, Rule, Size};
use fivestone_host::clock::{Clock, TimeControl};
use fivestone_host::views::round;
use fivestone_host::{EngineSpec, Patience, Player, Program, Setup, Silence, Source};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A program that nobody asked for so long is ended.
const LONGEST_IDLE: Duration = Duration::from_secs(180);
/// Programs that one page keeps.
const MOST_OF_A_PAGE: usize = 2;
/// Programs that all pages together keep.
pub const MOST_KEPT: usize = 16;

/// A program to play against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct External {
    /// The name in lists.
    pub name: String,
    /// The program.
    pub program: Program,
}

/// The programs that a page plays against. They go on running between the moves of a game, and end when the page goes.
pub struct Programs {
    running: Mutex<Vec<Running>>,
    places: Arc<Semaphore>,
}

/// A program and what it knows.
struct Running {
    name: String,
    player: Box<fivestone_host::External>,
    /// The rule, the board and the time for a move that it was told.
    told: (Rule, Size, Duration),
    /// The moves of the game it knows, its own last one included.
    moves: Vec<Option<Point>>,
    used: Instant,
    /// The right to go on running between moves.
    place: Option<OwnedSemaphorePermit>,
}

impl Programs {
    /// No program yet; all that share the places keep no more than those.
    pub fn new(places: Arc<Semaphore>) -> Programs {
        Programs { running: Mutex::default(), places }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are kept.
    #[cfg(test)]
    fn kept(&self) -> usize {
        self.lock().len()
    }

    /// Ends those that nobody asked for a long time.
    pub fn end_idle(&self) {
        self.end_those(|running| running.used.elapsed() > LONGEST_IDLE);
    }

    fn end_those(&self, ends: impl Fn(&Running) -> bool) {
        let mut running = self.lock();
        let (ended, kept) = std::mem::take(&mut *running).into_iter().partition(ends);
        *running = kept;
        drop(running);
        retire(ended);
    }

    /// The program, running: the one that was kept, or a new one.
    fn take(&self, external: &External) -> Running {
        let mut running = self.lock();
        if let Some(place) = running.iter().position(|running| running.name == external.name) {
            return running.remove(place);
        }
        drop(running);
        let spec = EngineSpec::new(external.name.clone(), Source::Program(external.program.clone()));
        Running {
            name: external.name.clone(),
            player: Box::new(fivestone_host::External::new(
                spec,
                external.program.clone(),
                Patience::default(),
            )),
            told: (Rule::Freestyle, Size::MIN, Duration::ZERO),
            moves: Vec::new(),
            used: Instant::now(),
            place: Arc::clone(&self.places).try_acquire_owned().ok(),
        }
    }

    fn keep(&self, mut program: Running) {
        program.used = Instant::now();
        if program.place.is_none() {
            retire(vec![program]);
            return;
        }
        let mut running = self.lock();
        running.push(program);
        let surplus = running.len().saturating_sub(MOST_OF_A_PAGE);
        let ended = running.drain(..surplus).collect();
        drop(running);
        retire(ended);
    }

    /// Asks a program what to do; nothing when it was stopped.
    pub(crate) fn act(
        &self,
        external: &External,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Option<Acted>, Fault> {
        let started = Instant::now();
        let mut program = self.take(external);
        match program.decide(game, limits, stop) {
            // Whoever was stopped in the middle does not know where the game stands: it has been ended.
            Err(Silence::Stopped) => Ok(None),
            Err(Silence::Fault(fault)) => Err(Fault {
                status: StatusCode::BAD_GATEWAY,
                message: format!("{}: {}", external.name, fault.detail),
            }),
            Ok((decisions, winrate, visits)) => {
                self.keep(program);
                let size = game.board.size();
                let mut words = decisions.into_iter().map(|decision| decision_word(decision, size));
                let first = words.next().ok_or_else(|| Fault {
                    status: StatusCode::BAD_GATEWAY,
                    message: format!("{} decided nothing", external.name),
                })?;
                Ok(Some(Acted {
                    then: words.collect(),
                    winrate: winrate.map(round),
                    visits,
                    elapsed_ms: started.elapsed().as_millis() as u64,
                    ..Acted::of(first)
                }))
            }
        }
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        self.end_those(|_| true);
    }
}

type Decided = (Vec<Decision>, Option<f64>, Option<u64>);

impl Running {
    fn decide(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Decided, Silence> {
        let (rule, size) = (game.board.rule(), game.board.size());
        let turn = limits.turn.unwrap_or(Duration::from_secs(2));
        let time = TimeControl { game: limits.match_left, turn: Some(turn), increment: limits.increment };
        let clock = Clock::new(time);
        // A program that is told moves one by one must not be left with stones that were taken back.
        let goes_on = self.told == (rule, size, turn) && game.board.moves().starts_with(&self.moves);
        if !goes_on {
            self.told = (rule, size, turn);
            self.player.begin(&Setup { rule, size, seed: 1, clock })?;
        }
        let decided = if game.opening.is_over() {
            let answer = self.player.think(&game.board, &clock, stop)?;
            (vec![Decision::Place(answer.point)], answer.winrate, answer.visits)
        } else {
            let answer = self.player.open(&game.opening, &clock, stop)?;
            let first_move = answer.first_move.map(Decision::Place);
            (answer.decisions.into_iter().chain(first_move).collect(), None, None)
        };
        let placed = |decision: &Decision| match decision {
            Decision::Place(point) => Some(Some(*point)),
            _ => None,
        };
        self.moves = game.board.moves().to_vec();
        self.moves.extend(decided.0.iter().filter_map(placed));
        Ok(decided)
    }
}

/// Ends programs without keeping anybody waiting: each has half a second to leave.
fn retire(programs: Vec<Running>) {
    for program in programs {
        std::thread::spawn(move || {
            let Running { player, place, .. } = program;
            player.retire();
            drop(place);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::GameSpec;

    /// A program that answers with the first empty point of a row, and writes down what it is told.
    fn scribe(folder: &std::path::Path) -> External {
        let log = folder.join("log");
        let script = format!(
            "n=0; board=; while read -r line; do line=${{line%?}}; echo \"$line\" >> {log}; case \"$line\" in \
             START*|RESTART) echo OK;; BOARD) board=1;; \
             DONE) board=; n=$((n+1)); echo \"$n,14\";; \
             BEGIN|TURN*) n=$((n+1)); echo \"$n,14\";; END) exit;; esac; done",
            log = log.display()
        );
        let program = Program {
            command: "/bin/sh".to_owned(),
            arguments: vec!["-c".to_owned(), script],
            directory: None,
            stderr: None,
        };
        External { name: "scribe".to_owned(), program }
    }

    fn play(programs: &Programs, external: &External, moves: &str) -> String {
        let spec = serde_json::json!({ "moves": moves }).to_string();
        let game: GameSpec = serde_json::from_str(&spec).expect("a game");
        let limits = Limits::time(Duration::from_secs(20));
        let acted = programs.act(external, &game.replay().expect("a game"), &limits, &Stop::new());
        acted.expect("no fault").expect("not stopped").decision
    }

    #[test]
    fn a_program_goes_on_running_and_is_told_again_what_was_taken_back() {
        let folder = std::env::temp_dir().join(format!("fivestone-scribe-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let external = scribe(&folder);
        let places = Arc::new(Semaphore::new(MOST_KEPT));
        let programs = Programs::new(Arc::clone(&places));
        assert_eq!(play(&programs, &external, "h8"), "b1");
        assert_eq!(play(&programs, &external, "h8b1h9"), "c1");
        // Another second stone than the program was told of, and then as many stones as before.
        assert_eq!(play(&programs, &external, "h8b1i9"), "d1");
        assert_eq!(play(&programs, &external, "h8b1i9d1i10"), "e1");
        let log = std::fs::read_to_string(folder.join("log")).expect("a log");
        let words = |word: &str| log.lines().filter(|line| line.split(' ').next() == Some(word)).count();
        assert_eq!([words("START"), words("RESTART"), words("TURN"), words("BOARD")], [1, 1, 2, 2], "{log}");
        assert_eq!((programs.kept(), places.available_permits()), (1, MOST_KEPT - 1));
        programs.end_idle();
        assert_eq!(programs.kept(), 1);
        drop(programs);
        while places.available_permits() < MOST_KEPT {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(std::fs::read_to_string(folder.join("log")).expect("a log").contains("END"));
        std::fs::remove_dir_all(folder).expect("the folder goes");
    }
}
