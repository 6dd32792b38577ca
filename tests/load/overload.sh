#!/usr/bin/env bash
# What is left when clients ask for twice of what sudokud can do.
# Usage: overload.sh BUILD-FOLDER
#
# The peak is what 64 connections get that ask as fast as they can; 4 for hard requests, of which so
# many for each worker are never refused. Then requests are due at twice that rate, over as many
# connections as it takes (each costs the client a little for every request, as it polls); one that
# found none within a second is dropped, as its client would have gone. Time counts from when a
# request was due.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$1
. "$here/compare.sh"
need_tool wrk wrk
seconds=${SECONDS_EACH:-5} repeats=${REPEATS:-3}
[ "${QUICK:-0}" = 1 ] && seconds=${SECONDS_EACH:-3} repeats=${REPEATS:-1}
read -ra kinds <<<"${KINDS:-array string hard}"
read -ra own_flags <<<"${SUDOKUD:-}"

# row KIND FACTOR CONNECTIONS PEAK
row() {
    local rate=$(($4 * $2 / 100))
    "${on_client[@]}" "$build/open_loop" "$own_port" "$rate" "$seconds" "$3" "$(path_of "$1")" \
        "$dir/$1" application/json 1000 >"$dir/open_loop"
    printf '%-7s %5s %% %6d | %8d %9d %9.0f %7d %7d %7d | %6.2f | %8s %8s %8s\n' "$1" "$2" "$3" "$4" \
        "$(figure due)" "$(figure answered/s)" "$(figure refused)" "$(figure dropped)" \
        "$(($(figure failed) + $(figure unanswered)))" \
        "$(awk -v a="$(figure answered/s)" -v b="$4" 'BEGIN { print a / b }')" \
        "$(figure p50)" "$(figure p99)" "$(figure max)"
}

write_bodies
start_own "${own_flags[@]}"
printf '%-7s %7s %6s | %8s %9s %9s %7s %7s %7s | %6s | %8s %8s %8s\n' request of\ peak conns \
    peak/s due 'good/s' '503' dropped lost good p50\ us p99\ us max\ us
for kind in "${kinds[@]}"; do
    few=64 many=1024
    [ "$kind" != hard ] || few=4 many=128
    for _ in $(seq "$repeats"); do
        peak=$(drive "$own_pid" "$own_port" "$kind" "$few" | cut -d ' ' -f 1)
        [ "$peak" -gt 0 ] || die "$kind: no answer within $seconds s"
        row "$kind" 50 "$few" "$peak"
        row "$kind" 200 "$many" "$peak"
    done
done
stop_server "$own_pid"
