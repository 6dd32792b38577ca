#!/usr/bin/env bash
# The shape of the code: layers include only earlier ones, each foreign header has one home, and the
# core needs nothing of a system but the few functions a compiler takes for granted.
# Usage: structure.sh SOURCE-FOLDER LIBSUDOKU
set -u
cd "$1" || exit 1
library=$2
failed=0

# none WHAT GREP-ARGUMENT...: nothing may be found.
none() {
    local what=$1 found
    shift
    found=$(grep -rnE "$@" 2>&1)
    [ $? -eq 1 ] && return # nothing found; 2 would be a folder that is not there
    printf 'FAILED: %s\n%s\n' "$what" "$found"
    failed=1
}

none "the core includes a later layer" '#include "(\.\./)?(api|server)/' src/core include
none "the API includes the server" '#include "(\.\./)?server/' src/api
none "the core includes threads, sockets or libraries" \
    '#include <(pthread|threads|stdio|stdlib|time|unistd|sys/.*|cjson/.*|microhttpd|errno)\.h>' \
    src/core include
none "the API includes threads or sockets" '#include <(pthread|threads|unistd|sys/.*|poll)\.h>' src/api
none "cJSON has another home than decode_json.c" --exclude=decode_json.c 'cJSON\.h' src include
none "libmicrohttpd has another home than http*.[ch]" --exclude='http*.[ch]' '#include <microhttpd\.h' src include
# A clock that is put forward or back must not end a search or a connection.
none "the time of day is used for more than the log, dates, the time of the start and a seed" \
    --exclude=log.c --exclude=date.c --exclude=process.c --exclude=request_id.c \
    'CLOCK_REALTIME|\<gettimeofday\>|\<time\((NULL|&)|\<timespec_get\>' src
none "a condition waits by the time of day" --exclude=reaper.c 'pthread_cond_(timed|clock)wait' src

# What the sandbox is made with, the unit must allow; systemd's groups of calls have it not.
for call in $(grep -oE 'syscall\(SYS_\w+' src/server/sandbox.c | sed 's/.*SYS_//' | sort -u); do
    grep -qE "^SystemCallFilter=([^~].* )?$call( |\$)" src/server/sudokud.service && continue
    echo "FAILED: sudokud.service does not allow $call"
    failed=1
done

if command -v nm >/dev/null; then
    # With sanitizers or coverage the library needs their runtime too, which is no news.
    extra=$(nm -u "$library" | awk 'NF == 2 { print $2 }' | sort -u |
        grep -vE '^(mem(cpy|set|cmp|move|chr)|str(cmp|len)|__assert_fail|__stack_chk_fail|__mem(cpy|set|move)_chk|__cpu_model|__popcountdi2|__cpu_indicator_init|_GLOBAL_OFFSET_TABLE_|sudoku_.*|text_.*)$' |
        grep -vE '^(__asan|__ubsan|__tsan|__gcov|__sanitizer|_?_?llvm)')
    if [ -n "$extra" ]; then
        echo "FAILED: the core needs:" $extra
        failed=1
    fi
fi
[ "$failed" -eq 0 ] && echo "the layers are in order"
exit "$failed"
