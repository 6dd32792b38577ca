/* What came of puzzles, for whoever counts it. A zeroed tally is empty; it has one owner at a time.
 */
#ifndef SUDOKU_API_TALLY_H
#define SUDOKU_API_TALLY_H

#include "sudoku/sudoku.h"

enum { TALLY_STATUSES = SUDOKU_UNDETERMINED + 1 };

struct api_tally {
    uint64_t answers[TALLY_STATUSES]; /* by enum sudoku_status */
    uint64_t problems;                /* puzzles of a batch that got one instead of an answer */
    uint64_t exhausted;               /* answers that ended with their budget */
    uint64_t steps;
};

static inline void tally_answer(struct api_tally *tally, const struct sudoku_answer *answer)
{
    tally->answers[answer->status]++;
    tally->exhausted += answer->budget_exhausted;
    tally->steps += answer->steps;
}

/* Adds one to another, and leaves it empty. */
static inline void tally_move(struct api_tally *to, struct api_tally *from)
{
    for (unsigned i = 0; i < TALLY_STATUSES; i++)
        to->answers[i] += from->answers[i];
    to->problems += from->problems;
    to->exhausted += from->exhausted;
    to->steps += from->steps;
    *from = (struct api_tally){0};
}

/* How many puzzles it is of. */
static inline uint64_t tally_puzzles(const struct api_tally *tally)
{
    uint64_t count = tally->problems;

    for (unsigned i = 0; i < TALLY_STATUSES; i++)
        count += tally->answers[i];
    return count;
}

#endif
