#include "puzzles.h"

enum { MANY = 1000 };

static struct sudoku_search search;
static struct sudoku_ordered ordered;
static struct sudoku_grid expected[MANY + 1];

/* Starts the walk from whatever solution the engine finds first. */
static void start(const struct sudoku_engine *engine, const struct sudoku_grid *grid)
{
    sudoku_search_start(&search, engine, grid);
    ck_assert_int_eq(sudoku_search_run(&search, 1, 1000000), SUDOKU_SETTLED);
    ck_assert_uint_eq(search.count, 1);
    sudoku_ordered_start(&ordered, engine, grid, &search.solution[0]);
}

static void assert_walk(const struct sudoku_grid *grid, size_t count, bool ends, uint64_t slice)
{
    for (size_t i = 0; i < count; i++) {
        while (sudoku_ordered_run(&ordered, slice, slice) == SUDOKU_PAUSED)
            continue;
        ck_assert(!ordered.is_exhausted);
        puzzles_assert_solves(grid, &ordered.best);
        ck_assert_mem_eq(&ordered.best, &expected[i], sizeof expected[i]);
    }
    if (ends) {
        while (sudoku_ordered_run(&ordered, slice, slice) == SUDOKU_PAUSED)
            continue;
        ck_assert(ordered.is_exhausted);
    }
}

/* Where the naive solver finishes, its order is the order. */
START_TEST(solutions_come_in_the_order_of_the_naive_solver)
{
    struct puzzles *cases = puzzles_load("cases.tsv");
    const uint64_t slices[] = {1, 1000000};
    unsigned compared = 0;

    for (size_t i = 0; i < cases->count; i++) {
        const struct puzzle *puzzle = &cases->puzzle[i];
        bool gave_up;
        if (puzzle->is_conflicting || puzzle->solutions == 0)
            continue;
        const size_t count = puzzles_naive(&puzzle->grid, expected, MANY, 200000, &gave_up);
        if (count == 0)
            continue;
        for (size_t s = 0; s < 2; s++) {
            start(sudoku_engine_best(), &puzzle->grid);
            assert_walk(&puzzle->grid, count, !gave_up && count < MANY, slices[s]);
        }
        compared++;
    }
    ck_assert_uint_gt(compared, 25);
    free(cases);
}
END_TEST

START_TEST(the_first_thousand_grids_there_are_come_in_order)
{
    const struct sudoku_grid empty = {{0}};
    char text[SUDOKU_CELLS + 1];
    bool gave_up;

    ck_assert_uint_eq(puzzles_naive(&empty, expected, MANY, 10000000, &gave_up), MANY);
    for (size_t e = 0; sudoku_engine_at(e) != NULL; e++) {
        start(sudoku_engine_at(e), &empty);
        assert_walk(&empty, MANY, false, 1000000);
    }
    ck_assert_str_eq(puzzles_text(&expected[0], text),
                     "123456789456789123789123456214365897365897214897214365531642978642978531978"
                     "531642");
}
END_TEST

START_TEST(a_pause_comes_before_the_budget_is_overdrawn)
{
    const struct sudoku_grid empty = {{0}};

    for (uint64_t budget = 0; budget < 40; budget++) {
        start(sudoku_engine_best(), &empty);
        const enum sudoku_progress progress = sudoku_ordered_run(&ordered, budget, 1000);
        ck_assert_uint_le(ordered.steps + ordered.search.steps, budget);
        ck_assert(progress == SUDOKU_SETTLED || ordered.is_asking);
    }
    start(sudoku_engine_best(), &empty);
    ck_assert_int_eq(sudoku_ordered_run(&ordered, 1000, 2), SUDOKU_PAUSED);
    ck_assert_uint_eq(ordered.searches, 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        solutions_come_in_the_order_of_the_naive_solver,
        the_first_thousand_grids_there_are_come_in_order,
        a_pause_comes_before_the_budget_is_overdrawn,
    };

    return puzzles_run_suite("ordered", tests, sizeof tests / sizeof tests[0]);
}
