#!/usr/bin/env bash
# Builds the image, runs it as an operator would, calls it and stops it. Usage: image.sh [--twice]
# Builds with docker or podman where one works, else with buildah; ENGINE names another choice. Where
# Debian's image can't be had from a registry, mmdebstrap makes one of that name. --twice builds all
# anew two times and compares.
set -euo pipefail
cd "$(dirname "$0")/../.."
base=docker.io/library/debian:bookworm-slim
image=localhost/sudokud:test
dir=$(mktemp -d)
stop=(true)
cleanup() {
    "${stop[@]}" >/dev/null 2>&1 || true
    rm -rf "$dir"
}
trap cleanup EXIT

die() {
    echo "FAILED: $*" >&2
    exit 1
}

works() {
    command -v "$1" >/dev/null && "$1" info >/dev/null 2>&1
}

# Without systemd nobody makes cgroups for containers, and crun wants one kind of them only.
if [ ! -d /run/systemd/system ]; then
    cat >"$dir/containers.conf" <<END
[containers]
default_ulimits = ["nofile=16384:16384", "nproc=4096:4096"]
[engine]
$(command -v runc >/dev/null && echo 'runtime = "runc"')
cgroup_manager = "cgroupfs"
events_logger = "file"
END
    export CONTAINERS_CONF=$dir/containers.conf
fi

engine=${ENGINE:-}
for candidate in docker podman buildah; do
    [ -n "$engine" ] || ! works "$candidate" || engine=$candidate
done
[ -n "$engine" ] || die "needs docker, podman or buildah"
echo "engine: $engine"

make_base() {
    command -v mmdebstrap >/dev/null || die "no $base to be had; with mmdebstrap it could be made"
    echo "making $base with mmdebstrap"
    mmdebstrap --quiet --variant=minbase --customize-hook='chroot "$1" apt-get clean' \
        --customize-hook='rm -rf "$1"/var/lib/apt/lists/*' bookworm "$dir/base.tar"
    if [ "$engine" = buildah ]; then
        local container
        container=$(buildah from scratch)
        buildah add --quiet "$container" "$dir/base.tar" / >/dev/null
        buildah commit --quiet --rm "$container" "$base" >/dev/null
    else
        "$engine" import "$dir/base.tar" "$base" >/dev/null
    fi
    rm "$dir/base.tar"
}

"$engine" inspect --type image "$base" >/dev/null 2>&1 || timeout 60 "$engine" pull "$base" \
    >/dev/null 2>&1 || make_base

# build FLAG...: the time of the last commit is that of all files, so the same commit gives the same
# image.
build() {
    local epoch=0 revision=unknown version
    if git rev-parse -q --verify HEAD >/dev/null 2>&1; then
        epoch=$(git log -1 --format=%ct)
        revision=$(git rev-parse HEAD)
    fi
    version=$(sed -n 's/^project(sudokud VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
    local flags=(-f docker/Dockerfile -t "$image" --build-arg "SOURCE_DATE_EPOCH=$epoch"
        --build-arg "VERSION=$version" --build-arg "REVISION=$revision" "$@" .)
    case $engine in
    docker) docker build "${flags[@]}" ;;
    podman) podman build --isolation chroot --pull=never --format docker --timestamp "$epoch" "${flags[@]}" ;;
    buildah) buildah bud --isolation chroot --pull-never --format docker --timestamp "$epoch" "${flags[@]}" ;;
    esac >"$dir/build.log" 2>&1 || die "the build: $(tail -n 20 "$dir/build.log")"
}

# The hashes of its files. Its own name has more in it, such as names of what it was made from.
layers() {
    if [ "$engine" = buildah ]; then
        buildah inspect --type image --format '{{.OCIv1.RootFS.DiffIDs}}' "$image"
    else
        "$engine" inspect --type image --format '{{.RootFS.Layers}}' "$image"
    fi
}

if [ "${1:-}" = --twice ]; then
    build --no-cache
    first=$(layers)
    build --no-cache
    [ "$(layers)" = "$first" ] || die "built twice, it is two images: $first, $(layers)"
    echo "built twice: the same layers, $first"
else
    build
fi

# The port is free for now; who takes it meanwhile makes the start fail.
port=$((10000 + RANDOM % 22000))

