#!/usr/bin/env bash
# What clients see of a rolling restart, and of a replica that is killed: HAProxy with docker/haproxy.cfg
# in front of three replicas on loopback, requests at a constant rate, and every answer checked.
# Usage: rolling.sh SUDOKUD OPEN_LOOP [RATE]. Exits with 1 when a request was lost.
set -euo pipefail
. "$(dirname "$0")/../listening.sh"
sudokud=$1 open_loop=$2 rate=${3:-1000}
here=$(cd "$(dirname "$0")" && pwd)
haproxy=$(command -v haproxy || echo /usr/sbin/haproxy)
dir=$(mktemp -d)
declare -A pids=()
trap '{ kill -9 "${pids[@]}"; wait; } 2>/dev/null; rm -rf "$dir"' EXIT

# start NAME PORT: starts a replica and waits until it listens; port 0 leaves the choice to the kernel.
start() {
    local name=$1
    : >"$dir/$name.log"
    "$sudokud" --port "$2" --drain-delay 2s --threads 1 --workers 1 2>"$dir/$name.log" &
    pids[$name]=$!
    port=$(port_in "$dir/$name.log") || { cat "$dir/$name.log"; exit 1; }
}

declare -A ports=()
for name in replica1 replica2 replica3; do
    start "$name" 0
    ports[$name]=$port
done

# HAProxy can't tell which port it was given, so one below those that the kernel gives out is chosen.
listen=$((10000 + RANDOM % 22000))
BIND=127.0.0.1:$listen STATS_BIND=127.0.0.1:$((listen + 1)) REPLICA_1=127.0.0.1:${ports[replica1]} \
    REPLICA_2=127.0.0.1:${ports[replica2]} REPLICA_3=127.0.0.1:${ports[replica3]} \
    "$haproxy" -db -f "$here/../../docker/haproxy.cfg" >"$dir/haproxy.log" 2>&1 &
pids[haproxy]=$!
url=http://127.0.0.1:$listen/solve
until curl -sf -o /dev/null "http://127.0.0.1:$listen/readyz"; do
    kill -0 "${pids[haproxy]}" 2>/dev/null || { cat "$dir/haproxy.log"; exit 1; }
    sleep 0.05
done

cat "$here/../data/puzzles/"{17_clue_sample,hardest_sample}.txt | grep -E '^[0-9.]{81}' | cut -c 1-81 >"$dir/puzzles"
curl -sf "$url" -H 'Content-Type: text/plain' --data-binary "@$dir/puzzles" | cut -f 3 >"$dir/solutions"

# under_load SECONDS COMMAND: runs it a second after the load has begun.
under_load() {
    "$open_loop" "$listen" "$rate" "$1" 64 /solve "$dir/puzzles" text/plain 5000 0.0.0.0 "$dir/solutions" >"$dir/result" &
    local load=$!
    sleep 1
    "$2"
    wait "$load"
    cat "$dir/result"
    grep -q ' wrong 0 refused 0 failed 0 dropped 0 unanswered 0 ' "$dir/result" || lost=1
}

nothing() {
    :
}

# As an orchestrator does: the next one when this one takes requests.
wait_until_up() {
    until curl -sf "http://127.0.0.1:$((listen + 1))/metrics" |
        grep -q "^haproxy_server_status{.*server=\"$1\",state=\"UP\"} 1"; do sleep 0.1; done
}

restart_each() {
    for name in replica1 replica2 replica3; do
        kill -TERM "${pids[$name]}"
        wait "${pids[$name]}" || { echo "$name ended with exit code $?"; lost=1; }
        start "$name" "${ports[$name]}"
        wait_until_up "$name"
    done
}

kill_each() {
    for name in replica1 replica2 replica3; do
        { kill -9 "${pids[$name]}" && wait "${pids[$name]}"; } 2>/dev/null || true
        sleep 1
        start "$name" "${ports[$name]}"
        wait_until_up "$name"
    done
}

lost=0
echo "no trouble:"
under_load 4 nothing
echo "each of three replicas restarted in turn:"
under_load 16 restart_each
echo "each killed with -9 in turn, and started again:"
under_load 10 kill_each
exit "$lost"
