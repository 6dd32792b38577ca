#include "http.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "config.h"
#include "counters.h"
#include "http_guard.h"
#include "http_head.h"
#include "http_request.h"

static void log_library(void *context, const char *format, va_list arguments)
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
    request_ids_init(&http->ids);
    http->guard = http_guard_create(config, counters);
    if (http->guard == NULL) {
        close(listener);
        free(http);
        return NULL;
    }

    const unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC |
                           MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    struct MHD_OptionItem options[] = {
        {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)log_library, http},
        {MHD_OPTION_LISTEN_SOCKET, listener, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, (intptr_t)config->max_connections, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, HTTP_HEAD_MEMORY, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, (intptr_t)((config->timeout_ms + 999) / 1000), NULL},
        {MHD_OPTION_PER_IP_CONNECTION_LIMIT, (intptr_t)config->max_connections_per_address, NULL},
        /* What -1 and 1 refuse, they refuse in HTML or in silence; the guard refuses it too. */
        {MHD_OPTION_STRICT_FOR_CLIENT, 0, NULL},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)http_guard_connection, http->guard},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)http_guard_uri, http->guard},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)http_complete, http},
        {config->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END,
         (intptr_t)config->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    http->daemon = MHD_start_daemon(flags, 0, NULL, NULL, http_handle, http, MHD_OPTION_ARRAY,
                                    options, MHD_OPTION_END);
    if (http->daemon == NULL) {
        http_guard_destroy(http->guard);
        close(listener);
        free(http);
        return NULL;
    }
    return http;
}

void http_hurry(struct http *http)
{
    atomic_store(&http->is_hurried, true);
}

/* Gives the clients that wait in the backlog to the library. Returns how many. */
static unsigned accept_waiting(struct http *http)
{
    unsigned count = 0;

    for (;;) {
        struct sockaddr_storage address;
        socklen_t size = sizeof address;
        const int fd = accept4(http->listener, (struct sockaddr *)&address, &size,
                               SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return count;
        count++;
        /* On failure the library has closed it. */
        (void)MHD_add_connection(http->daemon, fd, (struct sockaddr *)&address, size);
    }
}

void http_quiesce(struct http *http, bool is_shared)
{
    MHD_quiesce_daemon(http->daemon);
    http->leaves_waiting = is_shared;
    http->busy_us = clock_now_us();
}

bool http_is_calm(struct http *http)
{
    enum { CALM_US = 50000 };

    const unsigned accepted = http->leaves_waiting ? 0 : accept_waiting(http);

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
    MHD_stop_daemon(http->daemon);
    http_guard_destroy(http->guard);
    close(http->listener);
    free(http);
}
