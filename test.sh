#!/usr/bin/env bash
# Everything that must hold before a change goes in. Needs a Rust toolchain and, for the page, Node; the browser comes from the
# distribution's packages.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "format"
cargo fmt --all --check

step "clippy"
cargo clippy --workspace --all-targets --quiet -- -D warnings

step "tests (games between two processes under every rule and opening among them)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# What passing tests print is wanted too: some are skipped for want of data, and that is counted.
if ! cargo test --workspace --quiet -- --show-output > "$log" 2>&1; then
    cat "$log"
    exit 1
fi
grep -E "^(test result|skipped)" "$log"
echo "$(grep -c '^skipped' "$log" || true) tests skipped for want of data"

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

step "bench signature, twice"
signature() { cargo run --release --quiet --bin fivestone -- bench --signature-only; }
first=$(signature)
second=$(signature)
echo "$first"
[ "$first" = "$second" ] || { echo "the second time it was: $second" >&2; exit 1; }

step "games between two release processes over the protocol"
cargo test --release --quiet -p pbrain-fivestone --test games -- every_rule

step "the page in a real browser"
bash crates/web/tests/browser/run.sh

step "all is well"
