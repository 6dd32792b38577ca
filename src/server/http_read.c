/* A request from its head until it is whole, and its end. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "config.h"
#include "cors.h"
#include "http_guard.h"
#include "http_request.h"

/* A body of unknown length that grows too large is read on to this multiple of the limit, for its
 * client to read the answer when it has sent all; past it the connection is cut. */
enum { OVERFLOW_FACTOR = 2 };

static void refuse_route(struct http_request *request, const char *method, const char *path,
                         const char *allow)
{
    struct problem problem;

    if (allow[0] != '\0') {
        problem_init(&problem, PROBLEM_METHOD_NOT_ALLOWED,
                     "%.40s does not take %.20s; it takes: %s.", path, method, allow);
        api_call_refuse(&request->call, &problem);
        api_call_add_made_header(&request->call, "Allow", allow);
        return;
    }
    problem_init(&problem, PROBLEM_NOT_FOUND,
                 "There is no %.60s; /openapi.yaml says what there is.", path);
    api_call_refuse(&request->call, &problem);
}

/* What the path takes; and for a browser that asks before it lets a page of another origin call,
 * what such a page may send. */
static void answer_options(struct http_request *request, const char *path, const char *allow)
{
    struct api_call *call = &request->call;

    if (allow[0] == '\0') {
        refuse_route(request, "OPTIONS", path, allow);
        return;
    }
    call->reply.status = 204;
    allow = api_call_add_made_header(call, "Allow", allow);
    if (http_header(request->connection, "Access-Control-Request-Method") != NULL) {
        api_call_add_header(call, "Access-Control-Allow-Methods", allow);
        api_call_add_header(call, "Access-Control-Allow-Headers", cors_allowed_headers);
        api_call_add_header(call, "Access-Control-Max-Age", cors_max_age);
    }
}

/* OPTIONS *: whether the server is there, and what it takes anywhere. */
static void answer_options_of_all(struct api_call *call)
{
    char allow[64] = "OPTIONS";
    size_t length = strlen(allow);
    const struct api_route *route;

    for (size_t i = 0; (route = api_route_at(i)) != NULL; i++) {
        if (strstr(allow, route->method) == NULL && length < sizeof allow - 16)
            length +=
                (size_t)snprintf(allow + length, sizeof allow - length, ", %s",
                                 strcmp(route->method, "GET") == 0 ? "GET, HEAD" : route->method);
    }
    call->reply.status = 204;
    api_call_add_made_header(call, "Allow", allow);
}

/* A body that is not going to be read is let go of at once, however long its client stays. */
static void drop_body(struct http_request *request)
{
    buffer_clear(&request->call.body);
    atomic_fetch_sub(&request->http->held, request->held);
    request->held = 0;
}

static void describe_size(const struct http_request *request, struct problem *problem)
{
    problem_init(problem, PROBLEM_BODY_TOO_LARGE, "A body may have at most %llu bytes.",
                 (unsigned long long)request->http->config->max_body);
}

static void refuse_size(struct http_request *request)
{
    struct problem problem;

    describe_size(request, &problem);
    api_call_refuse(&request->call, &problem);
}

/* The head of the request is here, its body is not. Refused now: a body that is announced too
 * large, and one that a client waits to be asked for in vain. All else is answered when the body
 * has been read, because an answer at this point closes the connection. */
static enum MHD_Result begin(struct http_request *request, const char *method, const char *path,
                             const char *version)
{
    char allow[API_MAX_ALLOW];
    const char *length = http_header(request->connection, "Content-Length");
    const bool expects = http_header(request->connection, "Expect") != NULL;
    const char *const target = path;

    snprintf(request->method, sizeof request->method, "%s", method);
    snprintf(request->path, sizeof request->path, "%s", path);
    switch (http_guard_judge(request->http->guard, request->connection, method, version, &path,
                             &request->call, &request->closes)) {
    case HTTP_GUARD_PASSES:
        break;
    case HTTP_GUARD_REFUSED:
        return http_reply(request);
    case HTTP_GUARD_ENDED:
        return MHD_NO;
    }
    if (path[0] == '*') {
        answer_options_of_all(&request->call);
        return http_reply(request);
    }
    if (path != target) /* it had a scheme and a host before it */
        snprintf(request->path, sizeof request->path, "%s", path);
    request->call.content_type = http_header(request->connection, "Content-Type");
    request->call.accept = http_header(request->connection, "Accept");
    request->call.accept_encoding = http_header(request->connection, "Accept-Encoding");
    request->call.if_none_match = http_header(request->connection, "If-None-Match");
    trace_take(http_header(request->connection, "traceparent"), request->trace);
    request->call.route = api_route_find(method, path, allow);
    if (request->call.route == NULL && strcmp(method, "OPTIONS") == 0)
        answer_options(request, path, allow);
    else if (request->call.route == NULL)
        refuse_route(request, method, path, allow);
    if (length != NULL && strtoull(length, NULL, 10) > request->http->config->max_body) {
        refuse_size(request);
        return http_reply(request);
    }
    return expects && !api_call_takes_body(&request->call) ? http_reply(request) : MHD_YES;
}

