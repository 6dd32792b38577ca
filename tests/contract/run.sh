#!/usr/bin/env bash
# Holds openapi.yaml against a running server. Usage: run.sh SUDOKUD SOURCE FOLDER
# The npm packages go to FOLDER. Without a network the exit code is 77, skipped, and FOLDER/skipped
# says why; with SUDOKU_CONTRACT=required it is 1.
set -euo pipefail
sudokud=$(realpath "$1") source=$(realpath "$2") folder=$3

mkdir -p "$folder"
rm -f "$folder/skipped"
if ! cmp -s "$source/tests/contract/package-lock.json" "$folder/installed-lock.json"; then
    cp "$source"/tests/contract/package{,-lock}.json "$folder"
    if ! (cd "$folder" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
        --prefer-offline --fetch-retries=4 --fetch-timeout=60000); then
        echo "The contract test did not run: npm could not fetch its packages." |
            tee "$folder/skipped"
        [ "${SUDOKU_CONTRACT:-}" = required ] && exit 1
        exit 77
    fi
    cp "$folder/package-lock.json" "$folder/installed-lock.json"
fi

cp "$source"/tests/contract/{*.mjs,redocly.yaml} "$folder"
cd "$folder"
REDOCLY_TELEMETRY=off node_modules/.bin/redocly lint --config redocly.yaml "$source/openapi.yaml" 2>&1 ||
    { echo "FAILED: openapi.yaml does not pass the lint"; exit 1; }
exec node contract.mjs "$sudokud" "$source"
