#!/usr/bin/env bash
# Which lines and branches the tests reached: those of each file, then of each folder. Fails where a
# folder has fewer lines than it should. Usage: coverage.sh BUILD-FOLDER, after the tests have run.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
failed=0

# Threads count side by side without atomic steps, which would make the searches too slow. A count
# that became negative by that is an error to gcovr; it leaves that branch out, and the log says so.
gcovr --gcov-ignore-parse-errors --root . --filter src/ --json "$build/coverage.json" \
    --txt "$build/coverage.txt" "$build" 2>"$build/coverage.log"
cat "$build/coverage.txt"

# folder NAME PERCENT: at least so many lines.
folder() {
    local summary code=0
    summary=$(gcovr --root . --add-tracefile "$build/coverage.json" --filter "src/$1/" \
        --fail-under-line "$2" --txt "$build/coverage.$1.txt" --print-summary) || code=$?
    printf '%-8s %s%s\n' "$1" "$(grep -E '^(lines|branches):' <<<"$summary" | paste -sd ' ')" \
        "$([ "$code" -eq 0 ] || echo "; at least $2% of lines are wanted")"
    [ "$code" -eq 0 ] || failed=1
}

folder core 95
folder api 95
folder server 90
folder web 80
folder bench 80
exit "$failed"