/* Accounts for the memory of the body, which lasts until the request is completed. False: it is
 * more than there is for all. */
static bool hold(struct http_request *request, uint64_t bytes)
{
    struct http *http = request->http;
    const uint64_t more = bytes - request->held;

    request->held = bytes;
    return more == 0 || atomic_fetch_add(&http->held, more) + more <= http->config->max_bodies;
}

static enum MHD_Result cut(const struct http_request *request)
{
    struct problem problem;

    describe_size(request, &problem);
    return http_guard_cut(request->connection, &problem, request->id);
}

/* Takes a piece of the body. */
static enum MHD_Result collect(struct http_request *request, const char *bytes, size_t size)
{
    const uint64_t limit = request->http->config->max_body;
    struct api_call *call = &request->call;

    request->received += size;
    if (request->received > limit && call->reply.status == 0)
        refuse_size(request);
    if (request->received > limit * OVERFLOW_FACTOR)
        return cut(request);
    if (call->reply.status == 0) {
        buffer_put(&call->body, bytes, size);
        if (call->body.failed)
            api_call_refuse_with(call, PROBLEM_OUT_OF_MEMORY, "No memory to read the body.");
        else if (!hold(request, call->body.capacity))
            api_call_refuse_with(call, PROBLEM_OVERLOADED,
                                 "All memory for request bodies is taken; try again later.");
    }
    if (call->reply.status != 0)
        drop_body(request);
    return MHD_YES;
}

/* A kept one, or a new one. NULL: out of memory. */
static struct http_request *take_request(struct http_spares *spares)
{
    struct http_request *request = spares->requests;

    if (request == NULL)
        return calloc(1, sizeof *request);
    spares->requests = request->next;
    spares->request_count--;
    const struct buffer body = request->call.body;
    const struct buffer answer = request->call.reply.body;
    *request = (struct http_request){0};
    request->call.body = body;
    request->call.reply.body = answer;
    return request;
}

static void free_request(struct http_request *request)
{
    api_call_clear(&request->call);
    free(request);
}

static void keep_request(struct http_spares *spares, struct http_request *request)
{
    enum { MAX_KEPT = 64, MAX_BODY = 4096 };

    if (spares->request_count == MAX_KEPT) {
        free_request(request);
        return;
    }
    api_call_empty(&request->call, MAX_BODY);
    request->next = spares->requests;
    spares->requests = request;
    spares->request_count++;
}

void http_spares_clear(struct http_spares *spares)
{
    while (spares->requests != NULL) {
        struct http_request *request = spares->requests;
        spares->requests = request->next;
        free_request(request);
    }
    spares->request_count = 0;
    http_responses_clear(&spares->responses);
}

static struct http_request *request_create(struct http *http, struct http_spares *spares,
                                           struct MHD_Connection *connection)
{
    struct http_request *request = take_request(spares);

    if (request == NULL)
        return NULL;
    request->http = http;
    request->spares = spares;
    request->connection = connection;
    request->began_us = clock_now_us();
    request_id_take(&http->ids, http_header(connection, "X-Request-Id"), request->id);
    request->call.service = http->service;
    request->call.id = request->id;
    atomic_fetch_add(&http->in_flight, 1);
    return request;
}

/* The library calls this when the head of a request is read, then for each piece of its body, then
 * with no more data; and once more after each resume. */
enum MHD_Result http_handle(struct http *http, struct http_spares *spares,
                            struct MHD_Connection *connection, const char *path, const char *method,
                            const char *version, const char *upload, size_t *upload_size,
                            void **context)
{
    struct http_request *request = *context;

    if (request == NULL) {
        request = request_create(http, spares, connection);
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
    return http_answer(request);
}

void http_complete(struct http *http, struct MHD_Connection *connection, void **context,
                   enum MHD_RequestTerminationCode why)
{
    struct http_request *request = *context;
    const unsigned status = http_guard_complete(http->guard, connection);

    if (request == NULL)
        return;
    if (request->call.reply.status == 0 && status != 0) {
        request->call.reply.status = status;
        request->call.reply.problem = 1 + PROBLEM_UPLOAD_TOO_SLOW;
    }
    http_done(request, why == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    if (request->response != NULL)
        http_responses_put_back(&request->spares->responses, request->response);
    atomic_fetch_sub(&http->held, request->held);
    keep_request(request->spares, request);
    *context = NULL;
    atomic_fetch_sub(&http->in_flight, 1);
}
