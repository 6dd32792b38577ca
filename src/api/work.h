/* One puzzle on its way from ask to answer. A zeroed work is empty; it may be used again and again,
 * keeping its memory. */
#ifndef SUDOKU_API_WORK_H
#define SUDOKU_API_WORK_H

#include "endpoints.h"

/* Begins to search for what work->ask asks. False: out of memory, says *ret_problem. */
SUDOKU_MUST_USE bool work_begin(struct api_work *work, const struct api_service *service,
                                const struct api_endpoint *endpoint, struct problem *ret_problem);

/* The question that an ask puts at an endpoint. `list` has room for what it wants listed. */
struct sudoku_question work_question(const struct api_ask *ask, const struct api_endpoint *endpoint,
                                     struct sudoku_grid *list);

/* Goes on for about `effort`. True: the answer is known. */
SUDOKU_MUST_USE bool work_run(struct api_work *work, uint64_t effort);

/* When that is so: the answer. False: it is refused, and *ret_problem says why. */
SUDOKU_MUST_USE bool work_answer(const struct api_work *work, const struct api_endpoint *endpoint,
                                 struct sudoku_answer *ret_answer, struct problem *ret_problem);

/* Gives up its memory; the ask stays. */
void work_clear(struct api_work *work);

#endif
