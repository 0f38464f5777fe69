//! What a manager says.

use super::Coordinates;
use fivestone_game::Rule;
use std::fmt;

/// A stone of a `BOARD` block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stone {
    /// Where.
    pub at: Coordinates,
    /// 1 own, 2 the opponent's, 3 a cell nobody may use any more.
    pub field: u8,
}

/// A complete command.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `START n`: a new game on a square board.
    Start(u16),
    /// `RECTSTART w,h`: a new game on a board that may not be square.
    RectStart(Coordinates),
    /// `RESTART`: a new game on the same board.
    Restart,
    /// `BEGIN`: make the first move.
    Begin,
    /// `TURN x,y`: the opponent moved; answer.
    Turn(Coordinates),
    /// `BOARD .. DONE`: a whole position; answer with a move.
    Board(Vec<Stone>),
    /// `TAKEBACK x,y`: remove a stone.
    TakeBack(Coordinates),
    /// `PLAY x,y`: make this move.
    Play(Coordinates),
    /// `SWAP2BOARD .. DONE`: decide in the swap2 opening.
    Swap2Board(Vec<Coordinates>),
    /// `INFO key value`.
    Info(Info),
    /// `ABOUT`.
    About,
    /// `END`: exit.
    End,
    /// `YXSHOWINFO`: Yixin-Board's greeting.
    ShowInfo,
    /// `YXBOARD .. DONE`: a whole position without a question.
    SetBoard(Vec<Stone>),
    /// `YXNBEST n`: search the position for the n best moves and make the best.
    NBest(u16),
    /// `YXSTOP` or `STOP`: answer now.
    Stop,
    /// `YXSHOWFORBID`: name Black's forbidden points.
    ShowForbid,
    /// `YXBALANCEONE bias`: a move after which the game is even.
    BalanceOne(i32),
    /// `YXBALANCETWO bias`: two moves after which the game is even.
    BalanceTwo(i32),
    /// `YXBLOCK .. DONE`: points not to be considered.
    Block(Vec<Coordinates>),
    /// `YXBLOCKUNDO .. DONE`: points to be considered again.
    BlockUndo(Vec<Coordinates>),
    /// `YXBLOCKRESET`: every point may be considered again.
    BlockReset,
    /// `YXHASHCLEAR`: forget earlier searches.
    HashClear,
    /// `YXSHOWHASHUSAGE`: how full the table is.
    ShowHashUsage,
    /// `YXSWAP2STEP1`: propose three stones.
    Swap2Step1,
    /// `YXSWAP2STEP2`: answer three stones.
    Swap2Step2,
    /// `YXSWAP2STEP3`: choose a side of five stones.
    Swap2Step3,
}

/// A setting. Times are in milliseconds.
#[derive(Clone, PartialEq, Debug)]
pub enum Info {
    /// Time for one move; 0 means play at once.
    TimeoutTurn(u64),
    /// Time for the whole game; 0 means no limit.
    TimeoutMatch(u64),
    /// What is left of it; may be negative, 2147483647 means no limit.
    TimeLeft(i64),
    /// Time given back after each move.
    TimeIncrement(u64),
    /// Bytes the whole process may hold; 0 means no limit.
    MaxMemory(u64),
    /// 0 a person, 1 an engine, 2 a tournament, 3 over a network.
    GameType(u8),
    /// The rule of play.
    Rule(RuleMask),
    /// Where the mouse is; of no interest.
    Evaluate,
    /// A directory that outlives the process.
    Folder(String),
    /// The deepest line to search; nothing means no limit.
    MaxDepth(Option<u32>),
    /// The most nodes to search; nothing means no limit.
    MaxNode(Option<u64>),
    /// Size of the table in KB.
    HashSize(u64),
    /// Threads to search with.
    ThreadNum(u16),
    /// 0 bold to 5 careful.
    CautionFactor(u8),
    /// Whether to think in the opponent's time.
    Pondering(bool),
    /// Bit 0 realtime messages, bit 1 details per line.
    ShowDetail(u8),
    /// 0 weakest to 100 full strength.
    Strength(u8),
    /// Whether swap is offered.
    Swapable(bool),
    /// An unknown key or a value that makes no sense; to be ignored without a word.
    Ignored,
}

/// The bits of `INFO rule`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RuleMask(pub u8);

impl RuleMask {
    const EXACTLY_FIVE: u8 = 1;
    const CONTINUOUS: u8 = 2;
    const RENJU: u8 = 4;
    const CARO: u8 = 8;

