/* The types that cross layers: one call of the API, from the bytes of its request to the bytes of
 * its reply. Nothing in this folder knows of sockets or threads; a call has one owner at a time.
 *
 *   bytes -> decode -> ask -> run (in slices) -> answer -> encode -> reply
 *
 * A call that can't go on makes its reply a problem at once; the steps after it are then skipped.
 * A call with many puzzles becomes a batch, whose answer is made piece by piece; see batch.h. */
#ifndef SUDOKU_API_API_H
#define SUDOKU_API_API_H

#include <stdatomic.h>

#include "buffer.h"
#include "fields.h"
#include "problem.h"
#include "queries.h"
#include "sudoku/sudoku.h"
#include "sudoku/text.h"
#include "tally.h"

struct api_metrics;

/* What all calls of a server share. Set before the first call and constant but for `is_ready`. */
struct api_service {
    const struct sudoku_engine *engine;
    struct queries *queries; /* NULL: none are kept */
    uint64_t max_steps;      /* the largest budget a request may ask for */
    uint64_t default_steps;  /* the budget of one that asks for none */
    size_t max_batch;        /* puzzles in a request */
    atomic_bool is_ready;    /* what /readyz says */

    /* What /metrics tells. */
    void (*read_metrics)(void *context, struct api_metrics *ret);
    void *metrics_context;
};

/* How the request wrote its grid, and so how the answer does. */
enum api_form {
    API_FORM_ARRAY,  /* JSON, 9 rows of 9 cells */
    API_FORM_STRING, /* JSON, a string of 81 */
};

/* What a client asks of a puzzle. */
struct api_ask {
    struct sudoku_grid puzzle;
    enum api_form form;
    enum sudoku_layout layout; /* of the puzzle's text, for an answer in text */
    uint32_t max_solutions;
    uint64_t max_steps;
    bool wants_list;
};

/* What the answer is written in. */
enum api_format {
    API_FORMAT_JSON,
    API_FORMAT_TEXT,
    API_FORMAT_NDJSON,
};

enum { API_MAX_HEADERS = 8 };

struct api_header {
    const char *name;
    const char *value;
};

struct api_reply {
    unsigned status;  /* 0: not made yet */
    unsigned problem; /* 0: none, else 1 more than its enum problem_type */
    const char *content_type;
    struct buffer body;
    unsigned header_count;
    struct api_header headers[API_MAX_HEADERS];
    size_t made; /* bytes of values that were made for this reply */
    char room[96];
};

struct api_call;
struct api_endpoint;

/* Every endpoint is a row of these; see routes.c. */
struct api_route {
    const char *method;
    const char *path;
    const struct api_endpoint *endpoint;   /* what it does with a puzzle; NULL: it takes none */
    void (*encode)(struct api_call *call); /* otherwise: makes the reply */
};

/* One puzzle on its way from ask to answer; see work.h. */
struct api_work {
    struct api_ask ask;
    struct queries *queries; /* where the query is from */
    struct sudoku_query *query;
    struct sudoku_grid *list;
    size_t list_room;
};

struct api_call {
    const struct api_service *service;
    const struct api_route *route;
    const char *id; /* of the request, for problems */

    /* The request. Headers are NULL when the client sent none. Reading the body may change it. */
    const char *content_type;
    const char *accept;
    const char *accept_encoding;
    const char *if_none_match;
    const struct api_fields *query; /* of the URI, NULL: none; while decoding only */
    struct buffer body;

    enum api_format format;
    struct api_work work;
    struct api_batch *batch; /* the call's own; when not NULL, the answer comes from it */
    struct api_tally tally;  /* what came of it, for whoever counts */

    struct api_reply reply;
};

/* The routes, in the order of openapi.yaml; NULL past the last. */
const struct api_route *api_route_at(size_t i);

enum { API_MAX_ALLOW = 64 };

/* The route of a request; a HEAD request takes the route of GET. NULL when there is none: then
 * *ret_allow lists the methods the path takes, empty when there is nothing at the path. */
const struct api_route *api_route_find(const char *method, const char *path,
                                       char ret_allow[API_MAX_ALLOW]);

/* Whether the route reads a body of this type; when not, the reply is made. For a caller that can
 * spare the client from sending it. */
bool api_call_takes_body(struct api_call *call);

/* Decodes the request, and for a single puzzle begins to search. Afterwards the reply is made, or
 * there is a batch, or the call is to be run. */
void api_call_decode(struct api_call *call);

/* Goes on searching for about `effort`; see sudoku_query_run. True: ready to encode. */
bool api_call_run(struct api_call *call, uint64_t effort);

/* Makes the reply, if it is not made yet. */
void api_call_encode(struct api_call *call);

/* Makes the reply a problem, in place of any other. */
void api_call_refuse(struct api_call *call, const struct problem *problem);

/* The same for a problem that is said in one sentence. */
void api_call_refuse_with(struct api_call *call, enum problem_type type, const char *detail);

/* Adds a header to the reply. The value is not copied and must outlive the call. */
void api_call_add_header(struct api_call *call, const char *name, const char *value);

/* The same with a copy of the value, which is returned; the reply has room for a few short ones. */
const char *api_call_add_made_header(struct api_call *call, const char *name, const char *value);

/* Ends what the call has begun, and keeps the memory of its bodies where that is `most` bytes or
 * less. What else is in the call is to be set anew. */
void api_call_empty(struct api_call *call, size_t most);

/* Frees what the call owns. */
void api_call_clear(struct api_call *call);

#endif
