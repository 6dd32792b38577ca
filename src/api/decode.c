/* Which reader a body goes to, and the text one. */
#include "decode.h"

#include <string.h>
#include <strings.h>

const char decode_media_types[] = "application/json, text/plain";

static bool decode_text(const struct api_call *call, unsigned members, struct api_ask *ret_ask,
                        struct problem *ret_problem)
{
    struct sudoku_text_fault fault;

    (void)members; /* text holds a puzzle and nothing else */
    if (!sudoku_text_read(call->body, call->body_length, &ret_ask->puzzle, &ret_ask->layout,
                          &fault)) {
        problem_init(ret_problem, PROBLEM_MALFORMED_TEXT, "Line %u, column %u: %s.", fault.line,
                     fault.column, fault.reason);
        ret_problem->line = fault.line;
        ret_problem->column = fault.column;
        ret_problem->offset = fault.offset;
        return false;
    }
    ret_ask->form = API_FORM_TEXT;
    return true;
}

static const struct {
    const char *media_type;
    bool (*decode)(const struct api_call *call, unsigned members, struct api_ask *ret_ask,
                   struct problem *ret_problem);
} readers[] = {
    {"application/json", decode_json},
    {"text/plain", decode_text},
};

/* Whether a Content-Type names a media type, with whatever parameters. */
static bool is_media_type(const char *content_type, const char *media_type)
{
    const size_t length = strlen(media_type);

    content_type += strspn(content_type, " \t");
    if (strncasecmp(content_type, media_type, length) != 0)
        return false;
    content_type += length;
    content_type += strspn(content_type, " \t");
    return *content_type == '\0' || *content_type == ';';
}

bool decode_ask(const struct api_call *call, unsigned members, struct api_ask *ret_ask,
                struct problem *ret_problem)
{
    *ret_ask = (struct api_ask){
        .max_solutions = 2,
        .max_steps = call->service->default_steps,
    };
    for (size_t i = 0; i < sizeof readers / sizeof readers[0] && call->content_type != NULL; i++) {
        if (is_media_type(call->content_type, readers[i].media_type))
            return readers[i].decode(call, members, ret_ask, ret_problem);
    }
    if (call->content_type == NULL)
        problem_init(ret_problem, PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                     "The request has no Content-Type; send one of: %s.", decode_media_types);
    else
        problem_init(ret_problem, PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                     "The Content-Type \"%.60s\" is not taken; send one of: %s.",
                     call->content_type, decode_media_types);
    return false;
}
