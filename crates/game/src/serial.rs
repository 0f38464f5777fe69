//! The game's types for serde, as files and arguments write them: rules and openings by name, a
//! board by its side, a point as column and row from the top left.

use crate::{Opening, Point, Rule, Size};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! by_name {
    ($($kind:ty),*) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$kind, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

by_name!(Rule, Opening);

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.side() as u8)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Size, D::Error> {
        let side = usize::deserialize(deserializer)?;
        Size::new(side).ok_or_else(|| D::Error::custom(format!("{side} is no board size")))
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.x(), self.y()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Point {
    /// A point does not know its board: all that can be checked is that some board has it.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Point, D::Error> {
        let (x, y) = <(usize, usize)>::deserialize(deserializer)?;
        Point::new(x, y, Size::MAX)
            .ok_or_else(|| D::Error::custom(format!("{x},{y} is off the largest board")))
    }
}