    /// The rule of play that is meant. Yixin-Board writes 2 for renju.
    pub fn rule(self, yixin: bool) -> Rule {
        let has = |bit: u8| self.0 & bit != 0;
        if has(Self::RENJU) || yixin && self.0 == Self::CONTINUOUS {
            Rule::Renju
        } else if has(Self::CARO) {
            if has(Self::EXACTLY_FIVE) { Rule::Caro } else { Rule::CaroOverline }
        } else if has(Self::EXACTLY_FIVE) {
            Rule::Standard
        } else {
            Rule::Freestyle
        }
    }

    /// Whether the game goes on after a win.
    pub fn continuous(self, yixin: bool) -> bool {
        self.0 & Self::CONTINUOUS != 0 && !yixin
    }
}

impl From<Rule> for RuleMask {
    fn from(rule: Rule) -> RuleMask {
        RuleMask(match rule {
            Rule::Freestyle => 0,
            Rule::Standard => RuleMask::EXACTLY_FIVE,
            Rule::Renju => RuleMask::RENJU,
            Rule::Caro => RuleMask::CARO | RuleMask::EXACTLY_FIVE,
            Rule::CaroOverline => RuleMask::CARO,
        })
    }
}

impl Info {
    /// Reads a key and its value.
    pub fn parse(key: &str, value: &str) -> Info {
        Info::understood(&key.to_ascii_lowercase(), value.trim()).unwrap_or(Info::Ignored)
    }

    fn understood(key: &str, value: &str) -> Option<Info> {
        // Managers write huge and negative numbers where they mean "no limit" or "nothing left".
        let whole = || value.parse::<i64>().ok();
        let natural = || whole().map(|number| number.max(0) as u64);
        let limit = || whole().map(|number| u64::try_from(number).ok().filter(|&limit| limit > 0));
        Some(match key {
            "timeout_turn" => Info::TimeoutTurn(natural()?),
            "timeout_match" => Info::TimeoutMatch(natural()?),
            "time_left" => Info::TimeLeft(whole()?),
            "time_increment" => Info::TimeIncrement(natural()?),
            "max_memory" => Info::MaxMemory(natural()?),
            "game_type" => Info::GameType(value.parse().ok()?),
            "rule" => Info::Rule(RuleMask(value.parse().ok()?)),
            "evaluate" => Info::Evaluate,
            "folder" => Info::Folder(value.to_owned()),
            "max_depth" => Info::MaxDepth(limit()?.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX))),
            "max_node" => Info::MaxNode(limit()?),
            "hash_size" => Info::HashSize(natural()?),
            "thread_num" => Info::ThreadNum(natural()?.clamp(1, u64::from(u16::MAX)) as u16),
            "caution_factor" => Info::CautionFactor(natural()?.min(5) as u8),
            "pondering" => Info::Pondering(natural()? != 0),
            "show_detail" => Info::ShowDetail((natural()? & 3) as u8),
            "strength" => Info::Strength(natural()?.min(100) as u8),
            "swapable" => Info::Swapable(natural()? != 0),
            _ => return None,
        })
    }
}

impl fmt::Display for Info {
    /// The key and the value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unlimited = |limit: Option<i64>| limit.unwrap_or(-1);
        match self {
            Info::TimeoutTurn(ms) => write!(f, "timeout_turn {ms}"),
            Info::TimeoutMatch(ms) => write!(f, "timeout_match {ms}"),
            Info::TimeLeft(ms) => write!(f, "time_left {ms}"),
            Info::TimeIncrement(ms) => write!(f, "time_increment {ms}"),
            Info::MaxMemory(bytes) => write!(f, "max_memory {bytes}"),
            Info::GameType(kind) => write!(f, "game_type {kind}"),
            Info::Rule(mask) => write!(f, "rule {}", mask.0),
            Info::Evaluate | Info::Ignored => write!(f, "evaluate 0,0"),
            Info::Folder(path) => write!(f, "folder {path}"),
            Info::MaxDepth(depth) => write!(f, "max_depth {}", unlimited(depth.map(i64::from))),
            Info::MaxNode(nodes) => write!(f, "max_node {}", unlimited(nodes.map(|nodes| nodes as i64))),
            Info::HashSize(kb) => write!(f, "hash_size {kb}"),
            Info::ThreadNum(threads) => write!(f, "thread_num {threads}"),
            Info::CautionFactor(factor) => write!(f, "caution_factor {factor}"),
            Info::Pondering(on) => write!(f, "pondering {}", u8::from(*on)),
            Info::ShowDetail(bits) => write!(f, "show_detail {bits}"),
            Info::Strength(strength) => write!(f, "strength {strength}"),
            Info::Swapable(on) => write!(f, "swapable {}", u8::from(*on)),
        }
    }
}

