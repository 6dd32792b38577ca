#!/usr/bin/env bash
# Holds the files in docker/ against what reads them. Usage: run.sh SOURCE FOLDER
# The npm packages go to FOLDER; npm_packages.sh says what happens without a network. HAProxy and
# Prometheus check their own files where they are installed.
set -euo pipefail
source=$(realpath "$1") folder=$2
PATH=$PATH:/usr/sbin

. "$source/tests/npm_packages.sh"
fetch_packages "$source/tests/deploy" "$folder" deploy

if command -v haproxy >/dev/null; then
    REPLICAS_NAME=localhost:8080 haproxy -c -f "$source/docker/haproxy.cfg"
    REPLICA_1=127.0.0.1:1 REPLICA_2=127.0.0.1:2 REPLICA_3=127.0.0.1:3 haproxy -c -f "$source/docker/haproxy.cfg"
fi
if command -v promtool >/dev/null; then
    promtool check config "$source/docker/prometheus.yml"
fi

cp "$source"/tests/deploy/*.mjs "$folder"
cd "$folder"
exec node deploy.mjs "$source"
