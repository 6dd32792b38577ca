#!/usr/bin/env bash
# How close sudokud is to a server of the same library that only gives a constant answer.
# Usage: ceiling.sh BUILD-FOLDER. Prints a table; fails where a request was not answered 200.
#
# Both are driven by the same wrk, in turn: a pair of runs, then the next pair. Figures are medians
# over the pairs, ratios the medians of each pair's ratio. A ratio of 1 is the ceiling.
# QUICK=1 takes a minute instead of ten. PIN=0 lets the kernel place everything and starts the
# servers with a thread for each CPU; else they have one thread and CPU 0, and wrk has CPU 1.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$1
need_tool wrk wrk
if [ "${QUICK:-0}" = 1 ]; then
    pairs=${PAIRS:-3} seconds=${SECONDS_EACH:-1} connections=${CONNECTIONS:-64} busy=${BUSY:-}
else
    pairs=${PAIRS:-5} seconds=${SECONDS_EACH:-2} connections=${CONNECTIONS:-1 8 64 256}
    busy=${BUSY:-128 512}
fi
read -ra kinds <<<"${KINDS:-${kinds[*]}}"
if [ "${PIN:-1}" = 1 ]; then
    threads=1 on_server=(taskset -c 0) on_client=(taskset -c 1)
else
    threads=$(nproc) on_server=() on_client=()
fi
read -ra bare_flags <<<"${BARE:---mode poll}"
read -ra own_flags <<<"${SUDOKUD:-}"

# drive PID PORT KIND CONNECTIONS: prints requests/s, p50, p99, CPU us a request.
drive() {
    local body=() before after figures
    [ "$3" = get ] || body=("$dir/$3")
    before=$(cpu_us "$1")
    "${on_client[@]}" wrk -t 1 -c "$4" -d "$seconds" -s "$here/wrk.lua" \
        "http://127.0.0.1:$2$(path_of "$3")" -- "${body[@]}" >"$dir/wrk"
    after=$(cpu_us "$1")
    figures=$(sed -n 's/^FIGURES //p' "$dir/wrk")
    [ "${figures##* }" = 0 ] || die "$3: ${figures##* } requests failed"
    awk -v cpu=$((after - before)) '{ printf "%.0f %d %d %.2f\n", $1 * 1e6 / $2, $3, $4, cpu / $1 }' \
        <<<"$figures"
}

# compare KIND CONNECTIONS PAIRS: a row of the table.
compare() {
    local pair
    : >"$dir/pairs"
    for pair in $(seq "$3"); do
        echo "$(drive "$bare_pid" "$bare_port" "$1" "$2")" \
            "$(drive "$own_pid" "$own_port" "$1" "$2")" >>"$dir/pairs"
    done
    column() {
        median $(awk "{ print $1 }" "$dir/pairs")
    }
    printf '%-9s %5d | %8.0f %6.0f %7.0f %6.2f | %8.0f %6.0f %7.0f %6.2f | %5.2f %5.2f\n' \
        "$1" "$2" "$(column '$1')" "$(column '$2')" "$(column '$3')" "$(column '$4')" \
        "$(column '$5')" "$(column '$6')" "$(column '$7')" "$(column '$8')" \
        "$(column '$5 / $1')" "$(column '$4 / $8')"
}

# start_bare KIND: with sudokud's answer to this kind.
start_bare() {
    ask "$own_port" "$1" >"$dir/answer"
    start_server "${on_server[@]}" "$build/bare_server" --answer "$dir/answer" \
        --threads "$threads" "${bare_flags[@]}"
    bare_pid=$pid bare_port=$port
    ask "$bare_port" "$1" >"$dir/bare"
    [ "$(wc -c <"$dir/bare")" = "$(wc -c <"$dir/answer")" ] || die "the answers differ in size"
}

write_bodies
start_server "${on_server[@]}" "$build/sudokud" --port 0 --threads "$threads" \
    --workers "$threads" "${own_flags[@]}"
own_pid=$pid own_port=$port

echo "$pairs pairs of $seconds s; threads of each server: $threads; bare: ${bare_flags[*]}"
echo "us: of the clients at p50 and p99; cpu: of the server, us a request; ratio: of requests/s, and"
echo "of cpu (bare / sudokud)"
printf '%-9s %5s | %-30s | %-30s | %s\n' '' '' bare sudokud ratio
printf '%-9s %5s | %8s %6s %7s %6s | %8s %6s %7s %6s | %5s %5s\n' request conns \
    req/s p50 p99 cpu req/s p50 p99 cpu req/s cpu
for kind in "${kinds[@]}"; do
    start_bare "$kind"
    for count in $connections; do
        compare "$kind" "$count" "$pairs"
    done
    stop_server "$bare_pid"
done
# The library's own epoll thread stalls when exactly so many connections have something at once.
for count in $busy; do
    start_bare string
    compare string "$count" 1
    stop_server "$bare_pid"
done
stop_server "$own_pid"
