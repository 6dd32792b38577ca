#!/usr/bin/env bash
# The program needs nothing but its libraries: no environment, no right, no file to write to, no
# /dev, /proc or /etc. Needs root to arrange that, and is skipped elsewhere. Usage: test_bare.sh SUDOKUD
set -u
sudokud=$1
source "$(dirname "$0")/program.sh"

[ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null || {
    echo "skipped: needs root and mounts of its own"
    exit 77
}

root=$dir/root
mkdir -m 755 "$root"
cp "$sudokud" "$root/sudokud"
for library in $(ldd "$sudokud" | grep -o '/[^ ]*'); do
    mkdir -p "$root/$(dirname "$library")"
    cp -L "$library" "$root/$library"
done
# Where the root can be written to nevertheless, the program is not started.
# shellcheck disable=SC2016
launcher=(unshare -m bash -c '
    mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && ! touch "$0/file" 2>/dev/null &&
        exec chroot --userspec=65534:65534 "$0" /usr/bin/env -i "$@"' "$root")
mkdir -p "$root/usr/bin"
cp "$(command -v env)" "$root/usr/bin/env"
sudokud=/sudokud

start --access-log
[ "$(stat -c %u "/proc/$pid")" -eq 65534 ] || fail "runs as another user"
[ "$(tr -d '\0' <"/proc/$pid/environ" | wc -c)" -eq 0 ] || fail "has an environment"
answer=$(curl -s -m 20 "http://127.0.0.1:$port/solve" -H 'Content-Type: text/plain' \
    -d 530070000600195000098000060800060003400803001700020006060000280000419005000080079)
[ "$answer" = 534678912672195348198342567859761423426853791713924856961537284287419635345286179 ] ||
    fail "answers '$answer'"
for path in / /openapi.yaml /readyz; do
    curl -sf -m 20 -o "$dir/out" "http://127.0.0.1:$port$path" || fail "$path is not answered"
done
stop TERM

[ "$failed" -eq 0 ] && echo "all passed"
exit "$failed"
