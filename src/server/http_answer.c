/* From a request that is whole to its answer. */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "clock.h"
#include "config.h"
#include "http_guard.h"
#include "http_loop.h"
#include "http_request.h"
#include "peer.h"

/* Effort as in POOL_SLICE: long enough that a hand-over is rare, short enough that the requests
 * behind, which wait for this thread, do not notice. */
enum { FIRST_SLICE = 256 };

/* A body of so many bytes is decoded by a worker too: 16 MB of JSON take tenths of a second, in
 * which its thread would serve no other connection. */
enum { LARGE_BODY = 128 * 1024 };

static struct http_request *request_of(struct pool_job *job)
{
    return (struct http_request *)(void *)((char *)job - offsetof(struct http_request, job));
}

/* ---- Decoding ---- */

/* A field of the URI. One with a NUL in it would be read as another, so its name is spoilt. */
static enum MHD_Result add_field(void *context, enum MHD_ValueKind kind, const char *name,
                                 size_t name_size, const char *value, size_t value_size)
{
    struct api_fields *fields = context;
    const bool is_cut = strlen(name) != name_size || (value != NULL && strlen(value) != value_size);

    (void)kind;
    fields_add(fields, (struct api_field){
                           .name = is_cut ? "%00" : name,
                           .value = value,
                           .value_length = value_size,
                       });
    return MHD_YES;
}

static void decode(struct http_request *request)
{
    struct api_fields query;

    query.count = 0; /* the rest is written as it is counted */
    MHD_get_connection_values_n(request->connection, MHD_GET_ARGUMENT_KIND, add_field, &query);
    request->call.query = &query;
    api_call_decode(&request->call);
    request->call.query = NULL;
    request->is_decoded = true;
}

/* ---- In the pool ---- */

bool http_has_left(void *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    char byte;

    const ssize_t got = recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

static enum MHD_Result see_forwarded(void *context, enum MHD_ValueKind kind, const char *name,
                                     const char *value)
{
    const char **last = context;

    (void)kind;
    if (strcasecmp(name, "X-Forwarded-For") == 0 && value != NULL)
        *last = value;
    return MHD_YES;
}

const char *http_forwarded(struct MHD_Connection *connection)
{
    const char *last = NULL;

    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, see_forwarded, &last);
    return last;
}

uint64_t http_client(const struct http_request *request)
{
    struct MHD_Connection *connection = request->connection;
    const char *forwarded =
        request->http->config->trust_forwarded ? http_forwarded(connection) : NULL;
    uint64_t number;

    if (forwarded != NULL && peer_read_last(forwarded, &number))
        return number;
    return peer_number(
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr);
}

static enum http_interruption find_interruption(const struct http_request *request)
{
    if (atomic_load(&request->http->is_hurried))
        return HTTP_HURRIED;
    if (clock_now_us() >= request->deadline_us)
        return HTTP_DEADLINE_PASSED;
    return http_has_left(request->connection) ? HTTP_CLIENT_LEFT : HTTP_NOT_INTERRUPTED;
}

static enum schedule_progress run_slice(struct pool_job *job)
{
    struct http_request *request = request_of(job);

    if (request->queued_us == 0)
        request->queued_us = clock_now_us() - request->submitted_us;
    request->interruption = find_interruption(request);
    if (request->interruption == HTTP_DEADLINE_PASSED)
        return SCHEDULE_OVERDUE;
    if (request->interruption != HTTP_NOT_INTERRUPTED)
        return SCHEDULE_DROPPED;
    if (!request->is_decoded)
        decode(request);
    return api_call_run(&request->call, POOL_SLICE) ? SCHEDULE_FINISHED : SCHEDULE_UNFINISHED;
}

static void finish(struct pool_job *job)
{
    http_loop_resume(request_of(job)->connection);
}

/* One with a large body takes its turns among the batches, which it nearly always is. */
static bool submit(struct http_request *request)
{
    struct pool *pool = request->http->pool;
    const uint64_t client = http_client(request);

    if (request->is_decoded)
        return pool_submit(pool, &request->job, client, request->deadline_us);
    return pool_has_room_for_batch(pool, client) &&
           pool_submit_of_batch(pool, &request->job, client);
}

/* Leaves the thread of the connection. Suspended first: a worker may be done, and resume it, before
 * this returns. */
static enum MHD_Result hand_over(struct http_request *request)
{
    request->job = (struct pool_job){.run_slice = run_slice, .finish = finish};
    request->deadline_us = request->whole_us + request->http->config->deadline_ms * 1000U;
    request->is_submitted = true;
    request->submitted_us = clock_now_us();
    http_guard_read(request->http->guard, request->connection);
    MHD_suspend_connection(request->connection);
    if (!submit(request)) {
        api_call_refuse_with(&request->call, PROBLEM_OVERLOADED, http_overloaded);
        http_loop_resume(request->connection);
    }
    return MHD_YES;
}

/* Back from the pool, the reason for which a search was given up becomes the reply. */
static void refuse_interrupted(struct http_request *request)
{
    struct problem problem;

    if (request->interruption == HTTP_DEADLINE_PASSED) {
        problem_init_deadline(&problem, request->http->config->deadline_ms);
        api_call_refuse(&request->call, &problem);
    } else if (request->interruption == HTTP_HURRIED) {
        api_call_refuse_with(&request->call, PROBLEM_SHUTTING_DOWN, "The search was given up.");
    }
}

/* ---- Answering ---- */

enum MHD_Result http_answer(struct http_request *request)
{
    if (!request->is_submitted) {
        request->whole_us = clock_now_us();
        if (request->call.body.length >= LARGE_BODY)
            return hand_over(request);
        decode(request);
        if (!api_call_run(&request->call, FIRST_SLICE))
            return hand_over(request);
    } else if (request->interruption == HTTP_CLIENT_LEFT) {
        return MHD_NO;
    } else {
        refuse_interrupted(request);
    }
    request->worked_us = clock_now_us() - request->whole_us - request->queued_us;
    api_call_encode(&request->call);
    return request->call.batch != NULL ? http_reply_batch(request) : http_reply(request);
}
