/* A client of one request: is the server of this configuration ready? For images without a curl. */
#ifndef SUDOKU_SERVER_HEALTHCHECK_H
#define SUDOKU_SERVER_HEALTHCHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Asks for /readyz at the address and port that a server listens on, for `timeout_ms` at most; an
 * address that stands for all is asked over loopback. False: it is not ready, or not there, and
 * `ret_error` says why in one line. */
bool healthcheck(const char *host, unsigned port, unsigned timeout_ms, char *ret_error,
                 size_t error_size);

#endif
