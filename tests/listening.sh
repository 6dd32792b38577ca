# To be sourced by scripts that start the program with --port 0.

# port_in LOG: waits until the program that writes it listens, and prints its port. False: not yet
# after 10 seconds.
port_in() {
    local port
    for _ in $(seq 200); do
        port=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' "$1" 2>/dev/null)
        [ -n "$port" ] && echo "$port" && return
        sleep 0.05
    done
    return 1
}
