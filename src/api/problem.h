/* Everything that can be wrong with a request, and its RFC 9457 form. */
#ifndef SUDOKU_API_PROBLEM_H
#define SUDOKU_API_PROBLEM_H

#include "buffer.h"
#include "sudoku/sudoku.h"
#include "sudoku/text.h"

/* id, HTTP status, name (the type is /problems/NAME), title. In the order of openapi.yaml. */
#define PROBLEM_TYPES(ROW)                                                                         \
    ROW(MALFORMED_REQUEST, 400, "malformed-request", "The HTTP request is malformed")              \
    ROW(MALFORMED_JSON, 400, "malformed-json", "The body is not JSON that can be read")            \
    ROW(MALFORMED_TEXT, 400, "malformed-text", "The text is not a puzzle")                         \
    ROW(NOT_FOUND, 404, "not-found", "There is nothing at this path")                              \
    ROW(METHOD_NOT_ALLOWED, 405, "method-not-allowed", "This path does not take this method")      \
    ROW(NOT_ACCEPTABLE, 406, "not-acceptable", "No answer can be given in what Accept asks for")   \
    ROW(UPLOAD_TOO_SLOW, 408, "upload-too-slow", "The request takes too long to arrive")           \
    ROW(BODY_TOO_LARGE, 413, "body-too-large", "The body is larger than this server takes")        \
    ROW(URI_TOO_LONG, 414, "uri-too-long", "The target of the request is too long")                \
    ROW(UNSUPPORTED_MEDIA_TYPE, 415, "unsupported-media-type", "The body's format is not taken")   \
    ROW(EXPECTATION_FAILED, 417, "expectation-failed", "The server does not do what is expected")  \
    ROW(INVALID_REQUEST, 422, "invalid-request", "The request does not say what it should")        \
    ROW(CONFLICTING_CLUES, 422, "conflicting-clues", "The clues break the rules of Sudoku")        \
    ROW(HEAD_TOO_LARGE, 431, "head-too-large", "The head of the request is too large")             \
    ROW(NOT_IMPLEMENTED, 501, "not-implemented", "The server does not do this for any path")       \
    ROW(OVERLOADED, 503, "overloaded", "The server has too much to do")                            \
    ROW(DEADLINE_EXCEEDED, 503, "deadline-exceeded", "The search took longer than it may")         \
    ROW(SHUTTING_DOWN, 503, "shutting-down", "The server is shutting down")                        \
    ROW(OUT_OF_MEMORY, 503, "out-of-memory", "The server has no memory left for this request")

enum problem_type {
#define ROW(id, status, name, title) PROBLEM_##id,
    PROBLEM_TYPES(ROW)
#undef ROW
        PROBLEM_TYPE_COUNT
};

unsigned problem_status(enum problem_type type);
const char *problem_name(enum problem_type type);
const char *problem_title(enum problem_type type);

enum {
    PROBLEM_MAX_ERRORS = 20,
    PROBLEM_MAX_POINTER = 128,
    PROBLEM_MAX_DETAIL = 224,
};

/* One fault, at a place in the request. */
struct problem_error {
    char pointer[PROBLEM_MAX_POINTER]; /* JSON pointer, RFC 6901 */
    char detail[PROBLEM_MAX_DETAIL];
};

struct problem {
    enum problem_type type;
    char detail[PROBLEM_MAX_DETAIL];

    unsigned error_count; /* may be more than are kept */
    struct problem_error errors[PROBLEM_MAX_ERRORS];

    unsigned line; /* from 1; 0: not at a place in the text */
    unsigned column;
    size_t offset; /* bytes */

    size_t conflict_count;
    struct sudoku_conflict conflicts[SUDOKU_MAX_CONFLICTS];
};

/* Begins a problem of which nothing is known yet but its type. */
void problem_begin(struct problem *problem, enum problem_type type);

/* Begins a problem with what is wrong in this case, in words a caller can act on. */
__attribute__((format(printf, 3, 4))) void
problem_init(struct problem *problem, enum problem_type type, const char *format, ...);

/* Adds a fault at a place. Past PROBLEM_MAX_ERRORS it is only counted. */
__attribute__((format(printf, 3, 4))) void
problem_add_error(struct problem *problem, const char *pointer, const char *format, ...);

/* Makes it the problem of clues that break the rules. */
void problem_init_conflicts(struct problem *problem, const struct sudoku_grid *puzzle);

/* Makes it the problem of a search that takes longer than it may. */
void problem_init_deadline(struct problem *problem, uint64_t deadline_ms);

/* Makes it the problem of a text that is no puzzle. */
void problem_init_text(struct problem *problem, const struct sudoku_text_fault *fault);

/* Writes it as a JSON object, without a newline; `instance` names the request. */
void problem_put(const struct problem *problem, const char *instance, struct buffer *out);

/* Writes conflicts as a JSON array. */
void problem_put_conflicts(const struct sudoku_conflict *conflicts, size_t count,
                           struct buffer *out);

#endif
