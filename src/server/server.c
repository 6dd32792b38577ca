#include "server.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "api/api.h"
#include "clock.h"
#include "counters.h"
#include "cpus.h"
#include "files.h"
#include "http.h"
#include "listener.h"
#include "log.h"
#include "memory.h"
#include "pool.h"
#include "process.h"
#include "sandbox.h"
#include "systemd.h"

struct server {
    struct config config;
    struct api_service service;
    struct queries queries;
    struct counters *counters;
    struct pool *pool;
    _Atomic(struct http *) http; /* NULL for a moment after its threads have started */
    uint64_t start_us;
    unsigned port;
    int listener;
    int self; /* /proc/self, what the confined threads may read */
    unsigned confined;
    bool is_socket_given;
};

static void log_start(const struct server *server, uint64_t memory)
{
    const struct config *config = &server->config;
    char host[128];

    log_event(LOG_INFO, "listening",
              ",\"host\":\"%s\",\"port\":%u,\"threads\":%llu,\"workers\":%llu,\"connections\":%llu,"
              "\"memory\":%llu,\"bodies\":%llu,\"engine\":\"%s\"",
              log_escape(server->is_socket_given ? "systemd" : config->host, host, sizeof host),
              server->port, (unsigned long long)config->threads,
              (unsigned long long)config->workers, (unsigned long long)config->max_connections,
              (unsigned long long)memory, (unsigned long long)config->max_bodies,
              server->service.engine->name);
}

/* For /metrics. */
static void read_metrics(void *context, struct api_metrics *ret)
{
    struct server *server = context;
    const struct pool_load load = pool_look(server->pool);
    struct metrics_state *state = &ret->state;

    counters_sum(server->counters, &ret->counted);
    ret->counted.log_lines_lost = log_lines_lost();
    ret->version = SUDOKUD_VERSION;
    ret->engine = server->service.engine->name;
    ret->library = http_library_version();
    *state = (struct metrics_state){
        .is_ready = atomic_load(&server->service.is_ready),
        .connections = ret->counted.connections_opened - ret->counted.connections_closed,
        .queued = {load.waiting, load.waiting_of_batches},
        .max_queued = server->config.queue,
        .busy_workers = load.running,
        .workers = server->config.workers,
        .start_us = server->start_us,
    };
    struct http *http = atomic_load(&server->http);
    if (http != NULL)
        http_look(http, state);
    process_look(state);
}

/* Says what the kernel does not have. */
static void log_unconfined(const struct server *server)
{
    const bool has_files = (server->confined & SANDBOX_FILES) != 0;
    const bool has_calls = (server->confined & SANDBOX_CALLS) != 0;

    if (server->config.sandbox && !(has_files && has_calls))
        log_event(LOG_WARNING, "unconfined", ",\"files\":%s,\"calls\":%s",
                  has_files ? "false" : "true", has_calls ? "false" : "true");
}

static void close_folder(const struct server *server)
{
    if (server->self >= 0)
        close(server->self);
}

/* Makes all other threads, on one that is confined, so that they are too, and ends. The caller's is
 * not: it has not all it needs yet, and in a test is that of the clients. */
static void *make_threads(void *argument)
{
    struct server *server = argument;
    const struct schedule_limits limits = {
        .workers = (unsigned)server->config.workers,
        .max_jobs = (size_t)server->config.queue,
        .max_wait_us = server->config.max_wait_ms * 1000,
    };

    server->confined = server->config.sandbox ? sandbox_enter(server->self) : 0;
    server->pool = pool_create(&limits);
    if (server->pool == NULL)
        close(server->listener);
    else
        atomic_store(&server->http, http_start(server->listener, &server->config, &server->service,
                                               server->pool, server->counters));
    return NULL;
}

/* False: one could not be made; the listener is closed. */
static bool start_threads(struct server *server)
{
    pthread_t starter;

    if (pthread_create(&starter, NULL, make_threads, server) != 0) {
        close(server->listener);
        return false;
    }
    pthread_join(starter, NULL);
    return server->http != NULL;
}

struct server *server_start(const struct config *config, char *ret_error, size_t error_size)
{
    struct server *server = calloc(1, sizeof *server);

    if (server == NULL) {
        snprintf(ret_error, error_size, "out of memory");
        return NULL;
    }
    server->config = *config;
    log_set_up((enum log_level)config->log_level, (enum log_format)config->log_format);
    server->self = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (config->threads == 0)
        server->config.threads = cpus_available();
    if (config->workers == 0)
        server->config.workers = cpus_available();
    server->service.default_steps = config->default_steps;
    server->service.max_steps = config->max_steps;
    server->service.max_batch = (size_t)config->max_batch;
    server->service.queries = &server->queries;
    server->service.engine = config_engine(config);
    atomic_init(&server->service.is_ready, true);
    server->service.read_metrics = read_metrics;
    server->service.metrics_context = server;
    server->start_us = process_now_us();
    server->counters = counters_create();
    if (server->counters == NULL) {
        snprintf(ret_error, error_size, "out of memory");
        goto fail;
    }

    const uint64_t memory = memory_available();
    if (config->max_bodies == 0)
        server->config.max_bodies = memory_bodies(memory);
    if (!files_reserve(&server->config, memory_connections(memory), ret_error, error_size))
        goto fail;
    server->is_socket_given = systemd_has_socket();
    server->listener = server->is_socket_given
                           ? systemd_take_socket(&server->port, ret_error, error_size)
                           : listener_open(config->host, (unsigned)config->port, &server->port,
                                           ret_error, error_size);
    if (server->listener < 0)
        goto fail;
    if (!start_threads(server)) {
        snprintf(ret_error, error_size, "cannot start %llu threads",
                 (unsigned long long)server->config.threads + server->config.workers);
        goto fail;
    }
    log_start(server, memory);
    log_unconfined(server);
    return server;

fail:
    if (server->pool != NULL) {
        pool_close(server->pool);
        pool_destroy(server->pool);
    }
    counters_destroy(server->counters);
    close_folder(server);
    free(server);
    return NULL;
}

unsigned server_port(const struct server *server)
{
    return server->port;
}

void server_drain(struct server *server)
{
    atomic_store(&server->service.is_ready, false);
    log_event(LOG_INFO, "draining", "%s", "");
}

static bool just_wait(unsigned ms, void *context)
{
    (void)context;
    clock_sleep_ms(ms);
    return false;
}

/* The order matters: searches end before the threads that answer them do, and the pool is freed
 * when no connection can reach it any more. */
void server_stop(struct server *server, server_wait *wait, void *context)
{
    enum { TICK_MS = 10 };
    const uint64_t end_us = clock_now_us() + server->config.deadline_ms * 1000;

    if (wait == NULL)
        wait = just_wait;
    atomic_store(&server->service.is_ready, false);
    http_quiesce(server->http, server->is_socket_given);
    while (!http_is_calm(server->http) && clock_now_us() < end_us) {
        if (wait(TICK_MS, context))
            http_hurry(server->http);
    }
    http_hurry(server->http);
    pool_close(server->pool);
    http_stop(server->http);
    pool_destroy(server->pool);
    queries_clear(&server->queries);
    counters_destroy(server->counters);
    log_event(LOG_INFO, "stopped", "%s", "");
    close_folder(server);
    free(server);
}
