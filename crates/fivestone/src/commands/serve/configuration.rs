//! The file that says how to serve: what the command line leaves open, and the programs to play against.

use anyhow::{Context, Result, bail};
use fivestone_host::Program;
use fivestone_web::External;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// What the file may say.
#[derive(Deserialize, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Where to listen.
    pub address: Option<SocketAddr>,
    /// Search threads for all pages together.
    pub threads: Option<u16>,
    /// Programs to play against.
    #[serde(default, rename = "external")]
    programs: Vec<Entry>,
}

/// A program in the file.
#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    command: String,
    #[serde(default)]
    arguments: Vec<String>,
    directory: Option<PathBuf>,
}

impl Configuration {
    /// Reads the file that was named, or the usual one if it is there.
    pub fn read(named: Option<&Path>) -> Result<Configuration> {
        let path = match (named, usual_place()) {
            (Some(path), _) => path.to_owned(),
            (None, Some(path)) if path.exists() => path,
            (None, _) => return Ok(Configuration::default()),
        };
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Configuration::parse(&text, path.parent().unwrap_or(Path::new("")))
            .with_context(|| path.display().to_string())
    }

    /// Reads the text of a file in a folder, from which relative paths lead.
    fn parse(text: &str, folder: &Path) -> Result<Configuration> {
        let mut configuration: Configuration = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            anyhow::anyhow!("line {line}: {}", error.message())
        })?;
        if configuration.threads == Some(0) {
            bail!("threads: at least 1");
        }
        let mut names = BTreeSet::new();
        for entry in &mut configuration.programs {
            if entry.name.trim().is_empty() || entry.command.trim().is_empty() {
                bail!("external: a program needs a name and a command");
            }
            if !names.insert(entry.name.clone()) {
                bail!("external: there are two programs named {}", entry.name);
            }
            // A bare name is looked for where the system keeps programs.
            if entry.command.contains('/') {
                entry.command = folder.join(&entry.command).to_string_lossy().into_owned();
            }
            entry.directory = entry.directory.take().map(|directory| folder.join(directory));
        }
        Ok(configuration)
    }

    /// The programs of the file, and those of the command line, which replace any of the same name.
    pub fn externals(self, given: &[External]) -> Vec<External> {
        let from_file = self.programs.into_iter().map(|entry| External {
            name: entry.name,
            program: Program {
                command: entry.command,
                arguments: entry.arguments,
                directory: entry.directory,
                stderr: None,
            },
        });
        let kept = from_file.filter(|external| given.iter().all(|other| other.name != external.name));
        kept.chain(given.iter().cloned()).collect()
    }
}

/// `fivestone/serve.toml` where the system keeps configuration.
fn usual_place() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = folder.or_else(|| std::env::home_dir().map(|home| home.join(".config")));
    folder.map(|folder| folder.join("fivestone/serve.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_come_from_the_file_and_the_command_line() {
        let text = "address = \"127.0.0.1:6000\"\nthreads = 2\n\
            [[external]]\nname = \"near\"\ncommand = \"engines/near\"\narguments = [\"-x\"]\ndirectory = \"engines\"\n\
            [[external]]\nname = \"known\"\ncommand = \"pbrain-known\"\n";
        let read = Configuration::parse(text, Path::new("/home/me")).expect("a configuration");
        assert_eq!((read.address.map(|address| address.port()), read.threads), (Some(6000), Some(2)));
        let program = Program {
            command: "/opt/other".to_owned(),
            arguments: Vec::new(),
            directory: None,
            stderr: None,
        };
        let given = [External { name: "known".to_owned(), program }];
        let externals = read.externals(&given);
        assert_eq!(externals.len(), 2);
        assert_eq!(externals[0].program.command, "/home/me/engines/near");
        assert_eq!(externals[0].program.directory.as_deref(), Some(Path::new("/home/me/engines")));
        assert_eq!(externals[1], given[0]);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (text, part) in [
            ("threads = 2\nport = 5", "line 2: unknown field `port`"),
            ("threads = 0", "at least 1"),
            ("threads = [", "line 1"),
            ("[[external]]\nname = \"a\"", "missing field `command`"),
            (
                "[[external]]\nname = \"a\"\ncommand = \"b\"\n[[external]]\nname = \"a\"\ncommand = \"c\"",
                "two programs",
            ),
        ] {
            let error = Configuration::parse(text, Path::new("")).expect_err("a mistake");
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }
}
