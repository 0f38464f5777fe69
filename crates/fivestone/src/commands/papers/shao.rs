//! Shao et al. 2016: which depth, width and top predict moves best? Trains the paper's nets and
//! writes its tables.

use crate::commands::matches::write_file;
use crate::commands::train_policy;
use crate::interrupt::stop_on_interrupt;
use anyhow::{Context, Result, bail};
use fivestone_artifacts::{Curve, draw_curves};
use fivestone_nets::policy::{PolicyArchitecture, TensorShape};
use fivestone_train::file_names;
use fivestone_train::policy::{Config, FirstWeights, Measured, Run, Schedule, Split};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// How much of the paper's work is done.
#[derive(Clone, Copy)]
pub struct Scale {
    /// The nets have so many times fewer filters.
    pub narrower: usize,
    /// Samples a net learns from; nothing for the paper's epochs over all of them.
    pub samples: Option<usize>,
    /// How many of the test samples are measured on at most.
    pub tested: Option<usize>,
    /// Where convolutions begin; the paper's with Glorot's weights.
    pub first_weights: FirstWeights,
    /// Whether every net has batch norm, not only those of the paper's table II.
    pub batch_norm: bool,
}

impl Scale {
    /// The paper's own.
    pub const FULL: Scale = Scale {
        narrower: 1,
        samples: None,
        tested: None,
        first_weights: FirstWeights::Glorot,
        batch_norm: false,
    };
    /// A matter of minutes.
    pub const QUICK: Scale =
        Scale { narrower: 8, samples: Some(40_000), tested: Some(10_000), ..Scale::FULL };

    /// Where the runs of this scale are kept unless told.
    pub fn directory(&self) -> PathBuf {
        let samples = self.samples.map_or(String::new(), |samples| format!("-{samples}"));
        let first = if self.first_weights == FirstWeights::He { "-he" } else { "" };
        let norm = if self.batch_norm { "-bn" } else { "" };
        PathBuf::from(format!("runs/shao-{}{samples}{first}{norm}", self.narrower))
    }
}

/// A row of the paper's tables.
#[derive(Clone, Copy)]
struct Row {
    depth: usize,
    filters: usize,
    batch: usize,
    batch_norm: bool,
    full_top: bool,
    /// The paper's test accuracy in per cent.
    paper: f64,
}

const fn row(depth: usize, filters: usize, batch: usize, paper: f64) -> Row {
    Row { depth, filters, batch, batch_norm: false, full_top: false, paper }
}

const fn full(depth: usize, paper: f64) -> Row {
    Row { full_top: true, ..row(depth, 128, 32, paper) }
}

const fn normed(depth: usize, paper: f64) -> Row {
    Row { batch_norm: true, ..row(depth, 128, 32, paper) }
}

/// Every net of tables I to III; the first seven differ in depth alone.
const ROWS: [Row; 19] = [
    row(0, 128, 32, 20.21),
    row(1, 128, 32, 31.17),
    row(2, 128, 32, 40.59),
    row(4, 128, 32, 41.52),
    row(6, 128, 32, 41.46),
    row(8, 128, 32, 41.92),
    row(10, 128, 32, 42.04),
    row(4, 128, 16, 40.94),
    row(4, 128, 64, 41.63),
    row(4, 128, 128, 41.47),
    row(4, 64, 32, 41.66),
    row(4, 192, 32, 41.41),
    row(4, 256, 32, 41.56),
    full(2, 36.85),
    full(4, 40.24),
    full(6, 40.15),
    normed(2, 40.84),
    normed(4, 41.68),
    normed(6, 41.53),
];
const DEPTHS: usize = 7;
/// The row of the net that the paper recommends.
const RECOMMENDED: usize = 3;

impl Row {
    fn filters(&self, scale: &Scale) -> usize {
        (self.filters / scale.narrower).max(1)
    }

    /// The row of this scale.
    fn at(self, scale: &Scale) -> Row {
        Row { batch_norm: self.batch_norm || scale.batch_norm, ..self }
    }

