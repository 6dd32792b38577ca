#!/usr/bin/env bash
# Puzzles a second in batches over HTTP, as a ratio to the same file in sudoku-bench on two threads.
# The two take turns; printed are the medians. A body's time is that of its transfer by curl, which
# takes a third of the CPUs for itself; on a connection that is used again.
# Usage: batch.sh SUDOKUD SUDOKU-BENCH FILE [PAIRS]
set -euo pipefail
. "$(dirname "$0")/../listening.sh"
sudokud=$1 bench=$2 file=$3 pairs=${4:-5} rounds=5
dir=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid"; rm -rf "$dir"' EXIT

puzzles=$(wc -l <"$file")
split -d -l 10000 "$file" "$dir/part."

# One line of JSON for each file of lines.
strings() { sed 's/.*/"&"/' "$1" | paste -sd, | sed 's/.*/{"puzzles":[&]}/'; }
arrays() {
    sed 's/\./0/g; s/\(.\)/\1,/g; s/,$//; s/\(\(.,\)\{8\}.\),/\1],[/g; s/.*/[[&]]/' "$1" |
        paste -sd, | sed 's/.*/{"puzzles":[&]}/'
}
cp "$file" "$dir/text.0"
sed 's/.*/{"puzzle":"&"}/' "$file" >"$dir/ndjson.0"
for part in "$dir"/part.*; do
    strings "$part" >"$dir/strings.${part##*.}"
    arrays "$part" >"$dir/arrays.${part##*.}"
done

"$sudokud" --host 127.0.0.1 --port 0 --max-body 64m 2>"$dir/log" &
pid=$!
port=$(port_in "$dir/log") || { cat "$dir/log"; exit 1; }
url=http://127.0.0.1:$port/solve

# check KIND TYPE: every puzzle of the bodies of a kind is answered, and found unique.
check() {
    local body unique
    for body in "$dir/$1".*; do
        curl -s -o "$dir/answer" -H "Content-Type: $2" --data-binary "@$body" "$url"
        sed '/^{"results"/s/"status":/\n&/g' "$dir/answer"
    done >"$dir/answers"
    unique=$(grep -c '"status":"unique"\|^unique' "$dir/answers")
    [ "$unique" -eq "$puzzles" ] || {
        echo "batch.sh: $1: $unique of $puzzles are unique" >&2
        exit 1
    }
}

# send KIND TYPE: the seconds that the bodies of a kind take, one after the other, on a connection
# that has been used for the same before.
send() {
    local body round arguments=()
    for round in $(seq 0 "$rounds"); do
        for body in "$dir/$1".*; do
            arguments+=(--next -s -o /dev/null -w "$round %{time_total}\n"
                -H "Content-Type: $2" --data-binary "@$body" "$url")
        done
    done
    curl -s -o /dev/null "${url%/solve}/livez" "${arguments[@]}" |
        awk -v n="$rounds" '$1 > 0 { sum += $2 } END { print sum / n }'
}

cpu() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }

median() { sort -g | awk '{ a[NR] = $1 } END { print (NR % 2 ? a[(NR + 1) / 2] : (a[NR / 2] + a[NR / 2 + 1]) / 2) }'; }

kinds=(text ndjson strings arrays)
types=(text/plain application/x-ndjson application/json application/json)
for i in 0 1 2 3; do check "${kinds[i]}" "${types[i]}"; done
for _ in $(seq "$pairs"); do
    "$bench" --threads 2 --json "$file" | sed -n 's/.*"puzzles_per_second":\([0-9.]*\).*/\1/p' |
        awk -v n="$puzzles" '{ print n / $1 }' >>"$dir/bench"
    for i in 0 1 2 3; do
        before=$(cpu)
        send "${kinds[i]}" "${types[i]}" >>"$dir/seconds.${kinds[i]}"
        awk -v d="$(($(cpu) - before))" -v n="$rounds" 'BEGIN { print d / (n + 1) }' >>"$dir/cpu.${kinds[i]}"
    done
done

base=$(median <"$dir/bench")
printf '%-14s %10s %12s %8s %16s\n' '' ms puzzles/s ratio 'server CPU ms'
awk -v s="$base" -v n="$puzzles" 'BEGIN { printf "%-14s %10.1f %12.0f %8s\n", "sudoku-bench", s * 1000, n / s, "1" }'
for kind in "${kinds[@]}"; do
    awk -v s="$(median <"$dir/seconds.$kind")" -v b="$base" -v n="$puzzles" -v kind="$kind" \
        -v cpu="$(awk '{ sum += $1 } END { print sum * 10 / NR }' "$dir/cpu.$kind")" \
        'BEGIN { printf "%-14s %10.1f %12.0f %8.2f %16.0f\n", kind, s * 1000, n / s, b / s, cpu }'
done
awk '/VmHWM/ { printf "peak memory of the server: %.1f MiB\n", $2 / 1024 }' "/proc/$pid/status"
