/* Puzzles for tests: reading them from files, making them up, and solving them the naive way. */
#ifndef SUDOKU_TESTS_PUZZLES_H
#define SUDOKU_TESTS_PUZZLES_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sudoku/sudoku.h"
#include "suite.h"

enum { PUZZLES_MAX = 1024, PUZZLES_NAME = 64 };

struct puzzle {
    char name[PUZZLES_NAME];
    struct sudoku_grid grid;
    unsigned solutions; /* 1001: more than 1000 */
    bool is_conflicting;
};

struct puzzles {
    size_t count;
    struct puzzle puzzle[PUZZLES_MAX];
};

static inline struct sudoku_grid puzzles_grid(const char *text)
{
    struct sudoku_grid grid;

    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        ck_assert_msg(text[cell] != '\0', "81 characters: %s", text);
        const bool is_clue = text[cell] >= '1' && text[cell] <= '9';
        grid.cell[cell] = (uint8_t)(is_clue ? text[cell] - '0' : 0);
    }
    return grid;
}

/* The 81 digits of a grid, in a buffer of the caller's. */
static inline const char *puzzles_text(const struct sudoku_grid *grid, char ret[SUDOKU_CELLS + 1])
{
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        ret[cell] = (char)('0' + grid->cell[cell]);
    ret[SUDOKU_CELLS] = '\0';
    return ret;
}

static inline void puzzles_read_line(const char *line, struct puzzle *ret)
{
    const char *tab = strchr(line, '\t');

    memset(ret, 0, sizeof *ret);
    if (tab == NULL) {
        snprintf(ret->name, sizeof ret->name, "%.20s...", line);
        ret->grid = puzzles_grid(line);
        return;
    }
    snprintf(ret->name, sizeof ret->name, "%.*s", (int)(tab - line), line);
    ret->grid = puzzles_grid(tab + 1);
    const char *solutions = strchr(tab + 1, '\t') + 1;
    ret->is_conflicting = strncmp(solutions, "invalid:", 8) == 0;
    ret->solutions = solutions[0] == '>' ? 1001 : (unsigned)strtoul(solutions, NULL, 10);
}

/* Reads a file of tests/data/puzzles: lines of 81, or tab-separated with a title line. */
static inline struct puzzles *puzzles_load(const char *name)
{
    struct puzzles *puzzles = calloc(1, sizeof *puzzles);
    char path[512];
    char line[512];

    snprintf(path, sizeof path, TEST_DATA_DIR "/puzzles/%s", name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL && puzzles != NULL, "%s", path);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "id\t", 3) == 0)
            continue;
        ck_assert_uint_lt(puzzles->count, PUZZLES_MAX);
        puzzles_read_line(line, &puzzles->puzzle[puzzles->count++]);
    }
    fclose(file);
    return puzzles;
}

/* xorshift64: small, and the same everywhere. */
static inline uint64_t puzzles_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A grid made from a complete one by blanking cells and, now and then, changing a clue: unique,
 * multiple, none or against the rules. */
static inline struct sudoku_grid puzzles_make(uint64_t *random)
{
    static const char complete[] = "534678912672195348198342567859761423426853791713924856"
                                   "961537284287419635345286179";
    struct sudoku_grid grid = puzzles_grid(complete);
    uint8_t relabel[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const unsigned keep = 18 + (unsigned)(puzzles_random(random) % 20);

    for (unsigned i = 9; i > 1; i--) {
        const unsigned k = 1 + (unsigned)(puzzles_random(random) % i);
        const uint8_t other = relabel[k];
        relabel[k] = relabel[i];
        relabel[i] = other;
    }
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        grid.cell[cell] =
            puzzles_random(random) % SUDOKU_CELLS < keep ? relabel[grid.cell[cell]] : 0;
    if (puzzles_random(random) % 4 == 0)
        grid.cell[puzzles_random(random) % SUDOKU_CELLS] =
            (uint8_t)(1 + puzzles_random(random) % 9);
    return grid;
}

static inline bool puzzles_may_stand(const struct sudoku_grid *grid, unsigned cell, unsigned value)
{
    const unsigned box = cell / 27 * 27 + cell % 9 / 3 * 3;

    for (unsigned i = 0; i < 9; i++) {
        if (grid->cell[cell / 9 * 9 + i] == value || grid->cell[i * 9 + cell % 9] == value ||
            grid->cell[box + i / 3 * 9 + i % 3] == value)
            return false;
    }
    return true;
}

/* The solver everybody writes first: cell by cell, values ascending. Its solutions come out in
 * lexicographic order, so it says what the order is. Returns how many it found, up to `limit`;
 * gives up after `max_tries` values tried, and says so. */
static inline size_t puzzles_naive(const struct sudoku_grid *puzzle, struct sudoku_grid *ret,
                                   size_t limit, uint64_t max_tries, bool *ret_gave_up)
{
    struct sudoku_grid grid = *puzzle;
    size_t count = 0;
    int cell = 0;
    bool is_back = false; /* coming back to a cell, to try its next value */

    *ret_gave_up = false;
    while (cell >= 0 && count < limit) {
        if (cell < SUDOKU_CELLS && puzzle->cell[cell] != 0) {
            cell += is_back ? -1 : 1;
            continue;
        }
        if (cell == SUDOKU_CELLS) {
            ret[count++] = grid;
            is_back = true;
            cell--;
            continue;
        }
        unsigned value = grid.cell[cell] + 1U;
        grid.cell[cell] = 0;
        while (value <= 9 && !puzzles_may_stand(&grid, (unsigned)cell, value))
            value++;
        const bool is_allowed = value <= 9;
        grid.cell[cell] = (uint8_t)(is_allowed ? value : 0);
        is_back = !is_allowed;
        cell += is_allowed ? 1 : -1;
        if (max_tries-- == 0) {
            *ret_gave_up = true;
            break;
        }
    }
    return count;
}

/* Whether a grid is complete, keeps the rules and has all the puzzle's clues. */
static inline void puzzles_assert_solves(const struct sudoku_grid *puzzle,
                                         const struct sudoku_grid *solution)
{
    ck_assert_uint_eq(sudoku_clue_count(solution), SUDOKU_CELLS);
    ck_assert(sudoku_is_valid(solution));
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        ck_assert(puzzle->cell[cell] == 0 || puzzle->cell[cell] == solution->cell[cell]);
}

/* Runs the tests of one file; the exit status of the program. */
static inline int puzzles_run_suite(const char *name, const TTest *const tests[], size_t count)
{
    TCase *tcase;
    Suite *suite = suite_of(name, &tcase);

    tcase_set_timeout(tcase, 200);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    return run_suite(suite);
}

#endif
