/* A grid as nearly every client writes it, read without building a document.
 *
 * cJSON takes about 13 us for an array of 81 numbers, four times what solving the puzzle takes.
 * This reads the plainest forms: 9 arrays of 9 single digits or null with any white space between,
 * or a string of 81 digits and dots. Everything else, wrong or merely unusual, it leaves to cJSON,
 * so what it takes must mean the same there; tests/unit/test_plain_grid.c and fuzzing hold them
 * equal. */
#ifndef SUDOKU_API_PLAIN_GRID_H
#define SUDOKU_API_PLAIN_GRID_H

#include "api.h"

/* `text` is one JSON value, `length` bytes, that passed json_strict_check. False: not plain, and
 * nothing is written. */
SUDOKU_MUST_USE bool plain_grid_read(const char *text, size_t length, struct sudoku_grid *ret_grid,
                                     enum api_form *ret_form);

#endif
