#include "accept.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* One entry of the header: a media range and its weight. */
struct range {
    const char *type;
    size_t length;
    int weight; /* thousandths */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Reads what follows "q=": 0, 1 or a fraction of up to three digits. Anything else counts as 1. */
static int read_weight(const char *text, const char *end)
{
    int weight = 0;
    int digit = 100;

    if (text == end || (*text != '0' && *text != '1'))
        return 1000;
    if (*text == '1')
        return 1000;
    if (++text < end && *text == '.')
        text++;
    for (; text < end && *text >= '0' && *text <= '9' && digit > 0; text++, digit /= 10)
        weight += (*text - '0') * digit;
    return weight;
}

/* Reads the entry that ends at `end`. */
static struct range read_range(const char *text, const char *end)
{
    struct range range = {.weight = 1000};

    while (text < end && is_blank(*text))
        text++;
    range.type = text;
    while (text < end && *text != ';')
        text++;
    range.length = (size_t)(text - range.type);
    while (range.length > 0 && is_blank(range.type[range.length - 1]))
        range.length--;
    while (text < end) {
        text++; /* the semicolon */
        while (text < end && is_blank(*text))
            text++;
        if (end - text >= 2 && (*text == 'q' || *text == 'Q') && text[1] == '=')
            range.weight = read_weight(text + 2, end);
        while (text < end && *text != ';')
            text++;
    }
    return range;
}

/* How closely a range names a type: 3 by its name, 2 by type / *, 1 by * / *, 0 not at all. */
static int closeness(const struct range *range, const char *offer)
{
    const size_t slash = strcspn(offer, "/") + 1;

    if (range->length == strlen(offer) && strncasecmp(range->type, offer, range->length) == 0)
        return 3;
    if (range->length == slash + 1 && strncasecmp(range->type, offer, slash) == 0 &&
        range->type[slash] == '*')
        return 2;
    return range->length == 3 && strncmp(range->type, "*/*", 3) == 0;
}

/* The weight that the header gives an offer: that of the range that names it most closely. */
static int weight_of(const char *header, const char *offer)
{
    int best = 0;
    int weight = 0;

    for (const char *at = header; *at != '\0';) {
        const char *end = at + strcspn(at, ",");
        const struct range range = read_range(at, end);
        const int close = closeness(&range, offer);
        if (close > best) {
            best = close;
            weight = range.weight;
        }
        at = *end == ',' ? end + 1 : end;
    }
    return weight;
}

int accept_choose(const char *header, const char *const offers[], size_t count)
{
    int best = -1;
    int best_weight = 0;

    if (header == NULL || header[strspn(header, " \t,")] == '\0')
        return 0;
    for (size_t i = 0; i < count; i++) {
        const int weight = weight_of(header, offers[i]);
        if (weight > best_weight) {
            best = (int)i;
            best_weight = weight;
        }
    }
    return best;
}
