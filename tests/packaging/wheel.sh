#!/usr/bin/env bash
# `pip install .` in a clean environment gives a working `oomlint`.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git clone -q "$root" "$scratch/source"
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q --disable-pip-version-check "$scratch/source"
version=$("$scratch/venv/bin/oomlint" version)
grep -q "project(oomlint VERSION ${version#oomlint } " "$root/CMakeLists.txt"
printf 'a: 1\n' >"$scratch/a.yaml"
"$scratch/venv/bin/oomlint" check "$scratch/a.yaml"
echo "wheel: $version"
