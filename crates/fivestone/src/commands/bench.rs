//! `fivestone bench`: whether the engines still play as they did, and how fast everything is.

mod nets;
mod protocol;
mod signature;
mod speeds;

use anyhow::Result;
use clap::Args;
use fivestone_nets::Instructions;
use fivestone_nets::policy::PolicyNet;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// Print a signature of the engines' play and measure speeds.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Bench {
    /// Print one JSON object with the signature and a number per speed.
    #[arg(long)]
    json: bool,
    /// Only the signature, without measuring anything.
    #[arg(long)]
    signature_only: bool,
}

const EXAMPLES: &str = "The signature covers best moves, visits and values of every engine on fixed positions of every rule, on one
thread with fixed visits: the same program prints the same signature on every machine. Speeds are of one core; run
them on a quiet machine.

Examples:
  fivestone bench
  fivestone bench --json
  fivestone bench --signature-only";

/// Something to be measured.
struct Measurement {
    /// Its key in the JSON; ends in the unit.
    name: &'static str,
    /// One line for people.
    meaning: &'static str,
    /// Measures it; no number (NaN) where this machine lacks what is measured.
    run: fn() -> Result<f64>,
}

/// Every measurement, in the order they are made. The first one has to come first: tables are built once a process.
const MEASUREMENTS: &[Measurement] = &[
    Measurement {
        name: "table_build_ms",
        meaning: "building the line tables of all five rules, in ms",
        run: || Ok(speeds::table_build_ms()),
    },
    Measurement {
        name: "play_undo_ns",
        meaning: "playing and undoing a move with all patterns, in ns",
        run: speeds::play_undo_ns,
    },
    Measurement {
        name: "mcts_basic_iterations_per_s",
        meaning: "iterations of mcts-basic a second from h8g7e11i7h6h7j7g6",
        run: || speeds::visits_per_s("mcts-basic"),
    },
    Measurement {
        name: "alpha_beta_nodes_per_s",
        meaning: "nodes of alpha-beta a second from h8g7e11i7h6h7j7g6",
        run: || speeds::visits_per_s("alpha-beta"),
    },
    Measurement {
        name: "vcf_nodes_per_s",
        meaning: "positions a second of the search for wins by fours, over random middle games",
        run: || Ok(speeds::vcf_nodes_per_s()),
    },
    Measurement {
        name: "flagship_simulations_per_s",
        meaning: "simulations of the flagship a second from h8g7e11i7h6h7j7g6",
        run: || speeds::visits_per_s("fivestone"),
    },
    Measurement {
        name: "flagship_bytes_per_node",
        meaning: "memory of the flagship's graph for each node after 30,000 visits, in bytes",
        run: speeds::graph_bytes_per_node,
    },
    Measurement {
        name: "net_evals_per_s_scalar",
        meaning: "evaluations of the flagship's net a second in plain code, over a random game",
        run: || nets::evaluations_per_s(Instructions::Scalar),
    },
    Measurement {
        name: "net_evals_per_s_avx2",
        meaning: "the same with AVX2",
        run: || nets::evaluations_per_s(Instructions::Avx2),
    },
    Measurement {
        name: "net_evals_per_s_avx512",
        meaning: "the same with AVX-512",
        run: || nets::evaluations_per_s(Instructions::Avx512),
    },
    Measurement {
        name: "net_evals_per_s_avx512vnni",
        meaning: "the same with AVX-512 and VNNI",
        run: || nets::evaluations_per_s(Instructions::Vnni),
    },
    Measurement {
        name: "net_load_ms",
        meaning: "reading and checking a net file, in ms",
        run: nets::load_ms,
    },
    Measurement {
        name: "alphabeta_nodes_per_s",
        meaning: "nodes of the flagship's alpha-beta a second from h8g7e11i7h6h7j7g6",
        run: || speeds::visits_per_s("fivestone-ab"),
    },
    Measurement {
        name: "monomial_v3_rollouts_per_s",
        meaning: "rollouts of depth 30 of monomial-v3 a second from h8g7e11i7h6h7j7g6",
        run: || speeds::visits_per_s_with("monomial-v3", &[("winning", "0")]),
    },
    Measurement {
        name: "adp_move_us",
        meaning: "a move of adp from h8g7e11i7h6h7j7g6, in us",
        run: speeds::adp_move_us,
    },
    Measurement {
        name: "policy_net_query_us",
        meaning: "a question to the swap2 paper's net from h8g7e11i7h6h7j7g6, in us",
        run: speeds::paper_query_us,
    },
    Measurement {
        name: "deep_net_query_us",
        meaning: "a question to a deep convolutional net (N = 4, F = 64) from h8g7e11i7h6h7j7g6, in us",
        run: || speeds::policy_query_us(Arc::new(PolicyNet::deep_sample())),
    },
    Measurement {
        name: "mcts_nn_iterations_per_s",
        meaning: "iterations of mcts-nn a second from h8g7e11i7h6h7j7g6",
        run: || speeds::visits_per_s("mcts-nn"),
    },
    Measurement {
        name: "protocol_ready_ms",
        meaning: "from starting the process to OK after START, in ms",
        run: protocol::ready_ms,
    },
    Measurement {
        name: "protocol_end_ms",
        meaning: "from END in mid-search to the end of the process, in ms",
        run: protocol::end_ms,
    },
    Measurement {
        name: "protocol_worst_turn_ms",
        meaning: "the slowest of 20 answers with timeout_turn 200 and every core busy twice over, in ms",
        run: protocol::worst_turn_ms,
    },
];

impl Bench {
    pub fn run(self) -> Result<()> {
        let measurements = if self.signature_only { &[] } else { MEASUREMENTS };
        let progress = ProgressBar::new(measurements.len() as u64 + 1);
        progress.set_style(ProgressStyle::with_template("{bar:20} {pos}/{len} {msg}")?);
        progress.enable_steady_tick(Duration::from_millis(200));
        let mut speeds = Vec::new();
        for measurement in measurements {
            progress.set_message(measurement.meaning);
            speeds.push((measurement, (measurement.run)()?));
            progress.inc(1);
        }
        progress.set_message("the signature");
        let signature = format!("{:08x}", signature::signature()?);
        progress.finish_and_clear();

        let mut out = std::io::stdout().lock();
        if self.json {
            let speeds: Map<String, Value> = speeds
                .iter()
                .map(|(measurement, value)| (measurement.name.to_owned(), json!(value)))
                .collect();
            serde_json::to_writer_pretty(&mut out, &json!({"signature": signature, "speeds": speeds}))?;
            writeln!(out)?;
        } else {
            for (measurement, value) in speeds {
                let value = if value.is_nan() { "not here".to_owned() } else { format!("{value:.1}") };
                writeln!(out, "{value:>12}  {}: {}", measurement.name, measurement.meaning)?;
            }
            writeln!(out, "Bench: {signature}")?;
        }
        Ok(())
    }
}
