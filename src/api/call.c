/* A call's way through its route. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "api.h"
#include "decode.h"

void api_call_decode(struct api_call *call)
{
    if (call->reply.status == 0 && call->route->decode != NULL)
        call->route->decode(call);
}

bool api_call_run(struct api_call *call, uint64_t effort)
{
    if (call->reply.status != 0 || call->route->run == NULL)
        return true;
    return call->route->run(call, effort);
}

void api_call_encode(struct api_call *call)
{
    if (call->reply.status == 0)
        call->route->encode(call);
}

void api_call_add_header(struct api_call *call, const char *name, const char *format, ...)
{
    struct api_header *header = &call->reply.headers[call->reply.header_count++];
    va_list arguments;

    header->name = name;
    va_start(arguments, format);
    vsnprintf(header->value, sizeof header->value, format, arguments);
    va_end(arguments);
}

void api_call_refuse(struct api_call *call, const struct problem *problem)
{
    buffer_clear(&call->reply.body);
    call->reply.header_count = 0;
    call->reply.status = problem_status(problem->type);
    call->reply.content_type = "application/problem+json";
    problem_write(problem, call->id, &call->reply.body);
    /* A search that took too long will do so again. */
    if (call->reply.status == 503 && problem->type != PROBLEM_DEADLINE_EXCEEDED)
        api_call_add_header(call, "Retry-After", "1");
    if (problem->type == PROBLEM_UNSUPPORTED_MEDIA_TYPE)
        api_call_add_header(call, "Accept-Post", "%s", decode_media_types);
}

void api_call_refuse_with(struct api_call *call, enum problem_type type, const char *detail)
{
    struct problem problem;

    problem_init(&problem, type, "%s", detail);
    api_call_refuse(call, &problem);
}

void api_call_clear(struct api_call *call)
{
    free(call->query);
    free(call->list);
    call->query = NULL;
    call->list = NULL;
    buffer_clear(&call->reply.body);
}
