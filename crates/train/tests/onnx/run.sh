#!/usr/bin/env bash
# The exported move predictors in onnxruntime. Exit code 77 says that it cannot be had and nothing
# was tested.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../../.." && pwd)
source "$root/.ci/packages.sh"
work=${CARGO_TARGET_DIR:-$root/target}/onnx

missing() { echo "$*" >&2; exit 77; }
need python3 python3 python3-venv || missing "Python is missing and cannot be installed here"
if [ ! -e "$work/python/ready" ]; then
    python3 -c "import ensurepip" 2> /dev/null || install_packages python3-venv \
        || missing "Python's venv is missing and cannot be installed here"
    python3 -m venv "$work/python"
    "$work/python/bin/pip" install --quiet --disable-pip-version-check 'onnxruntime>=1.16' \
        || missing "onnxruntime cannot be installed here"
    touch "$work/python/ready"
fi
cd "$root"
# The same profile as the tests, so that little has to be built.
for net in $(git ls-files '*.fspolicy'); do
    directory=$work/$(basename "$net" .fspolicy)
    cargo run --quiet --profile test --package fivestone-train --example onnx_cases -- "$net" "$directory"
    "$work/python/bin/python" "$root/crates/train/tests/onnx/check.py" "$directory"
done
