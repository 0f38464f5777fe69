//! The types in JSON: what is written, what is read back, what is refused.

use fivestone_game::{Color, Forbidden, GameEnd, Opening, Point, Rule, Size};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

fn both_ways<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), text);
    assert_eq!(serde_json::from_str::<T>(text).unwrap(), *value);
}

fn refusal<T: DeserializeOwned + Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

#[test]
fn words_and_numbers_are_those_of_files_and_arguments() {
    for rule in Rule::ALL {
        both_ways(&rule, &format!("\"{rule}\""));
    }
    for opening in Opening::ALL {
        both_ways(&opening, &format!("\"{opening}\""));
    }
    both_ways(&Size::STANDARD, "15");
    both_ways(&Point::new(7, 14, Size::STANDARD).unwrap(), "[7,14]");
    both_ways(&Color::BOTH, r#"["black","white"]"#);
    both_ways(&GameEnd::Five(Color::White), r#"{"five":"white"}"#);
    both_ways(&GameEnd::Forbidden(Forbidden::DoubleThree), r#"{"forbidden":"double-three"}"#);
    both_ways(&GameEnd::Draw, r#""draw""#);
}

#[test]
fn what_is_no_board_no_point_and_no_rule_is_refused() {
    assert!(refusal::<Size>("4").starts_with("4 is no board size"));
    assert!(refusal::<Size>("23").starts_with("23 is no board size"));
    assert!(refusal::<Point>("[22,0]").starts_with("22,0 is off the largest board"));
    assert!(refusal::<Rule>("\"chess\"").starts_with("unknown rule \"chess\""));
    assert!(refusal::<Opening>("\"swap9\"").starts_with("unknown opening \"swap9\""));
}
