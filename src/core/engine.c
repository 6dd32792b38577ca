/* Which engines there are, and what is common to all. */
#include <assert.h>
#include <string.h>

#include "sudoku/sudoku.h"

/* The plainest first, the fastest last. */
static const struct sudoku_engine *const engines[] = {
    &sudoku_reference_engine,
};

enum { ENGINES = sizeof engines / sizeof engines[0] };

const struct sudoku_engine *sudoku_engine_at(size_t i)
{
    return i < ENGINES ? engines[i] : NULL;
}

const struct sudoku_engine *sudoku_engine_best(void)
{
    return engines[ENGINES - 1];
}

const struct sudoku_engine *sudoku_engine_find(const char *name)
{
    for (size_t i = 0; i < ENGINES; i++) {
        if (strcmp(engines[i]->name, name) == 0)
            return engines[i];
    }
    return NULL;
}

void sudoku_search_start(struct sudoku_search *search, const struct sudoku_engine *engine,
                         const struct sudoku_grid *grid)
{
    search->engine = engine;
    search->steps = 0;
    search->count = 0;
    search->exhausted = false;
    search->depth = 0;
    engine->start(search, grid);
}

enum sudoku_progress sudoku_search_run(struct sudoku_search *search, uint32_t limit,
                                       uint64_t max_steps)
{
    /* Sums with the steps made so far must not wrap. */
    assert(max_steps <= UINT64_MAX / 2);
    search->engine->run(search, limit, max_steps);
    return search->exhausted || search->count >= limit ? SUDOKU_SETTLED : SUDOKU_PAUSED;
}
