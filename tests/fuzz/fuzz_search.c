/* The fastest search finds what the plain one finds, whatever the grid: as many solutions up to a
 * limit, and each of them one. A grid that takes either search long is left alone: they guess in
 * another order, so a few guesses of the one may be a million of the other. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sudoku/sudoku.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LIMIT = 20, STEPS = 2000 };

static void require(bool claim)
{
    if (!claim)
        abort();
}

static void require_solves(const struct sudoku_grid *puzzle, const struct sudoku_grid *solution)
{
    require(sudoku_clue_count(solution) == SUDOKU_CELLS && sudoku_is_valid(solution));
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        require(puzzle->cell[cell] == 0 || puzzle->cell[cell] == solution->cell[cell]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sudoku_search plain;
    static struct sudoku_search fast;
    struct sudoku_grid grid = {{0}};

    for (size_t cell = 0; cell < SUDOKU_CELLS && cell < size; cell++)
        grid.cell[cell] = (uint8_t)(data[cell] % 10);
    sudoku_search_start(&plain, &sudoku_reference_engine, &grid);
    if (sudoku_search_run(&plain, LIMIT, STEPS) == SUDOKU_PAUSED)
        return 0;
    sudoku_search_start(&fast, sudoku_engine_best(), &grid);
    if (sudoku_search_run(&fast, LIMIT, 100 * STEPS) == SUDOKU_PAUSED)
        return 0;
    require(fast.count == plain.count);
    for (unsigned i = 0; i < 2 && i < fast.count; i++)
        require_solves(&grid, &fast.solution[i]);
    if (fast.count == 1)
        require(memcmp(&fast.solution[0], &plain.solution[0], sizeof grid) == 0);
    return 0;
}
