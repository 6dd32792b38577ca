#include "fields.h"

#include <string.h>

void fields_add(struct api_fields *fields, struct api_field field)
{
    if (fields->count < API_MAX_FIELDS)
        fields->field[fields->count] = field;
    fields->count++;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Replaces + and %XX from `text` to `end`, and puts a NUL behind. */
static bool unescape(char *text, const char *end, size_t *ret_length)
{
    char *to = text;

    for (const char *from = text; from < end; from++) {
        char c = (char)(*from == '+' ? ' ' : *from);
        if (c == '%') {
            const int high = end - from > 2 ? hex_digit(from[1]) : -1;
            const int low = high >= 0 ? hex_digit(from[2]) : -1;
            if (low < 0)
                return false;
            c = (char)(high * 16 + low);
            from += 2;
        }
        if (c == '\0')
            return false;
        *to++ = c;
    }
    *ret_length = (size_t)(to - text);
    *to = '\0';
    return true;
}

static bool read_field(char *text, char *end, struct api_fields *fields)
{
    char *equals = memchr(text, '=', (size_t)(end - text));
    struct api_field field = {.name = text};
    size_t name_length;

    if (equals != NULL) {
        if (!unescape(equals + 1, end, &field.value_length))
            return false;
        field.value = equals + 1;
    }
    if (!unescape(text, equals != NULL ? equals : end, &name_length))
        return false;
    fields_add(fields, field);
    return true;
}

bool fields_read_form(char *text, size_t length, struct api_fields *ret_fields)
{
    char *const end = text + length;

    while (text < end) {
        char *next = memchr(text, '&', (size_t)(end - text));
        char *const field_end = next != NULL ? next : end;
        if (field_end > text && !read_field(text, field_end, ret_fields))
            return false;
        text = field_end + 1;
    }
    return true;
}
