#!/usr/bin/env bash
# Holds openapi.yaml against a running server. Usage: run.sh SUDOKUD SOURCE FOLDER
# The npm packages go to FOLDER; npm_packages.sh says what happens without a network.
set -euo pipefail
sudokud=$(realpath "$1") source=$(realpath "$2") folder=$3

. "$source/tests/npm_packages.sh"
fetch_packages "$source/tests/contract" "$folder" contract

cp "$source"/tests/contract/{*.mjs,redocly.yaml} "$folder"
cd "$folder"
REDOCLY_TELEMETRY=off node_modules/.bin/redocly lint --config redocly.yaml "$source/openapi.yaml" 2>&1 ||
    { echo "FAILED: openapi.yaml does not pass the lint"; exit 1; }
exec node contract.mjs "$sudokud" "$source"
