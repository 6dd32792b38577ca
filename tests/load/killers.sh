#!/usr/bin/env bash
# How long easy requests take while hard ones keep every worker busy, and while none does.
# Usage: killers.sh SUDOKUD OPEN_LOOP [PAIRS]. Prints a line a run; asserts nothing but answers.
set -euo pipefail
sudokud=$1 open_loop=$2 pairs=${3:-3}
rate=500 seconds=4 killers=4
dir=$(mktemp -d)
pids=()
trap 'kill -9 "${pids[@]}" 2>/dev/null; rm -rf "$dir"' EXIT

"$sudokud" --port 0 --deadline 60s --max-steps 1000000000000 2>"$dir/log" &
pids+=($!)
until port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' "$dir/log") && [ -n "$port" ]; do sleep 0.05; done

echo '{"puzzle":"530070000600195000098000060800060003400803001700020006060000280000419005000080079"}' \
    >"$dir/easy"
printf '{"puzzle":"%081d","max_solutions":1000000,"max_steps":1000000000000}' 0 >"$dir/hard"

easy() {
    printf '%-16s' "$1"
    "$open_loop" "$port" "$rate" "$seconds" 16 /solve "$dir/easy"
}

for _ in $(seq "$pairs"); do
    easy "no killer"
    clients=()
    for _ in $(seq "$killers"); do
        # A search that ends before the run does is sent again.
        (while curl -s -m 60 -o "$dir/out" "http://127.0.0.1:$port/solve" \
            -H 'Content-Type: application/json' --data-binary "@$dir/hard"; do :; done) &
        clients+=($!)
    done
    pids+=("${clients[@]}")
    sleep 0.3
    easy "$killers killers"
    for client in "${clients[@]}"; do
        pkill -P "$client" 2>/dev/null || true
        kill "$client" 2>/dev/null || true
    done
    wait "${clients[@]}" 2>/dev/null || true
done
