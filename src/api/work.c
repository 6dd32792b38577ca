#include "work.h"

#include <stdlib.h>

/* Memory for the search and for as many solutions as may be listed. */
static bool reserve(struct api_work *work)
{
    const struct api_ask *ask = &work->ask;
    const size_t room = !ask->wants_list ? 0 : ask->max_solutions < 2 ? 2 : ask->max_solutions;

    if (work->query == NULL)
        work->query = queries_take(work->queries);
    if (room > work->list_room) {
        free(work->list);
        work->list = malloc(room * sizeof *work->list);
        work->list_room = work->list == NULL ? 0 : room;
    }
    return work->query != NULL && room <= work->list_room;
}

struct sudoku_question work_question(const struct api_ask *ask, const struct api_endpoint *endpoint,
                                     struct sudoku_grid *list)
{
    return (struct sudoku_question){
        .puzzle = ask->puzzle,
        .max_solutions = ask->max_solutions,
        .max_steps = ask->max_steps,
        .count_only = endpoint->count_only,
        .list = ask->wants_list ? list : NULL,
    };
}

bool work_begin(struct api_work *work, const struct api_service *service,
                const struct api_endpoint *endpoint, struct problem *ret_problem)
{
    const struct api_ask *ask = &work->ask;

    if (work->query == NULL)
        work->queries = service->queries;
    if (!reserve(work)) {
        problem_init(ret_problem, PROBLEM_OUT_OF_MEMORY, "No memory to search in.");
        return false;
    }
    const struct sudoku_question question = work_question(ask, endpoint, work->list);
    sudoku_query_start(work->query, service->engine, &question);
    return true;
}

bool work_run(struct api_work *work, uint64_t effort)
{
    return sudoku_query_run(work->query, effort) == SUDOKU_SETTLED;
}

/* Clues that break the rules are the caller's mistake, not a puzzle without a solution. To look for
 * them costs as much as a third of a search, and only where there is no solution can there be any.
 */
bool work_answer(const struct api_work *work, const struct api_endpoint *endpoint,
                 struct sudoku_answer *ret_answer, struct problem *ret_problem)
{
    const struct sudoku_grid *puzzle = &work->ask.puzzle;

    sudoku_query_answer(work->query, ret_answer);
    if (ret_answer->has_solution || endpoint->takes_conflicts || sudoku_is_valid(puzzle))
        return true;
    problem_init_conflicts(ret_problem, puzzle);
    return false;
}

void work_clear(struct api_work *work)
{
    queries_give(work->queries, work->query);
    work->query = NULL;
    free(work->list);
    work->list = NULL;
    work->list_room = 0;
}
