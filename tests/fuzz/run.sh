#!/usr/bin/env bash
# One fuzzer for some seconds, from the inputs kept in corpus/ and those it found before.
# Usage: run.sh BUILD-FOLDER NAME SECONDS [SEED]. With a seed the inputs are the same each time, as
# far as it gets. Prints how often it ran and what it reached: `cov` are
# edges of the code, `ft` edges told apart by how often they were taken. What it fails on is left in
# the build folder as NAME-crash-... or NAME-timeout-..., and belongs in corpus/NAME when mended.
set -euo pipefail
build=$1 name=$2 seconds=$3 seed=${4:-0}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$build/corpus/$name"
log=$build/$name.log

if ! "$build/fuzz_$name" -max_total_time="$seconds" -seed="$seed" -timeout=90 -rss_limit_mb=2048 \
    -artifact_prefix="$build/$name-" "$build/corpus/$name" "$here/corpus/$name" >"$log" 2>&1; then
    tail -n 60 "$log"
    echo "run.sh: the fuzzer $name has found something" >&2
    exit 1
fi
printf '%-12s %s; %s\n' "$name" "$(sed -n 's/^Done \(.*\)/\1/p' "$log")" \
    "$(sed -n 's/.*\(cov: [0-9]* ft: [0-9]*\).*/\1/p' "$log" | tail -n 1)"
