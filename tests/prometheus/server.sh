# For the scripts beside it: a server with something to tell. Needs $sudokud and $dir; sets pids and
# port.
. "$(dirname "${BASH_SOURCE[0]}")/../listening.sh"
pids=()
failed=0
trap '[ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null; wait; rm -rf "$dir"' EXIT

fail() {
    echo "FAILED: $*"
    failed=1
}

start_server() {
    "$sudokud" --port 0 2>"$dir/log" &
    pids+=($!)
    port=$(port_in "$dir/log") && return
    fail "the server does not listen: $(cat "$dir/log")"
    exit 1
}

# One request of each kind.
drive_server() {
    local easy=530070000600195000098000060800060003400803001700020006060000280000419005000080079
    local url=http://127.0.0.1:$port
    curl -s "$url/solve" -d "$easy" -o "$dir/answer"
    printf '%s\n%s\n12345\n' "$easy" "$easy" | curl -s "$url/solve" --data-binary @- -o "$dir/answer"
    # A long search: it goes to the workers.
    curl -s "$url/solve?max_solutions=20000" -d "${easy//[1-9]/0}" -o "$dir/answer"
    for path in /validate?puzzle=12345 /nothing /livez /; do
        curl -s "$url$path" -o "$dir/answer"
    done
    curl -s -X BREW "$url/solve" -o "$dir/answer"
}
