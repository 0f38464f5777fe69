//! Settings that people write as TOML.

use serde::de::DeserializeOwned;

/// Reads settings; what is wrong with them is told in one line, with the line it is in.
pub fn read_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text[..before].matches('\n').count();
        format!("line {line}: {}", error.message().replace('\n', " "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_told_in_one_line() {
        let read = read_toml::<std::collections::BTreeMap<String, u8>>;
        assert_eq!(read("a = 1\n").unwrap()["a"], 1);
        let problem = read("a = 1\n\nb = \"two\"\n").unwrap_err();
        assert!(problem.starts_with("line 3: ") && !problem.contains('\n'), "{problem}");
        let problem = read("a = 1\nb = = 2\n").unwrap_err();
        assert!(problem.starts_with("line 2: ") && !problem.contains('\n'), "{problem}");
    }
}
