/* The head of a request, and what is wrong with it: what another program may read otherwise, which
 * is how requests are smuggled. Begin, add each header in order, then judge. */
#ifndef SUDOKU_SERVER_HTTP_HEAD_H
#define SUDOKU_SERVER_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>

struct http_target;
struct problem;

/* What libmicrohttpd may use of memory for a connection, and clears for each request. The head of a
 * request must fit, with a target of 8,000 bytes as RFC 9112 asks, and that of its answer; and
 * 10,000 connections that idle must be no burden: with this they take 129 MiB, and with 16 KiB 39
 * more. */
enum { HTTP_HEAD_MEMORY = 12 * 1024 };

/* What the head of a request may take of it. The rest is for the head of the answer, 1 KiB at most,
 * for what is read beyond the request, and for the piece of a body or answer at hand; where there
 * is no room for one of these the library closes the connection without a word. */
enum { HTTP_HEAD_MAX = HTTP_HEAD_MEMORY - 1280 };

/* The headers that mean something here. */
enum http_header {
    HTTP_ACCEPT,
    HTTP_ACCEPT_ENCODING,
    HTTP_CONTENT_LENGTH,
    HTTP_CONTENT_TYPE,
    HTTP_COOKIE,
    HTTP_EXPECT,
    HTTP_HOST,
    HTTP_IF_NONE_MATCH,
    HTTP_ORIGIN,
    HTTP_PREFLIGHT_METHOD,
    HTTP_REQUEST_ID,
    HTTP_TRACEPARENT,
    HTTP_TRANSFER_ENCODING,
    HTTP_HEADERS
};

struct http_head {
    /* What it begins with; all of it is the caller's. */
    const char *method;
    const struct http_target *target;
    const char *version;
    size_t size;             /* in memory; 0: how it lies there is not known, and not looked at */
    struct problem *problem; /* the first one that is found */

    /* What is found. */
    const char *value[HTTP_HEADERS]; /* of the first with that name; NULL: there is none */
    bool has_problem;
    const char *end; /* of the line before: where the next one must begin */
    bool has_gap;    /* a line did not */
    unsigned
        entries;    /* headers, and what else the library lists: cookies, arguments of the query */
    size_t cookies; /* bytes that it copies */
    unsigned hosts;
    unsigned lengths;
    unsigned codings;     /* headers Transfer-Encoding */
    bool is_chunked;      /* exactly, the way the library reads it */
    bool is_chunked_last; /* after other codings */
};

/* The head's first fields are set, the others zero. */
void http_head_begin(struct http_head *head);

/* A value may be NULL, which is that of an empty one. */
void http_head_add(struct http_head *head, const char *name, const char *value);

/* Counts what is listed beside headers. */
void http_head_add_other(struct http_head *head);

/* True: there is a problem, and *head->problem is it. */
bool http_head_judge(struct http_head *head);

#endif
