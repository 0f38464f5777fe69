//! Which layers a move predictor has, in words: `colours 5x64 3x64 3x64 point`.

use std::fmt;
use std::str::FromStr;

/// The most channels of a layer.
const MOST_CHANNELS: usize = 512;
/// The most layers.
const MOST_LAYERS: usize = 40;

/// What a net is shown of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// `stones`: one plane, own stones 1 and the others' -1.
    Stones,
    /// `colours`: three planes, black stones, white stones, empty points.
    Colours,
    /// `lines:64`: per cell near stones the sum of table rows for its four lines, what a stone there would make, and how
    /// it lies to the last moves; so many channels.
    Lines(usize),
}

impl Input {
    /// Channels of the first layer's input.
    pub fn channels(self) -> usize {
        match self {
            Input::Stones => 1,
            Input::Colours => 3,
            Input::Lines(channels) => channels,
        }
    }
}

/// A layer between input and top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// `5x64`, or `5x64bn` with batch norm: a convolution and a rectifier.
    Convolution {
        /// The side of the kernel: 1, 3 or 5.
        side: usize,
        /// Output channels.
        filters: usize,
        /// Whether batch norm stands before the rectifier. Only in training: a finished net has it in its weights.
        batch_norm: bool,
    },
    /// `residual`: two 3x3 convolutions whose result is added to their input.
    Residual,
}

/// How the last layer's channels become a number for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Top {
    /// `point`: one 1x1 filter.
    Point,
    /// `full`: every number of the board joins in every move.
    Full,
}

/// The shape of a move predictor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyArchitecture {
    /// What it is shown.
    pub input: Input,
    /// Its layers.
    pub layers: Vec<Layer>,
    /// Its end.
    pub top: Top,
}

/// One convolution of a net, in the order they are worked through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The side of the kernel.
    pub side: usize,
    /// Input channels.
    pub inputs: usize,
    /// Output channels.
    pub outputs: usize,
    /// Whether batch norm follows.
    pub batch_norm: bool,
    /// Whether the input of the convolution before is added to the result.
    pub adds_earlier: bool,
}

/// A named list of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TensorShape {
    /// Its name.
    pub name: String,
    /// Its sides, the last one running fastest.
    pub sides: Vec<usize>,
}

impl TensorShape {
    fn new(name: impl Into<String>, sides: impl Into<Vec<usize>>) -> TensorShape {
        TensorShape { name: name.into(), sides: sides.into() }
    }

    /// How many numbers it has.
    pub fn count(&self) -> usize {
        self.sides.iter().product()
    }
}

impl PolicyArchitecture {
    /// The convolutions in order.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut inputs = self.input.channels();
        for layer in &self.layers {
            match *layer {
                Layer::Convolution { side, filters, batch_norm } => {
                    steps.push(Step { side, inputs, outputs: filters, batch_norm, adds_earlier: false });
                    inputs = filters;
                }
                Layer::Residual => {
                    for adds_earlier in [false, true] {
                        steps.push(Step {
                            side: 3,
                            inputs,
                            outputs: inputs,
                            batch_norm: false,
                            adds_earlier,
                        });
                    }
                }
            }
        }
        steps
    }

    /// The channels that the top sees.
    pub fn top_channels(&self) -> usize {
        self.steps().last().map_or(self.input.channels(), |step| step.outputs)
    }

    /// Every list of weights of a net for a board of so many cells whose input tables have so many rows: the tables,
    /// then for each convolution its weights (by tap, input, output) and bias, then those of the top.
    pub fn tensors(&self, cells: usize, rows: usize) -> Vec<TensorShape> {
        let mut tensors = Vec::new();
        if let Input::Lines(channels) = self.input {
            tensors.push(TensorShape::new("rows", [rows, channels]));
        }
        for (i, step) in self.steps().iter().enumerate() {
            let taps = step.side * step.side;
            tensors
                .push(TensorShape::new(format!("convolution{i}.weights"), [taps, step.inputs, step.outputs]));
            tensors.push(TensorShape::new(format!("convolution{i}.bias"), [step.outputs]));
        }
        let channels = self.top_channels();
        let (weights, bias) = match self.top {
            Top::Point => (vec![channels], 1),
            Top::Full => (vec![cells, channels, cells], cells),
        };
        tensors.push(TensorShape::new("top.weights", weights));
        tensors.push(TensorShape::new("top.bias", [bias]));
        tensors
    }

    /// The same net with batch norm worked into the weights.
    pub fn without_batch_norm(&self) -> PolicyArchitecture {
        let mut folded = self.clone();
        for layer in &mut folded.layers {
            if let Layer::Convolution { batch_norm, .. } = layer {
                *batch_norm = false;
            }
        }
        folded
    }

    /// Whether any layer has batch norm.
    pub fn has_batch_norm(&self) -> bool {
        self.steps().iter().any(|step| step.batch_norm)
    }
}