impl fmt::Display for Command {
    /// The command as a manager writes it, without the last line end; blocks take several lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Start(side) => write!(f, "START {side}"),
            Command::RectStart(sides) => write!(f, "RECTSTART {sides}"),
            Command::Restart => f.write_str("RESTART"),
            Command::Begin => f.write_str("BEGIN"),
            Command::Turn(at) => write!(f, "TURN {at}"),
            Command::Board(stones) => write_stones(f, "BOARD", stones),
            Command::TakeBack(at) => write!(f, "TAKEBACK {at}"),
            Command::Play(at) => write!(f, "PLAY {at}"),
            Command::Swap2Board(points) => write_points(f, "SWAP2BOARD", points),
            Command::Info(info) => write!(f, "INFO {info}"),
            Command::About => f.write_str("ABOUT"),
            Command::End => f.write_str("END"),
            Command::ShowInfo => f.write_str("YXSHOWINFO"),
            Command::SetBoard(stones) => write_stones(f, "YXBOARD", stones),
            Command::NBest(lines) => write!(f, "YXNBEST {lines}"),
            Command::Stop => f.write_str("YXSTOP"),
            Command::ShowForbid => f.write_str("YXSHOWFORBID"),
            Command::BalanceOne(bias) => write!(f, "YXBALANCEONE {bias}"),
            Command::BalanceTwo(bias) => write!(f, "YXBALANCETWO {bias}"),
            Command::Block(points) => write_points(f, "YXBLOCK", points),
            Command::BlockUndo(points) => write_points(f, "YXBLOCKUNDO", points),
            Command::BlockReset => f.write_str("YXBLOCKRESET"),
            Command::HashClear => f.write_str("YXHASHCLEAR"),
            Command::ShowHashUsage => f.write_str("YXSHOWHASHUSAGE"),
            Command::Swap2Step1 => f.write_str("YXSWAP2STEP1"),
            Command::Swap2Step2 => f.write_str("YXSWAP2STEP2"),
            Command::Swap2Step3 => f.write_str("YXSWAP2STEP3"),
        }
    }
}

fn write_stones(f: &mut fmt::Formatter<'_>, name: &str, stones: &[Stone]) -> fmt::Result {
    writeln!(f, "{name}")?;
    stones.iter().try_for_each(|stone| writeln!(f, "{},{}", stone.at, stone.field))?;
    f.write_str("DONE")
}

fn write_points(f: &mut fmt::Formatter<'_>, name: &str, points: &[Coordinates]) -> fmt::Result {
    writeln!(f, "{name}")?;
    points.iter().try_for_each(|at| writeln!(f, "{at}"))?;
    f.write_str("DONE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_bits_mean_what_the_managers_mean() {
        let rules = [
            (0, Rule::Freestyle),
            (1, Rule::Standard),
            (2, Rule::Freestyle),
            (3, Rule::Standard),
            (4, Rule::Renju),
            (5, Rule::Renju),
            (8, Rule::CaroOverline),
            (9, Rule::Caro),
        ];
        for (mask, rule) in rules {
            assert_eq!(RuleMask(mask).rule(false), rule, "{mask}");
        }
        assert_eq!(RuleMask(2).rule(true), Rule::Renju);
        assert!(RuleMask(3).continuous(false) && !RuleMask(2).continuous(true));
        for rule in Rule::ALL {
            assert_eq!(RuleMask::from(rule).rule(false), rule);
        }
    }

    #[test]
    fn strange_info_values_are_clamped_or_ignored() {
        assert_eq!(Info::parse("TIMEOUT_TURN", "-5"), Info::TimeoutTurn(0));
        assert_eq!(Info::parse("time_left", "-20"), Info::TimeLeft(-20));
        assert_eq!(Info::parse("max_node", "-1"), Info::MaxNode(None));
        assert_eq!(Info::parse("thread_num", "0"), Info::ThreadNum(1));
        assert_eq!(Info::parse("strength", "1000"), Info::Strength(100));
        for (key, value) in [("rule", "x"), ("rule", "-1"), ("timeout_turn", ""), ("nonsense", "1")] {
            assert_eq!(Info::parse(key, value), Info::Ignored, "{key} {value}");
        }
    }
}
