/* What a character may be part of: RFC 9110 section 5.6.2, RFC 3986. */
#ifndef SUDOKU_SERVER_HTTP_CHARS_H
#define SUDOKU_SERVER_HTTP_CHARS_H

#include <stddef.h>
#include <stdint.h>

enum http_char {
    HTTP_CHAR_TOKEN = 1,  /* a name or a method */
    HTTP_CHAR_VALUE = 2,  /* a header's value */
    HTTP_CHAR_TARGET = 4, /* the target of a request, but for what a % needs behind it */
    HTTP_CHAR_HOST = 8,   /* a host name or an IPv4 address. Without the comma, which joins two */
    HTTP_CHAR_HEX = 16,   /* a hexadecimal number */
};

/* Of each character, all that apply. NUL is part of nothing. */
extern const uint8_t http_chars[256];

/* How many characters of a kind a text begins with. */
static inline size_t http_chars_span(const char *text, enum http_char kind)
{
    size_t length = 0;

    while ((http_chars[(unsigned char)text[length]] & kind) != 0)
        length++;
    return length;
}

#endif
