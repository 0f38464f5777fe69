//! The memory of a process tree, read from `/proc`.

use std::fs;
use std::path::Path;

/// A process and its living descendants, the process first; only itself where `/proc` does not tell.
pub fn process_tree(root: u32) -> Vec<u32> {
    let mut tree = vec![root];
    let mut next = 0;
    while next < tree.len() {
        let Ok(threads) = fs::read_dir(format!("/proc/{}/task", tree[next])) else {
            next += 1;
            continue;
        };
        for thread in threads.flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            tree.extend(children.split_ascii_whitespace().filter_map(|id| id.parse::<u32>().ok()));
        }
        next += 1;
    }
    tree
}

/// Whether a process still runs; one that is dead but not yet collected by its parent has no command line.
pub fn is_running(process: u32) -> bool {
    fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|line| !line.is_empty())
}

/// Resident bytes of a process and its descendants; nothing where the system does not tell.
pub fn resident_bytes(root: u32) -> Option<u64> {
    let told = Path::new("/proc/self/status").exists();
    told.then(|| process_tree(root).into_iter().map(resident_of).sum())
}

/// One that has just ended holds nothing.
fn resident_of(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_knows_what_it_holds() {
        let held = vec![1_u8; 8 << 20];
        let told = resident_bytes(std::process::id()).expect("Linux tells");
        assert!(told > held.len() as u64, "{told}");
    }
}
