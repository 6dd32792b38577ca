/* From answers to bytes. */
#ifndef SUDOKU_API_ENCODE_H
#define SUDOKU_API_ENCODE_H

#include "api.h"

extern const char encode_status_names[][16]; /* by enum sudoku_status */

/* Writes the 81 digits of a grid. */
void encode_digits(const struct sudoku_grid *grid, struct buffer *out);

/* Writes a problem as the line of a puzzle among many, without the newline. */
void encode_error_line(const struct problem *problem, struct buffer *out);

/* Writes a grid in JSON: an array of rows, or a string of 81. */
void encode_grid(const struct sudoku_grid *grid, enum api_form form, struct buffer *out);

/* Writes the members that tell of a search: "status":... to "steps":..., without braces. A caller
 * that has no use for a solution leaves it out. */
void encode_search(const struct sudoku_answer *answer, enum api_form form, bool with_solution,
                   struct buffer *out);

#endif