    fn net(&self, scale: &Scale) -> String {
        let filters = format!("{}{}", self.filters(scale), if self.batch_norm { "bn" } else { "" });
        let mut net = format!("colours 5x{filters}");
        for _ in 0..self.depth {
            let _ = write!(net, " 3x{filters}");
        }
        net + if self.full_top { " full" } else { " point" }
    }

    fn config(&self, scale: &Scale, split: Split) -> Result<Config> {
        let (net, first_weights) = (self.net(scale), scale.first_weights);
        let config = Config { net, batch: self.batch, split, first_weights, ..Config::preset("shao")? };
        Ok(scaled(config, scale))
    }
}

/// A training of another length: of a few samples a constant step size would mostly show its own
/// noise.
fn scaled(config: Config, scale: &Scale) -> Config {
    let config = Config { most_tested: scale.tested.unwrap_or(config.most_tested), ..config };
    let Some(samples) = scale.samples else { return config };
    let steps = (samples / config.batch).max(1);
    Config {
        most_samples: samples,
        schedule: Schedule::Cosine,
        warm_up: (steps / 10).min(200),
        average_over: (steps as f32 / 10.0).min(400.0),
        symmetries: true,
        measure_every: steps.div_ceil(4),
        measured: 2000,
        checkpoint_every: steps.div_ceil(4),
        ..config
    }
}

/// A net to train.
struct Entry {
    name: String,
    config: Config,
    /// The paper's row, unless the net is our own.
    row: Option<Row>,
}

fn entries(scale: &Scale, data: &[PathBuf]) -> Result<Vec<Entry>> {
    let data: Vec<PathBuf> = data.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
    let mut entries = Vec::new();
    let rows = ROWS.map(|row| row.at(scale));
    for row in rows {
        let norm = if row.batch_norm { "-bn" } else { "" };
        let top = if row.full_top { "-full" } else { "" };
        let name = format!("n{}-f{}-b{}{norm}{top}", row.depth, row.filters(scale), row.batch);
        entries.push(Entry { name, config: row.config(scale, Split::Pairs)?, row: Some(row) });
    }
    // The recommended net, and ours, by the stricter split as well.
    let name = format!("n4-f{}-b32-by-game", rows[RECOMMENDED].filters(scale));
    entries.push(Entry { name, config: rows[RECOMMENDED].config(scale, Split::Games)?, row: None });
    for (split, word) in [(Split::Pairs, "at-random"), (Split::Games, "by-game")] {
        let config = Config { split, ..Config::preset("lines")? };
        entries.push(Entry { name: format!("lines-{word}"), config: scaled(config, scale), row: None });
    }
    for entry in &mut entries {
        entry.config.data.clone_from(&data);
    }
    Ok(entries)
}

/// A trained net with what was measured.
struct Trained {
    entry: Entry,
    weights: usize,
    test: Measured,
    training_loss: f64,
    validation: f64,
}

/// Trains all nets or those of different depths, those of an earlier run only as far as they are
/// not done, and writes the report.
pub fn run(data: &[PathBuf], scale: &Scale, depths_only: bool, runs: &Path, out: &Path) -> Result<()> {
    if data.is_empty() {
        bail!("papers shao trains nets: name the games with --data (the paper's are RenjuNet's)");
    }
    let stop = stop_on_interrupt()?;
    let mut trained = Vec::new();
    let mut entries = entries(scale, data)?;
    if depths_only {
        entries.truncate(DEPTHS);
    }
    for entry in entries {
        let directory = runs.join(&entry.name);
        let run = Run::open(&directory, Some(entry.config.clone()))?;
        share_samples(&run, &directory, runs)?;
        if run.measured()?.is_none() && train_policy::train(&run, &stop)?.is_none() {
            bail!("interrupted; the same command goes on ({})", runs.display());
        }
        let test = run.measured()?.context("a finished run has been measured")?;
        let last = run.metrics()?.pop();
        let weights = weights(&entry.config)?;
        eprintln!("{}: first choice {:.2} % of {} test samples", entry.name, 100.0 * test.top1, test.samples);
        trained.push(Trained {
            weights,
            test,
            training_loss: last.as_ref().map_or(f64::NAN, |last| last.training_loss),
            validation: last.map_or(f64::NAN, |last| last.validation.top1),
            entry,
        });
    }
    let name = match (depths_only, scale.batch_norm) {
        (false, false) => "shao",
        (false, true) => "shao-batch-norm",
        (true, false) => "shao-depths",
        (true, true) => "shao-depths-batch-norm",
    };
    let file = |ending: &str| out.join(format!("{name}.{ending}"));
    write_file(&file("md"), &markdown(&trained, scale, name))?;
    write_file(&file("csv"), &csv(&trained))?;
    write_file(&file("svg"), &svg(&trained))?;
    println!("{}", file("md").display());
    Ok(())
}

