/* The HTTP side: libmicrohttpd, and the way of a request through it.
 *
 *   a request is | its owner     | who may touch it       | leaves by
 *   reading      | HTTP thread   | http_read.c            | its body is whole
 *   first slice  | HTTP thread   | api, http_answer.c     | answered, or suspend and then submit
 *   queued       | pool          | nobody                 | a worker takes it
 *   running      | worker        | api, http_answer.c     | resume, the worker's last use of it
 *   replying     | HTTP thread   | api, http_reply.c      | the completed callback keeps or frees
 * it
 *
 * One owner at a time, so a request needs no lock. A search runs its first slice on the thread that
 * read the request, since handing it over costs more than solving nearly every puzzle does; what is
 * not done by then goes to the pool, and so does a large body, before it is decoded. */
#ifndef SUDOKU_SERVER_HTTP_H
#define SUDOKU_SERVER_HTTP_H

#include <stdbool.h>

struct api_service;
struct config;
struct http;
struct counters;
struct metrics_state;
struct pool;

/* Serves on a listening socket, which it takes over. The other arguments must outlive it. NULL:
 * the library could not start its threads; the socket is closed. */
struct http *http_start(int listener, const struct config *config, struct api_service *service,
                        struct pool *pool, struct counters *counters);

/* From now on searches end with a problem at their next slice. */
void http_hurry(struct http *http);

/* Stops to accept new clients, but for those that already wait for it; where the socket is shared,
 * those too, as it outlives this process and so they are the next one's. */
void http_quiesce(struct http *http, bool is_shared);

/* After http_quiesce, to be asked again and again: whether no request has been in flight and no
 * client has turned up for a moment. */
bool http_is_calm(struct http *http);

/* Fills in what the HTTP side knows of the present. */
void http_look(const struct http *http, struct metrics_state *state);

/* The version of the library. */
const char *http_library_version(void);

/* Ends all threads, connections and the socket. No request may be in the pool. */
void http_stop(struct http *http);

#endif
