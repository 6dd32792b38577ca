#include "json_walk.h"

#include <assert.h>
#include <string.h>

#include "compact_grid.h"

static const char *skip_space(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    return at;
}

/* The end of the string that begins at a quotation mark: the first further one that has no
 * backslash before it, or an even number of them. */
static const char *skip_string(const char *at)
{
    for (const char *quote = at;;) {
        quote = strchr(quote + 1, '"');
        assert(quote != NULL); /* since the text is valid */
        const char *escape = quote;
        while (escape[-1] == '\\')
            escape--;
        if ((quote - escape) % 2 == 0)
            return quote + 1;
    }
}

/* The end of the value that begins here. In a valid text brackets match, so counting them is
 * enough, and any other value ends where white space or punctuation begins. */
static const char *skip_value(const char *at)
{
    size_t depth = 0;

    if (*at == '"')
        return skip_string(at);
    if (*at != '[' && *at != '{') {
        while (*at != '\0' && *at != ',' && *at != ']' && *at != '}' && skip_space(at) == at)
            at++;
        return at;
    }
    if (memchr(at, '\0', COMPACT_GRID) == NULL && compact_grid_is(at))
        return at + COMPACT_GRID;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        depth += *at == '[' || *at == '{';
        depth -= *at == ']' || *at == '}';
        at++;
        /* Cells of a grid, which most texts are made of. */
        while (at[0] >= '0' && at[0] <= '9' && at[1] == ',')
            at += 2;
    } while (depth > 0);
    return at;
}

static struct json_piece piece_at(const char *at)
{
    return (struct json_piece){.text = at, .length = (size_t)(skip_value(at) - at)};
}

const char *json_walk_start(const char *text)
{
    return skip_space(text);
}

struct json_piece json_walk_root(const char *text)
{
    return piece_at(skip_space(text));
}

struct json_walk json_walk_into(const char *container)
{
    return (struct json_walk){.at = skip_space(container + 1), .is_object = *container == '{'};
}

bool json_walk_next(struct json_walk *walk, struct json_piece *ret_name,
                    struct json_piece *ret_value)
{
    const char *at = walk->at;

    if (*at == ']' || *at == '}')
        return false;
    if (walk->is_object) {
        *ret_name = piece_at(at);
        at = skip_space(at + ret_name->length) + 1; /* the colon */
        at = skip_space(at);
    }
    *ret_value = piece_at(at);
    at = skip_space(at + ret_value->length);
    walk->at = *at == ',' ? skip_space(at + 1) : at;
    return true;
}
