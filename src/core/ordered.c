/* Solutions in lexicographic order, from a search that finds them in any order.
 *
 * `best` is the smallest solution known whose cells before `cell` are those already settled. To
 * settle a cell, every smaller value there is put to a search: can the rest be completed? The first
 * that can becomes the new best. So the first solution takes at most 9 * 81 searches, nearly all of
 * them settled by propagation, and no search ever wades through the rows in order.
 *
 * The next solution differs from this one in some last cell where the value rises: going back from
 * the end, the first cell where a larger value can be completed. From there on down as before. */
#include "sudoku/sudoku.h"
#include "units.h"

void sudoku_ordered_start(struct sudoku_ordered *ordered, const struct sudoku_engine *engine,
                          const struct sudoku_grid *puzzle, const struct sudoku_grid *known)
{
    ordered->puzzle = *puzzle;
    ordered->best = *known;
    ordered->steps = 0;
    ordered->searches = 0;
    ordered->cell = 0;
    ordered->value = 1;
    ordered->is_rising = false;
    ordered->is_asking = false;
    ordered->is_exhausted = false;
    ordered->search.engine = engine;
    ordered->search.steps = 0;
}

/* The puzzle with everything before `cell` settled. */
static struct sudoku_grid settled_grid(const struct sudoku_ordered *ordered)
{
    struct sudoku_grid grid = ordered->puzzle;

    for (unsigned cell = 0; cell < ordered->cell; cell++)
        grid.cell[cell] = ordered->best.cell[cell];
    return grid;
}

/* The values that no filled cell forbids in `cell`, as a candidate set. */
static unsigned allowed_values(const struct sudoku_grid *grid, unsigned cell)
{
    const unsigned units[] = {row_of(cell), 9 + column_of(cell), 18 + box_of(cell)};
    unsigned taken = 1; /* bit v for value v here; bit 0 for blanks */

    for (unsigned u = 0; u < 3; u++) {
        for (unsigned i = 0; i < SUDOKU_SIZE; i++)
            taken |= 1U << grid->cell[unit_cell(units[u], i)];
    }
    return ~taken >> 1 & SUDOKU_ALL_VALUES;
}

/* Starts a search for the next value worth one, from `value` up to `last`. False: there is none. */
static bool ask_next_value(struct sudoku_ordered *ordered, unsigned last)
{
    if (ordered->puzzle.cell[ordered->cell] != 0 || ordered->value > last)
        return false;

    struct sudoku_grid grid = settled_grid(ordered);
    const unsigned allowed = allowed_values(&grid, ordered->cell);
    while (ordered->value <= last && (allowed >> (ordered->value - 1) & 1) == 0)
        ordered->value++;
    if (ordered->value > last)
        return false;

    grid.cell[ordered->cell] = ordered->value;
    ordered->steps += ordered->search.steps;
    ordered->searches++;
    sudoku_search_start(&ordered->search, ordered->search.engine, &grid);
    ordered->is_asking = true;
    return true;
}

/* Takes the answer of the search: the smallest value that can be completed is settled. */
static void take_answer(struct sudoku_ordered *ordered)
{
    ordered->is_asking = false;
    if (ordered->search.count == 0) {
        ordered->value++;
        return;
    }
    ordered->best = ordered->search.solution[0];
    ordered->is_rising = false;
    ordered->cell++;
    ordered->value = 1;
}

/* No larger value can stand in this cell: one further back must rise. */
static void rise(struct sudoku_ordered *ordered)
{
    if (ordered->cell == 0) {
        ordered->is_exhausted = true;
        return;
    }
    ordered->cell--;
    ordered->value = (uint8_t)(ordered->best.cell[ordered->cell] + 1);
}

static uint64_t steps_of(const struct sudoku_ordered *ordered)
{
    return ordered->steps + ordered->search.steps;
}

enum sudoku_progress sudoku_ordered_run(struct sudoku_ordered *ordered, uint64_t max_steps,
                                        uint64_t max_searches)
{
    const uint64_t last_step = steps_of(ordered) + max_steps;
    const uint64_t last_search = ordered->searches + max_searches;

    if (ordered->cell == SUDOKU_CELLS) {
        ordered->is_rising = true;
        rise(ordered);
    }
    while (!ordered->is_exhausted && ordered->cell < SUDOKU_CELLS) {
        if (ordered->is_asking) {
            const uint64_t left = last_step - steps_of(ordered);
            if (sudoku_search_run(&ordered->search, 1, left) == SUDOKU_PAUSED)
                return SUDOKU_PAUSED;
            take_answer(ordered);
            continue;
        }
        if (ordered->searches == last_search)
            return SUDOKU_PAUSED;
        const unsigned known = ordered->best.cell[ordered->cell];
        if (ask_next_value(ordered, ordered->is_rising ? SUDOKU_SIZE : known - 1))
            continue;
        if (ordered->is_rising) {
            rise(ordered);
        } else {
            ordered->cell++;
            ordered->value = 1;
        }
    }
    return SUDOKU_SETTLED;
}
