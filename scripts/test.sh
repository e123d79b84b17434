#!/bin/sh
# Builds everything with warnings as errors and runs all tests: `sh scripts/test.sh [CTEST OPTION...]`.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh
[ -f build/check/build.ninja ] || cmake --preset check >/dev/null
cmake --build build/check
ctest --preset check -j"$(nproc)" "$@"
