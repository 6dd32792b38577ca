#include "puzzles.h"

static const char complete[] = "53467891267219534819834256785976142342685379171392485696153728"
                               "4287419635345286179";

START_TEST(a_complete_grid_is_valid_and_has_no_conflict)
{
    const struct sudoku_grid grid = puzzles_grid(complete);
    struct sudoku_conflict conflicts[SUDOKU_MAX_CONFLICTS];

    ck_assert(sudoku_is_valid(&grid));
    ck_assert_uint_eq(sudoku_conflicts(&grid, conflicts), 0);
    ck_assert_uint_eq(sudoku_clue_count(&grid), 81);
}
END_TEST

START_TEST(the_empty_grid_is_valid)
{
    const struct sudoku_grid grid = {{0}};
    struct sudoku_conflict conflicts[SUDOKU_MAX_CONFLICTS];

    ck_assert(sudoku_is_valid(&grid));
    ck_assert_uint_eq(sudoku_conflicts(&grid, conflicts), 0);
    ck_assert_uint_eq(sudoku_clue_count(&grid), 0);
}
END_TEST

START_TEST(any_two_peers_with_one_value_conflict_in_exactly_their_common_units)
{
    for (unsigned a = 0; a < SUDOKU_CELLS; a++) {
        for (unsigned b = a + 1; b < SUDOKU_CELLS; b++) {
            struct sudoku_grid grid = {{0}};
            struct sudoku_conflict conflicts[SUDOKU_MAX_CONFLICTS];
            const bool same_row = a / 9 == b / 9;
            const bool same_column = a % 9 == b % 9;
            const bool same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
            const size_t expected = (size_t)same_row + same_column + same_box;

            grid.cell[a] = grid.cell[b] = 7;
            ck_assert_uint_eq(sudoku_conflicts(&grid, conflicts), expected);
            ck_assert(sudoku_is_valid(&grid) == (expected == 0));
        }
    }
}
END_TEST

START_TEST(conflicts_come_rows_first_then_columns_then_boxes_by_index_then_value)
{
    struct sudoku_grid grid;
    struct sudoku_conflict conflicts[SUDOKU_MAX_CONFLICTS];

    memset(grid.cell, 1, sizeof grid.cell);
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell += 2)
        grid.cell[cell] = 2;
    const size_t count = sudoku_conflicts(&grid, conflicts);
    ck_assert_uint_eq(count, 54);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(conflicts[i].kind, i / 18);
        ck_assert_uint_eq(conflicts[i].index, i % 18 / 2);
        ck_assert_uint_eq(conflicts[i].value, i % 2 + 1);
        ck_assert_uint_ge(conflicts[i].cell_count, 4);
        for (unsigned k = 1; k < conflicts[i].cell_count; k++)
            ck_assert_uint_lt(conflicts[i].cell[k - 1], conflicts[i].cell[k]);
    }
}
END_TEST

START_TEST(as_many_conflicts_as_there_can_be_fit)
{
    struct sudoku_grid grid;
    struct sudoku_conflict conflicts[SUDOKU_MAX_CONFLICTS];

    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        grid.cell[cell] = (uint8_t)(1 + (cell / 9 + cell % 9) % 4);
    ck_assert_uint_eq(sudoku_conflicts(&grid, conflicts), SUDOKU_MAX_CONFLICTS);
}
END_TEST

START_TEST(known_cases_break_the_rules_just_where_they_are_known_to)
{
    struct puzzles *cases = puzzles_load("cases.tsv");
    unsigned conflicting = 0;

    for (size_t i = 0; i < cases->count; i++) {
        const struct puzzle *puzzle = &cases->puzzle[i];
        ck_assert_msg(sudoku_is_valid(&puzzle->grid) == !puzzle->is_conflicting, "%s",
                      puzzle->name);
        conflicting += puzzle->is_conflicting;
    }
    ck_assert_uint_eq(cases->count, 98);
    ck_assert_uint_gt(conflicting, 3);
    free(cases);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_complete_grid_is_valid_and_has_no_conflict,
        the_empty_grid_is_valid,
        any_two_peers_with_one_value_conflict_in_exactly_their_common_units,
        conflicts_come_rows_first_then_columns_then_boxes_by_index_then_value,
        as_many_conflicts_as_there_can_be_fit,
        known_cases_break_the_rules_just_where_they_are_known_to,
    };

    return puzzles_run_suite("rules", tests, sizeof tests / sizeof tests[0]);
}
