//! The words of `-openings`.

use super::error::Problem;
use super::table::{Key, key, read_keys};
use super::values::{number, positive, switch};
use crate::openings::{FileFormat, OpeningsFile, RandomOpenings};

/// What the words ask for.
pub enum Openings {
    /// Openings of a file or the shipped ones, with the seed of their order if one is given.
    File(OpeningsFile, Option<u64>),
    /// Openings to be made.
    Random(RandomOpenings),
}

/// The words so far.
pub struct Draft {
    file: OpeningsFile,
    random: RandomOpenings,
    count: Option<usize>,
    shipped: bool,
    order: Option<Order>,
    seed: Option<u64>,
}

#[derive(PartialEq)]
enum Order {
    Random,
    Sequential,
}

/// The keys of `-openings`.
pub const KEYS: &[Key<Draft>] = &[
    key(&["file"], "F", "a file of openings, one a line", |draft, value| {
        draft.file.path = Some(value.into());
        Ok(())
    }),
    key(&["type", "format"], "T", "offset, pos (rows from the top) or moves [offset]", |draft, value| {
        draft.file.format = value.parse().map_err(Problem::Format)?;
        Ok(())
    }),
    key(
        &["shipped"],
        "on",
        "the set that comes with fivestone for the rule (main rules, sizes 15 and 20)",
        |draft, value| {
            draft.shipped = switch(value)?;
            Ok(())
        },
    ),
    key(
        &["order"],
        "O",
        "random, as shipped ones are, or sequential: as they stand in a file",
        |draft, value| {
            draft.order = Some(match value {
                "random" => Order::Random,
                "sequential" => Order::Sequential,
                other => return Err(Problem::UnknownOrder(other.to_owned())),
            });
            Ok(())
        },
    ),
    key(&["srand", "seed"], "N", "seed of the order or of the openings made", |draft, value| {
        draft.seed = Some(number(value)?);
        Ok(())
    }),
    key(&["start"], "N", "from the Nth on", |draft, value| {
        draft.file.start = positive::<usize>(value)? - 1;
        Ok(())
    }),
    key(&["symmetries"], "on", "each turned and mirrored at random", |draft, value| {
        draft.file.symmetries = switch(value)?;
        Ok(())
    }),
    key(&["random"], "N", "make N balanced openings first", |draft, value| {
        draft.count = Some(positive(value)?);
        Ok(())
    }),
    key(&["plies"], "P", "stones in each that is made [5]", |draft, value| {
        draft.random.plies = positive(value)?;
        Ok(())
    }),
    key(&["engine"], "E", "the built-in engine that judges them [the strongest]", |draft, value| {
        value.clone_into(&mut draft.random.engine);
        Ok(())
    }),
    key(&["visits"], "V", "its visits for each [1000]", |draft, value| {
        draft.random.visits = positive(value)?;
        Ok(())
    }),
];

/// Reads the words.
pub fn read(values: &[String]) -> Result<Openings, Problem> {
    let file = OpeningsFile {
        path: None,
        format: FileFormat::Offset,
        random: false,
        seed: 1,
        start: 0,
        symmetries: false,
    };
    let random = RandomOpenings::default();
    let mut draft = Draft { file, random, count: None, shipped: false, order: None, seed: None };
    read_keys(KEYS, values, &mut draft)?;
    let Draft { mut file, mut random, count, shipped, order, seed } = draft;
    if let Some(count) = count {
        random.count = count;
        random.seed = seed.unwrap_or(random.seed);
        return Ok(Openings::Random(random));
    }
    if file.path.is_none() && !shipped {
        return Err(Problem::NoOpenings);
    }
    file.random = order.map_or(file.path.is_none(), |order| order == Order::Random);
    Ok(Openings::File(file, seed))
}
