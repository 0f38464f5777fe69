//! Whole games between two processes, under every rule and opening, with a referee that trusts neither.

mod process;

use fivestone_engine::Rng;
use fivestone_formats::gomocup::{Command, Convention, Info, Reply, RuleMask, Stone};
use fivestone_game::opening::{Decision, Task};
use fivestone_game::{Board, Color, GameEnd, Opening, OpeningState, Point, Rule, Size};
use process::Process;

const SIZE: Size = Size::STANDARD;

struct Engine(Process);

impl Engine {
    fn start(name: &str, rule: Rule) -> Engine {
        let mut engine = Engine(Process::start(&["--engine", name, "--seed", "5"]));
        assert_eq!(engine.ask(&Command::Start(SIZE.side() as u16)), Reply::Ok);
        for info in [Info::Rule(RuleMask::from(rule)), Info::MaxNode(Some(150)), Info::TimeoutTurn(600_000)] {
            engine.0.say(Command::Info(info).to_string().as_bytes());
        }
        engine
    }

    fn ask(&mut self, command: &Command) -> Reply {
        let line = self.0.ask(&command.to_string());
        Reply::parse(&line).unwrap_or_else(|| panic!("no reply of the protocol: {line}"))
    }

    fn ask_for_points(&mut self, command: &Command) -> Vec<Point> {
        match self.ask(command) {
            Reply::Moves(moves) => moves
                .into_iter()
                .map(|at| Convention::ColumnRow.point(at, SIZE).expect("a point of the board"))
                .collect(),
            reply => panic!("{command} was answered by {reply}"),
        }
    }
}

fn written(point: Point) -> fivestone_formats::gomocup::Coordinates {
    Convention::ColumnRow.coordinates(point, SIZE)
}

/// The stones as the side to move has to be told them.
fn board_command(board: &Board) -> Command {
    let stones = board.moves().iter().flatten().map(|&point| {
        let own = board.stone(point) == Some(board.to_move());
        Stone { at: written(point), field: if own { 1 } else { 2 } }
    });
    Command::Board(stones.collect())
}

/// Swap2 is decided by the engines through the protocol; the openings it knows nothing of by the referee.
fn open(opening: Opening, rule: Rule, engines: &mut [Engine; 2], rng: &mut Rng) -> OpeningState {
    let mut state = OpeningState::new(opening, SIZE, rule);
    while !state.is_over() {
        if opening == Opening::Swap2 {
            decide_swap2(&mut state, engines);
            continue;
        }
        let points: Vec<Point> = state.task().points().iter().collect();
        let decision = match state.task() {
            Task::ChooseColor | Task::Swap2Choice => Decision::Take(Color::BOTH[rng.below(2)]),
            Task::DeclareFifths { most } => Decision::Declare(1 + rng.below(most)),
            _ => Decision::Place(points[rng.below(points.len())]),
        };
        state.decide(decision).expect("an allowed decision");
    }
    state
}

fn decide_swap2(state: &mut OpeningState, engines: &mut [Engine; 2]) {
    let stones = state.board().moves().iter().flatten().map(|&point| written(point)).collect();
    let asked = state.board().stone_count();
    let reply = engines[state.decider().index()].ask(&Command::Swap2Board(stones));
    let decisions: Vec<Decision> = match (asked, reply) {
        (3 | 5, Reply::Swap) => vec![Decision::Take(Color::Black)],
        (0, Reply::Moves(moves)) => moves.into_iter().map(place).collect(),
        (3 | 5, Reply::Moves(moves)) if moves.len() == 1 => vec![Decision::Take(Color::White)],
        (3, Reply::Moves(moves)) if moves.len() == 2 => {
            [Decision::AddTwo].into_iter().chain(moves.into_iter().map(place)).collect()
        }
        (stones, reply) => panic!("{stones} stones were answered by {reply}"),
    };
    for decision in decisions {
        state.decide(decision).expect("an allowed decision");
    }
}

fn place(at: fivestone_formats::gomocup::Coordinates) -> Decision {
    Decision::Place(Convention::ColumnRow.point(at, SIZE).expect("a point of the board"))
}

fn play(rule: Rule, opening: Opening, seed: u64) -> GameEnd {
    let mut engines = [Engine::start("alpha-beta", rule), Engine::start("mcts-basic", rule)];
    let state = open(opening, rule, &mut engines, &mut Rng::new(seed));
    let mut board = state.board().clone();
    let mut told = [false; 2];
    loop {
        let mover = state.tentative_player(board.to_move()).index();
        let last = board.last_move();
        let command = match last.filter(|_| told[mover]) {
            Some(point) => Command::Turn(written(point)),
            None => board_command(&board),
        };
        told[mover] = true;
        let points = engines[mover].ask_for_points(&command);
        assert_eq!(points.len(), 1, "{command} asks for one move");
        let end = board.play(points[0]).expect("a legal move");
        if let Some(end) = end {
            // The loser is told the last move and must see that there is nothing left to play.
            let loser = &mut engines[1 - mover];
            let last =
                if told[1 - mover] { Command::Turn(written(points[0])) } else { board_command(&board) };
            assert!(matches!(loser.ask(&last), Reply::Error(_)), "{end}, and the other plays on");
            engines[0].0.say(b"END");
            engines[1].0.close_input();
            for engine in &mut engines {
                assert_eq!(engine.0.finish(), (String::new(), String::new()));
            }
            return end;
        }
    }
}

#[test]
fn every_rule_and_opening_comes_to_a_result() {
    for (number, rule) in Rule::ALL.into_iter().enumerate() {
        for (index, opening) in Opening::ALL.into_iter().enumerate() {
            let end = play(rule, opening, (10 * number + index) as u64);
            println!("{rule}, {opening}: {end}");
        }
    }
}
