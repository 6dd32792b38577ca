/* From answers to bytes. */
#ifndef SUDOKU_API_ENCODE_H
#define SUDOKU_API_ENCODE_H

#include "api.h"

extern const char encode_status_names[][16]; /* by enum sudoku_status */

/* Writes a grid in JSON: an array of rows, or a string of 81 for the other forms. */
void encode_grid(const struct sudoku_grid *grid, enum api_form form, struct buffer *out);

/* Writes the members that tell of a search: "status":... to "steps":..., without braces. A caller
 * that has no use for a solution leaves it out. */
void encode_search(const struct sudoku_answer *answer, enum api_form form, bool with_solution,
                   struct buffer *out);

#endif
