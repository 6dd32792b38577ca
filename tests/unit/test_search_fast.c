/* The fast engines and the bulk search: they find what the reference finds, whatever the
 * instruction set, the slices or the company. SUDOKU_TEST_GRIDS sets how many random grids are
 * tried. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sudoku/sudoku.h"
#include "suite.h"

enum {
    COUNT_LIMIT = 100,
    REFERENCE_STEPS = 100000, /* beyond that the reference is left behind */
    BATCH = 300,
};

static const char *const puzzles[] = {
    /* Singles; 17 clues; hard ones; many solutions; none. */
    "..2.3...8.....8....31.2.....6..5.27..1.....5.2.4.6..31....8.6.5.......13..531.4..",
    ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...",
    "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6",
    "98.7..6..75..4......3..8.7.8....9.5..3.2..1.....4....6.7...4.3....8..4......1...2",
    "......425.8.........95.......76.........426798...571243...893165......916....3.487",
    "........................................1........................................",
    ".................................................................................",
    /* Two of a value in a box, in a row, in a column; no place for a value; an empty cell. */
    "11...............................................................................",
    "1.......1........................................................................",
    "1........................................................................1.......",
    ".123456...........7..............................................................",
    "12345678.........9...............................................................",
    "..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..",
};

enum { PUZZLES = sizeof puzzles / sizeof puzzles[0] };

static struct sudoku_search reference;
static struct sudoku_search search;
static struct sudoku_bulk bulk;
static struct sudoku_tally tallies[BATCH];

static struct sudoku_grid grid_of(const char *text)
{
    struct sudoku_grid grid;

    for (size_t i = 0; i < SUDOKU_CELLS; i++)
        grid.cell[i] = (uint8_t)(text[i] == '.' ? 0 : text[i] - '0');
    return grid;
}

/* ---- Random grids ---- */

static uint64_t random_state = 0x9e3779b97f4a7c15;

static unsigned random_below(unsigned limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % limit;
}

static struct sudoku_grid random_solution(void)
{
    for (;;) {
        struct sudoku_grid grid = {{0}};
        for (int i = 0; i < 12; i++)
            grid.cell[random_below(SUDOKU_CELLS)] = (uint8_t)(1 + random_below(9));
        sudoku_search_start(&search, sudoku_engine_best(), &grid);
        if (sudoku_search_run(&search, 1, 10000) == SUDOKU_SETTLED && search.count == 1)
            return search.solution[0];
    }
}

/* Mostly parts of a solution; one in four has wrong clues too. */
static struct sudoku_grid random_grid(void)
{
    static struct sudoku_grid solution;
    static unsigned uses;
    unsigned filled = SUDOKU_CELLS;

    if (uses++ % 16 == 0)
        solution = random_solution();
    struct sudoku_grid grid = solution;
    const unsigned keep = random_below(4) == 0 ? 20 + random_below(61) : 21 + random_below(12);
    while (filled > keep) {
        uint8_t *cell = &grid.cell[random_below(SUDOKU_CELLS)];
        filled -= *cell != 0;
        *cell = 0;
    }
    if (random_below(4) == 0)
        grid.cell[random_below(SUDOKU_CELLS)] = (uint8_t)(1 + random_below(9));
    return grid;
}

static unsigned grids_to_try(void)
{
    const char *text = getenv("SUDOKU_TEST_GRIDS");

    return text == NULL ? 3000 : (unsigned)strtoul(text, NULL, 10);
}

/* ---- Comparisons ---- */

static const struct sudoku_engine *fast_engine(size_t i)
{
    ck_assert_str_eq(sudoku_engine_at(0)->name, "reference");
    return sudoku_engine_at(i + 1);
}

static void check_solution(const struct sudoku_grid *puzzle, const struct sudoku_grid *solution)
{
    ck_assert(sudoku_is_valid(solution));
    ck_assert_uint_eq(sudoku_clue_count(solution), SUDOKU_CELLS);
    for (size_t i = 0; i < SUDOKU_CELLS; i++)
        ck_assert(puzzle->cell[i] == 0 || puzzle->cell[i] == solution->cell[i]);
}

