/* Many puzzles in one call: by the engine's own means, or one after the other. */
#include <assert.h>

#include "sudoku/sudoku.h"

void sudoku_bulk_run(struct sudoku_bulk *bulk, const struct sudoku_engine *engine,
                     const struct sudoku_grid *puzzles, size_t puzzle_count, uint32_t limit,
                     uint64_t max_steps, struct sudoku_tally *ret)
{
    struct sudoku_search *search = &bulk->search[0];

    /* Sums with the steps made so far must not wrap. */
    assert(max_steps <= UINT64_MAX / 2);
    if (engine->bulk != NULL) {
        engine->bulk(bulk, puzzles, puzzle_count, limit, max_steps, ret);
        return;
    }
    for (size_t i = 0; i < puzzle_count; i++) {
        sudoku_search_start(search, engine, &puzzles[i]);
        engine->run(search, limit, max_steps);
        ret[i].steps = search->steps;
        ret[i].count = search->count;
        ret[i].exhausted = search->exhausted;
        for (uint32_t j = 0; j < search->count && j < 2; j++)
            ret[i].solution[j] = search->solution[j];
    }
}
