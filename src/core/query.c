/* One question about one puzzle, answered by three searches in turn:
 *
 *   PROVE   is there none, one, or more than one?         ends most queries
 *   ORDER   which solution is first, or: list them        when there are several
 *   COUNT   how many, up to the limit                     when more than two are asked for
 *
 * The first solution comes before the count because it is worth more to a caller whose budget ends
 * in between. The budget is shared: a phase gets what the ones before it left. */
#include <assert.h>
#include <string.h>

#include "sudoku/sudoku.h"

void sudoku_query_start(struct sudoku_query *query, const struct sudoku_engine *engine,
                        const struct sudoku_question *question)
{
    query->question = *question;
    query->phase = SUDOKU_QUERY_PROVE;
    query->budget_exhausted = false;
    query->first_known = false;
    query->listed = 0;
    sudoku_search_start(&query->search, engine, &question->puzzle);
    query->ordered.steps = 0;
    query->ordered.searches = 0;
    query->ordered.search.steps = 0;
}

static uint64_t steps_of(const struct sudoku_query *query)
{
    return query->search.steps + query->ordered.steps + query->ordered.search.steps;
}

uint64_t sudoku_query_effort(const struct sudoku_query *query)
{
    return steps_of(query) + query->ordered.searches;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What PROVE counts to, and what is known to exist once it has. */
static uint32_t proof_limit(const struct sudoku_query *query)
{
    return query->question.max_solutions < 2 ? 1 : 2;
}

static void begin_order(struct sudoku_query *query)
{
    struct sudoku_grid *found = query->search.solution;
    const struct sudoku_grid *list = query->question.list;

    if (query->search.count == 2 && memcmp(&found[0], &found[1], sizeof found[0]) > 0) {
        const struct sudoku_grid larger = found[0];
        found[0] = found[1];
        found[1] = larger;
    }
    /* The list is ascending at any time: the first solution is at most found[0], the second at most
     * found[1], and each is overwritten when it is known. */
    if (list != NULL)
        memcpy(query->question.list, found, query->search.count * sizeof found[0]);
    sudoku_ordered_start(&query->ordered, query->search.engine, &query->question.puzzle, &found[0]);
    query->phase = SUDOKU_QUERY_ORDER;
}

static void end_prove(struct sudoku_query *query)
{
    if (query->search.count == proof_limit(query) && !query->question.count_only) {
        begin_order(query);
        return;
    }
    if (query->search.count == proof_limit(query)) {
        query->phase = query->question.max_solutions > 2 ? SUDOKU_QUERY_COUNT : SUDOKU_QUERY_DONE;
        return;
    }
    /* All solutions are known, none or one. */
    query->first_known = query->search.count == 1;
    query->first = query->search.solution[0];
    if (query->question.list != NULL && query->first_known)
        query->question.list[0] = query->first;
    query->phase = SUDOKU_QUERY_DONE;
}

static void end_order(struct sudoku_query *query)
{
    if (query->ordered.is_exhausted) {
        query->phase = SUDOKU_QUERY_DONE;
        return;
    }
    if (query->listed == 0) {
        query->first_known = true;
        query->first = query->ordered.best;
    }
    if (query->question.list == NULL) {
        query->phase = query->question.max_solutions > 2 ? SUDOKU_QUERY_COUNT : SUDOKU_QUERY_DONE;
        return;
    }
    query->question.list[query->listed++] = query->ordered.best;
    if (query->listed == query->question.max_solutions)
        query->phase = SUDOKU_QUERY_DONE;
}

static void end_budget(struct sudoku_query *query)
{
    query->budget_exhausted = true;
    if (query->phase == SUDOKU_QUERY_ORDER && query->listed == 0 && query->question.list != NULL)
        query->question.list[0] = query->ordered.best;
    if (query->phase == SUDOKU_QUERY_PROVE && query->search.count == 1 &&
        query->question.list != NULL)
        query->question.list[0] = query->search.solution[0];
    query->phase = SUDOKU_QUERY_DONE;
}

enum sudoku_progress sudoku_query_run(struct sudoku_query *query, uint64_t max_effort)
{
    assert(max_effort > 0);
    uint64_t left = max_effort;

    while (query->phase != SUDOKU_QUERY_DONE) {
        const uint64_t steps = steps_of(query);
        const uint64_t effort = sudoku_query_effort(query);
        const uint64_t max_steps = least(left, query->question.max_steps - steps);
        enum sudoku_progress progress;
        bool needs_step = true; /* when paused: because a guess is due, not a search */

        if (query->phase == SUDOKU_QUERY_ORDER) {
            progress = sudoku_ordered_run(&query->ordered, max_steps, left);
            needs_step = query->ordered.is_asking;
        } else {
            const bool proving = query->phase == SUDOKU_QUERY_PROVE;
            const uint32_t limit = proving ? proof_limit(query) : query->question.max_solutions;
            progress = sudoku_search_run(&query->search, limit, max_steps);
        }

        if (progress == SUDOKU_SETTLED) {
            if (query->phase == SUDOKU_QUERY_PROVE)
                end_prove(query);
            else if (query->phase == SUDOKU_QUERY_ORDER)
                end_order(query);
            else
                query->phase = SUDOKU_QUERY_DONE;
        } else if (needs_step && steps_of(query) == query->question.max_steps) {
            end_budget(query);
        }
        left -= least(left, sudoku_query_effort(query) - effort);
        if (left == 0)
            break;
    }
    return query->phase == SUDOKU_QUERY_DONE ? SUDOKU_SETTLED : SUDOKU_PAUSED;
}

static enum sudoku_status status_of(const struct sudoku_query *query, uint32_t count, bool is_exact)
{
    if (count > 1)
        return SUDOKU_MULTIPLE;
    if (count == 1)
        return is_exact ? SUDOKU_UNIQUE : SUDOKU_SOLVABLE;
    return query->budget_exhausted ? SUDOKU_UNDETERMINED : SUDOKU_NONE;
}

void sudoku_query_answer(const struct sudoku_query *query, struct sudoku_answer *ret)
{
    const uint32_t found = query->search.count;
    const uint32_t count = query->listed > found ? query->listed : found;
    /* A count that stopped at its limit is not called exact, even where the search happens to know
     * that nothing was left: that would depend on the order in which it looked. */
    const bool is_exact = !query->budget_exhausted && count < query->question.max_solutions;

    *ret = (struct sudoku_answer){
        .status = status_of(query, count, is_exact),
        .has_solution = count > 0,
        .solution_is_first = query->first_known,
        .solution_count = count,
        .count_exact = is_exact,
        .budget_exhausted = query->budget_exhausted,
        .steps = steps_of(query),
    };
    if (query->first_known)
        ret->solution = query->first;
    else if (count >= proof_limit(query) && !query->question.count_only)
        ret->solution = query->ordered.best;
    else if (count > 0)
        ret->solution = query->search.solution[0];
}

bool sudoku_query_is_told(const struct sudoku_question *question, const struct sudoku_tally *tally,
                          struct sudoku_answer *ret)
{
    const bool all_known = tally->exhausted && tally->count < 2;
    const bool enough_known = tally->count == 2 && question->count_only;

    /* A list or a first solution of several takes more searching, and so does a count of one if the
     * query would stop at it. */
    if (question->max_solutions < 2 || tally->steps > question->max_steps ||
        !(all_known || (enough_known && question->max_solutions == 2)))
        return false;
    *ret = (struct sudoku_answer){
        .status = tally->count == 0   ? SUDOKU_NONE
                  : tally->count == 1 ? SUDOKU_UNIQUE
                                      : SUDOKU_MULTIPLE,
        .has_solution = tally->count > 0,
        .solution_is_first = tally->count == 1,
        .solution = tally->solution[0],
        .solution_count = tally->count,
        .count_exact = all_known,
        .steps = tally->steps,
    };
    return true;
}
