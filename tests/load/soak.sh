#!/usr/bin/env bash
# A mixed load for some minutes, every answer checked, and whether the server stays the size it is.
# Usage: soak.sh BUILD-FOLDER PUZZLE-FOLDER [MINUTES]; see soak.c.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$1 puzzles=$2 minutes=${3:-20}
read -ra own_flags <<<"${SUDOKUD:-}"

start_server "$build/sudokud" --port 0 "${own_flags[@]}"
cpu=$(cpu_us "$pid")
"$build/soak" "$port" "$pid" "$((minutes * 60))" \
    "$puzzles"/{17_clue_sample,multi_solution_sample,hardest_sample}.txt
echo "CPU time of the server: $((($(cpu_us "$pid") - cpu) / 1000)) ms in $minutes minutes"
kill -TERM "$pid"
code=0
wait "$pid" || code=$?
[ "$code" -eq 0 ] || die "the server ended with $code"
echo "the server ended with 0"
