/* A reader that builds nothing: it walks the text once and stops at the first fault.
 *
 * Every read_ function starts at reader->at, moves it behind what it read and returns true, or
 * leaves it on the fault, sets the reason and returns false. All before reader->at is valid. */
#include "json_strict.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "compact_grid.h"
#include "utf8.h"

struct reader {
    const unsigned char *at;
    const unsigned char *end;
    const char *reason;
    const unsigned char *escaped_nul; /* the first one, if any */
    unsigned depth;
    uint32_t objects; /* a bit for each open bracket, the innermost lowest: 1 = object, 0 = array */
};

static_assert(JSON_MAX_DEPTH <= 32, "reader.objects has a bit for every level");

static bool fail(struct reader *reader, const unsigned char *at, const char *reason)
{
    reader->at = at;
    reader->reason = reason;
    return false;
}

/* Fails at the byte at, which is not the one that is due; broken UTF-8 is the better reason. */
static bool fail_unexpected(struct reader *reader, const unsigned char *at, const char *reason)
{
    return fail(reader, at, utf8_length(at, (size_t)(reader->end - at)) > 0 ? reason : "not UTF-8");
}

static const unsigned char *skip_space(const unsigned char *at, const unsigned char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

static bool is_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_letter(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static const unsigned char *skip_digits(const unsigned char *at, const unsigned char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

static bool read_number(struct reader *reader)
{
    const unsigned char *const end = reader->end;
    const unsigned char *const digits = reader->at + (*reader->at == '-');

    const unsigned char *at = skip_digits(digits, end);
    if (at == digits)
        return fail(reader, at, "a minus sign needs a digit behind it");
    if (*digits == '0' && at - digits > 1)
        return fail(reader, digits, "a number may not begin with 0");
    if (at < end && *at == '.') {
        const unsigned char *const fraction = at + 1;
        at = skip_digits(fraction, end);
        if (at == fraction)
            return fail(reader, at, "a decimal point needs a digit behind it");
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        const unsigned char *const exponent = at + (at < end && (*at == '+' || *at == '-'));
        at = skip_digits(exponent, end);
        if (at == exponent)
            return fail(reader, at, "an exponent needs a digit");
    }
    reader->at = at;
    return true;
}

static const char other_word[] = "the only words are true, false and null";

static bool read_word(struct reader *reader, const char *word)
{
    const unsigned char *at = reader->at;

    for (; at < reader->end && *word != '\0'; at++, word++) {
        if (*at != (unsigned char)*word)
            return fail(reader, reader->at, other_word);
    }
    if (*word != '\0')
        return fail(reader, at, "the text ends inside a word");
    reader->at = at;
    return true;
}

/* ---- Strings ---- */

static const char ends_in_string[] = "the text ends inside a string";

static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Whether all eight bytes are plain. No difference of a plain byte borrows from the next one, so
 * the first byte that is not plain always shows in its top bit. */
static bool are_plain(const unsigned char *at)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t bytes;

    memcpy(&bytes, at, sizeof bytes);
    const uint64_t controls = bytes - ones * 0x20;
    const uint64_t quotes = (bytes ^ ones * '"') - ones;
    const uint64_t backslashes = (bytes ^ ones * '\\') - ones;
    return ((bytes | controls | quotes | backslashes) & ones * 0x80) == 0;
}

static const unsigned char *skip_plain(const unsigned char *at, const unsigned char *end)
{
    while (end - at >= 8 && are_plain(at))
        at += 8;
    while (at < end && is_plain(*at))
        at++;
    return at;
}

/* The value of a hexadecimal digit; 16 if it is none. */
static unsigned hex_value(unsigned char byte)
{
    if (is_digit(byte))
        return byte - (unsigned)'0';
    if (byte >= 'a' && byte <= 'f')
        return byte - (unsigned)'a' + 10;
    if (byte >= 'A' && byte <= 'F')
        return byte - (unsigned)'A' + 10;
    return 16;
}

/* Reads a backslash, a u and the four digits of *ret_unit. */
static bool read_utf16_unit(struct reader *reader, unsigned *ret_unit)
{
    const unsigned char *at = reader->at + 2;
    unsigned unit = 0;

    for (unsigned i = 0; i < 4; i++, at++) {
        if (at == reader->end)
            return fail(reader, at, ends_in_string);
        const unsigned digit = hex_value(*at);
        if (digit > 15)
            return fail_unexpected(reader, at, "a u escape needs four hexadecimal digits");
        unit = unit << 4 | digit;
    }
    reader->at = at;
    *ret_unit = unit;
    return true;
}

static bool read_utf16_escape(struct reader *reader)
{
    const unsigned char *const start = reader->at;
    unsigned high;
    unsigned low;

    if (!read_utf16_unit(reader, &high))
        return false;
    if (high == 0 && reader->escaped_nul == NULL)
        reader->escaped_nul = start;
    if (high < 0xD800 || high > 0xDFFF)
        return true;

    static const char half_pair[] = "half of a surrogate pair";
    const unsigned char *const second = reader->at;
    if (high > 0xDBFF)
        return fail(reader, start, half_pair);
    if (second == reader->end || (*second == '\\' && second + 1 == reader->end))
        return fail(reader, reader->end, ends_in_string);
    if (second[0] != '\\' || second[1] != 'u')
        return fail(reader, start, half_pair);
    if (!read_utf16_unit(reader, &low))
        return false;
    return (low >= 0xDC00 && low <= 0xDFFF) || fail(reader, start, half_pair);
}

static bool read_escape(struct reader *reader)
{
    static const char letters[] = {'"', '\\', '/', 'b', 'f', 'n', 'r', 't'};
    const unsigned char *const second = reader->at + 1;

    if (second == reader->end)
        return fail(reader, second, ends_in_string);
    if (*second == 'u')
        return read_utf16_escape(reader);
    if (memchr(letters, *second, sizeof letters) == NULL)
        return fail_unexpected(reader, second, "there is no such escape in JSON");
    reader->at = second + 1;
    return true;
}

static bool read_character(struct reader *reader)
{
    const size_t length = utf8_length(reader->at, (size_t)(reader->end - reader->at));

    if (length == 0)
        return fail(reader, reader->at, "not UTF-8");
    reader->at += length;
    return true;
}

/* Reads a string from its first quotation mark on. */
static bool read_string(struct reader *reader)
{
    reader->at++;
    for (;;) {
        reader->at = skip_plain(reader->at, reader->end);
        if (reader->at == reader->end)
            return fail(reader, reader->at, ends_in_string);
        if (*reader->at == '"') {
            reader->at++;
            return true;
        }
        if (*reader->at < 0x20)
            return fail(reader, reader->at, "a control character in a string must be escaped");
        if (!(*reader->at == '\\' ? read_escape(reader) : read_character(reader)))
            return false;
    }
}

/* ---- Arrays and objects ---- */

static bool is_in_object(const struct reader *reader)
{
    return (reader->objects & 1) != 0;
}

static bool fail_closing(struct reader *reader)
{
    if (reader->depth == 0)
        return fail(reader, reader->at, "a closing bracket that nothing opened");
    if (is_in_object(reader))
        return fail(reader, reader->at, "a colon with nothing behind it");
    if (*reader->at == '}')
        return fail(reader, reader->at, "an array ends with ]");
    return fail(reader, reader->at, "a comma with nothing behind it");
}

/* Says why no value begins at the byte where one is due. */
static bool fail_value(struct reader *reader)
{
    switch (*reader->at) {
    case ']':
    case '}':
        return fail_closing(reader);
    case ',':
        return fail(reader, reader->at, "a comma with nothing before it");
    case '\'':
        return fail(reader, reader->at, "a string stands in double quotation marks");
    case '+':
        return fail(reader, reader->at, "a number may not begin with a plus sign");
    case '.':
        return fail(reader, reader->at, "a number needs a digit before the decimal point");
    case '/':
    case '#':
        return fail(reader, reader->at, "JSON has no comments");
    case '\0':
        return fail(reader, reader->at, "a NUL byte");
    default:
        if (is_letter(*reader->at))
            return fail(reader, reader->at, other_word);
        return fail_unexpected(reader, reader->at, "neither a value nor the beginning of one");
    }
}

/* Reads a member name, the colon and the white space around both. */
static bool read_name(struct reader *reader)
{
    reader->at = skip_space(reader->at, reader->end);
    if (reader->at == reader->end)
        return fail(reader, reader->at, "the text ends inside an object");
    if (*reader->at != '"')
        return fail_unexpected(reader, reader->at,
                               *reader->at == '}' ? "a comma with nothing behind it"
                                                  : "a member name in quotation marks is due");
    if (!read_string(reader))
        return false;
    reader->at = skip_space(reader->at, reader->end);
    if (reader->at == reader->end)
        return fail(reader, reader->at, "the text ends inside an object");
    if (*reader->at != ':')
        return fail_unexpected(reader, reader->at, "a colon is due behind a member name");
    reader->at = skip_space(reader->at + 1, reader->end);
    return true;
}

static bool open_bracket(struct reader *reader, bool is_object)
{
    if (reader->depth == JSON_MAX_DEPTH)
        return fail(reader, reader->at, "nested more than 32 levels deep");
    reader->depth++;
    reader->objects = reader->objects << 1 | is_object;
    reader->at = skip_space(reader->at + 1, reader->end);
    return true;
}

static void close_bracket(struct reader *reader)
{
    reader->depth--;
    reader->objects >>= 1;
    reader->at = skip_space(reader->at + 1, reader->end);
}

/* Most of what comes here is rows of cells: skips those of one digit with the comma behind, and
 * white space, up to the first element that needs a closer look. Only spares time. */
static void skip_cells(struct reader *reader)
{
    const unsigned char *at = reader->at;

    for (;; at += 2) {
        at = skip_space(at, reader->end);
        if (reader->end - at < 2 || !is_digit(at[0]) || at[1] != ',')
            break;
    }
    reader->at = at;
}

/* Skips a grid where it begins, if it is written as most are. Only spares time, too. */
static bool skip_grid(struct reader *reader)
{
    enum { LEVELS = 2 };
    const char *at = (const char *)reader->at;

    if (reader->end - reader->at < COMPACT_GRID || reader->depth + LEVELS > JSON_MAX_DEPTH ||
        !compact_grid_is(at))
        return false;
    reader->at += COMPACT_GRID;
    return true;
}

/* Whether the innermost bracket is closed here. */
static bool at_closing(const struct reader *reader)
{
    return reader->at < reader->end && *reader->at == (is_in_object(reader) ? '}' : ']');
}

/* Goes from behind an opening bracket or a comma to the next value that needs a closer look. */
static bool read_to_value(struct reader *reader)
{
    if (is_in_object(reader))
        return read_name(reader);
    skip_cells(reader);
    return true;
}

/* Reads opening brackets, and names behind those of objects, up to the end of the first value that
 * holds no other: a string, number or word, or an empty array or object. */
static bool read_innermost(struct reader *reader)
{
    for (;;) {
        if (reader->at == reader->end)
            return fail(reader, reader->at,
                        reader->depth > 0 ? "the text ends where a value is due"
                                          : "the text is empty");
        switch (*reader->at) {
        case '[':
        case '{':
            if (skip_grid(reader))
                return true;
            if (!open_bracket(reader, *reader->at == '{'))
                return false;
            if (at_closing(reader)) {
                close_bracket(reader);
                return true;
            }
            if (!read_to_value(reader))
                return false;
            break;
        case '"':
            return read_string(reader);
        case 't':
            return read_word(reader, "true");
        case 'f':
            return read_word(reader, "false");
        case 'n':
            return read_word(reader, "null");
        default:
            return is_digit(*reader->at) || *reader->at == '-' ? read_number(reader)
                                                               : fail_value(reader);
        }
    }
}

/* Reads what stands behind a value: closing brackets, up to the end of the outermost or a comma,
 * then the comma and in an object the next name. */
static bool read_behind_value(struct reader *reader)
{
    reader->at = skip_space(reader->at, reader->end);
    while (reader->depth > 0) {
        if (reader->at == reader->end)
            return fail(reader, reader->at,
                        is_in_object(reader) ? "the text ends inside an object"
                                             : "the text ends inside an array");
        if (*reader->at == ',') {
            reader->at++;
            return read_to_value(reader);
        }
        if (!at_closing(reader))
            return fail_unexpected(reader, reader->at,
                                   is_in_object(reader) ? "a comma or } is due"
                                                        : "a comma or ] is due");
        close_bracket(reader);
    }
    return true;
}

static bool read_text(struct reader *reader)
{
    if (reader->end - reader->at >= 3 && memcmp(reader->at, "\xEF\xBB\xBF", 3) == 0)
        return fail(reader, reader->at, "begins with a byte order mark");
    reader->at = skip_space(reader->at, reader->end);
    do {
        if (!read_innermost(reader) || !read_behind_value(reader))
            return false;
    } while (reader->depth > 0);
    return reader->at == reader->end || fail_unexpected(reader, reader->at, "text after the value");
}

/* Every character has one byte that does not continue another, since all before at is UTF-8. */
static struct json_fault locate(const unsigned char *start, const struct reader *reader)
{
    struct json_fault fault = {
        .offset = (size_t)(reader->at - start),
        .line = 1,
        .column = 1,
        .reason = reader->reason,
    };

    for (const unsigned char *at = start; at < reader->at; at++) {
        if (*at == '\n') {
            fault.line++;
            fault.column = 1;
        } else if ((*at & 0xC0) != 0x80) {
            fault.column++;
        }
    }
    return fault;
}

bool json_strict_check(const char *text, size_t length, struct json_fault *ret_fault)
{
    const unsigned char *const start = (const unsigned char *)text;
    struct reader reader = {.at = start, .end = start + length};

    const bool is_json = read_text(&reader);
    if (is_json && reader.escaped_nul == NULL)
        return true;
    if (is_json)
        fail(&reader, reader.escaped_nul, "a string with an escaped NUL");
    *ret_fault = locate(start, &reader);
    ret_fault->is_json = is_json;
    return false;
}
