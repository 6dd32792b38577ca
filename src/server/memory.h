/* How much memory this process may use, and how it is shared out where the settings leave it open.
 */
#ifndef SUDOKU_SERVER_MEMORY_H
#define SUDOKU_SERVER_MEMORY_H

#include <stdint.h>

/* The bytes that the machine has, fewer where a cgroup has a limit. */
uint64_t memory_available(void);

/* The connections that so much memory is enough for. */
uint64_t memory_connections(uint64_t bytes);

/* The bytes of request bodies that may be held in so much memory. */
uint64_t memory_bodies(uint64_t bytes);

#endif
