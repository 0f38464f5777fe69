//! A finished net for other programs.

use fivestone_nets::policy::PolicyNet;
use safetensors::tensor::{Dtype, TensorView};
use std::collections::HashMap;

/// The net as safetensors: its lists of weights by name, its architecture and description in the head.
pub fn safetensors(net: &PolicyNet) -> Vec<u8> {
    let shapes = net.shapes();
    let bytes: Vec<Vec<u8>> = net
        .tensors()
        .iter()
        .map(|tensor| tensor.iter().flat_map(|value| value.to_le_bytes()).collect())
        .collect();
    let views = shapes.iter().zip(&bytes).map(|(shape, bytes)| {
        let view = TensorView::new(Dtype::F32, shape.sides.clone(), bytes);
        (shape.name.as_str(), view.expect("sides and bytes agree"))
    });
    let words = HashMap::from([
        ("architecture".to_owned(), net.architecture().to_string()),
        ("description".to_owned(), net.description.clone()),
        ("side".to_owned(), net.size().to_string()),
    ]);
    safetensors::serialize(views, Some(words)).expect("names are different")
}
