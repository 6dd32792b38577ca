#!/usr/bin/env bash
# What the measurements rely on: the bare server gives sudokud's answer byte for byte in each of its
# modes, and the generators count what was answered.
# Usage: test_tools.sh BUILD-FOLDER
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$1
PIN=0
. "$here/compare.sh"

# is WHAT EXPECTED ACTUAL
is() {
    [ "$2" = "$3" ] || die "$1: expected \"$2\", got \"$3\""
}

# send PATH KIND: 1,000 requests over 4 connections.
send() {
    "$build/open_loop" "$own_port" 1000 1 4 "$1" "$dir/$2" >"$dir/open_loop"
}

write_bodies
start_own
for kind in "${kinds[@]}"; do
    for flags in "--mode poll" "--mode epoll --memory 4096" "--mode loop --threads 2" --fresh; do
        # shellcheck disable=SC2086
        start_bare "$kind" $flags
        # The date may have changed meanwhile, and its place in the head is the library's.
        is "the bare server ($flags), $kind" "$(grep -v '^Date' "$dir/answer")" \
            "$(grep -v '^Date' "$dir/bare")"
        stop_server "$other_pid"
    done
done
send /solve array
is "answered" 1000 "$(figure answered)"
send /nowhere get
is "refused" 1000 "$(figure refused)"
is "none is 200" 0 "$(figure answered)"

"$build/hold" "$own_port" 20 >"$dir/held" &
holder=$!
pids+=("$holder")
until [ -s "$dir/held" ]; do
    kill -0 "$holder" 2>/dev/null || die "hold ended"
    sleep 0.02
done
is "held" "held 20" "$(cat "$dir/held")"
is "open connections" 20 "$(($(find "/proc/$holder/fd" -lname 'socket:*' | wc -l)))"
stop_server "$holder"

puzzles=$here/../data/puzzles/17_clue_sample.txt
"$build/soak" "$own_port" "$own_pid" 2 "$puzzles" >"$dir/soak" || die "soak: $(cat "$dir/soak")"
start_bare string
! "$build/soak" "$other_port" "$other_pid" 1 "$puzzles" >"$dir/soak" 2>&1 ||
    die "soak: one and the same answer to everything is fine"
stop_server "$other_pid"

us=$("$build/first_answer" "$build/sudokud" --threads 1)
[ "$us" -gt 0 ] || die "first_answer printed \"$us\""
! "$build/first_answer" "$build/sudokud" --no-such-flag 2>"$dir/none" || die "no server, yet an answer"
stop_server "$own_pid"
echo "the load tools work"
