/* A request from its head until it is whole, and its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "config.h"
#include "cors.h"
#include "http_guard.h"
#include "http_head.h"
#include "http_request.h"

/* A body of unknown length that grows too large is read on to this multiple of the limit, for its
 * client to read the answer when it has sent all; past it the connection is cut. */
enum { OVERFLOW_FACTOR = 2 };

static void refuse_route(struct http_request *request, const char *allow)
{
    struct problem problem;

    if (allow[0] != '\0') {
        problem_init(&problem, PROBLEM_METHOD_NOT_ALLOWED,
                     "%.40s does not take %.20s; it takes: %s.", request->path, request->method,
                     allow);
        api_call_refuse(&request->call, &problem);
        api_call_add_made_header(&request->call, "Allow", allow);
        return;
    }
    problem_init(&problem, PROBLEM_NOT_FOUND,
                 "There is no %.60s; /openapi.yaml says what there is.", request->path);
    api_call_refuse(&request->call, &problem);
}

/* What the path takes; and for a browser that asks before it lets a page of another origin call,
 * what such a page may send. */
static void answer_options(struct http_request *request, const char *allow, bool is_preflight)
{
    struct api_call *call = &request->call;

    if (allow[0] == '\0') {
        refuse_route(request, allow);
        return;
    }
    call->reply.status = 204;
    allow = api_call_add_made_header(call, "Allow", allow);
    if (is_preflight) {
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

/* What the head says is told to those who use it. */
static void spread_head(struct http_request *request, const struct http_head *head)
{
    struct api_call *call = &request->call;

    request->origin = head->value[HTTP_ORIGIN];
    trace_take(head->value[HTTP_TRACEPARENT], request->trace);
    call->content_type = head->value[HTTP_CONTENT_TYPE];
    call->accept = head->value[HTTP_ACCEPT];
    call->accept_encoding = head->value[HTTP_ACCEPT_ENCODING];
    call->if_none_match = head->value[HTTP_IF_NONE_MATCH];
}

static void find_route(struct http_request *request, bool is_preflight)
{
    char allow[API_MAX_ALLOW];

    request->call.route = api_route_find(request->method, request->path, allow);
    if (request->call.route != NULL)
        return;
    if (strcmp(request->method, "OPTIONS") == 0)
        answer_options(request, allow, is_preflight);
    else
        refuse_route(request, allow);
}

/* The head of the request is here, its body is not. Refused now: a body that is announced too
 * large, and one that a client waits to be asked for in vain. All else is answered when the body
 * has been read, because an answer at this point closes the connection. */
static enum MHD_Result begin(struct http_request *request, const char *version)
{
    struct http *http = request->http;
    struct problem problem;
    struct http_head head;

    http_guard_take_head(http->guard, request->connection, request->method, version, &problem,
                         &head);
    request_id_take(&http->ids, head.value[HTTP_REQUEST_ID], request->id);
    spread_head(request, &head);
    switch (http_guard_judge(http->guard, request->connection, &head, &request->path,
                             &request->call, &request->closes)) {
    case HTTP_GUARD_PASSES:
        break;
    case HTTP_GUARD_REFUSED:
        return http_reply(request);
    case HTTP_GUARD_ENDED:
        return MHD_NO;
    }
    if (request->path[0] == '*') {
        answer_options_of_all(&request->call);
        return http_reply(request);
    }
    find_route(request, head.value[HTTP_PREFLIGHT_METHOD] != NULL);
    const char *length = head.value[HTTP_CONTENT_LENGTH];
    if (length != NULL && strtoull(length, NULL, 10) > http->config->max_body) {
        refuse_size(request);
        return http_reply(request);
    }
    return head.value[HTTP_EXPECT] != NULL && !api_call_takes_body(&request->call)
               ? http_reply(request)
               : MHD_YES;
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

    http_guard_take_body(request->connection, size);
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
static struct http_request *take_request(struct http_thread *thread)
{
    struct http_request *request = thread->requests;

    if (request == NULL)
        return calloc(1, sizeof *request);
    thread->requests = request->next;
    thread->request_count--;
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

static void keep_request(struct http_thread *thread, struct http_request *request)
{
    enum { MAX_KEPT = 64, MAX_BODY = 4096 };

    if (thread->request_count == MAX_KEPT) {
        free_request(request);
        return;
    }
    api_call_empty(&request->call, MAX_BODY);
    request->next = thread->requests;
    thread->requests = request;
    thread->request_count++;
}

void http_thread_clear(struct http_thread *thread)
{
    while (thread->requests != NULL) {
        struct http_request *request = thread->requests;
        thread->requests = request->next;
        free_request(request);
    }
    thread->request_count = 0;
    http_responses_clear(&thread->responses);
}

static struct http_request *request_create(struct http *http, struct http_thread *thread,
                                           struct MHD_Connection *connection, const char *method,
                                           const char *path)
{
    struct http_request *request = take_request(thread);

    if (request == NULL)
        return NULL;
    request->http = http;
    request->thread = thread;
    request->connection = connection;
    request->began_us = clock_now_us();
    request->method = method;
    request->path = path;
    request->call.service = http->service;
    request->call.id = request->id;
    atomic_fetch_add(&http->in_flight, 1);
    return request;
}

/* The library calls this when the head of a request is read, then for each piece of its body, then
 * with no more data; and once more after each resume. */
enum MHD_Result http_handle(struct http *http, struct http_thread *thread,
                            struct MHD_Connection *connection, const char *path, const char *method,
                            const char *version, const char *upload, size_t *upload_size,
                            void **context)
{
    struct http_request *request = *context;

    thread->has_moved = true;
    if (request == NULL) {
        request = request_create(http, thread, connection, method, path);
        if (request == NULL)
            return MHD_NO;
        *context = request;
        return begin(request, version);
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
    const unsigned problem = http_guard_complete(http->guard, connection);

    if (request == NULL)
        return;
    if (request->call.reply.status == 0 && problem != 0) {
        request->call.reply.status = problem_status((enum problem_type)(problem - 1));
        request->call.reply.problem = problem;
    }
    http_done(request, why == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    request->thread->has_moved = true;
    if (request->response != NULL)
        http_responses_put_back(&request->thread->responses, request->response);
    atomic_fetch_sub(&http->held, request->held);
    keep_request(request->thread, request);
    *context = NULL;
    atomic_fetch_sub(&http->in_flight, 1);
}
