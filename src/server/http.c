#include "http.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/api.h"
#include "clock.h"
#include "config.h"
#include "cors.h"
#include "http_guard.h"
#include "log.h"
#include "pool.h"
#include "request_id.h"
#include "stream.h"

/* Effort, about a microsecond each: long enough that a hand-over is rare and its cost small beside
 * the work, short enough that the requests behind do not notice. */
enum { FIRST_SLICE = 256, SLICE = 1024 };

/* What libmicrohttpd may use of memory for a connection: the head of a request must fit. */
enum { CONNECTION_MEMORY = 16 * 1024 };

/* A body of unknown length that grows too large is read on to this multiple of the limit, for its
 * client to read the answer when it has sent all; past it the connection is cut. */
enum { OVERFLOW_FACTOR = 2 };

struct http {
    struct MHD_Daemon *daemon;
    int listener;
    const struct config *config;
    struct api_service *service;
    struct pool *pool;
    struct http_guard *guard;
    struct log_limit library_lines;
    struct request_ids ids;
    atomic_uint in_flight;
    _Atomic uint64_t held; /* bytes of bodies */
    atomic_bool is_hurried;
    uint64_t busy_us; /* while stopping: when a client or request was last seen */
};

enum interruption {
    NOT_INTERRUPTED,
    CLIENT_LEFT,
    DEADLINE_PASSED,
    HURRIED,
};

struct request {
    struct api_call call;
    struct http *http;
    struct MHD_Connection *connection;
    char id[REQUEST_ID_MAX];
    char method[16];
    char path[64];          /* for the log; cut when longer */
    uint64_t held;          /* bytes of memory for the body */
    uint64_t received;      /* bytes of the body, those thrown away too */
    char trace[TRACE_SIZE]; /* traceparent, empty when there is none that is sane */
    uint64_t began_us;      /* when its head was read */
    uint64_t decoded_us;    /* when its body was whole */
    uint64_t submitted_us;  /* when it was handed to the pool */
    uint64_t queued_us;     /* how long it waited there */
    uint64_t worked_us;     /* how long it took but for that */
    bool closes;            /* the answer closes the connection */

    struct pool_job job;
    bool is_submitted; /* it was handed to the pool, and is back */
    uint64_t deadline_us;
    enum interruption interruption;
};

static struct request *request_of(struct pool_job *job)
{
    return (struct request *)(void *)((char *)job - offsetof(struct request, job));
}