/// Runs with the same division have the same samples: the first gathers them, the others take its
/// file.
fn share_samples(run: &Run, directory: &Path, runs: &Path) -> Result<()> {
    let own = directory.join("pairs.bin");
    let word = if run.config().split == Split::Games { "games" } else { "pairs" };
    let key = format!("samples-{word}-{}.bin", run.config().test_share);
    let shared = runs.join(key);
    if own.exists() {
        return Ok(());
    }
    if !shared.exists() {
        run.load()?;
        fs::rename(&own, &shared)?;
    }
    fs::hard_link(&shared, &own).or_else(|_| fs::copy(&shared, &own).map(|_| ()))?;
    Ok(())
}

fn weights(config: &Config) -> Result<usize> {
    let net: PolicyArchitecture = config.architecture()?;
    // Tables of lines have as many rows as their settings say, if the data has as many different
    // lines.
    Ok(net.tensors(225, 0).iter().map(TensorShape::count).sum())
}

fn markdown(trained: &[Trained], scale: &Scale, name: &str) -> String {
    let mut text = "# Shao et al. 2016: which net predicts expert moves best?\n\n".to_owned();
    let first = &trained[0].entry.config;
    let _ = writeln!(text, "Data: {}.", file_names(&first.data).join(", "));
    let filters = match scale.narrower {
        1 => "the paper's filters".to_owned(),
        narrower => format!("the paper's filters divided by {narrower}"),
    };
    let filters = match scale.first_weights {
        FirstWeights::Glorot => filters,
        FirstWeights::He => filters + ", first weights by He instead of the paper's Glorot",
    };
    let filters = if scale.batch_norm { filters + ", every net with batch norm" } else { filters };
    if let Some(samples) = scale.samples {
        let _ = writeln!(
            text,
            "\n**Smaller scale**: {filters}, {samples} training samples a net (the paper: several epochs of 880,000) turned by the \
             eight symmetries, a step size that rises to the paper's and falls along a cosine (the paper: constant), averaged weights, \
             measured on {} test samples: differences below about {:.1} per cent are noise. The figures are not the paper's experiment; \
             compare their order.",
            trained[0].test.samples,
            196.0 * (0.25 / trained[0].test.samples.max(1) as f64).sqrt()
        );
    } else {
        let _ = writeln!(
            text,
            "\nFull length: {filters} and batches, {} epochs, all test samples.",
            first.epochs
        );
    }
    text.push_str(
        "\nSplit \"pairs\" is the paper's: single pairs at random. Split \"games\" holds out whole games and leaves out test positions \
         that occur in training in any of their eight images.\n\n\
         | Net | N | F | Batch | Weights | Split | Training loss | Validation | Test loss | Test, first choice | First five | Paper |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for one in trained {
        let config = &one.entry.config;
        let (depth, filters) = one.entry.row.map_or(("-".to_owned(), "-".to_owned()), |row| {
            (row.depth.to_string(), row.filters(scale).to_string())
        });
        let paper = one.entry.row.map_or("-".to_owned(), |row| format!("{:.2} %", row.paper));
        let tables = if config.net.starts_with("lines") { " + tables" } else { "" };
        let _ = writeln!(
            text,
            "| `{}` | {depth} | {filters} | {} | {}{tables} | {} | {:.3} | {:.2} % | {:.3} | {:.2} % | {:.2} % | {paper} |",
            one.entry.name,
            config.batch,
            one.weights,
            split_word(config.split),
            one.training_loss,
            100.0 * one.validation,
            one.test.loss,
            100.0 * one.test.top1,
            100.0 * one.test.top5,
        );
    }
    let stages = Stages::of(trained);
    if let Some(stages) = &stages {
        stages.table(&mut text);
    }
    let by_stage = if stages.is_some() { " and by stage of the game" } else { "" };
    let _ = writeln!(text, "\n![Accuracy by depth{by_stage}]({name}.svg)");
    text
}

