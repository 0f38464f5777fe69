//! From floating point to the integers of play.

use super::Config;
use super::folding::{fold, unfold};
use super::model::{CONVOLUTION, HEADS, NUMBERS, POLICY, Parameters};
use super::trainer::{SetState, Trainer, parts_of};
use crate::line_rows::RowParts;
use fivestone_game::Rule;
use fivestone_nets::architecture::{
    CELL, CONVOLUTION_ONE, CONVOLVED, HIDDEN, HIDDEN_LIMIT, HIDDEN_SHIFT, ONE, TABLE_LIMIT,
};
use fivestone_nets::lines::LineRows;
use fivestone_nets::{Convolution, Heads, LineTable, Net, PolicyLayer, Row, SideNet};

/// The net of a trainer's averaged weights.
pub fn quantise(trainer: &Trainer, rule: Rule, sides: (u8, u8), description: &str) -> Net {
    let sets = trainer.sets.iter().zip(trainer.rows.iter().zip(&trainer.parts));
    Net {
        rule,
        sides,
        description: description.to_owned(),
        sets: sets.map(|(state, (rows, parts))| quantise_set(&state.average, rows, parts)).collect(),
    }
}

/// A trainer whose weights are those of a net, as near as its integers tell.
pub(super) fn restore(net: &Net, config: &Config) -> Trainer {
    let rows: Vec<[LineRows; 2]> =
        net.sets.iter().map(|set| set.tables.each_ref().map(|table| table.index.clone())).collect();
    let parts = parts_of(&rows, config.factorised);
    let restored = |(set, parts)| SetState::new(restore_set(set, parts));
    let sets = net.sets.iter().zip(&parts).map(restored).collect();
    Trainer::with_sets(config, rows, parts, sets, 0)
}

fn rounded(number: f32, unit: f32, limit: i16) -> i16 {
    (number * unit).round().clamp(-f32::from(limit), f32::from(limit)) as i16
}

fn quantise_set(parameters: &Parameters, rows: &[LineRows; 2], parts: &[RowParts; 2]) -> SideNet {
    let one = f32::from(ONE);
    let table = |table: usize| {
        let (numbers, parts) = (&parameters.tables[table], &parts[table]);
        let row =
            |row: usize| Row(fold(numbers, parts.of(row)).map(|number| rounded(number, one, TABLE_LIMIT)));
        LineTable { index: rows[table].clone(), rows: (0..parts.rows()).map(row).collect() }
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

fn restore_set(set: &SideNet, parts: &[RowParts; 2]) -> Parameters {
    let one = f32::from(ONE);
    let mut parameters = Parameters::zero(parts);
    for (numbers, (table, parts)) in parameters.tables.iter_mut().zip(set.tables.iter().zip(parts)) {
        // Inner sevens come first, then inner nines, then lines: what a row shares is there before.
        for (row, integers) in table.rows.iter().enumerate() {
            unfold(numbers, parts.of(row), &integers.0.map(|number| f32::from(number) / one));
        }
    }
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
    Parameters { layers, ..parameters }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flagship::Dataset;
    use crate::flagship::trainer::tests::random_games;
    use crate::layers::softmax;
    use fivestone_engine::shipped;
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
    fn the_rows_of_the_net_are_the_rounded_sums_of_their_parts() {
        let config = Config { lines: 500, nines: 100, average_over: 1.0, ..Config::default() };
        let dataset = Dataset::new(Rule::Freestyle, vec![random_games(8, 6)], 4);
        let mut trainer = Trainer::new(&config, &dataset);
        for _ in 0..20 {
            trainer.learn(&dataset, &dataset.training()[..32], 4e-3);
        }
        let net = quantise(&trainer, Rule::Freestyle, dataset.sides(), "a test");
        let (average, parts) = (&trainer.sets[0].average, &trainer.parts[0]);
        for table in 0..2 {
            let windows = &average.tables[table][parts[table].rows()..];
            assert!(windows.iter().any(|window| window.iter().any(|&number| number != 0.0)));
            for (row, found) in net.sets[0].tables[table].rows.iter().enumerate() {
                for channel in 0..found.0.len() {
                    let parts = parts[table].of(row).iter();
                    let sum: f32 = parts.map(|&part| average.tables[table][part as usize][channel]).sum();
                    assert_eq!(f32::from(found.0[channel]), (sum * 256.0).round(), "row {row}");
                }
            }
        }
    }

    #[test]
    fn a_restored_net_becomes_the_same_integers() {
        for rule in [Rule::Freestyle, Rule::Renju] {
            let net = shipped::net(rule).unwrap();
            for factorised in [false, true] {
                let restored = restore(&net, &Config { factorised, ..Config::default() });
                assert_eq!(quantise(&restored, rule, net.sides, &net.description), *net);
            }
        }
    }
}
