//! A finished net as ONNX, for other programs.
//!
//! Planes come in as `planes` [N, channels, side, side]; a table input as `rows` [N, side, side, 11] (row numbers, 0 for
//! none) and `mask` [N, 1, side, side] (1 for cells near stones, which alone are worked on). Out come `logits` [N, cells],
//! row by row from the top left.

use super::protobuf::Message;
use fivestone_nets::policy::{Input, PolicyNet, ROWS_OF_CELL, Step, Top};

const IR_VERSION: u64 = 8;
const OPSET: u64 = 13;
const FLOAT: u64 = 1;
const INT64: u64 = 7;

/// A graph in the making.
struct Graph {
    body: Message,
    nodes: usize,
}

enum Attribute<'a> {
    Number(&'a str, i64),
    Numbers(&'a str, &'a [i64]),
}

impl Graph {
    fn node(&mut self, kind: &str, inputs: &[&str], output: &str, attributes: &[Attribute]) {
        let mut node = Message::new();
        for input in inputs {
            node = node.text(1, input);
        }
        node = node.text(2, output).text(3, &format!("node{}", self.nodes)).text(4, kind);
        for attribute in attributes {
            node = node.message(
                5,
                &match *attribute {
                    // The last field says which kind of attribute it is: 2 a number, 7 a list of them.
                    Attribute::Number(name, number) => {
                        Message::new().text(1, name).number(3, number as u64).number(20, 2)
                    }
                    Attribute::Numbers(name, numbers) => numbers
                        .iter()
                        .fold(Message::new().text(1, name), |message, &n| message.number(8, n as u64))
                        .number(20, 7),
                },
            );
        }
        self.nodes += 1;
        self.body = std::mem::take(&mut self.body).message(1, &node);
    }

    fn tensor(&mut self, name: &str, sides: &[usize], kind: u64, bytes: &[u8]) {
        let tensor = sides.iter().fold(Message::new(), |message, &side| message.number(1, side as u64));
        let tensor = tensor.number(2, kind).text(8, name).raw(9, bytes);
        self.body = std::mem::take(&mut self.body).message(5, &tensor);
    }

    fn floats(&mut self, name: &str, sides: &[usize], values: &[f32]) {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.tensor(name, sides, FLOAT, &bytes);
    }

    fn numbers(&mut self, name: &str, values: &[i64]) {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.tensor(name, &[values.len()], INT64, &bytes);
    }

    /// An input (field 11) or output (12); the first side is any number of samples.
    fn value(&mut self, field: u64, name: &str, kind: u64, sides: &[usize]) {
        let any = Message::new().message(1, &Message::new().text(2, "N"));
        let shape = sides
            .iter()
            .fold(any, |message, &side| message.message(1, &Message::new().number(1, side as u64)));
        let tensor = Message::new().number(1, kind).message(2, &shape);
        let value = Message::new().text(1, name).message(2, &Message::new().message(1, &tensor));
        self.body = std::mem::take(&mut self.body).message(field, &value);
    }

    /// A convolution with its rectifier; answers the name of its output.
    fn convolution(
        &mut self,
        i: usize,
        step: Step,
        tensors: &[Vec<f32>],
        input: &str,
        earlier: &str,
    ) -> String {
        let (weights, bias) = (format!("weights{i}"), format!("bias{i}"));
        let sides = [step.outputs, step.inputs, step.side, step.side];
        self.floats(&weights, &sides, &outputs_first(&tensors[0], step.inputs, step.outputs));
        self.floats(&bias, &[step.outputs], &tensors[1]);
        let reach = (step.side / 2) as i64;
        let attributes = [
            Attribute::Numbers("kernel_shape", &[step.side as i64; 2]),
            Attribute::Numbers("pads", &[reach; 4]),
        ];
        let mut output = format!("convolved{i}");
        self.node("Conv", &[input, &weights, &bias], &output, &attributes);
        if step.adds_earlier {
            let sum = format!("sum{i}");
            self.node("Add", &[&output, earlier], &sum, &[]);
            output = sum;
        }
        let rectified = format!("rectified{i}");
        self.node("Relu", &[&output], &rectified, &[]);
        rectified
    }

