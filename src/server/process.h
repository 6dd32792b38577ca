/* What the kernel tells of this process. */
#ifndef SUDOKU_SERVER_PROCESS_H
#define SUDOKU_SERVER_PROCESS_H

#include "api/metrics.h"

/* Fills in the members that belong to the process, but for when it started. What can't be found
 * out is METRICS_UNKNOWN. */
void process_look(struct metrics_state *state);

/* Microseconds since 1970. */
uint64_t process_now_us(void);

#endif
