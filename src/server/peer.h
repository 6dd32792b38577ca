/* Whom a connection counts for where clients are to have equal shares. */
#ifndef SUDOKU_SERVER_PEER_H
#define SUDOKU_SERVER_PEER_H

#include <stdint.h>

struct sockaddr;

/* The same number for all addresses that one client is likely to have: an IPv4 address alone, and
 * the network of an IPv6 address, its first 64 bits. All others have a number together. */
uint64_t peer_number(const struct sockaddr *address);

#endif
