/* Whom a connection counts for where clients are to have equal shares. */
#ifndef SUDOKU_SERVER_PEER_H
#define SUDOKU_SERVER_PEER_H

#include <stdbool.h>
#include <stdint.h>

struct sockaddr;

/* The same number for all addresses that one client is likely to have: an IPv4 address alone, and
 * the network of an IPv6 address, its first 64 bits. All others have a number together. */
uint64_t peer_number(const struct sockaddr *address);

/* The same for the last address in a list such as an X-Forwarded-For header has: the proxy in front
 * added it, the others are what it was told. It may have a port, and an IPv6 address brackets.
 * False: it is no address. */
bool peer_read_last(const char *list, uint64_t *ret_number);

#endif
