#!/usr/bin/env bash
# Everything that must hold before a change goes in. Needs a Rust toolchain; Python for exported
# nets, Node and Chromium for the page come from the distribution's packages where they are missing.
# What cannot be had is skipped and counted. No tracked file changes.
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

# part NAME SCRIPT: a part that needs other programs. Exit code 77 says that they cannot be had.
skipped=()
part() {
    step "$1"
    local code=0
    bash "$2" || code=$?
    case $code in
        0) ;;
        77) echo "skipped: $1"; skipped+=("$1") ;;
        *) exit "$code" ;;
    esac
}
part "exported nets in another runtime" crates/train/tests/onnx/run.sh
part "the page in a real browser" crates/web/tests/browser/run.sh

if [ ${#skipped[@]} = 0 ]; then
    step "all is well"
else
    step "all is well, but ${#skipped[@]} parts were skipped:"
    printf '%s\n' "${skipped[@]}"
fi
