#!/usr/bin/env bash
# What /metrics tells, against the dashboard and the rules in docker/: every metric that they name is
# there. Where promtool is, it checks the text and the rules too.
# Usage: check.sh SUDOKUD SOURCE
set -u
sudokud=$1 source=$2
dir=$(mktemp -d)
. "$(dirname "$0")/server.sh"

start_server
drive_server
curl -sf "http://127.0.0.1:$port/metrics" >"$dir/metrics" || fail "/metrics is not answered"
curl -sf -H 'Accept: application/openmetrics-text' "http://127.0.0.1:$port/metrics" >"$dir/open" ||
    fail "/metrics is not answered as OpenMetrics"
[ "$(tail -n 1 "$dir/open")" = '# EOF' ] || fail "the OpenMetrics text has no end"

# names FILE: the metrics that it names; a histogram by one of its series.
names() {
    grep -oE '\b(sudokud|process)_[a-z_]+' "$1" | sed 's/_duration_seconds$/&_count/' | sort -u
}

sed -nE 's/^([a-z_]+)[{ ].*/\1/p' "$dir/metrics" | sort -u >"$dir/real"
for file in grafana-dashboard.json alerts.yaml; do
    names "$source/docker/$file" >"$dir/named"
    [ "$(wc -l <"$dir/named")" -gt 5 ] || fail "$file names no metrics"
    unknown=$(comm -23 "$dir/named" "$dir/real")
    [ -z "$unknown" ] || fail "$file names what is no metric: $unknown"
done
# And those of the README.
sed -n '/^### What it tells/,/^### /p' "$source/README.md" | grep '^| `sudokud_' >"$dir/readme"
unknown=$(names "$dir/readme" | comm -23 - "$dir/real")
[ -z "$unknown" ] || fail "the README names what is no metric: $unknown"

if command -v promtool >/dev/null; then
    promtool check metrics <"$dir/metrics" || fail "promtool check metrics"
    promtool check rules "$source/docker/alerts.yaml" >"$dir/out" 2>&1 ||
        fail "promtool check rules: $(cat "$dir/out")"
    grep -q '5 rules found' "$dir/out" || fail "not five rules: $(cat "$dir/out")"
    cp "$source/docker/alerts.yaml" "$source/tests/prometheus/alerts.test.yaml" "$dir"
    promtool test rules "$dir/alerts.test.yaml" || fail "promtool test rules"
else
    echo "promtool is not installed; the text and the rules were not checked by it"
fi
[ "$failed" -eq 0 ] && echo "all passed"
exit "$failed"