fn split_word(split: Split) -> &'static str {
    match split {
        Split::Games => "games",
        Split::Pairs => "pairs",
    }
}

/// Accuracy by stage of the game: of the net that the paper recommends, and of ours.
struct Stages<'a> {
    recommended: &'a Measured,
    ours: &'a Measured,
}

impl Stages<'_> {
    /// Nothing where only the depths were compared.
    fn of(trained: &[Trained]) -> Option<Stages<'_>> {
        let ours = trained.get(DEPTHS..)?.last()?;
        Some(Stages { recommended: &trained[RECOMMENDED].test, ours: &ours.test })
    }

    fn table(&self, text: &mut String) {
        text.push_str(
            "\n## By stage of the game (figure 7)\n\n| Stones | N = 4, split pairs | samples | ours, split games | samples |\n|---|---|---|---|---|\n",
        );
        for (stage, (a, b)) in self.recommended.stages.iter().zip(&self.ours.stages).enumerate() {
            let name = if stage == 10 {
                "100 on".to_owned()
            } else {
                format!("{} to {}", 10 * stage, 10 * stage + 9)
            };
            let _ = writeln!(
                text,
                "| {name} | {:.1} % | {} | {:.1} % | {} |",
                100.0 * a.1,
                a.0,
                100.0 * b.1,
                b.0
            );
        }
    }

    fn curves(&self) -> [Curve<'static>; 2] {
        let points = |test: &Measured| {
            let stages = test.stages.iter().enumerate().filter(|(_, (count, _))| *count > 0);
            stages.map(|(stage, (_, top1))| (10.0 * stage as f64, 100.0 * top1)).collect()
        };
        let curve = |name, test| Curve { name, unit: "stones", points: points(test) };
        [
            curve("first choice by stones on the board, N = 4", self.recommended),
            curve("first choice by stones on the board, ours by game", self.ours),
        ]
    }
}

fn csv(trained: &[Trained]) -> String {
    let mut text = "name,net,split,batch,weights,training_loss,validation_top1,test_samples,test_loss,test_top1,test_top5,\
                    score_of_output,paper_top1\n"
        .to_owned();
    for one in trained {
        let (config, test) = (&one.entry.config, &one.test);
        let _ = writeln!(
            text,
            "{},{},{},{},{},{:.4},{:.4},{},{:.4},{:.4},{:.4},{:.4},{}",
            one.entry.name,
            config.net,
            split_word(config.split),
            config.batch,
            one.weights,
            one.training_loss,
            one.validation,
            test.samples,
            test.loss,
            test.top1,
            test.top5,
            test.score,
            one.entry.row.map_or(String::new(), |row| format!("{:.4}", row.paper / 100.0))
        );
    }
    text
}

fn svg(trained: &[Trained]) -> String {
    let depths = trained[..DEPTHS].iter().filter_map(|one| Some((one.entry.row?, &one.test)));
    let by_depth = depths.clone().map(|(row, test)| (row.depth as f64, 100.0 * test.top1)).collect();
    let paper = depths.map(|(row, _)| (row.depth as f64, row.paper)).collect();
    let mut curves = vec![
        Curve { name: "first choice in per cent by N, measured", unit: "N", points: by_depth },
        Curve { name: "first choice in per cent by N, the paper", unit: "N", points: paper },
    ];
    if let Some(stages) = Stages::of(trained) {
        curves.extend(stages.curves());
    }
    draw_curves("Shao et al. 2016", &curves)
}
