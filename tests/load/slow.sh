#!/usr/bin/env bash
# Whether a normal client gets all its answers, and how soon, while thousands of others are as slow
# as they can be: with their heads, with their bodies, and in reading what they asked for.
# Usage: slow.sh BUILD-FOLDER. Needs slowhttptest, and 5,000 open files (ulimit -Hn). Fails when one
# answer is missing or wrong, or when there were too few slow clients to tell.
#
# slowhttptest does not come again when the server has closed a connection, so it is started anew
# until the time is over. The normal client asks on connections that it keeps (100 a second), and on
# a new one each time (about 4 a second).
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$1
seconds=${SECONDS_EACH:-60} slow=${CONNECTIONS:-2000}
[ "${QUICK:-0}" = 1 ] && seconds=${SECONDS_EACH:-10}
read -ra own_flags <<<"${SUDOKUD:-}"
need_tool slowhttptest slowhttptest
ulimit -n "$(ulimit -Hn)"

# attack MODE: until the time is over.
attack() {
    local end=$((SECONDS + seconds)) left flags
    case $1 in
    heads) flags=(-H -i 5 -t GET -x 24 -u "http://127.0.0.1:$port/livez") ;;
    bodies) flags=(-B -i 5 -s 8192 -x 10 -f text/plain -u "http://127.0.0.1:$port/solve") ;;
    reading) flags=(-X -k 3 -n 5 -w 10 -y 20 -z 8 -u "http://127.0.0.1:$port/openapi.yaml") ;;
    esac
    while left=$((end - SECONDS)) && [ "$left" -gt 0 ]; do
        # By itself it looks for the limit of files, and takes a pipe for stdin to end it.
        slowhttptest -c "$slow" -r 1000 -p 5 -l "$left" "${flags[@]}" >"$dir/slowhttptest" 2>&1 \
            </dev/null || true
    done
}

# come_anew: a new connection each time; writes a line of status and microseconds.
come_anew() {
    local end=$((SECONDS + seconds))
    while [ "$SECONDS" -lt "$end" ]; do
        curl -s -m 10 -o "$dir/answer" -w '%{http_code} %{time_total}\n' "http://127.0.0.1:$port$path" ||
            true
        cmp -s "$dir/answer" "$dir/expected" || echo "another answer"
        rm -f "$dir/answer"
        sleep 0.25
    done >"$dir/anew" 2>"$dir/anew.err"
}

# metric NAME: a figure of the server.
metric() {
    curl -s -m 10 "http://127.0.0.1:$port/metrics" | awk -v name="$1" '$1 == name { print $2 }'
}

# row MODE
row() {
    local jobs=() now most=0 end anew good
    attack "$1" &
    jobs+=($!)
    pids+=($!)
    come_anew &
    jobs+=($!)
    pids+=($!)
    "$build/open_loop" "$port" 100 "$seconds" 8 "$path" "$dir/get" >"$dir/open_loop" &
    jobs+=($!)
    pids+=($!)
    end=$((SECONDS + seconds))
    while [ "$SECONDS" -lt "$end" ]; do
        now=$(metric sudokud_connections_open)
        [ "${now:-0}" -le "$most" ] || most=$now
        sleep 1
    done
    wait "${jobs[@]}"
    anew=$(wc -l <"$dir/anew")
    good=$(grep -c '^200 ' "$dir/anew" || true)
    printf '%-8s | %5d | %6d %8d %7s %7s %8s | %6d %8d %8.0f\n' "$1" "$most" "$(figure due)" \
        "$(figure answered)" "$(figure p50)" "$(figure p99)" "$(figure max)" "$anew" "$good" \
        "$(sort -k 2 -g "$dir/anew" | awk '{ t[NR] = $2 } END { print t[int(NR * 0.99)] * 1e6 }')"
    [ "$(figure due)" = "$(figure answered)" ] && [ "$anew" = "$good" ] || die "answers are missing"
    [ "$most" -ge $((slow / 2)) ] || die "only $most slow clients: $(tail -n 5 "$dir/slowhttptest")"
}

write_bodies
path=$(path_of get)
start_server "$build/sudokud" --port 0 "${own_flags[@]}"
curl -sf -m 10 "http://127.0.0.1:$port$path" >"$dir/expected"
echo "$slow slow clients, $seconds s each; microseconds"
printf '%-8s | %5s | %6s %8s %7s %7s %8s | %6s %8s %8s\n' slow most kept answered p50 p99 max anew \
    answered p99
for mode in heads bodies reading; do
    row "$mode"
done
printf 'ended for being slow:'
for phase in head body answer; do
    printf ' %s %s' "$phase" "$(metric "sudokud_slow_clients_total{phase=\"$phase\"}")"
done
printf '\n'
stop_server "$pid"
