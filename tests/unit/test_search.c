/* Every engine of this CPU, on its own and against the reference. */
#include "puzzles.h"

static struct sudoku_search search;
static struct sudoku_search other;

static void search_whole(const struct sudoku_engine *engine, const struct sudoku_grid *grid,
                         uint32_t limit)
{
    sudoku_search_start(&search, engine, grid);
    ck_assert_int_eq(sudoku_search_run(&search, limit, UINT64_MAX / 2), SUDOKU_SETTLED);
}

START_TEST(counts_are_those_of_the_known_cases)
{
    struct puzzles *cases = puzzles_load("cases.tsv");

    for (size_t e = 0; sudoku_engine_at(e) != NULL; e++) {
        for (size_t i = 0; i < cases->count; i++) {
            const struct puzzle *puzzle = &cases->puzzle[i];
            search_whole(sudoku_engine_at(e), &puzzle->grid, 1001);
            ck_assert_msg(search.count == puzzle->solutions, "%s: %u of %u with %s", puzzle->name,
                          search.count, puzzle->solutions, sudoku_engine_at(e)->name);
            ck_assert(search.exhausted || search.count == 1001);
            for (unsigned k = 0; k < 2 && k < search.count; k++)
                puzzles_assert_solves(&puzzle->grid, &search.solution[k]);
        }
    }
    free(cases);
}
END_TEST

static void assert_sample(const char *file, uint32_t expected)
{
    struct puzzles *sample = puzzles_load(file);

    ck_assert_uint_ge(sample->count, 100);
    for (size_t e = 0; sudoku_engine_at(e) != NULL; e++) {
        for (size_t i = 0; i < sample->count; i++) {
            search_whole(sudoku_engine_at(e), &sample->puzzle[i].grid, 2);
            ck_assert_uint_eq(search.count, expected);
            puzzles_assert_solves(&sample->puzzle[i].grid, &search.solution[0]);
        }
    }
    free(sample);
}

START_TEST(puzzles_of_17_clues_are_proven_unique)
{
    assert_sample("17_clue_sample.txt", 1);
}
END_TEST

START_TEST(the_hardest_puzzles_are_proven_unique)
{
    assert_sample("hardest_sample.txt", 1);
}
END_TEST

START_TEST(puzzles_with_several_solutions_have_two_different_ones)
{
    assert_sample("multi_solution_sample.txt", 2);
    ck_assert_int_ne(memcmp(&search.solution[0], &search.solution[1], sizeof search.solution[0]),
                     0);
}
END_TEST

START_TEST(engines_agree_with_the_reference_on_made_up_grids)
{
    enum { GRIDS = 3000 };
    unsigned seen[3] = {0}; /* none, one, several */

    for (size_t e = 0; sudoku_engine_at(e) != NULL; e++) {
        uint64_t random = 20240229;
        for (unsigned i = 0; i < GRIDS; i++) {
            const struct sudoku_grid grid = puzzles_make(&random);
            search_whole(&sudoku_reference_engine, &grid, 100);
            other = search;
            search_whole(sudoku_engine_at(e), &grid, 100);
            ck_assert_uint_eq(search.count, other.count);
            ck_assert(search.exhausted || search.count == 100);
            seen[search.count < 2 ? search.count : 2]++;
            if (search.count == 1)
                ck_assert_mem_eq(&search.solution[0], &other.solution[0],
                                 sizeof search.solution[0]);
        }
    }
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_gt(seen[i], GRIDS / 20);
}
END_TEST

/* The boundary: a budget that is just enough settles the search, one step less does not. */
START_TEST(pauses_only_when_the_steps_are_spent)
{
    struct puzzles *sample = puzzles_load("hardest_sample.txt");

    for (size_t e = 0; sudoku_engine_at(e) != NULL; e++) {
        for (size_t i = 0; i < 20; i++) {
            const struct sudoku_grid *grid = &sample->puzzle[i].grid;
            search_whole(sudoku_engine_at(e), grid, 2);
            const uint64_t need = search.steps;
            ck_assert_uint_gt(need, 0);

            sudoku_search_start(&search, sudoku_engine_at(e), grid);
            ck_assert_int_eq(sudoku_search_run(&search, 2, need - 1), SUDOKU_PAUSED);
            ck_assert_uint_eq(search.steps, need - 1);
            ck_assert(!search.exhausted);
            ck_assert_int_eq(sudoku_search_run(&search, 2, 1), SUDOKU_SETTLED);
            ck_assert_uint_eq(search.steps, need);
            ck_assert_uint_eq(search.count, 1);
        }
    }
    free(sample);
}
END_TEST

