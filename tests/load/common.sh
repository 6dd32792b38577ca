# What the load scripts share; sourced, not run. Everything started by start_server or added to
# `pids` is ended, by its number, when the script ends.
dir=$(mktemp -d)
pids=()
trap 'kill -9 "${pids[@]}" 2>/dev/null || true; rm -rf "$dir"' EXIT
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

die() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

need_tool() {
    command -v "$1" >/dev/null || die "needs $1 (Debian package $2)"
}

# start_server PROGRAM [FLAG...]: sets `pid` and `port`; its log is "$dir/log.$pid".
start_server() {
    local log waited
    log=$(mktemp "$dir/start.XXXX")
    "$@" 2>"$log" >"$log.out" &
    pid=$!
    pids+=("$pid")
    for waited in $(seq 600); do
        port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' "$log" | head -n 1)
        [ -n "$port" ] && return
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.05
    done
    cat "$log" >&2
    die "$1 did not start (waited $waited times)"
}

# stop_server PID: of this or anything else in `pids`; its number may soon be another's.
stop_server() {
    local running=() one
    kill -TERM "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
    for one in "${pids[@]}"; do
        [ "$one" = "$1" ] || running+=("$one")
    done
    pids=("${running[@]}")
}

# How long the process has run on a CPU, in microseconds; the kernel counts in hundredths.
cpu_us() {
    awk -v tick="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000000 / tick }' \
        "/proc/$1/stat"
}

# median NUMBER...
median() {
    printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 } END {
        print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# figure NAME: what open_loop printed behind this name, into "$dir/open_loop"; "-" where it is not.
figure() {
    awk -v name="$1" '{ for (i = 1; i < NF; i++) if ($i == name) found = $(i + 1) }
        END { print found == "" ? "-" : found }' "$dir/open_loop"
}

# ---- The requests ----

# An easy puzzle, which takes no guess; the kinds of requests that ask for it.
puzzle=530070000600195000098000060800060003400803001700020006060000280000419005000080079
kinds=(array string get validate)

write_bodies() {
    local rows
    rows=$(sed 's/.\{9\}/[&],/g; s/[0-9]/&,/g; s/,\]/]/g; s/,$//' <<<"$puzzle")
    printf '{"puzzle":[%s]}' "$rows" >"$dir/array"
    printf '{"puzzle":"%s"}' "$puzzle" >"$dir/string"
    printf '{"puzzle":"%s"}' "$puzzle" >"$dir/validate"
    : >"$dir/get"
    # An empty grid has work for any budget.
    printf '{"puzzle":"%081d","max_solutions":1000000,"max_steps":50000}' 0 >"$dir/hard"
}

# path_of KIND
path_of() {
    case $1 in
    array | string | hard) echo /solve ;;
    get) echo "/solve?puzzle=$puzzle" ;;
    validate) echo /validate ;;
    *) die "no such kind of request: $1" ;;
    esac
}

# ask PORT KIND: one request, its answer with its head. Fails unless it is 200.
ask() {
    local body=()
    [ "$2" = get ] || body=(-H 'Content-Type: application/json' --data-binary "@$dir/$2")
    curl -sfi -m 10 "${body[@]}" "http://127.0.0.1:$1$(path_of "$2")"
}
