/* What systemd gives a service that it starts, and wants to be told. Both are no more than
 * environment variables, a descriptor and a datagram, so no library is needed; elsewhere nothing
 * happens. */
#ifndef SUDOKU_SERVER_SYSTEMD_H
#define SUDOKU_SERVER_SYSTEMD_H

#include <stdbool.h>
#include <stddef.h>

/* A socket to tell it something by, which outlasts the right to open one. -1: it wants to be told
 * nothing, or can't be. */
int systemd_open(void);

/* Tells it something, such as "READY=1", by a socket that may be -1. */
void systemd_notify(int systemd, const char *state);

/* Whether it gave this process sockets: to be served instead of opening one. */
bool systemd_has_socket(void);

/* The socket, and the port that it listens on. -1: it is not one listening TCP socket, `ret_error`
 * says in one line what it is. */
int systemd_take_socket(unsigned *ret_port, char *ret_error, size_t error_size);

#endif
