#!/usr/bin/env bash
# How many CPU instructions sudokud takes for a request, by callgrind; the kernel's are not counted.
# Usage: instructions.sh BUILD-FOLDER, built with -g for names and files.
#
# Each kind of request is sent N times and, in a second run, 2 N times, over a connection that is
# kept open; the difference divided by N is a request without the start of the program. The counts
# hardly move from run to run. Valgrind knows no AVX-512: sudokud solves with AVX2 in it. It counts
# an instruction for each byte that one `rep stosb` clears, so large memsets look dearer than they are.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$1
need_tool valgrind valgrind
requests=${REQUESTS:-500} top=${TOP:-25} connections=${CONNECTIONS:-1}
[ "${QUICK:-0}" = 1 ] && requests=${REQUESTS:-100}
read -ra kinds <<<"${KINDS:-${kinds[*]}}"
read -ra own_flags <<<"${SUDOKUD:-}"
read -ra bare_flags <<<"${BARE:-}"

# count KIND REQUESTS PROGRAM [FLAG...]: prints the lines of callgrind.awk.
count() {
    local kind=$1 requests=$2
    shift 2
    start_server valgrind --tool=callgrind --callgrind-out-file="$dir/profile" -q "$@"
    # Due faster than it can answer, so one request is behind the other.
    "$build/open_loop" "$port" "$requests" 1 "$connections" "$(path_of "$kind")" "$dir/$kind" \
        >"$dir/open_loop"
    [ "$(figure answered)" = "$requests" ] || die "$kind: $(cat "$dir/open_loop")"
    ask "$port" "$kind" >"$dir/answer"
    stop_server "$pid"
    awk -f "$here/callgrind.awk" "$dir/profile"
}

# count_twice KIND PROGRAM [FLAG...]: into the files that `rows` reads.
count_twice() {
    local kind=$1
    shift
    count "$kind" "$requests" "$@" >"$dir/once"
    count "$kind" $((2 * requests)) "$@" >"$dir/twice"
}

# rows WHAT LINES: the figures of that name with the most instructions.
rows() {
    awk -F '\t' -v n="$requests" -v what="$1" '
        $1 == what { sum[$3 "\t" $4] += (FILENAME ~ /once$/ ? -1 : 1) * $2 }
        END { for (key in sum) if (sum[key] >= n) print sum[key] / n "\t" key }' \
        "$dir/once" "$dir/twice" | sort -rg | awk -v lines="$2" "NR <= lines"
}

report() {
    rows self 100000 | awk -F '\t' '{ all += $1; part[$2] += $1 } END {
        for (p in part) printf "%10.0f %5.1f %%  %s\n", part[p], 100 * part[p] / all, p | "sort -rn"
        close("sort -rn")
        printf "%10.0f          in all\n", all }'
    echo "  of which libc, with all it calls, by who calls it:"
    rows calls 1000 | awk -F '\t' '$2 == "libc" { printf "%10.0f          %s\n", $1, $3 }'
    echo "  the $top functions with the most by themselves:"
    rows self "$top" | awk -F '\t' '{ printf "%10.0f          %-40s %s\n", $1, $3, $2 }'
    echo "  the $top functions of sudokud with the most, with all they call:"
    rows whole 1000 | awk -F '\t' -v top="$top" '$2 ~ /^sudokud/ && top-- > 0 {
        printf "%10.0f          %-40s %s\n", $1, $3, $2 }'
}

write_bodies
for kind in "${kinds[@]}"; do
    count_twice "$kind" "$build/sudokud" --port 0 --threads 1 --workers 1 "${own_flags[@]}"
    echo "$kind: instructions a request; $requests requests"
    report
    cp "$dir/answer" "$dir/constant"
    count_twice "$kind" "$build/bare_server" --answer "$dir/constant" "${bare_flags[@]}"
    rows self 100000 | awk -F '\t' '{ all += $1 }
        END { printf "%10.0f          all that the bare server takes\n\n", all }'
done
