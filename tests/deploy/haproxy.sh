#!/usr/bin/env bash
# What docker/haproxy.cfg lets through, and what it says to a replica. Usage: haproxy.sh SUDOKUD SOURCE
set -u
sudokud=$1 source=$2
PATH=$PATH:/usr/sbin
command -v haproxy >/dev/null || { echo "left out: haproxy is not installed"; exit 77; }
source "$source/tests/http/program.sh"

start --access-log
listen=$((10000 + RANDOM % 22000))
BIND=127.0.0.1:$listen STATS_BIND=127.0.0.1:$((listen + 1)) REPLICA_1=127.0.0.1:$port \
    REPLICA_2=127.0.0.1:1 REPLICA_3=127.0.0.1:1 \
    haproxy -db -f "$source/docker/haproxy.cfg" >"$dir/haproxy.log" 2>&1 &
clients+=($!)
for _ in $(seq 100); do
    curl -sf -o "$dir/answer" "http://127.0.0.1:$listen/readyz" && break
    sleep 0.1
done
[ -s "$dir/answer" ] || fail "HAProxy does not answer: $(cat "$dir/haproxy.log")"

# However the path is written that a replica takes for /metrics, it is for those inside.
for target in /metrics '/metrics?a=b' /%6detrics /%6D%65%74%72%69%63%73 '/metric%73?x' '/%6detrics?/%' \
    http://a/metrics HTTP://a:1/%6detrics 'https://[::1]/metrics?' /metrics%3f /metrics/ //metrics \
    http://a//metrics 'http://a?/metrics' /x/../metrics /METRICS /metrics%00 /%256detrics /metric+s; do
    for method in GET HEAD OPTIONS; do
        curl -s -X "$method" -m 10 $([ $method = HEAD ] && echo -I) --request-target "$target" \
            -o "$dir/answer" -D "$dir/head" "http://127.0.0.1:$listen/"
        [ -s "$dir/head" ] || fail "$method $target is not answered"
        grep -q '^# HELP' "$dir/answer" && fail "$method $target tells the metrics"
        grep -q '^HTTP/1.1 200\|text/plain; version' "$dir/head" && fail "$method $target reaches the metrics"
    done
done
grep '"route":"/metrics"' "$dir/log" | grep -v '"status":400' && fail "a request for /metrics was passed on"
curl -sf "http://127.0.0.1:$port/metrics" | grep -q '^sudokud_ready 1' || fail "the replica has no metrics"
curl -sf "http://127.0.0.1:$((listen + 1))/metrics" | grep -q '^haproxy_server_status' || fail "HAProxy has no metrics"

# Who the client is HAProxy says, not the client; the request's id is the client's, or made.
curl -sf -o "$dir/answer" "http://127.0.0.1:$listen/livez" -H 'X-Request-Id: mine' \
    -H 'X-Forwarded-For: 192.0.2.1' -H 'x-forwarded-for: 192.0.2.2, 192.0.2.3'
curl -sf -o "$dir/answer" "http://127.0.0.1:$listen/livez" -D "$dir/head"
grep -q '"id":"mine","client":"127.0.0.1","forwarded_for":"127.0.0.1","method":"GET"' "$dir/log" ||
    fail "the replica is told: $(tail -n 2 "$dir/log")"
grep -qi '^x-request-id: [0-9a-f-]\{36\}' "$dir/head" || fail "no id: $(cat "$dir/head")"

stop TERM
[ "$failed" -eq 0 ] && echo "all passed"
exit "$failed"
