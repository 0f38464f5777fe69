//! From floating point to the integers of play.

use super::Config;
use super::model::{CONVOLUTION, HEADS, NUMBERS, POLICY, Parameters};
use super::trainer::{SetState, Trainer};
use fivestone_game::Rule;
use fivestone_nets::architecture::{
    CELL, CONVOLUTION_ONE, CONVOLVED, HIDDEN, HIDDEN_LIMIT, HIDDEN_SHIFT, ONE, TABLE_LIMIT,
};
use fivestone_nets::lines::{LineRows, SEVEN_ROWS};
use fivestone_nets::{Convolution, Heads, LineTable, Net, PolicyLayer, Row, SideNet};

/// The net of a trainer's averaged weights.
pub fn quantise(trainer: &Trainer, rule: Rule, sides: (u8, u8), description: &str) -> Net {
    let sets = trainer.sets.iter().zip(&trainer.rows);
    Net {
        rule,
        sides,
        description: description.to_owned(),
        sets: sets.map(|(state, rows)| quantise_set(&state.average, rows)).collect(),
    }
}

/// A trainer whose weights are those of a net, as near as its integers tell.
pub(super) fn restore(net: &Net, config: &Config) -> Trainer {
    let rows = net.sets.iter().map(|set| set.tables.each_ref().map(|table| table.index.clone())).collect();
    let sets = net.sets.iter().map(|set| SetState::new(restore_set(set))).collect();
    Trainer::with_sets(config, rows, sets, 0)
}

fn rounded(number: f32, unit: f32, limit: i16) -> i16 {
    (number * unit).round().clamp(-f32::from(limit), f32::from(limit)) as i16
}

fn quantise_set(parameters: &Parameters, rows: &[LineRows; 2]) -> SideNet {
    let one = f32::from(ONE);
    let table = |table: usize| {
        let numbers = &parameters.tables[table];
        let row = |row: usize| {
            let seven = usize::from(rows[table].seven_of(row as u16));
            Row(std::array::from_fn(|i| {
                let shared = if row >= SEVEN_ROWS { numbers[seven][i] } else { 0.0 };
                rounded(numbers[row][i] + shared, one, TABLE_LIMIT)
            }))
        };
        LineTable { index: rows[table].clone(), rows: (0..numbers.len()).map(row).collect() }
    };
    let layers = &parameters.layers;
    let kernel = |kind: usize, unit: f32| {
        std::array::from_fn(|i| rounded(layers[CONVOLUTION + kind * CONVOLVED + i], unit, i16::MAX))
    };
    let hidden_one = (1 << HIDDEN_SHIFT) as f32;
    // Half of the shift is added so that dropping the low bits rounds.
    let hidden_bias = |i: usize| {
        let bias = layers[POLICY + CELL * HIDDEN + i];
        (bias * one * hidden_one).round().clamp(-6e7, 6e7) as i32 + (1 << (HIDDEN_SHIFT - 1))
    };
    let policy = PolicyLayer {
        weights: std::array::from_fn(|pair| {
            std::array::from_fn(|out| {
                std::array::from_fn(|i| {
                    rounded(layers[POLICY + (2 * pair + i) * HIDDEN + out], hidden_one, HIDDEN_LIMIT)
                })
            })
        }),
        bias: std::array::from_fn(hidden_bias),
    };
    SideNet {
        tables: [table(0), table(1)],
        convolution: Convolution {
            centre: kernel(0, CONVOLUTION_ONE),
            edge: kernel(1, CONVOLUTION_ONE),
            corner: kernel(2, CONVOLUTION_ONE),
            bias: kernel(3, one),
        },
        policy: Box::new(policy),
        heads: Heads::from_numbers(&layers[HEADS..]),
    }
}

fn restore_set(set: &SideNet) -> Parameters {
    let one = f32::from(ONE);
    let tables = set.tables.each_ref().map(|table| {
        let row = |row: usize| {
            let numbers = table.rows[row].0;
            let seven = &table.rows[usize::from(table.index.seven_of(row as u16))].0;
            std::array::from_fn(|i| {
                let shared = if row >= SEVEN_ROWS { seven[i] } else { 0 };
                (f32::from(numbers[i]) - f32::from(shared)) / one
            })
        };
        (0..table.rows.len()).map(row).collect()
    });
    let mut layers = Vec::with_capacity(NUMBERS);
    let convolution = &set.convolution;
    for kernel in [&convolution.centre, &convolution.edge, &convolution.corner] {
        layers.extend(kernel.map(|weight| f32::from(weight) / CONVOLUTION_ONE));
    }
    layers.extend(convolution.bias.map(|bias| f32::from(bias) / one));
    let hidden_one = (1 << HIDDEN_SHIFT) as f32;
    for pair in &set.policy.weights {
        for input in 0..2 {
            layers.extend(pair.iter().map(|weights| f32::from(weights[input]) / hidden_one));
        }
    }
    let half = 1 << (HIDDEN_SHIFT - 1);
    layers.extend(set.policy.bias.map(|bias| (bias - half) as f32 / (one * hidden_one)));
    layers.extend(set.heads.numbers());
    Parameters { tables, layers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flagship::Dataset;
    use crate::flagship::trainer::tests::random_games;
    use crate::layers::softmax;
    use fivestone_game::Point;
    use fivestone_nets::NetEvaluator;
    use fivestone_nets::architecture::REACH;
    use std::sync::Arc;

    /// The stated bound between the two arithmetics: 0.03 of every probability, for outcomes and for moves.
    #[test]
    fn integers_answer_as_floating_point_does() {
        let config = Config { lines: 800, nines: 200, average_over: 10.0, ..Config::default() };
        let dataset = Dataset::new(Rule::Freestyle, vec![random_games(12, 5)], 4);
        let mut trainer = Trainer::new(&config, &dataset);
        let positions = dataset.training();
        for step in 0..60 {
            let start = step * 32 % (positions.len() - 32);
            trainer.learn(&dataset, &positions[start..start + 32], 4e-3);
        }
        let net = Arc::new(quantise(&trainer, Rule::Freestyle, dataset.sides(), "a test"));
        let mut evaluator = NetEvaluator::new(net);
        let mut logits = Vec::new();
        let mut spread: f32 = 0.0;
        for &position in dataset.held_out().iter().chain(positions) {
            let (answer, _) = trainer.answer(&dataset, position);
            let (_, board) = dataset.board(position);
            let moves: Vec<Point> = board.near(REACH).iter().collect();
            let wdl = evaluator.evaluate(&board, &moves, &mut logits);
            softmax(&mut logits);
            let [win, draw, loss] = answer.outcome;
            for (found, expected) in [(wdl.win, win), (wdl.draw, draw), (wdl.loss, loss)] {
                assert!((found - expected).abs() < 0.03, "{found} instead of {expected}");
            }
            for (found, expected) in logits.iter().zip(trainer.move_probabilities()) {
                assert!((found - expected).abs() < 0.03, "{found} instead of {expected}");
            }
            spread = spread.max((win - 0.5).abs());
        }
        assert!(spread > 0.1, "the net has learned nothing to compare");
    }

    #[test]
    fn a_restored_net_becomes_the_same_integers() {
        for rule in [Rule::Freestyle, Rule::Renju] {
            let net = Net::embedded(rule).unwrap();
            let restored = restore(&net, &Config::default());
            assert_eq!(quantise(&restored, rule, net.sides, &net.description), *net);
        }
    }
}
