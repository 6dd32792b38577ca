# To be sourced by a test that needs npm packages. fetch_packages TEST FOLDER WHAT: puts those that
# TEST/package-lock.json names in FOLDER, unless they are there. Without a network the exit code is
# 77, skipped, and FOLDER/skipped says so; with SUDOKU_CONTRACT=required it is 1.
fetch_packages() {
    local test=$1 folder=$2 what=$3
    mkdir -p "$folder"
    rm -f "$folder/skipped"
    cmp -s "$test/package-lock.json" "$folder/installed-lock.json" && return
    cp "$test"/package{,-lock}.json "$folder"
    if ! (cd "$folder" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
        --prefer-offline --fetch-retries=4 --fetch-timeout=60000); then
        echo "The $what test did not run: npm could not fetch its packages." | tee "$folder/skipped"
        [ "${SUDOKU_CONTRACT:-}" = required ] && exit 1
        exit 77
    fi
    cp "$folder/package-lock.json" "$folder/installed-lock.json"
}
