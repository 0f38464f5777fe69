//! A move predictor as ONNX, with positions as its inputs and our own logits for them.
//!
//! `onnx_cases NET.fspolicy DIRECTORY` writes `net.onnx` and `cases.json`; `tests/onnx/check.py`
//! evaluates the first with another runtime and compares.

use fivestone_game::{Board, Point, Rule, Size, notation};
use fivestone_nets::policy::{Frame, Input, PolicyEvaluator, PolicyInput, PolicyNet, ROWS_OF_CELL};
use fivestone_train::policy::onnx_model;
use serde_json::{Value, json};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Positions of an early, a middle and a crowded stage.
const POSITIONS: [&str; 4] =
    ["h8", "h8h9i10", "h8g7e11i7h6h7j7g6", "h8h9i9g7i7i8j8k7g11g8f8g9g10i6h7e10f9f10"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [net, directory] = arguments.as_slice() else {
        return Err("usage: onnx_cases NET.fspolicy DIRECTORY".into());
    };
    let net = Arc::new(PolicyNet::read_file(Path::new(net))?);
    let directory = Path::new(directory);
    fs::create_dir_all(directory)?;
    fs::write(directory.join("net.onnx"), onnx_model(&net))?;
    let cases: Result<Vec<Value>, _> = POSITIONS.iter().map(|moves| case(&net, moves)).collect();
    fs::write(directory.join("cases.json"), serde_json::to_vec(&cases?)?)?;
    Ok(())
}

fn case(net: &Arc<PolicyNet>, moves: &str) -> Result<Value, Box<dyn Error>> {
    let size = net.size();
    let board = Board::from_moves(size, Rule::Freestyle, &notation::parse_moves(moves, size)?)?;
    let mut input = PolicyInput::new(Frame::new(size));
    input.read(&board, net.architecture().input, net.rows());
    let mut evaluator = PolicyEvaluator::new(Arc::clone(net));
    let (points, logits) = evaluator.evaluate(&board);
    let cells: Vec<usize> = points.iter().map(|&point| cell(point, size)).collect();
    Ok(json!({
        "moves": moves,
        "inputs": inputs(&input, net.architecture().input, size),
        "cells": cells,
        "logits": logits,
    }))
}

/// The inputs by name, as flat lists in the order of the model's tensors.
fn inputs(input: &PolicyInput, kind: Input, size: Size) -> Value {
    if let Input::Lines(_) = kind {
        let mut rows = vec![[0; ROWS_OF_CELL]; size.cells()];
        let mut mask = vec![0.0; size.cells()];
        for (&framed, of_cell) in input.cells.iter().zip(&input.rows) {
            let at = cell(input.frame.point(framed), size);
            rows[at] = *of_cell;
            mask[at] = 1.0;
        }
        return json!({ "rows": rows.concat(), "mask": mask });
    }
    let channels = kind.channels();
    let mut planes = Vec::with_capacity(channels * size.cells());
    for channel in 0..channels {
        let framed = size.points().map(|point| input.frame.cell(point) as usize);
        planes.extend(framed.map(|framed| input.planes[framed * channels + channel]));
    }
    json!({ "planes": planes })
}

fn cell(point: Point, size: Size) -> usize {
    point.y() * size.side() + point.x()
}
