//! The state of a training run as bytes: everything that the next step depends on.
//!
//! A list of named tensors as safetensors keeps them, followed by a checksum. The rows of input tables are among them.

use super::config::Config;
use super::network::Network;
use super::trainer::Trainer;
use crate::run_files::checksum;
use fivestone_game::Size;
use fivestone_nets::lines::LineRows;
use fivestone_nets::policy::{InputRows, PolicyArchitecture};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use std::collections::HashMap;

/// Why a checkpoint cannot be taken up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckpointError {
    /// Its bytes are not what was written.
    Damaged,
    /// It belongs to another net.
    OtherShape {
        /// The list of weights that does not fit.
        name: String,
    },
}

fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

struct Entry {
    name: String,
    sides: Vec<usize>,
    dtype: Dtype,
    bytes: Vec<u8>,
}

/// The bytes of a trainer's state.
pub fn write(trainer: &Trainer) -> Vec<u8> {
    let mut entries = Vec::new();
    let mut add = |name: String, sides: &[usize], values: &[f32]| {
        entries.push(Entry { name, sides: sides.to_vec(), dtype: Dtype::F32, bytes: bytes_of(values) });
    };
    for (i, tensor) in trainer.network.tensors.iter().enumerate() {
        let (name, sides) = (&tensor.shape.name, &tensor.shape.sides);
        add(format!("weights/{name}"), sides, &tensor.values);
        add(format!("means/{name}"), sides, &trainer.memory[i].means);
        add(format!("squares/{name}"), sides, &trainer.memory[i].squares);
        if let Some(average) = trainer.average.get(i) {
            add(format!("average/{name}"), sides, average);
        }
    }
    for (i, norm) in trainer.network.norms.iter().enumerate() {
        if let Some(norm) = norm {
            add(format!("norm{i}/means"), &[norm.means.len()], &norm.means);
            add(format!("norm{i}/variances"), &[norm.variances.len()], &norm.variances);
        }
    }
    for (i, rows) in trainer.network.rows().iter().flat_map(|rows| &rows.lines).enumerate() {
        for (kind, list) in [("nines", rows.nines()), ("lines", rows.lines())] {
            let bytes = list.iter().flat_map(|number| number.to_le_bytes()).collect();
            let name = format!("rows{i}/{kind}");
            entries.push(Entry { name, sides: vec![list.len()], dtype: Dtype::U32, bytes });
        }
    }
    let views = entries.iter().map(|entry| {
        let view = TensorView::new(entry.dtype, entry.sides.clone(), &entry.bytes);
        (entry.name.as_str(), view.expect("sides and bytes agree"))
    });
    let words = HashMap::from([("step".to_owned(), trainer.step.to_string())]);
    let mut bytes = safetensors::serialize(views, Some(words)).expect("names are different");
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

fn floats(tensors: &SafeTensors, name: &str, sides: &[usize]) -> Result<Vec<f32>, CheckpointError> {
    let wrong = || CheckpointError::OtherShape { name: name.to_owned() };
    let view = tensors.tensor(name).map_err(|_| wrong())?;
    if view.shape() != sides || view.dtype() != Dtype::F32 {
        return Err(wrong());
    }
    Ok(view.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
}

fn input_rows(tensors: &SafeTensors) -> Option<InputRows> {
    let list = |name: String| -> Option<Vec<u32>> {
        let view = tensors.tensor(&name).ok()?;
        Some(view.data().as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect())
    };
    let table = |i: usize| LineRows::new(list(format!("rows{i}/nines"))?, list(format!("rows{i}/lines"))?);
    Some(InputRows { lines: [table(0)?, table(1)?] })
}

/// The trainer of a checkpoint for a net on a board.
pub fn read(
    bytes: &[u8],
    config: &Config,
    architecture: &PolicyArchitecture,
    size: Size,
) -> Result<Trainer, CheckpointError> {
    let (body, sum) = bytes.split_last_chunk().ok_or(CheckpointError::Damaged)?;
    if u64::from_le_bytes(*sum) != checksum(body) {
        return Err(CheckpointError::Damaged);
    }
    let tensors = SafeTensors::deserialize(body).map_err(|_| CheckpointError::Damaged)?;
    let (_, head) = SafeTensors::read_metadata(body).map_err(|_| CheckpointError::Damaged)?;
    let step = head.metadata().as_ref().and_then(|words| words.get("step")?.parse().ok());
    let has_tables = matches!(architecture.input, fivestone_nets::policy::Input::Lines(_));
    let rows = input_rows(&tensors);
    if has_tables != rows.is_some() {
        return Err(CheckpointError::OtherShape { name: "rows".to_owned() });
    }
    let mut trainer = Trainer::with_network(
        config,
        Network::new(architecture, size, rows, config.first_weights, config.seed),
    );
    trainer.step = step.ok_or(CheckpointError::Damaged)?;
    for i in 0..trainer.network.tensors.len() {
        let shape = trainer.network.tensors[i].shape.clone();
        let list = |kind: &str| floats(&tensors, &format!("{kind}/{}", shape.name), &shape.sides);
        trainer.network.tensors[i].values = list("weights")?;
        trainer.memory[i].means = list("means")?;
        trainer.memory[i].squares = list("squares")?;
        if let Some(average) = trainer.average.get_mut(i) {
            *average = list("average")?;
        }
    }
    for (i, norm) in trainer.network.norms.iter_mut().enumerate() {
        if let Some(norm) = norm {
            let sides = [norm.means.len()];
            norm.means = floats(&tensors, &format!("norm{i}/means"), &sides)?;
            norm.variances = floats(&tensors, &format!("norm{i}/variances"), &sides)?;
        }
    }
    trainer.network.weights_changed();
    Ok(trainer)
}