static void check_outcome(const struct sudoku_grid *puzzle)
{
    ck_assert(search.exhausted || search.count == COUNT_LIMIT);
    for (uint32_t i = 0; i < search.count && i < 2; i++)
        check_solution(puzzle, &search.solution[i]);
    if (search.count > 1)
        ck_assert_int_ne(
            memcmp(&search.solution[0], &search.solution[1], sizeof search.solution[0]), 0);
}

/* As many solutions as the reference finds; and from every fast engine the same ones, in the same
 * number of steps. */
static void compare_engines(const struct sudoku_grid *puzzle)
{
    struct sudoku_grid solution[2];
    uint64_t steps = 0;

    sudoku_search_start(&reference, &sudoku_reference_engine, puzzle);
    const bool is_known =
        sudoku_search_run(&reference, COUNT_LIMIT, REFERENCE_STEPS) == SUDOKU_SETTLED;
    for (size_t i = 0; fast_engine(i) != NULL; i++) {
        sudoku_search_start(&search, fast_engine(i), puzzle);
        ck_assert_int_eq(sudoku_search_run(&search, COUNT_LIMIT, UINT32_MAX), SUDOKU_SETTLED);
        check_outcome(puzzle);
        if (is_known)
            ck_assert_uint_eq(search.count, reference.count);
        if (i == 0) {
            steps = search.steps;
            memcpy(solution, search.solution, sizeof solution);
        }
        ck_assert_uint_eq(search.steps, steps);
        for (uint32_t j = 0; j < search.count && j < 2; j++)
            ck_assert_mem_eq(&search.solution[j], &solution[j], sizeof solution[j]);
    }
}

static void check_tally(const struct sudoku_tally *tally, const struct sudoku_engine *engine,
                        const struct sudoku_grid *puzzle, uint32_t limit, uint64_t max_steps)
{
    sudoku_search_start(&search, engine, puzzle);
    const enum sudoku_progress progress = sudoku_search_run(&search, limit, max_steps);

    ck_assert_uint_eq(tally->steps, search.steps);
    ck_assert_uint_eq(tally->count, search.count);
    ck_assert_int_eq(tally->exhausted, search.exhausted);
    ck_assert_int_eq(tally->exhausted || tally->count >= limit, progress == SUDOKU_SETTLED);
    for (uint32_t i = 0; i < tally->count && i < 2; i++)
        ck_assert_mem_eq(&tally->solution[i], &search.solution[i], sizeof search.solution[i]);
}

/* ---- Tests ---- */

START_TEST(engines_agree_on_chosen_puzzles)
{
    for (size_t i = 0; i < PUZZLES; i++) {
        const struct sudoku_grid grid = grid_of(puzzles[i]);
        compare_engines(&grid);
    }
}
END_TEST

START_TEST(engines_agree_on_random_grids)
{
    for (unsigned i = 0; i < grids_to_try(); i++) {
        const struct sudoku_grid grid = random_grid();
        compare_engines(&grid);
    }
}
END_TEST

START_TEST(slices_change_nothing)
{
    for (size_t i = 0; fast_engine(i) != NULL; i++) {
        for (size_t j = 0; j < PUZZLES; j++) {
            const struct sudoku_grid grid = grid_of(puzzles[j]);
            sudoku_search_start(&reference, fast_engine(i), &grid);
            ck_assert_int_eq(sudoku_search_run(&reference, COUNT_LIMIT, UINT32_MAX),
                             SUDOKU_SETTLED);
            sudoku_search_start(&search, fast_engine(i), &grid);
            for (;;) {
                const uint64_t before = search.steps;
                const unsigned slice = random_below(4);
                if (sudoku_search_run(&search, COUNT_LIMIT, slice) == SUDOKU_SETTLED)
                    break;
                ck_assert_uint_eq(search.steps, before + slice);
            }
            ck_assert_uint_eq(search.steps, reference.steps);
            ck_assert_uint_eq(search.count, reference.count);
            ck_assert_int_eq(search.exhausted, reference.exhausted);
            if (search.count > 0)
                ck_assert_mem_eq(&search.solution[0], &reference.solution[0],
                                 sizeof search.solution[0]);
        }
    }
}
END_TEST

