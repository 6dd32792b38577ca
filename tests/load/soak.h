/* What soak.c sends, and what has to come back. */
#ifndef SUDOKU_TESTS_SOAK_H
#define SUDOKU_TESTS_SOAK_H

#include <stdbool.h>
#include <stddef.h>

struct soak_case {
    const char *name;
    unsigned weight; /* how often it is sent, beside the others */
    char *request;
    size_t request_size;
    unsigned status;
    char *body; /* of the answer */
    size_t body_size;
    bool is_beginning; /* of the body: the rest is a sentence for people */
};

enum { SOAK_MAX_CASES = 2048 };
struct soak_cases {
    size_t count;
    unsigned weight; /* of all */
    struct soak_case at[SOAK_MAX_CASES];
};

/* Makes the cases of puzzles in files, a line of 81 characters each. The answers are the core's
 * own, written here anew; the plain engine has to agree with each. Ends the process when it does
 * not. */
void soak_cases_make(struct soak_cases *cases, char *const files[], size_t file_count);

#endif
