#include "cors.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

const char cors_exposed_headers[] =
    "Accept-Post, Allow, ETag, Retry-After, Server-Timing, Sudoku-Solution-Count, "
    "Sudoku-Solution-Is-First, Sudoku-Status, X-Request-Id";
const char cors_allowed_headers[] =
    "Accept, Content-Type, If-None-Match, traceparent, X-Request-Id";
const char cors_max_age[] = "7200";

static bool lists(const char *allowed, const char *origin)
{
    const size_t length = strlen(origin);

    for (const char *at = allowed; *at != '\0';) {
        at += strspn(at, " ,");
        const size_t size = strcspn(at, " ,");
        if (size > 0 && size == length && strncasecmp(at, origin, length) == 0)
            return true;
        at += size;
    }
    return false;
}

const char *cors_allow_origin(const char *allowed, const char *origin)
{
    if (strcmp(allowed, "*") == 0)
        return "*";
    return origin != NULL && lists(allowed, origin) ? origin : NULL;
}
