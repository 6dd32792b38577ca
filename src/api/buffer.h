/* Bytes that grow at their end. One owner, not shared between threads.
 *
 * Running out of memory is remembered, not reported call by call: a writer writes to the end and
 * looks at `failed` once. What was written then is incomplete and must not be used. */
#ifndef SUDOKU_API_BUFFER_H
#define SUDOKU_API_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buffer {
    char *data; /* from malloc; NULL while nothing was written */
    size_t length;
    size_t capacity;
    bool failed;
};

/* Frees the bytes and makes the buffer empty. A zeroed buffer is empty too. */
void buffer_clear(struct buffer *buffer);

/* Makes the buffer empty, and keeps its memory for what comes where that is `most` bytes or less.
 */
void buffer_empty(struct buffer *buffer, size_t most);

/* Makes room for `size` more bytes. NULL: there is no memory. */
char *buffer_grow(struct buffer *buffer, size_t size);

/* The small ones are inline: answers are written in pieces of a few bytes, most of them of a size
 * that the compiler knows. */

/* Room for `size` more bytes, to be written and then claimed by adding to `length`; NULL when there
 * is no memory. */
static inline char *buffer_reserve(struct buffer *buffer, size_t size)
{
    if (buffer->data == NULL || buffer->failed || size > buffer->capacity - buffer->length)
        return buffer_grow(buffer, size);
    return buffer->data + buffer->length;
}

static inline void buffer_put(struct buffer *buffer, const void *bytes, size_t size)
{
    char *end = buffer_reserve(buffer, size);

    if (end != NULL && size > 0) {
        memcpy(end, bytes, size);
        buffer->length += size;
    }
}

static inline void buffer_put_text(struct buffer *buffer, const char *text)
{
    buffer_put(buffer, text, strlen(text));
}

/* Writes the digits of a number and returns how many there are. No NUL behind them. */
enum { BUFFER_UINT_MAX = 20 }; /* 2^64 has 20 */
size_t buffer_print_uint(uint64_t number, char ret_digits[BUFFER_UINT_MAX]);

/* Writes the 16 hexadecimal digits of a number. No NUL behind them. */
enum { BUFFER_HEX = 16 };
void buffer_print_hex(uint64_t number, char ret_digits[BUFFER_HEX]);

void buffer_put_uint(struct buffer *buffer, uint64_t number);

/* A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void buffer_put_json_string(struct buffer *buffer, const char *text);

#endif
