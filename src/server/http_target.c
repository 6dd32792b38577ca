#include "http_target.h"

#include <string.h>
#include <strings.h>

#include "http_chars.h"

size_t http_target_host_length(const char *text)
{
    size_t length = 0;

    if (text[0] == '[') {
        const size_t inside = strspn(text + 1, "0123456789abcdefABCDEFv.:");
        if (inside < 2 || text[1 + inside] != ']')
            return 0;
        length = inside + 2;
    } else {
        length = http_chars_span(text, HTTP_CHAR_HOST);
    }
    if (length > 0 && text[length] == ':')
        length += 1 + strspn(text + length + 1, "0123456789");
    return length;
}

/* The length of what an absolute target has before its path, 0 when it is not valid. */
static size_t find_origin(const char *text)
{
    size_t length = 0;

    if (strncasecmp(text, "http://", 7) == 0)
        length = 7;
    else if (strncasecmp(text, "https://", 8) == 0)
        length = 8;
    else
        return 0;
    const size_t host = http_target_host_length(text + length);
    /* An escape in the host would move what is behind it once it is decoded. */
    if (host == 0 || memchr(text + length, '%', host) != NULL)
        return 0;
    length += host;
    return text[length] == '/' || text[length] == '?' || text[length] == '\0' ? length : 0;
}

/* What is wrong with the characters of a target, NULL when nothing is. */
static const char *find_fault(const char *text)
{
    const char *end = text + http_chars_span(text, HTTP_CHAR_TARGET);

    for (const char *at = text; (at = memchr(at, '%', (size_t)(end - at))) != NULL; at++) {
        if (http_chars_span(at + 1, HTTP_CHAR_HEX) < 2)
            return "a % in it has no two hexadecimal digits behind it";
        if (at[1] == '0' && at[2] == '0')
            return "it has a NUL in it";
    }
    return *end == '\0'  ? NULL
           : *end == '#' ? "it has a # in it"
                         : "it has a blank or a control character in it";
}

static unsigned count_arguments(const char *text)
{
    unsigned count = 0;

    for (const char *at = strchr(text, '?'); at != NULL; at = strchr(at + 1, '&'))
        count++;
    return count;
}

void http_target_read(const char *text, struct http_target *ret)
{
    ret->text = text;
    ret->length = strlen(text);
    ret->fault = find_fault(text);
    ret->origin_length = text[0] == '/' ? 0 : find_origin(text);
    if (ret->fault == NULL && text[0] != '/' && ret->origin_length == 0 && strcmp(text, "*") != 0)
        ret->fault = "it is neither a path nor an http or https address";
    ret->is_too_long =
        ret->length > HTTP_TARGET_MAX || count_arguments(text) > HTTP_TARGET_MAX_ARGUMENTS;
}
