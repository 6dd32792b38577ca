/* The socket that clients connect to. */
#ifndef SUDOKU_SERVER_LISTENER_H
#define SUDOKU_SERVER_LISTENER_H

#include <stddef.h>

/* Listens on host and port (0: any free one) and returns the socket, or -1 and in one line why not.
 * `ret_port` is the port it got. */
int listener_open(const char *host, unsigned port, unsigned *ret_port, char *ret_error,
                  size_t error_size);

/* The port of a TCP socket; 0 when it has none. */
unsigned listener_port(int fd);

#endif
