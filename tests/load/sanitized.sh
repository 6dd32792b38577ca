#!/usr/bin/env bash
# The other scripts, shortened, with a server that sanitizers watch: fails where they report anything.
# Usage: sanitized.sh BUILD-FOLDER, built with sanitizers. What is measured means nothing here.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT

# A report is a file; the end of a server is waited for, but not its exit code.
export ASAN_OPTIONS=log_path=$reports/asan UBSAN_OPTIONS=log_path=$reports/ubsan:print_stacktrace=1
export TSAN_OPTIONS=log_path=$reports/tsan
export QUICK=1 SECONDS_EACH=2

run() {
    echo "== $*"
    "$here/$@"
}

PAIRS=1 CONNECTIONS='8 128 256' BUSY= run ceiling.sh "$build"
PAIRS=1 run latency.sh "$build"
run killers.sh "$build/sudokud" "$build/open_loop" 1
run batch.sh "$build/sudokud" "$build/sudoku-bench" "$here/../data/puzzles/17_clue_sample.txt"
KINDS='array string' run overload.sh "$build"
run memory.sh "$build"
# Slow as they are here, thousands at once would be late for their own sake.
CONNECTIONS=400 SECONDS_EACH=10 run slow.sh "$build"
run soak.sh "$build" "$here/../data/puzzles" 1

if [ -n "$(ls -A "$reports")" ]; then
    cat "$reports"/*
    echo "sanitized.sh: $(ls "$reports" | wc -l) processes have reports" >&2
    exit 1
fi
echo "the sanitizers report nothing"
