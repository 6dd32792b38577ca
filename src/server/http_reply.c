/* The answer's way to the library: headers, and the body whole or in pieces. */
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

/* ---- Replying ---- */

/* The body goes to the library, which frees it. */
static struct MHD_Response *response_of(struct http_request *request)
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
    /* Of a 304, and of an answer to HEAD, only the length is told. */
    if (response != NULL && request->call.reply.status != 304 &&
        strcmp(request->method, "HEAD") != 0)
        request->sent = body->length;
    if (response != NULL)
        *body = (struct buffer){0};
    return response;
}

/* A NULL value adds nothing. False: out of memory. */
static bool add_header(struct MHD_Response *response, const char *name, const char *value)
{
    return value == NULL || MHD_add_response_header(response, name, value) == MHD_YES;
}

static bool add_cors_headers(const struct http_request *request, struct MHD_Response *response)
{
    const char *allowed = request->http->config->cors_origins;
    const char *origin = cors_allow_origin(allowed, http_header(request->connection, "Origin"));

    return add_header(response, "Access-Control-Allow-Origin", origin) &&
           add_header(response, "Access-Control-Expose-Headers",
                      origin == NULL ? NULL : cors_exposed_headers) &&
           /* A cache must not give one origin's answer to another. */
           add_header(response, "Vary", strcmp(allowed, "*") == 0 ? NULL : "Origin");
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
static bool add_timing_header(const struct http_request *request, struct MHD_Response *response)
{
    char timing[80];
    char *end = timing;

    if (request->call.route == NULL || request->call.route->endpoint == NULL)
        return true;
    end = print_ms(request->queued_us, stpcpy(end, "queue;dur="));
    end = print_ms(request->worked_us, stpcpy(end, ", solve;dur="));
    *end = '\0';
    return add_header(response, "Server-Timing", timing);
}

static enum MHD_Result queue(struct http_request *request, struct MHD_Response *response)
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

enum MHD_Result http_reply(struct http_request *request)
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
                                         http_client(request->connection)};
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
    struct MHD_Response *response = response_of_stream(request, stream);
    return response == NULL ? MHD_NO : queue(request, response);
}
