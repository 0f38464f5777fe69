//! Parameters of engines, each declared once: [`parameters!`] makes of a declaration the field of a
//! struct with the value in use and the row of the table that arguments, protocol and tuner read.

use fivestone_game::Rule;
use std::ops::RangeInclusive;

/// A number that changes how an engine plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Its name in arguments, files and the protocol.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Its value unless told otherwise.
    pub default: f64,
    /// The smallest and largest value.
    pub range: (f64, f64),
}

/// Values of some parameters that suit one rule better than the defaults.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RuleDefaults {
    /// The rule.
    pub rule: Rule,
    /// Parameters and their values.
    pub values: &'static [(&'static str, f64)],
}

/// A parameter for [`parameters!`], which gives it the name of its field.
pub(crate) const fn number(default: f64, range: RangeInclusive<f64>, meaning: &'static str) -> Parameter {
    Parameter { name: "", meaning, default, range: (*range.start(), *range.end()) }
}

/// The seed that every engine with randomness takes.
pub(crate) const SEED: Parameter =
    Parameter { name: "seed", ..number(1.0, 0.0..=9e15, "seed of the random numbers") };

/// What a parameter's number becomes in an engine.
pub(crate) trait Value {
    /// The value that a number within the parameter's range stands for.
    fn of(number: f64) -> Self;
}

macro_rules! values_by_cast {
    ($($type:ty),*) => { $(
        impl Value for $type {
            fn of(number: f64) -> $type {
                number as $type
            }
        }
    )* };
}

values_by_cast!(f64, f32, u64, u32, usize, i32);

/// Declares an engine's parameters as a struct: `field: type = number(default, range, meaning)`, or
/// `field: type = SHARED` for one that several engines declare. The parameter is named after the
/// field, with dashes.
///
/// `TABLE` has the declarations; `of` makes the struct from values in the order of the table.
macro_rules! parameters {
    (
        $(#[$attribute:meta])*
        $visible:vis struct $Name:ident {
            $($(#[$note:meta])* $field:ident: $type:ty = $parameter:expr,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        $visible struct $Name {
            $($(#[$note])* $visible $field: $type,)*
        }

        impl $Name {
            /// Every parameter, in the order of the fields.
            $visible const TABLE: &'static [$crate::parameters::Parameter] = &[
                $($crate::parameters::Parameter {
                    name: $crate::parameters::name_of!($field),
                    ..$parameter
                },)*
            ];

            /// The parameters with values in the order of the table.
            $visible fn of(values: &[f64]) -> $Name {
                let mut values = values.iter();
                let mut next = || *values.next().expect("there is a value for every parameter");
                $Name { $($field: $crate::parameters::Value::of(next()),)* }
            }
        }
    };
}

/// Values for some of the parameters of a struct made by [`parameters!`], as names and numbers.
/// A field that the struct does not have is a compile error.
macro_rules! chosen {
    ($Name:ident { $($field:ident: $value:expr),* $(,)? }) => {
        &[$({
            let _declared = std::mem::offset_of!($Name, $field);
            ($crate::parameters::name_of!($field), $value)
        },)*]
    };
}

/// The name of a field with dashes instead of underscores.
macro_rules! name_of {
    ($field:ident) => {{
        const NAME: [u8; stringify!($field).len()] = $crate::parameters::dashed(stringify!($field));
        const { $crate::parameters::as_text(&NAME) }
    }};
}

pub(crate) use {chosen, name_of, parameters};

/// The bytes of a name with dashes instead of underscores.
pub(crate) const fn dashed<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let mut at = 0;
    while at < LENGTH {
        let byte = name.as_bytes()[at];
        bytes[at] = if byte == b'_' { b'-' } else { byte };
        at += 1;
    }
    bytes
}

/// The text of a name's bytes.
pub(crate) const fn as_text(name: &'static [u8]) -> &'static str {
    match std::str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => panic!("names of fields are ASCII"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    parameters! {
        struct Some {
            first_play: f32 = number(0.25, 0.0..=2.0, "first-play urgency reduction"),
            width: usize = number(10.0, 1.0..=484.0, "most moves"),
            seed: u64 = SEED,
        }
    }

    #[test]
    fn a_declaration_makes_the_table_and_the_struct() {
        let names = Some::TABLE.iter().map(|parameter| parameter.name);
        assert!(names.eq(["first-play", "width", "seed"]));
        let width = Parameter { name: "width", meaning: "most moves", default: 10.0, range: (1.0, 484.0) };
        assert_eq!((Some::TABLE[1], Some::TABLE[2]), (width, SEED));
        let some = Some { first_play: 0.5, width: 12, seed: 7 };
        assert_eq!(Some::of(&[0.5, 12.9, 7.0]), some);
    }

    #[test]
    fn chosen_values_carry_the_names_of_their_fields() {
        let chosen: &[(&str, f64)] = chosen!(Some { first_play: 1.5, seed: 3.0 });
        assert_eq!(chosen, [("first-play", 1.5), ("seed", 3.0)]);
    }
}
