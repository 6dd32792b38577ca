#!/usr/bin/env bash
# sudoku-bench from outside: what it counts, its JSON, its exit codes. Times are not looked at.
# Usage: test_bench.sh SUDOKU-BENCH FOLDER-OF-PUZZLES
set -u
bench=$1 puzzles=$2
dir=$(mktemp -d)
failed=0
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAILED: $*"
    failed=1
}

# says WORDS ARGUMENT...: exits with 0 and prints the words.
says() {
    local words=$1
    shift
    "$bench" --seconds 0 "$@" >"$dir/out" 2>"$dir/err" || fail "exit $? of $*: $(cat "$dir/err")"
    grep -qE -- "$words" "$dir/out" || fail "$* does not print '$words' but $(cat "$dir/out")"
}

# refuses CODE WORDS ARGUMENT...: exits with the code and says the words in one line.
refuses() {
    local code=$1 words=$2
    shift 2
    "$bench" --seconds 0 "$@" >"$dir/out" 2>"$dir/err"
    local got=$?
    [ "$got" -eq "$code" ] || fail "exit $got, not $code: $*"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || fail "not one line: $* says $(cat "$dir/err")"
    grep -qF -- "$words" "$dir/err" || fail "$* does not say '$words' but $(cat "$dir/err")"
}

counts='"puzzles":201,"puzzles_per_second":[0-9.]+,"steps_per_puzzle":0\.[0-9]+,"unique":201,"multiple":0,"none":0'
for way in "" --single "--threads 2" "--threads 4" --first "--isa scalar" "--limit 5"; do
    # shellcheck disable=SC2086
    says "$counts" --json $way "$puzzles/17_clue_sample.txt"
done
says '"unique":0,"multiple":200,"none":0' --json "$puzzles/multi_solution_sample.txt"
says '"solvable":201' --json --limit 1 "$puzzles/17_clue_sample.txt"
says 'multi_solution_sample.txt +200 .* 200 +0$' "$puzzles"/*_sample.txt

printf '# a remark\n\n%081d\n' 0 >"$dir/empty"
says '"puzzles":1,.*"multiple":1' --json "$dir/empty"
printf '%081d\n%080d\n' 0 0 >"$dir/short"
refuses 2 'short, line 2' "$dir/short"
refuses 1 'nothing' "$dir/nothing"
refuses 2 '--threads' --threads many "$dir/empty"
refuses 2 'abacus' --isa abacus "$dir/empty"
refuses 2 '--colour' --colour "$dir/empty"
refuses 2 'needs a file'

[ "$failed" -eq 0 ] && echo "all passed"
exit "$failed"
