#!/usr/bin/env bash
# How close sudokud is to a server of the same library that only gives a constant answer.
# Usage: ceiling.sh BUILD-FOLDER. Prints a table; fails where a request was not answered 200.
#
# A ratio of 1 is the ceiling. QUICK=1 takes half a minute instead of ten.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$1
. "$here/compare.sh"
need_tool wrk wrk
if [ "${QUICK:-0}" = 1 ]; then
    pairs=${PAIRS:-3} seconds=${SECONDS_EACH:-1} connections=${CONNECTIONS:-64} busy=${BUSY:-}
else
    pairs=${PAIRS:-5} seconds=${SECONDS_EACH:-2} connections=${CONNECTIONS:-1 8 64 256}
    busy=${BUSY:-128 512}
fi
read -ra kinds <<<"${KINDS:-${kinds[*]}}"
read -ra bare_flags <<<"${BARE:---mode poll}"
read -ra own_flags <<<"${SUDOKUD:-}"

write_bodies
start_own "${own_flags[@]}"

echo "$pairs pairs of $seconds s; threads of each server: $threads; bare: ${bare_flags[*]}"
print_head bare
for kind in "${kinds[@]}"; do
    start_bare "$kind" "${bare_flags[@]}"
    for count in $connections; do
        compare "$kind" "$count" "$pairs"
    done
    stop_server "$other_pid"
done
# The library's own epoll thread stalls when exactly so many connections have something at once.
for count in $busy; do
    start_bare string "${bare_flags[@]}"
    compare string "$count" 1
    stop_server "$other_pid"
done
stop_server "$own_pid"
