/* What nearly every client sends, read without building a document.
 *
 * cJSON takes about 13 us for an array of 81 numbers, four times what solving the puzzle takes; the
 * strict check and the outline of the request, which the rest needs, half of one. This reads the
 * plainest forms: 9 arrays of 9 single digits or null with any white space between, or a string of
 * 81 digits and dots. Everything else, wrong or merely unusual, it leaves to the others, so what it
 * takes must mean the same there; tests/unit/test_plain_grid.c and fuzzing hold them equal. */
#ifndef SUDOKU_API_PLAIN_GRID_H
#define SUDOKU_API_PLAIN_GRID_H

#include "api.h"

/* Reads a JSON value of `length` bytes. False: not plain, and nothing is written. The text, here
 * and below, has a NUL somewhere behind it. */
SUDOKU_MUST_USE bool plain_grid_read(const char *text, size_t length, struct sudoku_grid *ret_grid,
                                     enum api_form *ret_form);

/* Reads a request that is such an array, or has such a puzzle for its only member. It need not be
 * JSON; what is taken is. */
SUDOKU_MUST_USE bool plain_grid_read_request(const char *text, size_t length,
                                             struct sudoku_grid *ret_grid, enum api_form *ret_form);

#endif
