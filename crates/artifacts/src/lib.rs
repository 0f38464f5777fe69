//! What matches, trainings and loops leave in files: written whole, settings that people write,
//! charts.
//!
//! ```
//! use fivestone_artifacts::write_whole;
//!
//! let path = std::env::temp_dir().join("fivestone-artifacts-doc");
//! write_whole(&path, b"either all of this or what was there before")?;
//! assert!(write_whole(&path.join("below"), b"").unwrap_err().to_string().contains("below: "));
//! # std::fs::remove_file(path).unwrap();
//! # Ok::<(), fivestone_artifacts::FileError>(())
//! ```
//!
//! ```
//! use fivestone_artifacts::{Curve, draw_curves};
//!
//! let points = vec![(0.0, 2.1), (100.0, 1.7), (200.0, 1.6)];
//! let svg = draw_curves("A training", &[Curve { name: "loss", unit: "steps", points }]);
//! assert!(svg.starts_with("<svg") && svg.contains("A training"));
//! ```
#![forbid(unsafe_code)]

mod curves;
pub mod panel;
mod settings;
mod whole;

pub use curves::{Curve, draw_curves};
pub use settings::{SettingsError, read_settings};
pub use whole::{FileError, FileTask, write_whole};
