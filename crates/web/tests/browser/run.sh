#!/usr/bin/env bash
# The page in a real browser. Needs Node; installs the distribution's Chromium where there is none.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../../.." && pwd)
cd "$(dirname "$0")"

find_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome || true; }
browser=$(find_chromium)
if [ -z "$browser" ]; then
    if command -v apt-get > /dev/null; then
        sudo=$([ "$(id -u)" = 0 ] || echo sudo)
        export DEBIAN_FRONTEND=noninteractive
        $sudo apt-get update --quiet > /dev/null
        $sudo apt-get install --yes --quiet --no-install-recommends chromium > /dev/null
    fi
    browser=$(find_chromium)
fi
[ -n "$browser" ] || { echo "no Chromium found: install it and try again" >&2; exit 1; }
command -v npm > /dev/null || { echo "npm is missing: install Node 20 or newer and try again" >&2; exit 1; }

[ -d node_modules/playwright-core ] || npm ci --no-audit --no-fund --silent
npx --no-install tsc --project tsconfig.json
(cd "$root" && cargo build --release --quiet --bins)
node run.mjs "${CARGO_TARGET_DIR:-$root/target}/release/fivestone" "$browser" "$root/docs/images"
