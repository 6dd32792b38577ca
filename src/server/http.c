#include "http.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "admission.h"
#include "clock.h"
#include "config.h"
#include "counters.h"
#include "http_guard.h"
#include "http_loop.h"
#include "http_request.h"

void http_log_library(void *context, const char *format, va_list arguments)
{
    struct http *http = context;
    char text[512];
    char escaped[1024];

    if (!log_limit_take(&http->library_lines, clock_now_us()))
        return;
    (void)vsnprintf(text, sizeof text, format, arguments);
    text[strcspn(text, "\n")] = '\0';
    log_event(LOG_WARNING, "libmicrohttpd", ",\"message\":\"%s\"",
              log_escape(text, escaped, sizeof escaped));
}

/* Frees what there is of it; the loops have ended. */
static void destroy(struct http *http)
{
    if (http->guard != NULL)
        http_guard_destroy(http->guard);
    if (http->admission != NULL)
        admission_destroy(http->admission);
    pthread_mutex_destroy(&http->gate);
    close(http->listener);
    free(http);
}

struct http *http_start(int listener, const struct config *config, struct api_service *service,
                        struct pool *pool, struct counters *counters)
{
    struct http *http = calloc(1, sizeof *http);

    if (http == NULL) {
        close(listener);
        return NULL;
    }
    http->listener = listener;
    http->config = config;
    http->service = service;
    http->pool = pool;
    http->counters = counters;
    pthread_mutex_init(&http->gate, NULL);
    request_ids_init(&http->ids);
    http->guard = http_guard_create(config, counters);
    http->admission =
        admission_create(config->max_connections, config->max_connections_per_address);
    if (http->guard != NULL && http->admission != NULL && http_loops_start(http))
        return http;
    destroy(http);
    return NULL;
}

void http_hurry(struct http *http)
{
    atomic_store(&http->is_hurried, true);
}

void http_quiesce(struct http *http, bool is_shared)
{
    http_loops_quiesce(http);
    http->leaves_waiting = is_shared;
    http->busy_us = clock_now_us();
}

bool http_is_calm(struct http *http)
{
    enum { CALM_US = 50000 };

    const unsigned accepted = http->leaves_waiting ? 0 : http_loops_accept(http, NULL, UINT_MAX);

    if (accepted > 0 || atomic_load(&http->in_flight) > 0)
        http->busy_us = clock_now_us();
    return clock_now_us() - http->busy_us >= CALM_US;
}

void http_look(const struct http *http, struct metrics_state *state)
{
    state->requests_in_flight = atomic_load(&http->in_flight);
    state->body_bytes = atomic_load(&http->held);
    state->max_body_bytes = http->config->max_bodies;
    state->max_connections = http->config->max_connections;
    state->threads = http->config->threads;
}

const char *http_library_version(void)
{
    return MHD_get_version();
}

void http_stop(struct http *http)
{
    http_loops_stop(http);
    destroy(http);
}
