/* What the parts of the HTTP side share: http.c (life), http_loop.c (threads), http_read.c (a
 * request until it is whole), http_answer.c (from there to its answer), http_reply.c (the answer's
 * way to the library) and http_done.c (what is told of it at its end). */
#ifndef SUDOKU_SERVER_HTTP_REQUEST_H
#define SUDOKU_SERVER_HTTP_REQUEST_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

#include "api/api.h"
#include "date.h"
#include "http_responses.h"
#include "log.h"
#include "pool.h"
#include "request_id.h"

struct admission;
struct counters;
struct http_guard;
struct http_loop;

/* The HTTP side of the server. Constant after its start, but for what is atomic. */
struct http {
    int listener;
    struct http_loop *loops;
    pthread_mutex_t gate;   /* that the threads go through when all are there */
    unsigned loop_count;    /* that are there */
    unsigned running_loops; /* that have a thread */
    struct admission *admission;
    const struct config *config;
    struct api_service *service;
    struct pool *pool;
    struct http_guard *guard;
    struct counters *counters;
    struct log_limit library_lines;
    struct request_ids ids;
    atomic_uint in_flight;
    _Atomic uint64_t held;    /* bytes of bodies */
    _Atomic uint64_t sampled; /* requests that were, or were not, to be logged */
    atomic_bool is_hurried;
    atomic_bool is_quiesced;
    bool leaves_waiting; /* while stopping: clients that wait are another process's */
    uint64_t busy_us;    /* while stopping: when a client or request was last seen */
};

/* Why a search was given up. */
enum http_interruption {
    HTTP_NOT_INTERRUPTED,
    HTTP_CLIENT_LEFT,
    HTTP_DEADLINE_PASSED,
    HTTP_HURRIED,
};

/* What a thread that serves connections has for itself; zeros at its beginning. */
struct http_thread {
    bool has_moved; /* something was done for a request since this was cleared */
    struct date date;
    struct http_responses responses; /* to be used again */
    struct http_request *requests;   /* the same, with the memory of small bodies */
    unsigned request_count;
};

/* One request, from its head to the end of its answer; see http.h for who may touch it when. */
struct http_request {
    struct api_call call;
    struct http *http;
    struct http_thread *thread; /* of the connection's thread */
    struct MHD_Connection *connection;
    struct http_response *response; /* that is given back at the end; NULL: none */
    struct http_request *next;      /* that is kept */
    char id[REQUEST_ID_MAX];
    const char *method; /* the library's, as is the path; until the request is completed */
    const char *path;
    const char *origin;     /* of the page that asks; NULL: none is told */
    uint64_t held;          /* bytes of memory for the body */
    uint64_t received;      /* bytes of the body, those thrown away too */
    uint64_t sent;          /* bytes of the answer's body */
    char trace[TRACE_SIZE]; /* traceparent, empty when there is none that is sane */
    uint64_t began_us;      /* when its head was read */
    uint64_t whole_us;      /* when its body was */
    uint64_t submitted_us;  /* when it was handed to the pool */
    uint64_t queued_us;     /* how long it waited there */
    uint64_t worked_us;     /* how long it took but for that */
    bool closes;            /* the answer closes the connection */
    bool is_batch;          /* the answer is one to many puzzles */

    struct pool_job job;
    bool is_decoded;
    bool is_submitted; /* it was handed to the pool, and is back */
    uint64_t deadline_us;
    enum http_interruption interruption;
};

/* ---- http.c ---- */

/* For MHD_OPTION_EXTERNAL_LOGGER. */
void http_log_library(void *http, const char *format, va_list arguments);

/* ---- http_read.c ---- */

/* What the library calls for a request, here with what is its connection's. */
enum MHD_Result http_handle(struct http *http, struct http_thread *thread,
                            struct MHD_Connection *connection, const char *path, const char *method,
                            const char *version, const char *upload, size_t *upload_size,
                            void **context);

/* What it calls at the end of one. */
void http_complete(struct http *http, struct MHD_Connection *connection, void **context,
                   enum MHD_RequestTerminationCode why);

void http_thread_clear(struct http_thread *thread);

/* ---- http_answer.c ---- */

/* Answers a request that is whole: at once, or by handing its search to the pool, after which it is
 * called again. */
enum MHD_Result http_answer(struct http_request *request);

/* Whether the client has closed its side: there is nothing more to read, ever. Whoever waits for an
 * answer keeps the connection open both ways. */
bool http_has_left(void *connection);

/* Whom the pool counts its jobs for; see peer.h. */
uint64_t http_client(const struct http_request *request);

/* What the last X-Forwarded-For header says, NULL when there is none. A proxy adds what it knows to
 * what it was told, in a line of its own or at the end of the last. */
const char *http_forwarded(struct MHD_Connection *connection);

/* ---- http_reply.c ---- */

extern const char http_overloaded[];

/* Gives the call's reply to the library. */
enum MHD_Result http_reply(struct http_request *request);

/* The same for the answer of a batch, which is sent while it is being made. */
enum MHD_Result http_reply_batch(struct http_request *request);

/* ---- http_done.c ---- */

/* Counts and logs a request that has ended. `is_whole`: its answer was sent to the end. */
void http_done(struct http_request *request, bool is_whole);

#endif
