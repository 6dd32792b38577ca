/* What the tests share: puzzles, and grids from text. */
#ifndef SUDOKU_TESTS_SUPPORT_H
#define SUDOKU_TESTS_SUPPORT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sudoku/sudoku.h"
#include "suite.h"

/* The example of the Wikipedia article: one solution, and it. */
#define EASY "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
#define EASY_SOLVED                                                                                \
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

/* The solution without four cells that hold 1 and 3 crosswise: two solutions, this one first. */
#define TWO "534678912672195348198342567859760420426850790713924856961537284287419635345286179"
#define TWO_SECOND                                                                                 \
    "534678912672195348198342567859763421426851793713924856961537284287419635345286179"

/* No clue at all, and the first of its solutions. */
#define EMPTY "000000000000000000000000000000000000000000000000000000000000000000000000000000000"
#define EMPTY_FIRST                                                                                \
    "123456789456789123789123456214365897365897214897214365531642978642978531978531642"

/* The only value left for the last cell of the first row stands in its column. */
#define NONE "123456780000000000000000000000000009000000000000000000000000000000000000000000000"

/* No solution, and millions of guesses to find that out. */
#define SLOW "600100000003009060000000040000000003061054000000000000107000050080000010000000000"

/* 5 twice in row 0, 7 three times in column 4, 9 twice in box 8. */
#define BROKEN "500005000000070000000000000000070000000000000000000000000070000000000900000000009"

static inline struct sudoku_grid grid_of(const char *text)
{
    struct sudoku_grid grid;

    ck_assert_uint_eq(strlen(text), SUDOKU_CELLS);
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        grid.cell[cell] = (uint8_t)(text[cell] - '0');
    return grid;
}

#endif
