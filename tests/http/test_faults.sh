#!/usr/bin/env bash
# The program where the machine is against it: nobody takes its log, signals at bad moments, and an end
# without warning. Usage: test_faults.sh SUDOKUD
set -u
sudokud=$1
source "$(dirname "$0")/program.sh"

puzzle=530070000600195000098000060800060003400803001700020006060000280000419005000080079
solved=534678912672195348198342567859761423426853791713924856961537284287419635345286179

# ask: solves the puzzle and wants the right answer.
ask() {
    local got
    got=$(curl -s -m 20 "http://127.0.0.1:$port/solve" --data-binary "$puzzle" \
        -H 'Content-Type: text/plain')
    [ "$got" = "$solved" ] || fail "$about: answered '$got'"
}

# ask_often: some thousand requests over one connection, each of which makes a line of the log.
ask_often() {
    local got
    got=$(curl -s -m 60 "http://127.0.0.1:$port/livez?[1-2000]" | grep -c '"live"')
    [ "$got" -eq 2000 ] || fail "$about: $got of 2000 were answered"
}

# start_unseen [ARGUMENT...]: starts it on the port of before, where its log cannot be read.
start_unseen() {
    "$sudokud" --port "$port" "$@" &
    pid=$!
    for _ in $(seq 100); do
        curl -s -o "$dir/out" "http://127.0.0.1:$port/livez" && return
        sleep 0.05
    done
    fail "$about: does not listen"
}

# ---- Nobody takes its log ----

start
stop TERM

about="stderr is closed"
start_unseen --access-log 2>&-
ask
ask_often
stop TERM

about="all three are closed"
start_unseen --access-log <&- >&- 2>&-
ask
stop TERM

about="stderr is full"
start_unseen --access-log 2>/dev/full
ask
ask_often
stop TERM

about="nobody reads stderr"
mkfifo "$dir/fifo"
exec 9<>"$dir/fifo"
start_unseen --access-log 2>"$dir/fifo"
ask_often # more than a pipe holds
ask
# What was lost is counted in the first line that finds room.
timeout 0.2 cat <&9 >"$dir/log"
ask
timeout 0.2 cat <&9 >>"$dir/log"
grep -q '"lines_lost":[1-9]' "$dir/log" || fail "$about: lost lines are not counted"
stop TERM
exec 9>&-

about="the reader of stderr has gone"
start_unseen --access-log 2> >(true)
ask_often
kill -PIPE "$pid"
ask
stop TERM

# ---- Signals ----

about="two signals at once"
start --drain-delay 100s --isa reference --max-steps 1000000000
curl -s -m 20 -o "$dir/answer" "http://127.0.0.1:$port/solve" -H 'Content-Type: application/json' \
    -d "{\"puzzle\":\"$(printf '%081d' 0)\",\"max_solutions\":1000000,\"max_steps\":1000000000}" &
client=$!
# Once it is being worked on, or already answered.
until curl -s "http://127.0.0.1:$port/metrics" | grep -q '^sudokud_workers_busy 1$'; do
    kill -0 "$client" 2>/dev/null || break
    sleep 0.02
done
kill -TERM "$pid"
kill -TERM "$pid"
kill -INT "$pid"
stop TERM
wait "$client" || fail "$about: the client got no answer"
grep -qE '/problems/shutting-down|"solution_count":1000000' "$dir/answer" ||
    fail "$about: $(cat "$dir/answer")"

# Either it has come as far as to stop in good order, or the signal ends it.
for ms in 00 01 02 03 04 05 06 08 10 12 15 20; do
    "$sudokud" --port 0 2>"$dir/log" &
    pid=$!
    sleep "0.0$ms"
    kill -TERM "$pid"
    wait "$pid"
    got=$?
    pid=
    [ "$got" -eq 0 ] || [ "$got" -eq 143 ] || fail "a signal after $ms ms: exit $got"
    [ "$got" -eq 143 ] || grep -q '"event":"stopped"' "$dir/log" || fail "a signal after $ms ms"
done

about="killed under load"
start
for i in 1 2; do
    curl -s "http://127.0.0.1:$port/solve?puzzle=$puzzle&max_steps=[1-100000]" -H 'Accept: text/plain' \
        >"$dir/load$i" 2>/dev/null &
    clients+=($!)
done
for _ in $(seq 100); do
    [ -s "$dir/load1" ] && [ -s "$dir/load2" ] && break
    sleep 0.05
done
kill -9 "$pid"
wait "$pid" 2>/dev/null
start_unseen 2>"$dir/log"
ask
for i in 1 2; do
    kill "${clients[i - 1]}" 2>/dev/null
    wait "${clients[i - 1]}" 2>/dev/null
    # The last may be cut.
    grep -qx "$solved" "$dir/load$i" || fail "$about: no answer before"
    head -n -1 "$dir/load$i" | grep -vxq "$solved" && fail "$about: a wrong answer"
done
clients=()
stop TERM

[ "$failed" -eq 0 ] && echo "all passed"
exit "$failed"
