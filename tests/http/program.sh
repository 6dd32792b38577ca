# For tests that run the program: to be sourced, with `sudokud` set to its path.
. "$(dirname "${BASH_SOURCE[0]}")/../listening.sh"
dir=$(mktemp -d)
pid=
port=
clients=()
failed=0
# Not where the shell has forked to start a program, and is ended before it has.
leave() {
    [ "$BASHPID" -eq $$ ] || return
    [ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
    [ ${#clients[@]} -gt 0 ] && kill "${clients[@]}" 2>/dev/null
    rm -rf "$dir"
}
trap leave EXIT

fail() {
    echo "FAILED: $*"
    failed=1
}

# What the program is started by, if by anything.
launcher=()

# start ARGUMENT...: starts it in the background and waits until it listens; sets pid and port.
start() {
    : >"$dir/log" # or the port of the one before could be read
    "${launcher[@]}" "$sudokud" --port 0 "$@" 2>"$dir/log" &
    pid=$!
    port=$(port_in "$dir/log") || fail "does not listen: $*: $(cat "$dir/log")"
}

# stop SIGNAL: sends it and wants exit code 0.
stop() {
    kill "-$1" "$pid"
    wait "$pid"
    local got=$?
    [ "$got" -eq 0 ] || fail "exit $got after $1"
    pid=
}
