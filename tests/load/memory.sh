#!/usr/bin/env bash
# How much memory sudokud takes, what idle connections cost the busy ones, and how soon it answers.
# Usage: memory.sh BUILD-FOLDER. Needs 11,000 open files (ulimit -Hn).
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$1
PIN=0
. "$here/compare.sh"
need_tool wrk wrk
seconds=${SECONDS_EACH:-3} starts=20
[ "${QUICK:-0}" = 1 ] && seconds=${SECONDS_EACH:-1}
read -ra own_flags <<<"${SUDOKUD:-}"
ulimit -n "$(ulimit -Hn)"
[ "$(ulimit -n)" = unlimited ] || [ "$(ulimit -n)" -ge 11000 ] ||
    die "10,000 connections need 11,000 open files, and $(ulimit -n) are allowed"

# memory NAME: of the server: VmRSS, resident now; VmHWM, the most there ever was. In KiB.
memory() {
    awk -v name="$1:" '$1 == name { print $2 }' "/proc/$own_pid/status"
}

# hold CONNECTIONS: sets `holder`.
hold() {
    : >"$dir/held"
    "$build/hold" "$own_port" "$1" >"$dir/held" &
    holder=$!
    pids+=("$holder")
    until grep -qx "held $1" "$dir/held"; do
        kill -0 "$holder" 2>/dev/null || die "cannot hold $1 connections"
        sleep 0.05
    done
}

row() {
    printf '%-44s %8s KiB' "$1" "$(memory VmRSS)"
    if [ $# -gt 1 ]; then
        printf ' | 64 busy: %6.0f req/s, p50 %d us, p99 %d us, cpu %.1f us' $2
    fi
    printf '\n'
}

write_bodies
times=$(for _ in $(seq "$starts"); do "$build/first_answer" "$build/sudokud" "${own_flags[@]}"; done)
printf 'start to first answer, median of %d: %.1f ms (slowest %.1f)\n' "$starts" \
    "$(awk -v us="$(median $times)" 'BEGIN { print us / 1000 }')" \
    "$(sort -n <<<"$times" | awk '{ us = $1 } END { print us / 1000 }')"

# A connection is closed when it has been silent for so long.
start_own --max-connections 10500 --timeout 10m "${own_flags[@]}"
row "started"
ask "$own_port" array >"$dir/answer"
row "after one answer"
row "no idle connection" "$(drive "$own_pid" "$own_port" array 64)"
for count in 1000 2000 10000; do
    hold "$count"
    row "$count idle connections"
    row "the same" "$(drive "$own_pid" "$own_port" array 64)"
    stop_server "$holder"
    sleep 0.5
done
for kind in array string; do
    drive "$own_pid" "$own_port" "$kind" 256 >"$dir/figures"
done
row "after 256 busy connections"
printf '%-44s %8s KiB\n' "most there ever was" "$(memory VmHWM)"
stop_server "$own_pid"
