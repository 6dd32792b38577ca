#!/usr/bin/env bash
# How long easy requests take beside killers, which are searches of 50,000 steps, and without.
# Usage: killers.sh SUDOKUD OPEN_LOOP [PAIRS]. Asserts nothing but answers.
#
# Easy requests are due at a fifth of what the server can do, on a fixed schedule, and come from
# 127.0.0.1; time counts from when they were due. Killers come from 127.0.0.2: ten a second; as many
# as keep every core busy, twice over; and a thousand at any time. Beside those last, some searches
# of 127.0.0.1 need turns of the workers too.
set -euo pipefail
. "$(dirname "$0")/common.sh"
sudokud=$1 open_loop=$2 pairs=${3:-5}
seconds=${SECONDS_EACH:-4}
read -ra own_flags <<<"${SUDOKUD:-}"
need_tool wrk wrk

# loop NAME RATE SECONDS CONNECTIONS BODY FROM: drives the server; what is printed goes to NAME.
loop() {
    "$open_loop" "$port" "$2" "$3" "$4" /solve "$dir/$5" application/json 100000 "$6" >"$dir/loop.$1"
}

# figures NAME FIGURE...: what a loop printed behind these names.
figures() {
    local name=$1 what
    shift
    mv "$dir/loop.$name" "$dir/open_loop"
    for what in "$@"; do
        printf '%s ' "$(figure "$what")"
    done
}

# easy [KILLERS-A-SECOND CONNECTIONS]: p50 and p99 of easy requests.
easy() {
    local killers=
    if [ $# -gt 0 ]; then
        loop killers "$1" $((seconds + 1)) "$2" hard 127.0.0.2 &
        killers=$!
        sleep 0.5
    fi
    loop easy "$rate" "$seconds" 64 string 127.0.0.1
    [ -z "$killers" ] || wait "$killers"
    figures easy p50 p99 refused failed unanswered
}

# row KILLERS-A-SECOND CONNECTIONS
row() {
    local pair
    : >"$dir/pairs"
    for pair in $(seq "$pairs"); do
        echo "$(easy) $(easy "$1" "$2")" >>"$dir/pairs"
    done
    awk '{ lost += $3 + $4 + $5 + $8 + $9 + $10 } END { exit lost > 0 }' "$dir/pairs" ||
        die "easy requests were refused or lost"
    printf '%-22s | %6.0f %7.0f | %6.0f %7.0f | %5.2f\n' "$1 a second" \
        "$(median $(awk '{ print $1 }' "$dir/pairs"))" "$(median $(awk '{ print $2 }' "$dir/pairs"))" \
        "$(median $(awk '{ print $6 }' "$dir/pairs"))" "$(median $(awk '{ print $7 }' "$dir/pairs"))" \
        "$(median $(awk '{ print $7 / $2 }' "$dir/pairs"))"
}

write_bodies
# More than a first slice: for the workers, but not for long.
printf '{"puzzle":"%081d","max_solutions":1000000,"max_steps":3000}' 0 >"$dir/short"
start_server "$sudokud" --port 0 "${own_flags[@]}"

wrk -t 1 -c 64 -d 2 -s "$here/wrk.lua" "http://127.0.0.1:$port/solve" -- "$dir/string" >"$dir/wrk"
capacity=$(sed -n 's/^FIGURES //p' "$dir/wrk" | awk '{ printf "%d", $1 * 1e6 / $2 }')
wrk -t 1 -c 8 -d 2 -s "$here/wrk.lua" "http://127.0.0.1:$port/solve" -- "$dir/hard" >"$dir/wrk"
hard=$(sed -n 's/^FIGURES //p' "$dir/wrk" | awk '{ printf "%d", $1 * 1e6 / $2 }')
rate=$((capacity / 5))
echo "capacity: $capacity easy requests a second, or $hard killers; $rate easy ones are due"
echo "$pairs pairs of $seconds s; medians, in microseconds from when a request was due"
printf '%-22s | %-14s | %-14s | %s\n' '' without with ratio
printf '%-22s | %6s %7s | %6s %7s | %5s\n' killers p50 p99 p50 p99 p99
row 10 16
row $((hard * 2)) 128

loop killers 1000 $((seconds + 2)) 1000 hard 127.0.0.2 &
killers=$!
sleep 1
loop short 50 "$seconds" 64 short 127.0.0.1 &
short=$!
loop easy "$rate" "$seconds" 64 string 127.0.0.1
wait "$short" "$killers"
echo "beside 1,000 killers of another client:"
printf '%-22s | %8s %8s %8s %8s | %s\n' requests due answered refused lost 'p50, p99, max'
for name in easy short killers; do
    read -r due answered refused failed unanswered p50 p99 max \
        <<<"$(figures "$name" due answered refused failed unanswered p50 p99 max)"
    printf '%-22s | %8d %8d %8d %8d | %s\n' "$name" "$due" "$answered" "$refused" \
        $((failed + unanswered)) "$p50 $p99 $max"
done
stop_server "$pid"
