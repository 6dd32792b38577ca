/* The answer's way to the library: headers, and the body whole or in pieces. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "cors.h"
#include "counters.h"
#include "http_guard.h"
#include "http_loop.h"
#include "http_request.h"
#include "stream.h"

const char http_overloaded[] = "Too many searches run and wait already; try again later.";

/* ---- Headers ---- */

/* The API's, and as many as list_headers and what it calls add. */
enum { MAX_HEADERS = API_MAX_HEADERS + 9 };

struct headers {
    unsigned count;
    struct api_header list[MAX_HEADERS];
    char timing[80];
};

/* A NULL value adds nothing. */
static void add_header(struct headers *headers, const char *name, const char *value)
{
    if (value == NULL)
        return;
    assert(headers->count < MAX_HEADERS);
    headers->list[headers->count++] = (struct api_header){name, value};
}

static void add_cors_headers(const struct http_request *request, struct headers *headers)
{
    const char *allowed = request->http->config->cors_origins;
    const char *origin = cors_allow_origin(allowed, request->origin);

    add_header(headers, "Access-Control-Allow-Origin", origin);
    add_header(headers, "Access-Control-Expose-Headers",
               origin == NULL ? NULL : cors_exposed_headers);
    /* A cache must not give one origin's answer to another. */
    add_header(headers, "Vary", strcmp(allowed, "*") == 0 ? NULL : "Origin");
}

/* Writes microseconds as milliseconds with three places; 24 characters at most. Returns their end.
 */
static char *print_ms(uint64_t us, char *ret_text)
{
    char *end = ret_text + buffer_print_uint(us / 1000, ret_text);

    *end++ = '.';
    for (unsigned place = 100; place > 0; place /= 10)
        *end++ = (char)('0' + us / place % 10);
    return end;
}

/* How long the request waited for a worker, and how long it was worked on, as a page's developer
 * tools show it. */
static void add_timing_header(const struct http_request *request, struct headers *headers)
{
    char *end = headers->timing;

    if (request->call.route == NULL || request->call.route->endpoint == NULL)
        return;
    end = print_ms(request->queued_us, stpcpy(end, "queue;dur="));
    end = print_ms(request->worked_us, stpcpy(end, ", solve;dur="));
    *end = '\0';
    add_header(headers, "Server-Timing", headers->timing);
}

static void list_headers(const struct http_request *request, struct headers *ret)
{
    const struct api_reply *made = &request->call.reply;
    const bool closes = request->closes || !atomic_load(&request->http->service->is_ready);

    ret->count = 0; /* the rest is written as it is counted */
    /* First, as the library forgets then that it was given a date, and adds another. */
    add_header(ret, "Connection", closes ? "close" : NULL);
    /* The library would add it by itself, and work it out each time. */
    add_header(ret, "Date", date_now(&request->thread->date));
    add_header(ret, "Content-Type", made->content_type);
    add_header(ret, "X-Request-Id", request->id);
    add_header(ret, "X-Content-Type-Options", "nosniff");
    add_cors_headers(request, ret);
    add_timing_header(request, ret);
    for (unsigned i = 0; i < made->header_count; i++)
        add_header(ret, made->headers[i].name, made->headers[i].value);
}

/* ---- Replying ---- */

/* Queues a response that is used once, with the reply's headers. NULL: out of memory. */
static enum MHD_Result queue_once(struct http_request *request, struct MHD_Response *response)
{
    struct headers headers;
    bool is_whole = response != NULL;

    list_headers(request, &headers);
    for (unsigned i = 0; i < headers.count && is_whole; i++)
        is_whole = MHD_add_response_header(response, headers.list[i].name, headers.list[i].value) ==
                   MHD_YES;
    const enum MHD_Result result =
        is_whole ? MHD_queue_response(request->connection, request->call.reply.status, response)
                 : MHD_NO;
    MHD_destroy_response(response);
    return result;
}

/* A large body goes to the library, which frees it. */
static enum MHD_Result queue_large(struct http_request *request)
{
    struct buffer *body = &request->call.reply.body;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(body->length, body->data, MHD_RESPMEM_MUST_FREE);

    if (response != NULL)
        *body = (struct buffer){0};
    return queue_once(request, response);
}

static enum MHD_Result queue_small(struct http_request *request)
{
    const struct buffer *body = &request->call.reply.body;
    struct headers headers;

