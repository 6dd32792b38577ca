/* Begins the search of a call. Out of memory: the reply is made. */
#ifndef SUDOKU_API_SEARCH_H
#define SUDOKU_API_SEARCH_H

#include "api.h"

void search_begin(struct api_call *call, const struct sudoku_question *question);

/* The same with a list of the solutions, which the call will own. */
void search_begin_list(struct api_call *call, struct sudoku_question *question);

bool search_run(struct api_call *call, uint64_t effort);

#endif
