/* What the route table is made of: one file each. */
#ifndef SUDOKU_API_ENDPOINTS_H
#define SUDOKU_API_ENDPOINTS_H

#include "api.h"

/* What is done with a puzzle: how the question is put, and how the answer is written. */
struct api_endpoint {
    unsigned members;     /* a set of enum ask_member_flag: what a request may hold */
    bool takes_conflicts; /* clues that break the rules are no problem */
    bool count_only;      /* no solution is wanted */

    /* Write the answer: as a JSON object without the newline; as the text of a single puzzle; and
     * as its line among many, without the newline. `list` has the solutions, if they are asked
     * for. */
    void (*put_json)(const struct api_ask *ask, const struct sudoku_grid *list,
                     const struct sudoku_answer *answer, struct buffer *out);
    void (*put_text)(const struct api_ask *ask, const struct sudoku_grid *list,
                     const struct sudoku_answer *answer, struct buffer *out);
    void (*put_line)(const struct api_ask *ask, const struct sudoku_grid *list,
                     const struct sudoku_answer *answer, struct buffer *out);
};

extern const struct api_endpoint solve_endpoint;
extern const struct api_endpoint validate_endpoint;

void livez_encode(struct api_call *call);
void readyz_encode(struct api_call *call);
void metrics_encode(struct api_call *call);
void openapi_encode(struct api_call *call);

#endif
