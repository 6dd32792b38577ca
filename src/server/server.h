/* The whole service in one object: what main starts and stops, and what tests start in-process. */
#ifndef SUDOKU_SERVER_SERVER_H
#define SUDOKU_SERVER_SERVER_H

#include <stddef.h>

#include "config.h"

struct server;

/* Starts to serve, with threads that are confined if the config says so; the caller's is not. NULL:
 * `ret_error` says why in one line. */
struct server *server_start(const struct config *config, char *ret_error, size_t error_size);

/* The port it listens on. */
unsigned server_port(const struct server *server);

/* Begins to drain: /readyz says 503 and answers close their connections, all else goes on. */
void server_drain(struct server *server);

/* Waits for some milliseconds. True: searches under way are to be given up. */
typedef bool server_wait(unsigned ms, void *context);

/* Refuses new clients, finishes what has begun, ends all threads and frees the server. Calls `wait`
 * until nothing is left to do or the deadline of a search has passed; NULL: just waits. */
void server_stop(struct server *server, server_wait *wait, void *context);

#endif
