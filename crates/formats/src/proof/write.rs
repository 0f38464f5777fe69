//! Proofs to text.

use super::{After, ProofFile, VERSION};
use fivestone_game::{Color, Point};
use std::fmt::Write;

/// A proof as text.
pub fn write(proof: &ProofFile) -> String {
    let mut text = String::new();
    write_lines(proof, &mut text).expect("writing to a string");
    let checksum = crc32fast::hash(text.as_bytes());
    writeln!(text, "crc32 {checksum:08x}").expect("writing to a string");
    text
}

fn write_lines(proof: &ProofFile, text: &mut String) -> std::fmt::Result {
    let size = proof.size;
    let stones = |points: &[Point]| -> String {
        points.iter().map(|point| format!(" {}", point.name(size))).collect()
    };
    writeln!(text, "fivestone proof {VERSION}")?;
    writeln!(text, "rule {}", proof.rule)?;
    writeln!(text, "size {size}")?;
    writeln!(text, "black{}", stones(&proof.black))?;
    writeln!(text, "white{}", stones(&proof.white))?;
    writeln!(text, "to-move {}", if proof.to_move == Color::Black { "black" } else { "white" })?;
    writeln!(text, "plies {}", proof.plies)?;
    writeln!(text, "nodes {}", proof.nodes.len())?;
    for node in &proof.nodes {
        write!(text, "{} {}", node.id, node.point.name(size))?;
        match &node.after {
            After::Five => text.push_str(" five"),
            After::Replies { listed, forbidden, otherwise } => {
                for &(reply, child) in listed {
                    write!(text, " {}:{}", reply.name(size), proof.nodes[child].id)?;
                }
                for reply in forbidden {
                    write!(text, " {}:forbidden", reply.name(size))?;
                }
                if let Some(child) = otherwise {
                    write!(text, " *:{}", proof.nodes[*child].id)?;
                }
            }
        }
        text.push('\n');
    }
    Ok(())
}
