/* Whether a text is JSON to the letter of RFC 8259, and where and why it is not.
 *
 * It stands in front of cJSON, which is lenient: it takes leading zeros, raw control characters,
 * bytes that are not UTF-8 and more. A text that passes here is one cJSON can read, so that NULL
 * from cJSON then means out of memory and nothing else. (Upstream before 1.7.19 also gives NULL
 * for numbers of more than 63 characters, CVE-2023-26819; Debian's 1.7.15 has the fix.)
 *
 * Pure: no heap, no recursion, no state; any thread, any time. */
#ifndef SUDOKU_API_JSON_STRICT_H
#define SUDOKU_API_JSON_STRICT_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define JSON_MUST_USE __attribute__((warn_unused_result))
#else
#define JSON_MUST_USE
#endif

/* Arrays and objects within one another; cJSON recurses for each. */
enum { JSON_MAX_DEPTH = 32 };

/* Where and why a text was refused. */
struct json_fault {
    size_t offset;      /* bytes before the fault */
    unsigned line;      /* from 1; a line ends with LF */
    unsigned column;    /* from 1, in characters */
    const char *reason; /* a constant clause without quotes, backslashes or a full stop */
    bool is_json;       /* the text is JSON all the same, but cJSON would misread it */
};

/* Whether text is one JSON value with nothing but white space around it. It needs no NUL behind,
 * but is not NULL even if length is 0. Writes *ret_fault on failure only.
 *
 * The fault is the byte that can't stand where it stands; the first byte of what is wrong as a
 * whole (a word, half a surrogate pair, a broken UTF-8 sequence, a number that begins with 0); the
 * end of the text when that comes too early.
 *
 * Where RFC 8259 leaves a choice:
 * - refused: a byte order mark, nesting beyond JSON_MAX_DEPTH, and an escaped half of a surrogate
 *   pair, since it stands for no character and can't be written as UTF-8;
 * - refused although it is JSON: an escaped NUL, where cJSON would cut the string (is_json is set
 *   then, and only then; every other fault of the text comes first);
 * - accepted: numbers of any size and precision, which cJSON reads as the nearest double or an
 *   infinity.
 * Equal member names in one object are not looked for. */
JSON_MUST_USE bool json_strict_check(const char *text, size_t length, struct json_fault *ret_fault);

#endif
