/* Bytes that grow at their end. One owner, not shared between threads.
 *
 * Running out of memory is remembered, not reported call by call: a writer writes to the end and
 * looks at `failed` once. What was written then is incomplete and must not be used. */
#ifndef SUDOKU_API_BUFFER_H
#define SUDOKU_API_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer {
    char *data; /* from malloc; NULL while nothing was written */
    size_t length;
    size_t capacity;
    bool failed;
};

/* Frees the bytes and makes the buffer empty. A zeroed buffer is empty too. */
void buffer_clear(struct buffer *buffer);

/* Room for `size` more bytes, to be written and then claimed by adding to `length`; NULL when there
 * is no memory. */
char *buffer_reserve(struct buffer *buffer, size_t size);

void buffer_put(struct buffer *buffer, const void *bytes, size_t size);
void buffer_put_text(struct buffer *buffer, const char *text);
void buffer_put_uint(struct buffer *buffer, uint64_t number);

/* A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void buffer_put_json_string(struct buffer *buffer, const char *text);

#endif
