/* The searching that /solve and /validate have in common. */
#include "search.h"

#include <stdlib.h>

static void refuse_for_memory(struct api_call *call)
{
    api_call_refuse_with(call, PROBLEM_OUT_OF_MEMORY, "No memory to search in.");
}

void search_begin(struct api_call *call, const struct sudoku_question *question)
{
    call->query = aligned_alloc(_Alignof(struct sudoku_query), sizeof *call->query);
    if (call->query == NULL) {
        refuse_for_memory(call);
        return;
    }
    sudoku_query_start(call->query, call->service->engine, question);
}

void search_begin_list(struct api_call *call, struct sudoku_question *question)
{
    const size_t room = question->max_solutions < 2 ? 2 : question->max_solutions;

    call->list = malloc(room * sizeof *call->list);
    if (call->list == NULL) {
        refuse_for_memory(call);
        return;
    }
    question->list = call->list;
    search_begin(call, question);
}

bool search_run(struct api_call *call, uint64_t effort)
{
    return sudoku_query_run(call->query, effort) == SUDOKU_SETTLED;
}
