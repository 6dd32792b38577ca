/* What kind of body a request has, and so who reads it. */
#include "decode.h"

#include <string.h>
#include <strings.h>

#include "accept.h"
#include "batch.h"
#include "endpoints.h"
#include "plain_grid.h"

enum body_kind {
    BODY_JSON,
    BODY_NDJSON,
    BODY_TEXT,
    BODY_FORM,  /* or, as curl sends whatever it is not told about, any of the others */
    BODY_OTHER, /* of a type that is not read */
};

const char decode_media_types[] = "application/json, application/x-ndjson, text/plain, text/csv, "
                                  "application/x-www-form-urlencoded";

static const struct {
    const char *media_type;
    enum body_kind kind;
} kinds[] = {
    {"application/json", BODY_JSON},
    {"application/x-ndjson", BODY_NDJSON},
    {"text/plain", BODY_TEXT},
    {"text/csv", BODY_TEXT},
    {"application/x-www-form-urlencoded", BODY_FORM},
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

static enum body_kind kind_of_type(const char *content_type)
{
    if (content_type == NULL)
        return BODY_FORM;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (is_media_type(content_type, kinds[i].media_type))
            return kinds[i].kind;
    }
    return BODY_OTHER;
}

bool decode_takes(const char *content_type)
{
    return kind_of_type(content_type) != BODY_OTHER;
}

/* What a body that calls itself a form plainly is. A form begins with a name and "="; JSON with a
 * bracket. All else is a puzzle. */
static enum body_kind look_at(const struct buffer *body)
{
    const char *text = body->length == 0 ? "" : body->data;

    text += strspn(text, " \t\r\n");
    if (*text == '{' || *text == '[')
        return BODY_JSON;
    const size_t name = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    return name > 0 && text[name] == '=' ? BODY_FORM : BODY_TEXT;
}

/* ---- What the answer is written in ---- */

static const char *const format_names[] = {
    [API_FORMAT_JSON] = "application/json",
    [API_FORMAT_TEXT] = "text/plain",
    [API_FORMAT_NDJSON] = "application/x-ndjson",
};

/* Chooses among the formats, the fallback first; NDJSON only where there are many to answer. */
static bool settle_format(struct api_call *call, enum api_format fallback, bool is_many,
                          struct problem *ret_problem)
{
    const char *offers[3] = {format_names[fallback]};
    enum api_format formats[3] = {fallback};
    size_t count = 1;

    for (enum api_format f = API_FORMAT_JSON; f <= API_FORMAT_NDJSON; f++) {
        if (f == fallback || (f == API_FORMAT_NDJSON && !is_many))
            continue;
        formats[count] = f;
        offers[count++] = format_names[f];
    }
    const int chosen = accept_choose(call->accept, offers, count);
    if (chosen < 0) {
        problem_init(ret_problem, PROBLEM_NOT_ACCEPTABLE,
                     "Accept takes none of what this can be answered in: application/json, "
                     "text/plain%s.",
                     is_many ? ", application/x-ndjson" : "");
        return false;
    }
    call->format = formats[chosen];
    return true;
}

/* ---- One puzzle, or many ---- */

static enum decode_outcome one(struct api_call *call, struct ask_reading *reading,
                               enum api_format fallback)
{
    if (!ask_end(reading) || !settle_format(call, fallback, false, reading->problem))
        return DECODE_PROBLEM;
    return DECODE_ASK;
}

/* The options are read; the puzzles are in the body. `array` is where they are in JSON. */
static enum decode_outcome many(struct api_call *call, struct ask_reading *reading,
                                enum api_format fallback, enum batch_source source,
                                const char *array)
{
    const size_t limit = call->service->max_batch;

    if (!ask_end(reading) || !settle_format(call, fallback, true, reading->problem))
        return DECODE_PROBLEM;
    if (reading->ask->wants_list && call->format == API_FORMAT_TEXT) {
        problem_init(reading->problem, PROBLEM_INVALID_REQUEST,
                     "A line of text has no room for solutions: accept application/x-ndjson.");
        problem_add_error(reading->problem, "/solutions", "can't be true for lines of text");
        return DECODE_PROBLEM;
    }
    call->batch = batch_create(call, reading->ask, source);
    if (call->batch == NULL) {
        problem_init(reading->problem, PROBLEM_OUT_OF_MEMORY, "No memory for a batch.");
        return DECODE_PROBLEM;
    }
    if (array != NULL)
        batch_walk(call->batch, array);
    bool is_empty;
    const bool fits = batch_fits(call->batch, limit, &is_empty);
    if (fits && !is_empty)
        return DECODE_BATCH;
    batch_destroy(call->batch);
    call->batch = NULL;
    if (is_empty) {
        problem_init(reading->problem, PROBLEM_INVALID_REQUEST, "There is no puzzle in it.");
        problem_add_error(reading->problem, array != NULL ? "/puzzles" : "", "holds no puzzle");
    } else {
        problem_init(reading->problem, PROBLEM_BODY_TOO_LARGE,
                     "A request may have at most %zu puzzles.", limit);
    }
    return DECODE_PROBLEM;
}

