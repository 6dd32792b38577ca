/* UTF-8, as RFC 3629 has it. */
#ifndef SUDOKU_API_UTF8_H
#define SUDOKU_API_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the character that the text begins with, 0 when it begins with none: not UTF-8,
 * overlong, a surrogate, beyond U+10FFFF, or cut off. */
static inline size_t utf8_length(const void *bytes, size_t size)
{
    const unsigned char *text = bytes;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* what needs so many bytes */

    if (size == 0)
        return 0;
    if (text[0] < 0x80)
        return 1;
    if (text[0] < 0xC2 || text[0] > 0xF4)
        return 0;
    const size_t length = text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
    if (size < length)
        return 0;

    uint32_t code = text[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3FU);
    }
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < least[length] || code > 0x10FFFF || is_surrogate ? 0 : length;
}

#endif