    list_headers(request, &headers);
    request->response = http_responses_take(&request->thread->responses, headers.list,
                                            headers.count, body->data, body->length);
    return request->response == NULL
               ? MHD_NO
               : MHD_queue_response(request->connection, request->call.reply.status,
                                    http_response_get(request->response));
}

enum MHD_Result http_reply(struct http_request *request)
{
    struct api_reply *reply = &request->call.reply;

    /* The problem is small, and the memory of the answer that was too large is free again. */
    if (reply->body.failed)
        api_call_refuse_with(&request->call, PROBLEM_OUT_OF_MEMORY,
                             "No memory to write the answer.");
    if (reply->body.failed || !http_guard_answer(request->http->guard, request->connection))
        return MHD_NO;
    /* Of a 304, and of an answer to HEAD, only the length is told. */
    if (reply->status != 304 && strcmp(request->method, "HEAD") != 0)
        request->sent = reply->body.length;
    return reply->body.length <= HTTP_RESPONSE_MAX_BODY ? queue_small(request)
                                                        : queue_large(request);
}

/* ---- Batches ---- */

static void suspend(void *connection)
{
    MHD_suspend_connection(connection);
}

static void resume(void *connection)
{
    http_loop_resume(connection);
}

/* A request whose answer is read from a stream. */
struct stream_reading {
    struct stream *stream;
    struct http_request *request; /* not when the stream is ended: it may be gone by then */
    struct counters *counters;
};

/* Counts what came of puzzles since the last time. */
static void count_puzzles(const struct stream_reading *reading, struct api_tally *ret_total)
{
    struct api_tally tally;

    stream_take_tally(reading->stream, &tally);
    counters_add_puzzles(reading->counters, METRICS_BATCH, &tally);
    tally_move(ret_total, &tally);
}

/* The client has its time for each piece; while there is none to read, the time is not its. */
static ssize_t read_stream(void *context, uint64_t position, char *ret_bytes, size_t size)
{
    const struct stream_reading *reading = context;
    struct http_request *request = reading->request;

    http_guard_read(request->http->guard, request->connection);
    const ssize_t count = stream_read(reading->stream, ret_bytes, size);
    if (count == 0)
        return 0;
    request->thread->has_moved = true;
    count_puzzles(reading, &request->call.tally);
    request->sent = position + (count > 0 ? (uint64_t)count : 0);
    if (!http_guard_answer(request->http->guard, request->connection))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    return count > 0               ? count
           : count == STREAM_ENDED ? MHD_CONTENT_READER_END_OF_STREAM
                                   : MHD_CONTENT_READER_END_WITH_ERROR;
}

static void end_stream(void *context)
{
    struct stream_reading *reading = context;
    struct api_tally rest = {0};

    count_puzzles(reading, &rest);
    stream_abandon(reading->stream);
    free(reading);
}

/* NULL: out of memory, and the stream is abandoned. */
static struct MHD_Response *response_of_stream(struct http_request *request, struct stream *stream)
{
    enum { CHUNK = 16 * 1024 };
    struct MHD_Response *response = NULL;
    struct stream_reading *reading = malloc(sizeof *reading);

    if (reading != NULL) {
        *reading = (struct stream_reading){stream, request, request->http->counters};
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
enum MHD_Result http_reply_batch(struct http_request *request)
{
    enum { SPARE_BLOCKS = 2 };
    struct http *http = request->http;
    const struct stream_reader reader = {suspend, resume, http_has_left, request->connection,
                                         http_client(request)};
    struct stream *stream;

    const unsigned blocks = (unsigned)http->config->workers + SPARE_BLOCKS;
    if (!stream_create(request->call.batch, http->pool, blocks, http->config->deadline_ms,
                       &http->is_hurried, &reader, &stream)) {
        api_call_refuse_with(&request->call, PROBLEM_OVERLOADED, http_overloaded);
        return http_reply(request);
    }
    request->call.batch = NULL;
    request->is_batch = stream != NULL;
    if (stream == NULL) {
        api_call_refuse_with(&request->call, PROBLEM_OUT_OF_MEMORY, "No memory for a batch.");
        return http_reply(request);
    }
    counters_add(&counters_lane(http->counters)->batches, 1);
    return queue_once(request, response_of_stream(request, stream));
}
