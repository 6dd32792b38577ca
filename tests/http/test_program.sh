#!/usr/bin/env bash
# The program from outside: exit codes, messages, signals. Usage: test_program.sh SUDOKUD
set -u
sudokud=$1
source "$(dirname "$0")/program.sh"

# expect_exit CODE WORDS ARGUMENT...: exits with it and says the words in one line on stderr.
expect_exit() {
    local code=$1 words=$2
    shift 2
    timeout 10 "$sudokud" "$@" >"$dir/out" 2>"$dir/err"
    local got=$?
    [ "$got" -eq "$code" ] || fail "exit $got, not $code: $*"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || fail "not one line: $* says $(cat "$dir/err")"
    grep -qF -- "$words" "$dir/err" || fail "$* does not say '$words' but $(cat "$dir/err")"
}

"$sudokud" --help >"$dir/out" 2>"$dir/err" || fail "--help fails"
grep -q -- --drain-delay "$dir/out" || fail "--help does not list --drain-delay"
[ -s "$dir/err" ] && fail "--help writes to stderr"
"$sudokud" --version | grep -qE '^sudokud [0-9]+\.[0-9]+\.[0-9]+$' || fail "--version"

expect_exit 2 '--port: "70000" is not allowed; allowed is 0 to 65535' --port 70000
expect_exit 2 '--threads: "many" is not allowed; allowed is 0 to 256' --threads=many
expect_exit 2 '--timeout: "" is not allowed' --timeout
expect_exit 2 '--isa: "abacus" is not allowed; allowed on this CPU is auto, reference' --isa abacus
expect_exit 2 '--colour: unknown' --colour
expect_exit 1 '--host: cannot resolve "no such host"' --host 'no such host' --port 0
# What is said stays on one line, whatever is in it.
expect_exit 1 '--host: cannot resolve "a?b?[31m"' --host $'a\nb\e[31m' --port 0
expect_exit 1 'cannot resolve "a?b?[31m"' --healthcheck --host $'a\nb\e[31m'
SUDOKUD_PORT=tcp://10.0.0.1:80 expect_exit 2 'SUDOKUD_PORT: "tcp://10.0.0.1:80" is not allowed' --port 0
SUDOKUD_PORT=x "$sudokud" --help | grep -q -- --drain-delay || fail "no help for a bad variable"
SUDOKUD_PORT=x "$sudokud" --version | grep -q '^sudokud ' || fail "no version for a bad variable"
SUDOKUD_QUEUE=-1 expect_exit 2 'SUDOKUD_QUEUE: "-1" is not allowed; allowed is 1 to 1000000'

# More connections than files: the soft limit is raised as far as the hard one lets it.
(
    ulimit -n 200
    expect_exit 1 '--max-connections: "200" is not allowed; allowed is at most 133' \
        --max-connections 200 --threads 1 --port 0
    exit "$failed"
) || failed=1
ulimit -Sn 200
start --max-connections 134 --threads 1
stop TERM
start --max-connections 300 --threads 1
stop TERM

start
curl -sf "http://127.0.0.1:$port/readyz" >/dev/null || fail "does not answer"
expect_exit 1 'Address already in use' --port "$port"
"$sudokud" --healthcheck --port "$port" || fail "a server that is ready is not well"
SUDOKUD_HOST=0.0.0.0 SUDOKUD_PORT=$port "$sudokud" --healthcheck || fail "not well over loopback"
stop TERM
expect_exit 1 "127.0.0.1 port $port does not answer: Connection refused" --healthcheck --port "$port"
expect_exit 2 '--healthcheck: needs the port' --healthcheck --port 0

# Each thread is confined, where the kernel and the build know how to.
start --sandbox
if grep -q '"event":"unconfined".*"calls":true' "$dir/log"; then
    echo "left out: $(grep '"event":"unconfined"' "$dir/log")"
else
    for task in /proc/"$pid"/task/*; do
        grep -q '^Seccomp:[[:space:]]2$' "$task/status" || fail "a thread is not confined"
    done
fi
stop TERM
start --sandbox=false
grep -q '^Seccomp:[[:space:]]2$' "/proc/$pid/status" && fail "confined against its will"
grep -q '"unconfined"' "$dir/log" && fail "says what it was told"
stop TERM
start --access-log
stop INT

# A stop finishes the search that has begun, and logs every request.
start --access-log
empty=$(printf '%081d' 0)
curl -s "http://127.0.0.1:$port/solve" -H 'Content-Type: application/json' \
    -d "{\"puzzle\":\"$empty\",\"max_solutions\":50000}" >"$dir/answer" &
client=$!
sleep 0.2
stop TERM
wait "$client" || fail "the client of a stopping server got no answer"
grep -q '"solution_count":50000,' "$dir/answer" || fail "answer: $(cat "$dir/answer")"
grep -q '"event":"request".*"path":"/solve","route":"/solve","status":200' "$dir/log" || fail "no access log"

# While it drains it serves and says that it is not ready; a second signal ends the delay.
start --drain-delay 100s
kill -TERM "$pid"
for _ in $(seq 100); do
    code=$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/readyz")
    [ "$code" = 503 ] && break
    sleep 0.1
done
[ "$code" = 503 ] || fail "/readyz says $code while draining"
curl -sf "http://127.0.0.1:$port/livez" >/dev/null || fail "does not serve while draining"
expect_exit 1 "127.0.0.1 port $port is not ready: 503" --healthcheck --port "$port"
stop TERM

[ "$failed" -eq 0 ] && echo "all passed"
exit "$failed"
