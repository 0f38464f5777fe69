//! Piskvork's format.

use super::GameRecord;
use crate::fault::FaultKind;
use crate::game::Ending;
use fivestone_game::Color;
use std::fmt::Write;

/// The game as a PSQ file: size, moves `x,y,ms` counted from 1 at the top left, the two players, a result code.
pub fn write_psq(game: &GameRecord) -> String {
    let mut text = format!("Piskvorky {0}x{0}, 11:11, 0\r\n", game.size);
    for played in &game.moves {
        let (x, y) = (played.point.x() + 1, played.point.y() + 1);
        let _ = write!(text, "{x},{y},{:.0}\r\n", played.milliseconds);
    }
    let _ = write!(text, "{}\r\n{}\r\n", game.name_of(Color::Black), game.name_of(Color::White));
    let _ = write!(text, "{}\r\n", result_code(&game.ending));
    text
}

fn result_code(ending: &Ending) -> i32 {
    match ending {
        Ending::Fault(fault) => match fault.kind {
            FaultKind::Late | FaultKind::Hang => 15,
            FaultKind::Memory => 16,
            FaultKind::IllegalMove | FaultKind::Occupied | FaultKind::BadFormat => 7,
            _ => -1,
        },
        _ => -1,
    }
}