static const char *header_of(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* ---- Replying ---- */

/* The body goes to the library, which frees it. */
static struct MHD_Response *response_of(struct request *request)
{
    struct buffer *body = &request->call.reply.body;

    /* The problem is small, and the memory of the answer that was too large is free again. */
    if (body->failed)
        api_call_refuse_with(&request->call, PROBLEM_OUT_OF_MEMORY,
                             "No memory to write the answer.");
    if (body->failed)
        return NULL;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(body->length, body->data, MHD_RESPMEM_MUST_FREE);
    if (response != NULL)
        *body = (struct buffer){0};
    return response;
}

/* A NULL value adds nothing. False: out of memory. */
static bool add_header(struct MHD_Response *response, const char *name, const char *value)
{
    return value == NULL || MHD_add_response_header(response, name, value) == MHD_YES;
}

static bool add_cors_headers(const struct request *request, struct MHD_Response *response)
{
    const char *allowed = request->http->config->cors_origins;
    const char *origin = cors_allow_origin(allowed, header_of(request->connection, "Origin"));

    return add_header(response, "Access-Control-Allow-Origin", origin) &&
           add_header(response, "Access-Control-Expose-Headers",
                      origin == NULL ? NULL : cors_exposed_headers) &&
           /* A cache must not give one origin's answer to another. */
           add_header(response, "Vary", strcmp(allowed, "*") == 0 ? NULL : "Origin");
}

/* How long the request waited for a worker, and how long it was worked on, as a page's developer
 * tools show it. */
static bool add_timing_header(const struct request *request, struct MHD_Response *response)
{
    char timing[64];

    if (request->call.route == NULL || request->call.route->endpoint == NULL)
        return true;
    snprintf(timing, sizeof timing, "queue;dur=%.3f, solve;dur=%.3f",
             (double)request->queued_us / 1000, (double)request->worked_us / 1000);
    return add_header(response, "Server-Timing", timing);
}

static enum MHD_Result queue(struct request *request, struct MHD_Response *response)
{
    const struct api_reply *made = &request->call.reply;
    const bool closes = request->closes || !atomic_load(&request->http->service->is_ready);
    bool is_whole = add_header(response, "Content-Type", made->content_type) &&
                    add_header(response, "X-Request-Id", request->id) &&
                    add_header(response, "X-Content-Type-Options", "nosniff") &&
                    add_header(response, "Connection", closes ? "close" : NULL) &&
                    add_cors_headers(request, response) && add_timing_header(request, response);

    for (unsigned i = 0; i < made->header_count && is_whole; i++)
        is_whole = add_header(response, made->headers[i].name, made->headers[i].value);
    const enum MHD_Result result =
        is_whole ? MHD_queue_response(request->connection, made->status, response) : MHD_NO;
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result reply(struct request *request)
{
    struct MHD_Response *response = response_of(request);

    if (response == NULL)
        return MHD_NO;
    if (!http_guard_answer(request->http->guard, request->connection)) {
        MHD_destroy_response(response);
        return MHD_NO;
    }
    return queue(request, response);
}

/* ---- Searching in the pool ---- */

static const char overloaded[] =
    "All searches that may run at a time are running; try again later.";

/* Nothing more to read, ever: the client has closed its side. Whoever waits for an answer keeps the
 * connection open both ways. */
static bool has_left(void *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    char byte;

    const ssize_t got = recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

static enum interruption find_interruption(const struct request *request)
{
    if (atomic_load(&request->http->is_hurried))
        return HURRIED;
    if (clock_now_us() >= request->deadline_us)
        return DEADLINE_PASSED;
    return has_left(request->connection) ? CLIENT_LEFT : NOT_INTERRUPTED;
}

static bool run_slice(struct pool_job *job)
{
    struct request *request = request_of(job);

    if (request->queued_us == 0)
        request->queued_us = clock_now_us() - request->submitted_us;
    request->interruption = find_interruption(request);
    return request->interruption != NOT_INTERRUPTED || api_call_run(&request->call, SLICE);
}

static void finish(struct pool_job *job)
{
    MHD_resume_connection(request_of(job)->connection);
}

/* Leaves the thread of the connection. Suspended first: a worker may be done, and resume it, before
 * this returns. */
static void hand_over(struct request *request)
{
    request->job = (struct pool_job){.run_slice = run_slice, .finish = finish};
    request->deadline_us = request->began_us + request->http->config->deadline_ms * 1000U;
    request->is_submitted = true;
    request->submitted_us = clock_now_us();
    http_guard_read(request->http->guard, request->connection);
    MHD_suspend_connection(request->connection);
    if (!pool_submit(request->http->pool, &request->job)) {
        api_call_refuse_with(&request->call, PROBLEM_OVERLOADED, overloaded);
        MHD_resume_connection(request->connection);
    }
}

/* Back from the pool, the reason for which a search was given up becomes the reply. */
static void refuse_interrupted(struct request *request)
{
    char detail[96];

    if (request->interruption == DEADLINE_PASSED) {
        snprintf(detail, sizeof detail, "No answer within %llu ms; a smaller max_steps may help.",
                 (unsigned long long)request->http->config->deadline_ms);
        api_call_refuse_with(&request->call, PROBLEM_DEADLINE_EXCEEDED, detail);
    } else if (request->interruption == HURRIED) {
        api_call_refuse_with(&request->call, PROBLEM_SHUTTING_DOWN, "The search was given up.");
    }
}

/* ---- Batches ---- */

static void suspend(void *connection)
{
    MHD_suspend_connection(connection);
}

static void resume(void *connection)
{
    MHD_resume_connection(connection);
}

/* A connection that reads a stream. */
struct stream_reading {
    struct stream *stream;
    struct http_guard *guard;
    struct MHD_Connection *connection;
};

/* The client has its time for each piece; while there is none to read, the time is not its. */
static ssize_t read_stream(void *context, uint64_t position, char *ret_bytes, size_t size)
{
    const struct stream_reading *reading = context;

    (void)position;
    http_guard_read(reading->guard, reading->connection);
    const ssize_t count = stream_read(reading->stream, ret_bytes, size);
    if (count == 0)
        return 0;
    if (!http_guard_answer(reading->guard, reading->connection))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    return count > 0               ? count
           : count == STREAM_ENDED ? MHD_CONTENT_READER_END_OF_STREAM
                                   : MHD_CONTENT_READER_END_WITH_ERROR;
}

static void end_stream(void *context)
{
    struct stream_reading *reading = context;

    stream_abandon(reading->stream);
    free(reading);
}

/* NULL: out of memory, and the stream is abandoned. */
static struct MHD_Response *response_of_stream(struct request *request, struct stream *stream)
{
    enum { CHUNK = 16 * 1024 };
    struct MHD_Response *response = NULL;
    struct stream_reading *reading = malloc(sizeof *reading);

    if (reading != NULL) {
        *reading = (struct stream_reading){stream, request->http->guard, request->connection};
        response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, CHUNK, read_stream, reading,
                                                     end_stream);
    }
    if (response == NULL) {
        free(reading);
        stream_abandon(stream);
    }
    return response;
}

/* Answers while the answer is being made. */
static enum MHD_Result reply_batch(struct request *request)
{
    enum { SPARE_BLOCKS = 2 };
    struct http *http = request->http;
    const struct stream_reader reader = {suspend, resume, has_left, request->connection};
    struct stream *stream;

    const unsigned blocks = (unsigned)http->config->workers + SPARE_BLOCKS;
    if (!stream_create(request->call.batch, http->pool, blocks, http->config->deadline_ms,
                       &http->is_hurried, &reader, &stream)) {
        api_call_refuse_with(&request->call, PROBLEM_OVERLOADED, overloaded);
        return reply(request);
    }
    request->call.batch = NULL;
    if (stream == NULL) {
        api_call_refuse_with(&request->call, PROBLEM_OUT_OF_MEMORY, "No memory for a batch.");
        return reply(request);
    }
    struct MHD_Response *response = response_of_stream(request, stream);
    return response == NULL ? MHD_NO : queue(request, response);
}

/* ---- Answering ---- */

static enum MHD_Result answer(struct request *request)
{
    if (!request->is_submitted) {
        request->decoded_us = clock_now_us();
        api_call_decode(&request->call);
        if (!api_call_run(&request->call, FIRST_SLICE)) {
            hand_over(request);
            return MHD_YES;
        }
    } else if (request->interruption == CLIENT_LEFT) {
        return MHD_NO;
    } else {
        refuse_interrupted(request);
    }
    request->worked_us = clock_now_us() - request->decoded_us - request->queued_us;
    api_call_encode(&request->call);
    return request->call.batch != NULL ? reply_batch(request) : reply(request);
}

/* ---- Reading ---- */

static void refuse_route(struct request *request, const char *method, const char *path,
                         const char *allow)
{
    struct problem problem;

    if (allow[0] != '\0') {
        problem_init(&problem, PROBLEM_METHOD_NOT_ALLOWED,
                     "%.40s does not take %.20s; it takes: %s.", path, method, allow);
        api_call_refuse(&request->call, &problem);
        api_call_add_header(&request->call, "Allow", "%s", allow);
        return;
    }
    problem_init(&problem, PROBLEM_NOT_FOUND,
                 "There is no %.60s; /openapi.yaml says what there is.", path);
    api_call_refuse(&request->call, &problem);
}

/* What the path takes; and for a browser that asks before it lets a page of another origin call,
 * what such a page may send. */
static void answer_options(struct request *request, const char *path, const char *allow)
{
    struct api_call *call = &request->call;

    if (allow[0] == '\0') {
        refuse_route(request, "OPTIONS", path, allow);
        return;
    }
    call->reply.status = 204;
    api_call_add_header(call, "Allow", "%s", allow);
    if (header_of(request->connection, "Access-Control-Request-Method") != NULL) {
        api_call_add_header(call, "Access-Control-Allow-Methods", "%s", allow);
        api_call_add_header(call, "Access-Control-Allow-Headers", "%s", cors_allowed_headers);
        api_call_add_header(call, "Access-Control-Max-Age", "%s", cors_max_age);
    }
}

/* A field of the URI. One with a NUL in it would be read as another, so its name is spoilt. */
static enum MHD_Result add_field(void *context, enum MHD_ValueKind kind, const char *name,
                                 size_t name_size, const char *value, size_t value_size)
{
    struct api_call *call = context;
    const bool is_cut = strlen(name) != name_size || (value != NULL && strlen(value) != value_size);

    (void)kind;
    fields_add(&call->query, (struct api_field){
                                 .name = is_cut ? "%00" : name,
                                 .value = value,
                                 .value_length = value_size,
                             });
    return MHD_YES;
}

static void describe_size(const struct request *request, struct problem *problem)
{
    problem_init(problem, PROBLEM_BODY_TOO_LARGE, "A body may have at most %llu bytes.",
                 (unsigned long long)request->http->config->max_body);
}

static void refuse_size(struct request *request)
{
    struct problem problem;

    describe_size(request, &problem);
    api_call_refuse(&request->call, &problem);
}

/* The head of the request is here, its body is not. Refused now: a body that is announced too
 * large, and one that a client waits to be asked for in vain. All else is answered when the body
 * has been read, because an answer at this point closes the connection. */
static enum MHD_Result begin(struct request *request, const char *method, const char *path,
                             const char *version)
{
    char allow[API_MAX_ALLOW];
    const char *length = header_of(request->connection, "Content-Length");
    const bool expects = header_of(request->connection, "Expect") != NULL;

    snprintf(request->method, sizeof request->method, "%s", method);
    snprintf(request->path, sizeof request->path, "%s", path);
    switch (http_guard_judge(request->http->guard, request->connection, method, version, &path,
                             &request->call, &request->closes)) {
    case HTTP_GUARD_PASSES:
        break;
    case HTTP_GUARD_ANSWERED:
        return reply(request);
    case HTTP_GUARD_ENDED:
        return MHD_NO;
    }
    request->call.content_type = header_of(request->connection, "Content-Type");
    request->call.accept = header_of(request->connection, "Accept");
    request->call.accept_encoding = header_of(request->connection, "Accept-Encoding");
    request->call.if_none_match = header_of(request->connection, "If-None-Match");
    trace_take(header_of(request->connection, "traceparent"), request->trace);
    request->call.route = api_route_find(method, path, allow);
    if (request->call.route == NULL && strcmp(method, "OPTIONS") == 0)
        answer_options(request, path, allow);
    else if (request->call.route == NULL)
        refuse_route(request, method, path, allow);
    else
        MHD_get_connection_values_n(request->connection, MHD_GET_ARGUMENT_KIND, add_field,
                                    &request->call);
    if (length != NULL && strtoull(length, NULL, 10) > request->http->config->max_body) {
        refuse_size(request);
        return reply(request);
    }
    return expects && !api_call_takes_body(&request->call) ? reply(request) : MHD_YES;
}

/* Accounts for the memory of the body, which lasts until the request is completed. False: it is
 * more than there is for all. */
static bool hold(struct request *request, uint64_t bytes)
{
    struct http *http = request->http;
    const uint64_t more = bytes - request->held;

    request->held = bytes;
    return more == 0 || atomic_fetch_add(&http->held, more) + more <= http->config->max_bodies;
}

static enum MHD_Result cut(const struct request *request)
{
    struct problem problem;

    describe_size(request, &problem);
    return http_guard_cut(request->connection, &problem, request->id);
}

/* Takes a piece of the body. */
static enum MHD_Result collect(struct request *request, const char *bytes, size_t size)
{
    const uint64_t limit = request->http->config->max_body;
    struct buffer *body = &request->call.body;

    request->received += size;
    if (request->received > limit && request->call.reply.status == 0)
        refuse_size(request);
    if (request->received > limit * OVERFLOW_FACTOR)
        return cut(request);
    if (request->call.reply.status != 0)
        return MHD_YES;

    buffer_put(body, bytes, size);
    if (body->failed)
        api_call_refuse_with(&request->call, PROBLEM_OUT_OF_MEMORY, "No memory to read the body.");
    else if (!hold(request, body->capacity))
        api_call_refuse_with(&request->call, PROBLEM_OVERLOADED,
                             "All memory for request bodies is taken; try again later.");
    return MHD_YES;
}

static struct request *request_create(struct http *http, struct MHD_Connection *connection)
{
    struct request *request = calloc(1, sizeof *request);

    if (request == NULL)
        return NULL;
    request->http = http;
    request->connection = connection;
    request->began_us = clock_now_us();
    request_id_take(&http->ids, header_of(connection, "X-Request-Id"), request->id);
    request->call.service = http->service;
    request->call.id = request->id;
    atomic_fetch_add(&http->in_flight, 1);
    return request;
}

/* The library calls this when the head of a request is read, then for each piece of its body, then
 * with no more data; and once more after each resume. */
static enum MHD_Result handle(void *http, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **context)
{
    struct request *request = *context;

    if (request == NULL) {
        request = request_create(http, connection);
        if (request == NULL)
            return MHD_NO;
        *context = request;
        return begin(request, method, path, version);
    }
    if (*upload_size > 0) {
        const enum MHD_Result result = collect(request, upload, *upload_size);
        *upload_size = 0;
        return result;
    }
    return answer(request);
}

static void log_access(const struct request *request)
{
    char method[32];
    char path[128];

    log_event(LOG_INFO, "request",
              ",\"id\":\"%s\",\"method\":\"%s\",\"path\":\"%s\",\"status\":%u,"
              "\"received\":%llu,\"duration_us\":%llu,\"queue_us\":%llu,\"trace\":\"%s\"",
              request->id, log_escape(request->method, method, sizeof method),
              log_escape(request->path, path, sizeof path), request->call.reply.status,
              (unsigned long long)request->received,
              (unsigned long long)(clock_now_us() - request->began_us),
              (unsigned long long)request->queued_us, request->trace);
}

static void completed(void *context_of_http, struct MHD_Connection *connection, void **context,
                      enum MHD_RequestTerminationCode why)
{
    struct http *http = context_of_http;
    struct request *request = *context;
    const unsigned status = http_guard_complete(http->guard, connection);

    (void)why;
    if (request == NULL)
        return;
    if (request->call.reply.status == 0)
        request->call.reply.status = status;
    if (http->config->access_log)
        log_access(request);
    api_call_clear(&request->call);
    atomic_fetch_sub(&http->held, request->held);
    free(request);
    *context = NULL;
    atomic_fetch_sub(&http->in_flight, 1);
}

/* ---- Life ---- */

static void log_library(void *context, const char *format, va_list arguments)
{
    struct http *http = context;
    char text[512];
    char escaped[1024];

    if (!log_limit_take(&http->library_lines, clock_now_us()))
        return;
    vsnprintf(text, sizeof text, format, arguments);
    text[strcspn(text, "\n")] = '\0';
    log_event(LOG_WARNING, "libmicrohttpd", ",\"message\":\"%s\"",
              log_escape(text, escaped, sizeof escaped));
}

struct http *http_start(int listener, const struct config *config, struct api_service *service,
                        struct pool *pool)
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
    request_ids_init(&http->ids);
    http->guard = http_guard_create(config);
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
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, (intptr_t)((config->timeout_ms + 999) / 1000), NULL},
        {MHD_OPTION_PER_IP_CONNECTION_LIMIT, (intptr_t)config->max_connections_per_address, NULL},
        /* What -1 and 1 refuse, they refuse in HTML or in silence; the guard refuses it too. */
        {MHD_OPTION_STRICT_FOR_CLIENT, 0, NULL},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)http_guard_connection, http->guard},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)http_guard_uri, http->guard},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, http},
        {config->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END,
         (intptr_t)config->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    http->daemon = MHD_start_daemon(flags, 0, NULL, NULL, handle, http, MHD_OPTION_ARRAY, options,
                                    MHD_OPTION_END);
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

void http_quiesce(struct http *http)
{
    MHD_quiesce_daemon(http->daemon);
    http->busy_us = clock_now_us();
}

bool http_is_calm(struct http *http)
{
    enum { CALM_US = 50000 };

    if (accept_waiting(http) > 0 || atomic_load(&http->in_flight) > 0)
        http->busy_us = clock_now_us();
    return clock_now_us() - http->busy_us >= CALM_US;
}

void http_stop(struct http *http)
{
    MHD_stop_daemon(http->daemon);
    http_guard_destroy(http->guard);
    close(http->listener);
    free(http);
}
