#!/usr/bin/env bash
# What a Release build is hardened with, read from the program itself. The compiler's flags are
# looked up where a program does not show them. Usage: hardened.sh SUDOKUD COMPILE-COMMANDS
set -u
program=$1
commands=$2
failed=0

# has WHAT WORDS: some line of stdin has them.
has() {
    grep -E -- "$2" >/dev/null && return
    echo "FAILED: $1: nothing has '$2'"
    failed=1
}

command -v readelf >/dev/null && command -v objdump >/dev/null || {
    echo "skipped: no readelf or objdump"
    exit 77
}
header=$(readelf -hW "$program")
segments=$(readelf -lW "$program")
dynamic=$(readelf -dW "$program")
symbols=$(readelf --dyn-syms -W "$program")
code=$(objdump -d --no-show-raw-insn "$program")

has "position-independent" 'Type: +DYN' <<<"$header"
has "position-independent" 'FLAGS_1.*PIE' <<<"$dynamic"
has "relocations are read-only" 'GNU_RELRO' <<<"$segments"
has "all of them, from the start on" 'FLAGS_1.*NOW' <<<"$dynamic"
has "a stack that is not executable" 'GNU_STACK.* RW ' <<<"$segments"
grep -E '(LOAD|GNU_STACK).* RWE ' <<<"$segments" && failed=1 && echo "FAILED: writable and executable"
grep -E 'TEXTREL' <<<"$dynamic" && failed=1 && echo "FAILED: code is relocated"
has "functions check the stack" '__stack_chk_fail' <<<"$symbols"
has "functions of strings and memory check the size" '__snprintf_chk|__vsnprintf_chk' <<<"$symbols"

# Each file is compiled with these.
files=0
while read -r line; do
    files=$((files + 1))
    for flag in -fPIE -D_FORTIFY_SOURCE=3 -fstack-protector-strong; do
        has "${line##* }" " $flag " <<<"$line"
    done
done < <(grep '"command".*/src/' "$commands" | sed 's/",$//')
[ "$files" -gt 30 ] || has "the files of src" "more than 30 commands" <<<"$files"

case $header in
*X86-64*)
    # Before a frame larger than a page is used, each of its pages is touched.
    has "large frames are probed" '(or|mov).* \$0x0,\(%rsp\)' \
        <<<"$(grep -A 1 'sub  *\$0x1000,%rsp' <<<"$code")"
    has "what may be jumped to begins with a mark" 'endbr64' <<<"$(grep -A 1 '<main>:' <<<"$code")"
    ;;
*AArch64*)
    has "what may be jumped to begins with a mark" 'paciasp|bti' <<<"$(grep -A 1 '<main>:' <<<"$code")"
    ;;
esac
[ "$failed" -eq 0 ] && echo "hardened"
exit "$failed"
