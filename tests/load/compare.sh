# Drives sudokud and another server with wrk, in turn; sourced after common.sh.
# `own_pid`, `own_port`, `other_pid` and `other_port` say where they are.
#
# Figures are medians over the pairs of runs, ratios the medians of each pair's ratio.
# PIN=0 lets the kernel place everything and gives the servers a thread for each CPU; else they have
# one thread and CPU 0, and the client has CPU 1.
if [ "${PIN:-1}" = 1 ]; then
    threads=1 on_server=(taskset -c 0) on_client=(taskset -c 1)
else
    threads=$(nproc) on_server=() on_client=()
fi

# start_own [FLAG...]: sudokud, as the other server is started.
start_own() {
    start_server "${on_server[@]}" "$build/sudokud" --port 0 --threads "$threads" \
        --workers "$threads" "$@"
    own_pid=$pid own_port=$port
}

# start_bare KIND [FLAG...]: the bare server, with sudokud's answer to this kind.
start_bare() {
    local kind=$1
    shift
    ask "$own_port" "$kind" >"$dir/answer"
    start_server "${on_server[@]}" "$build/bare_server" --answer "$dir/answer" \
        --threads "$threads" "$@"
    other_pid=$pid other_port=$port
    ask "$other_port" "$kind" >"$dir/bare"
    [ "$(wc -c <"$dir/bare")" = "$(wc -c <"$dir/answer")" ] || die "the answers differ in size"
}

# drive PID PORT KIND CONNECTIONS: prints requests/s, p50, p99, CPU us a request.
drive() {
    local body=() before after figures
    [ "$3" = get ] || body=("$dir/$3")
    before=$(cpu_us "$1")
    "${on_client[@]}" wrk -t 1 --timeout 10s -c "$4" -d "$seconds" -s "$here/wrk.lua" \
        "http://127.0.0.1:$2$(path_of "$3")" -- "${body[@]}" >"$dir/wrk"
    after=$(cpu_us "$1")
    figures=$(sed -n 's/^FIGURES //p' "$dir/wrk")
    [ "${figures##* }" = 0 ] || die "$3: ${figures##* } requests failed"
    awk -v cpu=$((after - before)) '{ printf "%.0f %d %d %.2f\n", $1 * 1e6 / $2, $3, $4, cpu / $1 }' \
        <<<"$figures"
}

# print_head NAME: the head of the table, where the other server has this name.
print_head() {
    echo "us: of the clients at p50 and p99; cpu: of the server, us a request; ratio: of requests/s,"
    echo "and of cpu ($1 / sudokud)"
    printf '%-9s %5s | %-30s | %-30s | %s\n' '' '' "$1" sudokud ratio
    printf '%-9s %5s | %8s %6s %7s %6s | %8s %6s %7s %6s | %5s %5s\n' request conns \
        req/s p50 p99 cpu req/s p50 p99 cpu req/s cpu
}

# compare KIND CONNECTIONS PAIRS: a row of the table.
compare() {
    local pair
    : >"$dir/pairs"
    for pair in $(seq "$3"); do
        echo "$(drive "$other_pid" "$other_port" "$1" "$2")" \
            "$(drive "$own_pid" "$own_port" "$1" "$2")" >>"$dir/pairs"
    done
    column() {
        median $(awk "{ print $1 }" "$dir/pairs")
    }
    printf '%-9s %5d | %8.0f %6.0f %7.0f %6.2f | %8.0f %6.0f %7.0f %6.2f | %5.2f %5.2f\n' \
        "$1" "$2" "$(column '$1')" "$(column '$2')" "$(column '$3')" "$(column '$4')" \
        "$(column '$5')" "$(column '$6')" "$(column '$7')" "$(column '$8')" \
        "$(column '$5 / $1')" "$(column '$4 / $8')"
}
