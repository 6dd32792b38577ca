#!/usr/bin/env bash
# The README's examples: each block that calls curl is run against a real server, and must print the
# block that follows it, but for request ids. They run in one folder, in their order, so a file that
# one of them writes is there for the next. Usage: test_readme.sh SUDOKUD README
set -u
sudokud=$(realpath "$1") readme=$(realpath "$2")
. "$(dirname "$0")/../listening.sh"
dir=$(mktemp -d)
cd "$dir" || exit 1
pid=
trap '[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null; rm -rf "$dir"' EXIT

"$sudokud" --port 0 2>"$dir/log" &
pid=$!
port=$(port_in "$dir/log") || { cat "$dir/log"; exit 1; }

# Numbers the fenced blocks and puts each in a file.
awk -v dir="$dir" '/^```/ { if (open) open = 0; else { open = 1; n++ } next }
    open { print > (dir "/block" n) }' "$readme"

mask() {
    sed -E 's/"instance":"[0-9a-f]{16}"/"instance":"-"/'
}

ran=0 failed=0 n=1
while [ -e "$dir/block$n" ]; do
    if grep -q 'curl ' "$dir/block$n"; then
        sed "s/localhost:8080/127.0.0.1:$port/g" "$dir/block$n" >"$dir/command"
        bash "$dir/command" 2>&1 | mask >"$dir/printed"
        mask <"$dir/block$((n + 1))" >"$dir/expected"
        if ! diff -u "$dir/expected" "$dir/printed"; then
            echo "FAILED: $(cat "$dir/block$n")"
            failed=1
        fi
        ran=$((ran + 1))
        n=$((n + 1))
    fi
    n=$((n + 1))
done
[ "$ran" -ge 18 ] || { echo "FAILED: only $ran examples found"; failed=1; }
[ "$failed" -eq 0 ] && echo "all $ran examples print what the README says"
exit "$failed"
