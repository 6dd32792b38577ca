#!/usr/bin/env bash
# Makes the Debian package and tries it on a bare Debian 12: installs it with what it depends on, runs
# it, calls it, and purges it. Usage: deb.sh BUILD-FOLDER, where the package stays. Needs root,
# mmdebstrap and a mirror.
set -euo pipefail
. "$(dirname "$0")/../listening.sh"
build=$(realpath "$1")
dir=$(mktemp -d)
pid=
cleanup() {
    [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true
    mountpoint -q "$dir/root/proc" && umount "$dir/root/proc"
    rm -rf --one-file-system "$dir"
}
trap cleanup EXIT

die() {
    echo "FAILED: $*" >&2
    exit 1
}

[ "$(id -u)" -eq 0 ] || die "needs root, for a Debian in a folder of its own"
rm -f "$build"/sudokud_*.deb
(cd "$build" && cpack >"$dir/cpack.log" 2>&1) || die "cpack: $(cat "$dir/cpack.log")"
package=$(echo "$build"/sudokud_*.deb)
echo "$package: $(stat -c %s "$package") bytes; needs$(dpkg-deb -f "$package" Depends | sed 's/^/ /')"

mmdebstrap --quiet --variant=minbase bookworm "$dir/root" >"$dir/mmdebstrap.log" 2>&1 ||
    die "mmdebstrap: $(tail "$dir/mmdebstrap.log")"
mount -t proc proc "$dir/root/proc"
cp "$package" "$dir/root/tmp/sudokud.deb"
# As on the machine that this runs on: the same mirrors and names.
cp /etc/resolv.conf "$dir/root/etc/resolv.conf"

inside() {
    chroot "$dir/root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

inside dpkg-query -W -f '${Package}\n' | sort >"$dir/before"
inside apt-get update -qq >"$dir/apt.log" 2>&1 || die "apt update: $(tail "$dir/apt.log")"
inside apt-get install -y --no-install-recommends /tmp/sudokud.deb >"$dir/apt.log" 2>&1 ||
    die "apt install: $(tail "$dir/apt.log")"
echo "installed, with $(comm -13 "$dir/before" <(inside dpkg-query -W -f '${Package}\n' | sort) | grep -vc '^sudokud$') libraries"
inside test -e /etc/systemd/system/multi-user.target.wants/sudokud.service || die "it is not enabled"

chroot --userspec=65534:65534 "$dir/root" /usr/bin/sudokud --port 0 2>"$dir/log" &
pid=$!
port=$(port_in "$dir/log") || die "it does not start: $(cat "$dir/log")"
answer=$(curl -sf "http://127.0.0.1:$port/solve" \
    -d 530070000600195000098000060800060003400803001700020006060000280000419005000080079) ||
    die "it does not answer"
[ "$answer" = 534678912672195348198342567859761423426853791713924856961537284287419635345286179 ] ||
    die "it answers $answer"
inside /usr/bin/sudokud --healthcheck --port "$port" || die "it is not well"
kill -TERM "$pid"
wait "$pid" || die "it ended with exit code $?"
pid=
echo "runs as nobody, answers, stops with exit code 0"

if command -v systemd-analyze >/dev/null; then
    # The units name no folder for the program; systemd looks for it where it is on this machine too.
    mkdir "$dir/units"
    cp "$dir"/root/usr/lib/systemd/system/sudokud.* "$dir/units"
    sed -i "s|^ExecStart=|ExecStart=$dir/root/usr/bin/|" "$dir/units/sudokud.service"
    systemd-analyze verify "$dir"/units/sudokud.* || die "systemd does not take the units"
    systemd-analyze security --offline=true --threshold=20 "$dir/units/sudokud.service" |
        tail -n 1 | sed 's/^→ //'
fi

inside apt-get purge -y sudokud >"$dir/apt.log" 2>&1 || die "apt purge: $(tail "$dir/apt.log")"
rest=$(cd "$dir/root" && find . -xdev -name '*sudokud*' ! -path './proc/*' ! -path './tmp/*' ! -path './var/log/*')
[ -z "$rest" ] || die "left behind: $rest"
echo "purged; nothing is left"
