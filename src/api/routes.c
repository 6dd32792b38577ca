#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "endpoints.h"
#include "metrics.h"
#include "web/web.h"

/* Every endpoint of the service, in the order of openapi.yaml. */
static const struct api_route routes[] = {
    {"POST", "/solve", &solve_endpoint, NULL},
    {"GET", "/solve", &solve_endpoint, NULL},
    {"POST", "/validate", &validate_endpoint, NULL},
    {"GET", "/validate", &validate_endpoint, NULL},
    {"GET", "/livez", NULL, livez_encode},
    {"GET", "/readyz", NULL, readyz_encode},
    {"GET", "/metrics", NULL, metrics_encode},
    {"GET", "/openapi.yaml", NULL, openapi_encode},
    {"GET", "/", NULL, web_asset_encode},
    {"GET", "/style.css", NULL, web_asset_encode},
    {"GET", "/app.js", NULL, web_asset_encode},
    {"GET", "/board.js", NULL, web_asset_encode},
    {"GET", "/grid.js", NULL, web_asset_encode},
    {"GET", "/service.js", NULL, web_asset_encode},
    {"GET", "/local.js", NULL, web_asset_encode},
    {"GET", "/bulk.js", NULL, web_asset_encode},
    {"GET", "/words.js", NULL, web_asset_encode},
    {"GET", "/sw.js", NULL, web_asset_encode},
    {"GET", "/icon.svg", NULL, web_asset_encode},
};

enum { ROUTES = sizeof routes / sizeof routes[0] };

static_assert((int)ROUTES < (int)METRICS_PLACES, "more paths than are counted");

const struct api_route *api_route_at(size_t i)
{
    return i < ROUTES ? &routes[i] : NULL;
}

static bool takes_method(const struct api_route *route, const char *method)
{
    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    return strcmp(route->method, method) == 0;
}

/* Adds "GET, HEAD" or the like. Every path answers OPTIONS. */
static size_t add_allowed(char *allow, size_t length, const char *method)
{
    return length + (size_t)snprintf(allow + length, API_MAX_ALLOW - length, "%s%s",
                                     length == 0 ? "OPTIONS, " : ", ",
                                     strcmp(method, "GET") == 0 ? "GET, HEAD" : method);
}

const struct api_route *api_route_find(const char *method, const char *path,
                                       char ret_allow[API_MAX_ALLOW])
{
    size_t length = 0;

    ret_allow[0] = '\0';
    for (size_t i = 0; i < ROUTES; i++) {
        if (strcmp(routes[i].path, path) != 0)
            continue;
        if (takes_method(&routes[i], method))
            return &routes[i];
        length = add_allowed(ret_allow, length, routes[i].method);
    }
    return NULL;
}
