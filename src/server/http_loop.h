/* A thread that serves connections with a libmicrohttpd of its own, and waits for them itself.
 *
 * The library's own threads would do, but for two things (measured in tests/load/README.md): with
 * poll() a request pays for each connection that idles, 12 us for a thousand; and its threads with
 * epoll fall asleep over exactly 128 or 256 connections that have something at once. Called from
 * outside, as here, it does neither. What is left to us then: to accept, for the loop with the
 * fewest connections; to wake a loop whose connection is resumed; and to tell the library that a
 * client has closed its side, which it misses when the last bytes and the end arrive together. */
#ifndef SUDOKU_SERVER_HTTP_LOOP_H
#define SUDOKU_SERVER_HTTP_LOOP_H

#include <microhttpd.h>
#include <stdbool.h>

struct http;
struct http_loop;

/* In one of a loop's lists; out of it when `place` is NULL. */
struct http_peer_link {
    struct http_peer *next;
    struct http_peer **place; /* what points to this one */
};

/* What a loop knows of one of its connections. What the guard keeps of it begins with this. */
struct http_peer {
    struct http_loop *loop;
    int fd;
    struct http_peer_link ended;   /* it has closed its side */
    struct http_peer_link chunked; /* it sends a body in chunks */
    unsigned stalls;               /* see http_loop.c */
};

/* Before its loop knows of it. */
static inline void http_peer_init(struct http_peer *ret_peer, struct MHD_Connection *connection)
{
    *ret_peer = (struct http_peer){
        .fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd};
}

/* Starts all loops of the server. False: one could not be started, and none runs. */
bool http_loops_start(struct http *http);

/* Ends all that run, with their connections. No request may be in the pool. */
void http_loops_stop(struct http *http);

/* From now on the loops accept nobody. */
void http_loops_quiesce(struct http *http);

/* Accepts clients that wait, at most `most`, and gives each to a loop. Returns how many. For
 * anybody: `loop` is the one whose thread this is, or NULL. */
unsigned http_loops_accept(struct http *http, struct http_loop *loop, unsigned most);

/* From now on the peer sends a body in chunks; a piece of it has come; it is over. */
void http_loop_body_begins(struct http_peer *peer);
void http_loop_body_moves(struct http_peer *peer);
void http_loop_body_ends(struct http_peer *peer);

/* For any thread. The connection must be suspended; it may be gone when this returns. */
void http_loop_resume(struct MHD_Connection *connection);

#endif