impl fmt::Display for PolicyArchitecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.input {
            Input::Stones => f.write_str("stones")?,
            Input::Colours => f.write_str("colours")?,
            Input::Lines(channels) => write!(f, "lines:{channels}")?,
        }
        for layer in &self.layers {
            match layer {
                Layer::Convolution { side, filters, batch_norm } => {
                    write!(f, " {side}x{filters}{}", if *batch_norm { "bn" } else { "" })?;
                }
                Layer::Residual => f.write_str(" residual")?,
            }
        }
        f.write_str(match self.top {
            Top::Point => " point",
            Top::Full => " full",
        })
    }
}

/// A net's description that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchitectureError(String);

impl fmt::Display for ArchitectureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (a net reads like \"colours 5x64 3x64 3x64 point\")", self.0)
    }
}

impl std::error::Error for ArchitectureError {}

fn channels(word: &str) -> Option<usize> {
    word.parse().ok().filter(|count| (1..=MOST_CHANNELS).contains(count))
}

fn parse_layer(word: &str) -> Option<Layer> {
    if word == "residual" {
        return Some(Layer::Residual);
    }
    let (side, rest) = word.split_once('x')?;
    let (filters, batch_norm) = rest.strip_suffix("bn").map_or((rest, false), |filters| (filters, true));
    let side = side.parse().ok().filter(|side| [1, 3, 5].contains(side))?;
    Some(Layer::Convolution { side, filters: channels(filters)?, batch_norm })
}

impl FromStr for PolicyArchitecture {
    type Err = ArchitectureError;

    fn from_str(text: &str) -> Result<PolicyArchitecture, ArchitectureError> {
        let wrong = |what: String| Err(ArchitectureError(what));
        let words: Vec<&str> = text.split_whitespace().collect();
        let [input, layers @ .., top] = words.as_slice() else {
            return wrong(format!("\"{text}\" is no net"));
        };
        let input = match *input {
            "stones" => Input::Stones,
            "colours" => Input::Colours,
            other => match other.strip_prefix("lines:").and_then(channels) {
                Some(channels) => Input::Lines(channels),
                None => return wrong(format!("unknown input \"{other}\" (stones, colours or lines:N)")),
            },
        };
        let top = match *top {
            "point" => Top::Point,
            "full" => Top::Full,
            other => return wrong(format!("unknown top \"{other}\" (point or full)")),
        };
        if layers.len() > MOST_LAYERS {
            return wrong(format!("{} layers are more than {MOST_LAYERS}", layers.len()));
        }
        let mut parsed = Vec::new();
        for word in layers {
            match parse_layer(word) {
                Some(layer) => parsed.push(layer),
                None => {
                    return wrong(format!(
                        "unknown layer \"{word}\" (SIDExFILTERS with side 1, 3 or 5 and at most {MOST_CHANNELS} filters, or residual)"
                    ));
                }
            }
        }
        if matches!(input, Input::Lines(_)) && top == Top::Full {
            return wrong("lines look only at cells near stones: their top must be point".to_owned());
        }
        Ok(PolicyArchitecture { input, layers: parsed, top })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nets_are_written_as_they_are_read() {
        for text in [
            "stones 5x4 5x4 full",
            "colours 5x128 3x128 3x128bn point",
            "lines:48 3x32 residual residual point",
            "colours point",
        ] {
            assert_eq!(text.parse::<PolicyArchitecture>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_net_is_refused_with_the_word_that_is_wrong() {
        for (text, wrong) in [
            ("", "is no net"),
            ("stones", "is no net"),
            ("planes 3x4 point", "\"planes\""),
            ("stones 4x4 point", "\"4x4\""),
            ("stones 3x0 point", "\"3x0\""),
            ("stones 3x99999 point", "\"3x99999\""),
            ("stones 3x8 dense", "\"dense\""),
        ] {
            let error = text.parse::<PolicyArchitecture>().unwrap_err().to_string();
            assert!(error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn the_papers_nets_have_as_many_weights_as_they_say() {
        let count = |text: &str| -> usize {
            let net: PolicyArchitecture = text.parse().unwrap();
            net.tensors(225, 0).iter().map(TensorShape::count).sum()
        };
        assert_eq!(count("colours 5x128 3x128 3x128 point"), 305_025);
        assert_eq!(count("colours 5x128 3x128 3x128 3x128 3x128 point"), 600_193);
        assert_eq!(count("colours 5x128 3x128 3x128 full"), 6_785_121);
    }
}
