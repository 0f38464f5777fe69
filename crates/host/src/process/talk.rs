//! What engines say about their search in free text: `MESSAGE` and `INFO` lines.

/// What was understood of an engine's talk during one move.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Talk {
    /// Win probability for the mover.
    pub winrate: Option<f64>,
    /// Nodes or visits.
    pub visits: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
}

/// Centi-units of evaluation per natural unit of log odds, as the engines of this family scale it.
const EVALUATION_SCALE: f64 = 200.0;

impl Talk {
    /// Takes in one line; a later value replaces an earlier one.
    pub fn hear(&mut self, line: &str) {
        let separators = |c: char| c.is_whitespace() || matches!(c, '|' | ':' | '=' | ',' | ';' | '(' | ')');
        let mut words = line.split(separators).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            let Some(&value) = words.peek() else { return };
            match word.to_ascii_lowercase().as_str() {
                "winrate" | "wr" => self.winrate = probability(value).or(self.winrate),
                "eval" | "ev" | "value" | "score" => {
                    self.winrate = evaluation(value).or(self.winrate);
                }
                "visits" | "visit" | "nodes" | "node" | "totalnodes" => {
                    self.visits = count(value).or(self.visits);
                }
                "depth" => {
                    let plies = value.split('-').next().and_then(|plies| plies.parse().ok());
                    self.depth = plies.or(self.depth);
                }
                _ => {}
            }
        }
    }
}

fn probability(text: &str) -> Option<f64> {
    let (text, unit) = text.strip_suffix('%').map_or((text, 1.0), |text| (text, 0.01));
    let value: f64 = text.parse().ok()?;
    (0.0..=1.0).contains(&(value * unit)).then_some(value * unit)
}

/// An evaluation: a number in centi-units, or a mate such as `+M5`.
fn evaluation(text: &str) -> Option<f64> {
    if text.ends_with('%') {
        return probability(text);
    }
    if let Some(mate) = text.strip_prefix("+M").or_else(|| text.strip_prefix('M')) {
        return mate.parse::<u32>().ok().map(|_| 1.0);
    }
    if let Some(mate) = text.strip_prefix("-M") {
        return mate.parse::<u32>().ok().map(|_| 0.0);
    }
    let value: f64 = text.parse().ok()?;
    value.is_finite().then(|| 1.0 / (1.0 + (-value / EVALUATION_SCALE).exp()))
}

/// A count such as `1234`, `127K` or `3.2M`.
fn count(text: &str) -> Option<u64> {
    let unit = match text.chars().last()? {
        'k' | 'K' => 1e3,
        'm' | 'M' => 1e6,
        'g' | 'G' => 1e9,
        _ => 1.0,
    };
    let number = if unit > 1.0 { &text[..text.len() - 1] } else { text };
    let number: f64 = number.parse().ok()?;
    (number >= 0.0 && number.is_finite()).then_some((number * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn talk_of_several_engines_is_understood() {
        let mut talk = Talk::default();
        talk.hear("MESSAGE Speed 303K | Depth 12-23 | Eval 24 | Node 127K | Time 419ms | Pv H8 H9");
        assert_eq!((talk.depth, talk.visits), (Some(12), Some(127_000)));
        assert!((talk.winrate.unwrap() - 0.53).abs() < 0.001);
        talk.hear("MESSAGE depth 5 visits 1000 winrate 0.61 pv h8");
        assert_eq!(talk, Talk { winrate: Some(0.61), visits: Some(1000), depth: Some(5) });
        talk.hear("MESSAGE winrate: 43.5%");
        assert!((talk.winrate.unwrap() - 0.435).abs() < 1e-9);
        talk.hear("MESSAGE Eval -M7");
        assert_eq!(talk.winrate, Some(0.0));
        talk.hear("MESSAGE é|eval|winrate 7|nodes x");
        assert_eq!(talk.winrate, Some(0.0));
    }
}