static enum decode_outcome decode_json(struct api_call *call, struct ask_reading *reading)
{
    const struct buffer *body = &call->body;
    const char *puzzles;

    if (plain_grid_read_request(body->data, body->length, &reading->ask->puzzle,
                                &reading->ask->form)) {
        reading->seen |= ASK_PUZZLE;
        return one(call, reading, API_FORMAT_JSON);
    }
    if (!decode_json_check(body->data, body->length, reading->problem) ||
        !decode_json_request(body->data, body->length, reading, &puzzles))
        return DECODE_PROBLEM;
    return puzzles != NULL ? many(call, reading, API_FORMAT_JSON, BATCH_ARRAY, puzzles)
                           : one(call, reading, API_FORMAT_JSON);
}

static enum decode_outcome decode_text(struct api_call *call, struct ask_reading *reading)
{
    const struct buffer *body = &call->body;
    struct sudoku_text_fault fault;

    if (sudoku_text_is_many(body->data, body->length)) {
        reading->seen |= ASK_PUZZLES;
        return many(call, reading, API_FORMAT_TEXT, BATCH_TEXT, NULL);
    }
    if (!sudoku_text_read(body->data, body->length, &reading->ask->puzzle, &reading->ask->layout,
                          &fault)) {
        problem_init_text(reading->problem, &fault);
        return DECODE_PROBLEM;
    }
    reading->seen |= ASK_PUZZLE;
    return one(call, reading, API_FORMAT_TEXT);
}

static enum decode_outcome decode_ndjson(struct api_call *call, struct ask_reading *reading)
{
    reading->seen |= ASK_PUZZLES;
    return many(call, reading, API_FORMAT_NDJSON, BATCH_NDJSON, NULL);
}

static enum decode_outcome decode_form(struct api_call *call, struct ask_reading *reading)
{
    static const char spaces[] = " \t\r\n";
    const struct buffer *body = &call->body;
    const size_t before = strspn(body->data, spaces);
    struct api_fields fields = {0};
    size_t end = body->length;

    /* In a form white space is escaped: what stands around one comes from a file or from echo. */
    while (end > before && memchr(spaces, body->data[end - 1], sizeof spaces - 1) != NULL)
        end--;
    if (!fields_read_form(body->data + before, end - before, &fields)) {
        problem_init(reading->problem, PROBLEM_MALFORMED_REQUEST,
                     "The form has a %% that is not followed by two hexadecimal digits, or an "
                     "encoded NUL.");
        return DECODE_PROBLEM;
    }
    reading->members &= ~(unsigned)ASK_PUZZLES;
    if (!ask_read_fields(reading, &fields))
        return DECODE_PROBLEM;
    return one(call, reading, API_FORMAT_TEXT);
}

static enum decode_outcome decode_body(struct api_call *call, enum body_kind kind,
                                       struct ask_reading *reading)
{
    switch (kind) {
    case BODY_JSON:
        return decode_json(call, reading);
    case BODY_NDJSON:
        return decode_ndjson(call, reading);
    case BODY_TEXT:
        return decode_text(call, reading);
    case BODY_FORM:
        return decode_form(call, reading);
    case BODY_OTHER:
        break;
    }
    problem_init(reading->problem, PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                 "The Content-Type \"%.60s\" is not read; send one of: %s.", call->content_type,
                 decode_media_types);
    return DECODE_PROBLEM;
}

enum decode_outcome decode_request(struct api_call *call, struct problem *ret_problem)
{
    const bool has_body = strcmp(call->route->method, "POST") == 0;
    const unsigned members = call->route->endpoint->members;
    struct ask_reading reading;
    enum body_kind kind = kind_of_type(call->content_type);

    if (has_body && kind == BODY_FORM)
        kind = look_at(&call->body);
    /* The puzzle of a POST is in its body; of a GET, in the URI. */
    ask_begin(&reading, call->service,
              has_body ? members & ~(unsigned)(ASK_PUZZLE | ASK_PUZZLES)
                       : members & ~(unsigned)ASK_PUZZLES,
              &call->work.ask, ret_problem);
    if (call->query != NULL && !ask_read_fields(&reading, call->query))
        return DECODE_PROBLEM;
    if (!has_body)
        return one(call, &reading, API_FORMAT_JSON);
    reading.members = members;
    reading.in_uri = reading.seen;
    return decode_body(call, kind, &reading);
}
