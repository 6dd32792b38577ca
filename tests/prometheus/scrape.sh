#!/usr/bin/env bash
# A real Prometheus scrapes a server for some seconds: it takes every scrape, its counts are those of
# the requests sent, every query of the dashboard has an answer, and the rules load and stay quiet.
# Usage: scrape.sh SUDOKUD SOURCE
set -u
sudokud=$1 source=$2
dir=$(mktemp -d)
. "$(dirname "$0")/server.sh"

start_server
drive_server
cat >"$dir/prometheus.yml" <<CONFIG
global: {scrape_interval: 250ms, scrape_timeout: 250ms, evaluation_interval: 1s}
rule_files: [$source/docker/alerts.yaml]
scrape_configs:
  - job_name: sudokud
    static_configs: [{targets: ["127.0.0.1:$port"]}]
CONFIG
prometheus --config.file="$dir/prometheus.yml" --storage.tsdb.path="$dir/data" \
    --web.listen-address=127.0.0.1:0 --log.level=info 2>"$dir/prometheus.log" &
pids+=($!)
for _ in $(seq 100); do
    api=$(sed -n 's/.*msg="Listening on" address=\([0-9.:]*\).*/\1/p' "$dir/prometheus.log")
    [ -n "$api" ] && curl -sf "http://$api/-/ready" >"$dir/answer" && break
    sleep 0.1
done
[ -n "$api" ] || { fail "Prometheus does not start: $(cat "$dir/prometheus.log")"; exit 1; }

# ask QUERY: prints what Prometheus answers.
ask() {
    curl -s "http://$api/api/v1/query" --data-urlencode "query=$1"
}

# A rate needs two scrapes, and a counter that is new in the second would have none.
sleep 1
for _ in $(seq 20); do
    drive_server
    sleep 0.1
done
sleep 1

ask 'up{job="sudokud"}' | grep -q '"value":\[[0-9.]*,"1"\]' || fail "not up: $(ask up)"
ask 'scrape_samples_scraped' | grep -q '"result":\[{' || fail "no scrape"
ask 'min_over_time(up[1h])' | grep -q ',"1"\]' || fail "a scrape failed: $(ask 'min_over_time(up[1h])')"
sent=$(ask 'sudokud_http_requests_total{route="/solve",method="POST",status="200"}')
grep -q '"value":\[[0-9.]*,"63"\]' <<<"$sent" || fail "63 requests were sent, not: $sent"

# The variables of the dashboard are what Grafana would make of them.
queries=0
while IFS= read -r query; do
    query=$(sed 's/\\"/"/g; s/\$__rate_interval/3s/g; s/\$job/.*/g; s/\$instance/.*/g' <<<"$query")
    answer=$(ask "$query")
    queries=$((queries + 1))
    grep -q '"status":"success".*"result":\[{' <<<"$answer" || fail "$query: $answer"
done < <(sed -n 's/^ *"expr": "\(.*\)",\?$/\1/p' "$source/docker/grafana-dashboard.json")
[ "$queries" -gt 20 ] || fail "the dashboard's queries were not found"

rules=$(curl -s "http://$api/api/v1/rules")
healthy=$(grep -o '"health":"ok"' <<<"$rules" | wc -l)
[ "$healthy" -eq 5 ] || fail "$healthy rules of 5 are healthy: $rules"
ask 'ALERTS' | grep -q '"result":\[\]' || fail "there is an alert: $(ask ALERTS)"
[ "$failed" -eq 0 ] && echo "all passed: $queries queries, $healthy rules"
exit "$failed"
