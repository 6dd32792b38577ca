/* A call's way through its route. */
#include <assert.h>
#include <string.h>

#include "batch.h"
#include "cache.h"
#include "decode.h"
#include "encode.h"
#include "endpoints.h"
#include "work.h"

static bool is_made(const struct api_call *call)
{
    return call->reply.status != 0;
}

bool api_call_takes_body(struct api_call *call)
{
    struct problem problem;

    if (is_made(call) || call->route->endpoint == NULL || decode_takes(call->content_type))
        return !is_made(call);
    problem_init(&problem, PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                 "The Content-Type \"%.60s\" is not read; send one of: %s.", call->content_type,
                 decode_media_types);
    api_call_refuse(call, &problem);
    return false;
}

/* Readers find a NUL behind the body, also where there is none. */
static bool terminate_body(struct api_call *call)
{
    char *end = buffer_reserve(&call->body, 1);

    if (end != NULL)
        *end = '\0';
    return end != NULL;
}

void api_call_decode(struct api_call *call)
{
    struct problem problem;

    if (is_made(call) || call->route->endpoint == NULL)
        return;
    if (!terminate_body(call)) {
        api_call_refuse_with(call, PROBLEM_OUT_OF_MEMORY, "No memory to read the body.");
        return;
    }
    switch (decode_request(call, &problem)) {
    case DECODE_ASK:
        if (!work_begin(&call->work, call->service, call->route->endpoint, &problem))
            api_call_refuse(call, &problem);
        break;
    case DECODE_BATCH:
        break;
    case DECODE_PROBLEM:
        api_call_refuse(call, &problem);
        break;
    }
}

bool api_call_run(struct api_call *call, uint64_t effort)
{
    if (is_made(call) || call->route->endpoint == NULL || call->batch != NULL)
        return true;
    return work_run(&call->work, effort);
}

/* The flag that a text has no place for, and JSON users may want without parsing. */
static void add_answer_headers(struct api_call *call, const struct sudoku_answer *answer)
{
    char count[BUFFER_UINT_MAX + 1];

    count[buffer_print_uint(answer->solution_count, count)] = '\0';
    api_call_add_header(call, "Sudoku-Status", encode_status_names[answer->status]);
    api_call_add_made_header(call, "Sudoku-Solution-Count", count);
    if (answer->has_solution && !call->route->endpoint->count_only)
        api_call_add_header(call, "Sudoku-Solution-Is-First",
                            answer->solution_is_first ? "true" : "false");
}

static void encode_answer(struct api_call *call)
{
    const struct api_endpoint *endpoint = call->route->endpoint;
    struct sudoku_answer answer;
    struct problem problem;

    if (!work_answer(&call->work, endpoint, &answer, &problem)) {
        work_clear(&call->work);
        api_call_refuse(call, &problem);
        return;
    }
    tally_answer(&call->tally, &answer);
    call->reply.status = 200;
    if (call->format == API_FORMAT_TEXT) {
        call->reply.content_type = "text/plain; charset=utf-8";
        endpoint->put_text(&call->work.ask, call->work.list, &answer, &call->reply.body);
    } else {
        call->reply.content_type = "application/json";
        endpoint->put_json(&call->work.ask, call->work.list, &answer, &call->reply.body);
        buffer_put(&call->reply.body, "\n", 1);
    }
    work_clear(&call->work);
    add_answer_headers(call, &answer);
    /* Nobody keeps the answer to a POST. */
    if (strcmp(call->route->method, "GET") == 0)
        api_call_add_header(call, "Vary", "Accept");
    if (strcmp(call->route->method, "GET") == 0 && !answer.budget_exhausted)
        cache_keep(call);
    else
        cache_forbid(call);
}

static void encode_batch(struct api_call *call)
{
    call->reply.status = 200;
    call->reply.content_type = batch_content_type(call->batch);
    cache_forbid(call);
}

void api_call_encode(struct api_call *call)
{
    if (is_made(call))
        return;
    if (call->batch != NULL)
        encode_batch(call);
    else if (call->route->endpoint != NULL)
        encode_answer(call);
    else
        call->route->encode(call);
}

void api_call_add_header(struct api_call *call, const char *name, const char *value)
{
    struct api_reply *reply = &call->reply;

    assert(reply->header_count < API_MAX_HEADERS);
    reply->headers[reply->header_count++] = (struct api_header){name, value};
}

const char *api_call_add_made_header(struct api_call *call, const char *name, const char *value)
{
    struct api_reply *reply = &call->reply;
    const size_t size = strlen(value) + 1;

    assert(size <= sizeof reply->room - reply->made);
    char *copy = memcpy(reply->room + reply->made, value, size);
    reply->made += size;
    api_call_add_header(call, name, copy);
    return copy;
}

void api_call_refuse(struct api_call *call, const struct problem *problem)
{
    buffer_clear(&call->reply.body);
    call->reply.header_count = 0;
    call->reply.made = 0;
    call->reply.status = problem_status(problem->type);
    call->reply.problem = 1 + (unsigned)problem->type;
    call->reply.content_type = "application/problem+json";
    problem_put(problem, call->id, &call->reply.body);
    buffer_put(&call->reply.body, "\n", 1);
    cache_forbid(call);
    /* A search that took too long will do so again. */
    if (call->reply.status == 503 && problem->type != PROBLEM_DEADLINE_EXCEEDED)
        api_call_add_header(call, "Retry-After", "1");
    if (problem->type == PROBLEM_UNSUPPORTED_MEDIA_TYPE)
        api_call_add_header(call, "Accept-Post", decode_media_types);
}

void api_call_refuse_with(struct api_call *call, enum problem_type type, const char *detail)
{
    struct problem problem;

    problem_init(&problem, type, "%s", detail);
    api_call_refuse(call, &problem);
}

static void end_work(struct api_call *call)
{
    work_clear(&call->work);
    batch_destroy(call->batch);
    call->batch = NULL;
}

void api_call_empty(struct api_call *call, size_t most)
{
    end_work(call);
    buffer_empty(&call->body, most);
    buffer_empty(&call->reply.body, most);
}

void api_call_clear(struct api_call *call)
{
    end_work(call);
    buffer_clear(&call->body);
    buffer_clear(&call->reply.body);
}