# start_in_engine: with all that a careful operator takes away.
start_in_engine() {
    local network=(--network host -e SUDOKUD_HOST=127.0.0.1 -e "SUDOKUD_PORT=$port")
    [ "$engine" = podman ] || network=(-p "127.0.0.1:$port:8080")
    container=$("$engine" run -d "${network[@]}" --read-only --cap-drop ALL \
        --security-opt no-new-privileges --memory 256m --pids-limit 64 "$image" 2>"$dir/log") ||
        die "it does not start: $(cat "$dir/log")"
    stop=("$engine" rm -f "$container")
    pid=$("$engine" inspect --format '{{.State.Pid}}' "$container")
}

# start_by_hand: no container engine; the same root, read-only, in a mount namespace.
start_by_hand() {
    local root
    container=$(buildah from "$image")
    root=$(buildah mount "$container")
    unshare --mount sh -c 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" &&
        exec setpriv --no-new-privs chroot --userspec=65532:65532 "$1" /usr/bin/sudokud' \
        sh "$root" 2>"$dir/log" &
    pid=$!
    stop=(sh -c "kill -9 $pid; buildah rm $container")
}

export SUDOKUD_HOST=127.0.0.1 SUDOKUD_PORT=$port SUDOKUD_DRAIN_DELAY=1s
if [ "$engine" = buildah ]; then start_by_hand; else start_in_engine; fi
for _ in $(seq 100); do
    curl -sf -o /dev/null "http://127.0.0.1:$port/readyz" && break
    sleep 0.1
done

# Memory is what the engine left it.
if [ "$engine" != buildah ]; then
    "$engine" logs "$container" 2>&1 | grep -q '"memory":268435456,' || die "it does not see the limit of its memory"
    echo "knows how much memory it may use"
fi

easy=530070000600195000098000060800060003400803001700020006060000280000419005000080079
answer=$(curl -sf "http://127.0.0.1:$port/solve" -H 'Content-Type: application/json' \
    -d "{\"puzzle\":\"$easy\"}") || die "it does not answer: $(cat "$dir/log")"
case $answer in
'{"status":"unique","solution":"534678912672195348'*) echo "answers a puzzle" ;;
*) die "it answers $answer" ;;
esac

# Calls it can give up on every kernel, files since Linux 5.13.
if [ "$engine" = buildah ]; then cat "$dir/log"; else "$engine" logs "$container" 2>&1; fi >"$dir/said"
grep -q '"event":"unconfined".*"calls":true' "$dir/said" && die "the engine keeps it from confining itself"
echo "confines itself"

# What the kernel says of the process, where it is one of this machine.
if [ -r "/proc/$pid/status" ]; then
    grep -q '^Uid:[[:space:]]65532[[:space:]]65532' "/proc/$pid/status" || die "its user is not 65532"
    grep -q '^CapEff:[[:space:]]0*$' "/proc/$pid/status" || die "it has capabilities"
    grep -q '^NoNewPrivs:[[:space:]]1$' "/proc/$pid/status" || die "it may gain privileges"
    awk '$5 == "/" { print $6 }' "/proc/$pid/mountinfo" | tail -n 1 | grep -q '^ro' ||
        die "its root can be written to"
    echo "runs as user 65532, without capabilities, on a read-only root"
fi

case $engine in
docker) docker exec "$container" /usr/bin/sudokud --healthcheck || die "the health check" ;;
podman) podman healthcheck run "$container" >/dev/null || die "the health check" ;;
buildah) chroot "$(buildah mount "$container")" /usr/bin/sudokud --healthcheck || die "the health check" ;;
esac
echo "is healthy by its own account"

if [ "$engine" = buildah ]; then
    kill -TERM "$pid"
    code=0
    wait "$pid" || code=$?
    size=$(buildah images --format '{{.Size}}' "$image") base_size=$(buildah images --format '{{.Size}}' "$base")
else
    "$engine" stop -t 20 "$container" >/dev/null 2>&1
    code=$("$engine" inspect --format '{{.State.ExitCode}}' "$container")
    size=$("$engine" images --format '{{.Size}}' "$image") base_size=$("$engine" images --format '{{.Size}}' "$base")
fi
[ "$code" -eq 0 ] || die "it ended with exit code $code"
echo "stops with exit code 0"
echo "size: $size, on nothing; Debian's base alone is $base_size"
