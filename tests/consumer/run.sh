#!/usr/bin/env bash
# Installs what was built, and builds a program of somebody else with it.
# Usage: run.sh CMAKE BUILD-FOLDER COMPILER COMPILER-FLAGS
set -eu
cmake=$1 build=$(realpath "$2") compiler=$3 flags=$4
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAILED: $*"
    exit 1
}

"$cmake" --install "$build" --prefix "$dir/installed" >"$dir/log" || fail "$(cat "$dir/log")"
grep -rlF "$build" "$dir/installed/lib" --include='*.cmake' && fail "the package names the build folder"

"$cmake" -S "$here" -B "$dir/build" "-DCMAKE_PREFIX_PATH=$dir/installed" "-DCMAKE_C_COMPILER=$compiler" \
    "-DCMAKE_C_FLAGS=$flags" >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"
"$cmake" --build "$dir/build" >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"
got=$("$dir/build/consumer" 530070000600195000098000060800060003400803001700020006060000280000419005000080079)
[ "$got" = 534678912672195348198342567859761423426853791713924856961537284287419635345286179 ] ||
    fail "it prints $got"

# The server, if there is one, runs from there, and its units are beside it.
if [ -e "$build/sudokud" ]; then
    "$dir/installed/bin/sudokud" --version | grep -q '^sudokud ' || fail "the installed server does not run"
    [ -s "$dir/installed/lib/systemd/system/sudokud.service" ] || fail "there is no unit"
fi
echo "the installed library is of use to another program"