START_TEST(the_outcome_does_not_depend_on_how_the_steps_are_sliced)
{
    struct puzzles *cases = puzzles_load("cases.tsv");
    const uint64_t slices[] = {1, 2, 7, 100};

    for (size_t e = 0; sudoku_engine_at(e) != NULL; e++) {
        for (size_t i = 0; i < cases->count; i++) {
            const struct sudoku_grid *grid = &cases->puzzle[i].grid;
            search_whole(sudoku_engine_at(e), grid, 20);
            for (size_t s = 0; s < sizeof slices / sizeof slices[0]; s++) {
                sudoku_search_start(&other, sudoku_engine_at(e), grid);
                while (sudoku_search_run(&other, 20, slices[s]) == SUDOKU_PAUSED)
                    continue;
                ck_assert_uint_eq(other.steps, search.steps);
                ck_assert_uint_eq(other.count, search.count);
                ck_assert(other.exhausted == search.exhausted);
                for (unsigned k = 0; k < 2 && k < search.count; k++)
                    ck_assert_mem_eq(&other.solution[k], &search.solution[k],
                                     sizeof search.solution[k]);
            }
        }
    }
    free(cases);
}
END_TEST

START_TEST(a_higher_limit_goes_on_where_the_lower_one_stopped)
{
    struct puzzles *cases = puzzles_load("cases.tsv");

    for (size_t e = 0; sudoku_engine_at(e) != NULL; e++) {
        for (size_t i = 0; i < cases->count; i++) {
            search_whole(sudoku_engine_at(e), &cases->puzzle[i].grid, 50);
            sudoku_search_start(&other, sudoku_engine_at(e), &cases->puzzle[i].grid);
            for (uint32_t limit = 1; limit <= 50; limit++) {
                ck_assert_int_eq(sudoku_search_run(&other, limit, 100000000), SUDOKU_SETTLED);
                ck_assert(other.count == limit || other.exhausted);
            }
            ck_assert_uint_eq(other.count, search.count);
            ck_assert_uint_eq(other.steps, search.steps);
        }
    }
    free(cases);
}
END_TEST

START_TEST(clues_that_break_the_rules_have_no_solution)
{
    for (size_t e = 0; sudoku_engine_at(e) != NULL; e++) {
        for (unsigned a = 0; a < SUDOKU_CELLS; a++) {
            for (unsigned b = a + 1; b < SUDOKU_CELLS; b++) {
                struct sudoku_grid grid = {{0}};
                grid.cell[a] = grid.cell[b] = (uint8_t)(1 + a % 9);
                if (sudoku_is_valid(&grid))
                    continue;
                search_whole(sudoku_engine_at(e), &grid, 2);
                ck_assert_uint_eq(search.count, 0);
                ck_assert(search.exhausted);
                ck_assert_uint_eq(search.steps, 0); /* so it is known at once, whatever the rest */
            }
        }
    }
}
END_TEST

START_TEST(a_full_grid_is_its_own_only_solution)
{
    const struct sudoku_grid grid = puzzles_grid("534678912672195348198342567859761423426853791713"
                                                 "924856961537284287419635345286179");

    for (size_t e = 0; sudoku_engine_at(e) != NULL; e++) {
        search_whole(sudoku_engine_at(e), &grid, 2);
        ck_assert_uint_eq(search.count, 1);
        ck_assert_uint_eq(search.steps, 0);
        ck_assert_mem_eq(&search.solution[0], &grid, sizeof grid);
    }
}
END_TEST

START_TEST(engines_are_found_by_their_names)
{
    size_t count = 0;

    for (; sudoku_engine_at(count) != NULL; count++)
        ck_assert_ptr_eq(sudoku_engine_find(sudoku_engine_at(count)->name),
                         sudoku_engine_at(count));
    ck_assert_ptr_eq(sudoku_engine_at(0), &sudoku_reference_engine);
    ck_assert_ptr_eq(sudoku_engine_best(), sudoku_engine_at(count - 1));
    ck_assert_ptr_null(sudoku_engine_find("abacus"));
    ck_assert_ptr_null(sudoku_engine_find(""));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        counts_are_those_of_the_known_cases,
        puzzles_of_17_clues_are_proven_unique,
        the_hardest_puzzles_are_proven_unique,
        puzzles_with_several_solutions_have_two_different_ones,
        engines_agree_with_the_reference_on_made_up_grids,
        pauses_only_when_the_steps_are_spent,
        the_outcome_does_not_depend_on_how_the_steps_are_sliced,
        a_higher_limit_goes_on_where_the_lower_one_stopped,
        clues_that_break_the_rules_have_no_solution,
        a_full_grid_is_its_own_only_solution,
        engines_are_found_by_their_names,
    };

    return puzzles_run_suite("search", tests, sizeof tests / sizeof tests[0]);
}
