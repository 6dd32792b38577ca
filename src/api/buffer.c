#include "buffer.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

enum { SMALLEST = 512 };

static const char hex_digits[] = "0123456789abcdef";

void buffer_clear(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){0};
}

void buffer_empty(struct buffer *buffer, size_t most)
{
    if (buffer->capacity > most || buffer->failed)
        buffer_clear(buffer);
    buffer->length = 0;
}

char *buffer_grow(struct buffer *buffer, size_t size)
{
    if (buffer->failed)
        return NULL;
    size_t capacity = buffer->capacity == 0 ? SMALLEST : buffer->capacity;
    while (size > capacity - buffer->length) {
        if (capacity > SIZE_MAX / 2) {
            buffer->failed = true;
            return NULL;
        }
        capacity *= 2;
    }
    char *data = realloc(buffer->data, capacity);
    if (data == NULL) {
        buffer->failed = true;
        return NULL;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return data + buffer->length;
}

size_t buffer_print_uint(uint64_t number, char ret_digits[BUFFER_UINT_MAX])
{
    size_t count = 1;

    for (uint64_t rest = number; rest > 9; rest /= 10)
        count++;
    for (size_t i = count; i > 0; number /= 10)
        ret_digits[--i] = (char)('0' + number % 10);
    return count;
}

void buffer_print_hex(uint64_t number, char ret_digits[BUFFER_HEX])
{
    for (unsigned i = 0; i < BUFFER_HEX; i++)
        ret_digits[i] = hex_digits[number >> (60 - 4 * i) & 15];
}

void buffer_put_uint(struct buffer *buffer, uint64_t number)
{
    char digits[BUFFER_UINT_MAX];

    buffer_put(buffer, digits, buffer_print_uint(number, digits));
}

static void put_escaped(struct buffer *buffer, unsigned char byte)
{
    if (byte == '"' || byte == '\\') {
        const char escape[] = {'\\', (char)byte};
        buffer_put(buffer, escape, sizeof escape);
    } else {
        const char escape[] = {'\\', 'u', '0', '0', hex_digits[byte >> 4], hex_digits[byte & 15]};
        buffer_put(buffer, escape, sizeof escape);
    }
}

void buffer_put_json_string(struct buffer *buffer, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    const unsigned char *const end = at + strlen(text);

    buffer_put(buffer, "\"", 1);
    while (at < end) {
        const size_t size = utf8_length(at, (size_t)(end - at));
        if (size == 0) {
            buffer_put_text(buffer, "\xEF\xBF\xBD");
            at++;
        } else if (*at < 0x20 || *at == 0x7f || *at == '"' || *at == '\\') {
            put_escaped(buffer, *at);
            at++;
        } else {
            buffer_put(buffer, at, size);
            at += size;
        }
    }
    buffer_put(buffer, "\"", 1);
}
