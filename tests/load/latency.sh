#!/usr/bin/env bash
# How long easy requests take at half of what sudokud can do, beside the bare server at that rate.
# Usage: latency.sh BUILD-FOLDER. The requests are due on a fixed schedule; waiting is counted.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$1
. "$here/compare.sh"
need_tool wrk wrk
pairs=${PAIRS:-5} seconds=${SECONDS_EACH:-2} connections=64
[ "${QUICK:-0}" = 1 ] && pairs=${PAIRS:-3} seconds=${SECONDS_EACH:-1}
read -ra kinds <<<"${KINDS:-${kinds[*]}}"
read -ra own_flags <<<"${SUDOKUD:-}"

# timed PORT KIND RATE: prints p50, p90, p99, max.
timed() {
    "${on_client[@]}" "$build/open_loop" "$1" "$3" "$seconds" "$connections" "$(path_of "$2")" \
        "$dir/$2" >"$dir/open_loop"
    [ "$(figure answered)" = "$(figure due)" ] || die "$2: $(cat "$dir/open_loop")"
    echo "$(figure p50) $(figure p90) $(figure p99) $(figure max)"
}

# row KIND RATE
row() {
    local pair i
    : >"$dir/pairs"
    for pair in $(seq "$pairs"); do
        echo "$(timed "$other_port" "$1" "$2")" "$(timed "$own_port" "$1" "$2")" >>"$dir/pairs"
    done
    printf '%-9s %7d ' "$1" "$2"
    for i in 1 2 3 4 5 6 7 8; do
        [ $((i % 4)) != 1 ] || printf '| '
        printf '%7.0f ' "$(median $(awk "{ print \$$i }" "$dir/pairs"))"
    done
    printf '| %5.2f\n' "$(median $(awk '{ print $7 / $3 }' "$dir/pairs"))"
}

write_bodies
start_own "${own_flags[@]}"
echo "$pairs pairs of $seconds s; microseconds from when a request was due; $connections connections"
printf '%-9s %7s | %-31s | %-31s | %s\n' '' '' bare sudokud ratio
printf '%-9s %7s | %7s %7s %7s %7s | %7s %7s %7s %7s | %5s\n' request rate \
    p50 p90 p99 max p50 p90 p99 max p99
for kind in "${kinds[@]}"; do
    start_bare "$kind"
    rates=$(for _ in 1 2 3; do drive "$own_pid" "$own_port" "$kind" 64; done | cut -d ' ' -f 1)
    row "$kind" "$(median $rates | awk '{ printf "%d", $1 / 2 }')"
    stop_server "$other_pid"
done
stop_server "$own_pid"
