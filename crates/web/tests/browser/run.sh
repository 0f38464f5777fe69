#!/usr/bin/env bash
# The page in a real browser. Node and Chromium come from the distribution's packages where they are
# missing; exit code 77 says that they cannot be had and nothing was tested.
# --pictures also takes the pictures of docs/images anew.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../../.." && pwd)
cd "$(dirname "$0")"
source "$root/.ci/packages.sh"

missing() { echo "$*" >&2; exit 77; }
find_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

case "${1:-}" in
    --pictures) images=$root/docs/images ;;
    "") images=$(mktemp -d); trap 'rm -rf "$images"' EXIT ;;
    *) echo "unknown argument '$1': --pictures takes the pictures of docs/images anew" >&2; exit 2 ;;
esac
need npm nodejs npm || missing "Node 20 or newer is missing and cannot be installed here"
node_version=$(node --version)
node_major=${node_version#v}
[ "${node_major%%.*}" -ge 20 ] || missing "Node $node_version is too old: version 20 or newer is needed"
find_chromium > /dev/null || need chromium chromium || missing "Chromium is missing and cannot be installed here"

[ -d node_modules/playwright-core ] || npm ci --no-audit --no-fund --silent
npx --no-install tsc --project tsconfig.json
(cd "$root" && cargo build --release --quiet --bins)
node run.mjs "${CARGO_TARGET_DIR:-$root/target}/release/fivestone" "$(find_chromium)" "$images"