    fn mask(&mut self, input: String, masked: bool) -> String {
        if !masked {
            return input;
        }
        let output = format!("{input}_masked");
        self.node("Mul", &[&input, "mask"], &output, &[]);
        output
    }

    fn top(&mut self, net: &PolicyNet, tensors: &[Vec<f32>], input: &str) {
        let channels = net.architecture().top_channels();
        let cells = net.size().cells();
        let attributes = [Attribute::Number("axis", 1)];
        match net.architecture().top {
            Top::Point => {
                self.floats("top_weights", &[1, channels, 1, 1], &tensors[0]);
                self.floats("top_bias", &[1], &tensors[1]);
                self.node("Conv", &[input, "top_weights", "top_bias"], "top", &[]);
                self.node("Flatten", &["top"], "logits", &attributes);
            }
            Top::Full => {
                // Ours runs over cells, then channels; a flattened plane stack over channels, then cells.
                let mut weights = vec![0.0; tensors[0].len()];
                for (at, row) in tensors[0].chunks_exact(cells).enumerate() {
                    let (cell, channel) = (at / channels, at % channels);
                    weights[(channel * cells + cell) * cells..][..cells].copy_from_slice(row);
                }
                self.floats("top_weights", &[channels * cells, cells], &weights);
                self.floats("top_bias", &[cells], &tensors[1]);
                self.node("Flatten", &[input], "flat", &attributes);
                self.node("Gemm", &["flat", "top_weights", "top_bias"], "logits", &[]);
            }
        }
    }
}

/// Weights by tap, input and output as weights by output, input and tap.
fn outputs_first(weights: &[f32], inputs: usize, outputs: usize) -> Vec<f32> {
    let taps = weights.len() / (inputs * outputs);
    let mut turned = Vec::with_capacity(weights.len());
    for output in 0..outputs {
        for input in 0..inputs {
            turned.extend((0..taps).map(|tap| weights[(tap * inputs + input) * outputs + output]));
        }
    }
    turned
}

/// The bytes of an ONNX model.
pub fn model(net: &PolicyNet) -> Vec<u8> {
    let mut graph = Graph { body: Message::new(), nodes: 0 };
    let side = net.size().side();
    let tensors = net.tensors();
    let masked = net.rows().is_some();
    let mut layers = Vec::new();
    if let Input::Lines(channels) = net.architecture().input {
        graph.floats("table", &[tensors[0].len() / channels, channels], &tensors[0]);
        graph.numbers("row_axis", &[3]);
        graph.node("Gather", &["table", "rows"], "gathered", &[]);
        graph.node("ReduceSum", &["gathered", "row_axis"], "summed", &[Attribute::Number("keepdims", 0)]);
        graph.node("Transpose", &["summed"], "planes", &[Attribute::Numbers("perm", &[0, 3, 1, 2])]);
        graph.node("Relu", &["planes"], "first", &[]);
        layers.push(graph.mask("first".to_owned(), true));
    } else {
        layers.push("planes".to_owned());
    }
    let first = usize::from(masked);
    let steps = net.architecture().steps();
    for (i, &step) in steps.iter().enumerate() {
        let earlier = layers[i.saturating_sub(1)].clone();
        let output = graph.convolution(i, step, &tensors[first + 2 * i..], &layers[i].clone(), &earlier);
        layers.push(graph.mask(output, masked));
    }
    let last = layers.pop().expect("there is a first layer");
    graph.top(net, &tensors[first + 2 * steps.len()..], &last);
    if masked {
        graph.value(11, "rows", INT64, &[side, side, ROWS_OF_CELL]);
        graph.value(11, "mask", FLOAT, &[1, side, side]);
    } else {
        graph.value(11, "planes", FLOAT, &[net.architecture().input.channels(), side, side]);
    }
    graph.value(12, "logits", FLOAT, &[side * side]);
    let body = graph.body.text(2, "policy");
    let model = Message::new()
        .number(1, IR_VERSION)
        .text(2, "fivestone")
        .message(7, &body)
        .message(8, &Message::new().text(1, "").number(2, OPSET))
        .message(14, &Message::new().text(1, "architecture").text(2, &net.architecture().to_string()))
        .message(14, &Message::new().text(1, "description").text(2, &net.description));
    model.bytes().to_vec()
}
