#!/usr/bin/env bash
# sudokud beside Node's own HTTP server, which reads and writes the same JSON and solves nothing.
# Usage: node.sh BUILD-FOLDER. One process each, both on CPU 0; wrk on CPU 1.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$1
PIN=1
. "$here/compare.sh"
need_tool wrk wrk
need_tool node nodejs
pairs=${PAIRS:-5} seconds=${SECONDS_EACH:-2} connections=${CONNECTIONS:-64}
[ "${QUICK:-0}" = 1 ] && pairs=${PAIRS:-3} seconds=${SECONDS_EACH:-1}
read -ra kinds <<<"${KINDS:-array string}"
read -ra own_flags <<<"${SUDOKUD:-}"

write_bodies
start_own "${own_flags[@]}"
start_server "${on_server[@]}" node "$here/node_server.mjs"
other_pid=$pid other_port=$port
# Node compiles what is called often: not while it is measured.
for kind in "${kinds[@]}"; do
    drive "$other_pid" "$other_port" "$kind" 64 >"$dir/warm"
done
echo "$pairs pairs of $seconds s; node $(node --version)"
print_head node
for kind in "${kinds[@]}"; do
    for count in $connections; do
        compare "$kind" "$count" "$pairs"
    done
done
stop_server "$own_pid"
stop_server "$other_pid"
