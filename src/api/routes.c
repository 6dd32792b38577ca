#include <stdio.h>
#include <string.h>

#include "endpoints.h"
#include "search.h"

/* Every endpoint of the service, in the order of openapi.yaml. */
static const struct api_route routes[] = {
    {"POST", "/solve", solve_decode, search_run, solve_encode},
    {"POST", "/validate", validate_decode, search_run, validate_encode},
    {"GET", "/livez", NULL, NULL, livez_encode},
    {"GET", "/readyz", NULL, NULL, readyz_encode},
    {"GET", "/openapi.yaml", NULL, NULL, openapi_encode},
};

enum { ROUTES = sizeof routes / sizeof routes[0] };

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

const struct api_route *api_route_find(const char *method, const char *path, char ret_allow[32])
{
    size_t length = 0;

    ret_allow[0] = '\0';
    for (size_t i = 0; i < ROUTES; i++) {
        if (strcmp(routes[i].path, path) != 0)
            continue;
        if (takes_method(&routes[i], method))
            return &routes[i];
        const char *allowed = strcmp(routes[i].method, "GET") == 0 ? "GET, HEAD" : routes[i].method;
        length += (size_t)snprintf(ret_allow + length, 32 - length, "%s%s", length == 0 ? "" : ", ",
                                   allowed);
    }
    return NULL;
}
