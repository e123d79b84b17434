#!/bin/sh
# Builds the static binary and lints the samples with it: `sh scripts/demo.sh`.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh
[ -f build/release/build.ninja ] || cmake --preset release >/dev/null
cmake --build build/release --target oomlint
binary=build/release/oomlint

runs=20
begin=$(date +%s%N)
for _ in $(seq $runs); do $binary version >/dev/null; done
end=$(date +%s%N)
echo "$binary: $(($(stat -c %s $binary) / 1024)) KiB, $(((end - begin) / runs / 1000)) microseconds a start"

command="$binary check samples --gpu 24GB"
echo "\$ $command"
code=0
$command || code=$?
echo "exit code $code: 0 nothing to fix, 1 findings"
[ $code -le 1 ]
