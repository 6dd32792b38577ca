#include "log_text.h"

#include <string.h>

/* Members whose name says nothing that their place and value do not. */
enum { NAMELESS = 3 };

/* The end of a string whose opening quote is at `text`: behind its closing quote. */
static const char *skip_string(const char *text, const char *end)
{
    for (text++; text < end && *text != '"'; text++)
        text += *text == '\\';
    return text < end ? text + 1 : end;
}

static const char *skip_value(const char *text, const char *end)
{
    if (*text == '"')
        return skip_string(text, end);
    while (text < end && *text != ',' && *text != '}')
        text++;
    return text;
}

/* Whether a string can stand without its quotes. */
static int is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr(" =\"\\", text[i]) != NULL)
            return 0;
    }
    return length > 0;
}

size_t log_text(const char *json, size_t length, char *ret)
{
    const char *const end = json + length;
    const char *at = json + 1; /* the brace */
    char *out = ret;

    for (unsigned member = 0; at < end && *at == '"'; member++) {
        const char *name_end = skip_string(at, end);
        const char *value = name_end + 1; /* the colon */
        const char *value_end = value < end ? skip_value(value, end) : end;
        size_t size = (size_t)(value_end - value);
        if (member > 0)
            *out++ = ' ';
        if (member >= NAMELESS) {
            memcpy(out, at + 1, (size_t)(name_end - at - 2));
            out += name_end - at - 2;
            *out++ = '=';
        }
        if (size >= 2 && *value == '"' && is_plain(value + 1, size - 2)) {
            value++;
            size -= 2;
        }
        memcpy(out, value, size);
        out += size;
        at = value_end < end ? value_end + 1 : end; /* the comma */
    }
    *out++ = '\n';
    return (size_t)(out - ret);
}
