/* A grid as JSON without white space has it: "[[5,3,0,...],...]", where each digit and each mark
 * has its place. It is what this server writes and what JSON.stringify sends. */
#ifndef SUDOKU_API_COMPACT_GRID_H
#define SUDOKU_API_COMPACT_GRID_H

#include <stdbool.h>

#include "sudoku/sudoku.h"

enum { COMPACT_GRID = 181 }; /* bytes */

void compact_grid_write(const struct sudoku_grid *grid, char ret_text[COMPACT_GRID]);

SUDOKU_MUST_USE bool compact_grid_is(const char text[COMPACT_GRID]);

/* False: it is something else, and nothing is written. */
SUDOKU_MUST_USE bool compact_grid_read(const char text[COMPACT_GRID], struct sudoku_grid *ret_grid);

#endif