START_TEST(pauses_only_when_the_budget_is_spent)
{
    const struct sudoku_grid grid = grid_of(puzzles[2]);

    for (size_t i = 0; fast_engine(i) != NULL; i++) {
        sudoku_search_start(&search, fast_engine(i), &grid);
        ck_assert_int_eq(sudoku_search_run(&search, 2, UINT32_MAX), SUDOKU_SETTLED);
        const uint64_t need = search.steps;
        ck_assert_uint_gt(need, 1);
        sudoku_search_start(&search, fast_engine(i), &grid);
        ck_assert_int_eq(sudoku_search_run(&search, 2, need - 1), SUDOKU_PAUSED);
        ck_assert_int_eq(sudoku_search_run(&search, 2, 1), SUDOKU_SETTLED);
        ck_assert_uint_eq(search.count, 1);
    }
}
END_TEST

START_TEST(a_search_survives_being_moved)
{
    const struct sudoku_grid grid = grid_of(puzzles[2]);

    for (size_t i = 0; fast_engine(i) != NULL; i++) {
        sudoku_search_start(&reference, fast_engine(i), &grid);
        ck_assert_int_eq(sudoku_search_run(&reference, 2, 5), SUDOKU_PAUSED);
        search = reference;
        memset(&reference, 0xff, sizeof reference);
        ck_assert_int_eq(sudoku_search_run(&search, 2, UINT32_MAX), SUDOKU_SETTLED);
        ck_assert_uint_eq(search.count, 1);
    }
}
END_TEST

/* Each engine, batches of all sizes, with steps enough and not. */
START_TEST(bulk_answers_as_single_searches_do)
{
    static const size_t sizes[] = {0, 1, 2, 7, 16, 17, 33, BATCH};
    static struct sudoku_grid grids[BATCH];

    for (size_t i = 0; i < BATCH; i++)
        grids[i] = i < PUZZLES ? grid_of(puzzles[i]) : random_grid();
    for (size_t i = 0; sudoku_engine_at(i) != NULL; i++) {
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
            const uint32_t limit = 1 + (uint32_t)j % 3;
            const uint64_t max_steps = j % 2 == 0 ? 3 : 20000;
            const struct sudoku_grid *first = grids + BATCH - sizes[j];
            memset(tallies, 0xff, sizeof tallies);
            sudoku_bulk_run(&bulk, sudoku_engine_at(i), first, sizes[j], limit, max_steps, tallies);
            for (size_t k = 0; k < sizes[j]; k++)
                check_tally(&tallies[k], sudoku_engine_at(i), &first[k], limit, max_steps);
        }
    }
}
END_TEST

START_TEST(sizes_are_as_documented)
{
    ck_assert_uint_eq(alignof(struct sudoku_search), 64);
    ck_assert_uint_eq(sizeof(struct sudoku_search) % 64, 0);
    ck_assert_uint_eq(sizeof(struct sudoku_search), SUDOKU_SEARCH_BYTES);
    ck_assert_uint_eq(sizeof(struct sudoku_bulk),
                      SUDOKU_BULK_SEARCHES * sizeof(struct sudoku_search));
}
END_TEST

START_TEST(engines_are_found_by_name)
{
    const struct sudoku_engine *last = NULL;

    for (size_t i = 0; sudoku_engine_at(i) != NULL; i++) {
        last = sudoku_engine_at(i);
        ck_assert_ptr_eq(sudoku_engine_find(last->name), last);
    }
    ck_assert_ptr_eq(sudoku_engine_best(), last);
    ck_assert_ptr_nonnull(sudoku_engine_find("scalar"));
    ck_assert_ptr_null(sudoku_engine_find("abacus"));
    ck_assert_ptr_null(sudoku_engine_find(""));
}
END_TEST

int main(void)
{
    TCase *cases;
    Suite *suite = suite_of("search_fast", &cases);

    tcase_set_timeout(cases, 3600);
    tcase_add_test(cases, engines_agree_on_chosen_puzzles);
    tcase_add_test(cases, engines_agree_on_random_grids);
    tcase_add_test(cases, slices_change_nothing);
    tcase_add_test(cases, pauses_only_when_the_budget_is_spent);
    tcase_add_test(cases, a_search_survives_being_moved);
    tcase_add_test(cases, bulk_answers_as_single_searches_do);
    tcase_add_test(cases, sizes_are_as_documented);
    tcase_add_test(cases, engines_are_found_by_name);
    return run_suite(suite);
}
