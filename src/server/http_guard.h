/* Connections, from their beginning to their end: what libmicrohttpd lets through and this server
 * does not, heads that another program may read otherwise (http_head.h) and clients that take too
 * long.
 *
 * The guard sees the target of a request before the library decodes it, and judges the head before
 * anything else does. All of it runs on the thread of the connection but for the ending of slow
 * ones, which is the reaper's. */
#ifndef SUDOKU_SERVER_HTTP_GUARD_H
#define SUDOKU_SERVER_HTTP_GUARD_H

#include <microhttpd.h>
#include <stdbool.h>

struct api_call;
struct config;
struct counters;
struct http_guard;
struct http_head;
struct http_peer;
struct problem;

/* NULL: no memory, or no thread. The arguments must outlive it. */
struct http_guard *http_guard_create(const struct config *config, struct counters *counters);

/* When no connection is left. */
void http_guard_destroy(struct http_guard *guard);

/* For MHD_OPTION_NOTIFY_CONNECTION. What it keeps of a connection begins with its struct http_peer,
 * which is the loop's to use between the two calls. */
void http_guard_connection(void *guard, struct MHD_Connection *connection, void **ret_guarded,
                           enum MHD_ConnectionNotificationCode what);

/* For MHD_OPTION_URI_LOG_CALLBACK. Returns NULL, and allocates nothing: the library loses it. */
void *http_guard_uri(void *guard, const char *uri, struct MHD_Connection *connection);

enum http_guard_verdict {
    HTTP_GUARD_PASSES,
    HTTP_GUARD_REFUSED, /* the reply is made, a problem */
    HTTP_GUARD_ENDED,   /* it took too long or is too large, and the connection is closed */
};

/* Goes through a head, in the handler's first call, with what the library gave it. *ret_head uses
 * all of it, and `problem`. */
void http_guard_take_head(struct http_guard *guard, struct MHD_Connection *connection,
                          const char *method, const char *version, struct problem *problem,
                          struct http_head *ret_head);

/* Judges it, and from now on waits for the body. Changes *path where the target has a scheme and a
 * host before it; "*" is that of the server as a whole. *ret_closes: the answer must close the
 * connection. The call's id must stay until http_guard_complete. */
enum http_guard_verdict http_guard_judge(struct http_guard *guard,
                                         struct MHD_Connection *connection, struct http_head *head,
                                         const char **path, struct api_call *call,
                                         bool *ret_closes);

/* The request has been read, and will be answered some time. */
void http_guard_read(struct http_guard *guard, struct MHD_Connection *connection);

/* From now on the answer is sent. False: too late, the connection has been ended. */
bool http_guard_answer(struct http_guard *guard, struct MHD_Connection *connection);

/* Answers a request past the library: in the middle of its body, when the library does not take an
 * answer, and where it has no room for one. Returns what the handler must: the connection is to be
 * closed. */
enum MHD_Result http_guard_cut(struct MHD_Connection *connection, const struct problem *problem,
                               const char *id);

/* A piece of the body has come. */
void http_guard_take_body(struct MHD_Connection *connection, size_t size);

/* Whether the peer of a body in chunks has sent what the library does not take; and the end of such
 * a connection, with an answer. */
bool http_guard_is_stuck(const struct http_peer *peer);
void http_guard_end_stuck(struct http_guard *guard, struct http_peer *peer);

/* For the callback that ends a request. Returns 1 more than the type of the problem that the guard
 * answered it with, 0 when it did not. */
unsigned http_guard_complete(struct http_guard *guard, struct MHD_Connection *connection);

#endif
