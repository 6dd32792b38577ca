/* A grid that is recognised by its places: nothing else is, and it changes nothing of what the
 * readers say that use it. */
#include "api/compact_grid.h"

#include "api/json_strict.h"
#include "api/json_walk.h"
#include "puzzles.h"

static const char bytes[] = "0123456789[],. \n\"{}:-";

START_TEST(what_is_written_is_read)
{
    uint64_t random = 1;

    for (unsigned i = 0; i < 1000; i++) {
        const struct sudoku_grid grid = puzzles_make(&random);
        struct sudoku_grid read;
        char text[COMPACT_GRID];
        compact_grid_write(&grid, text);
        ck_assert(compact_grid_is(text));
        ck_assert(compact_grid_read(text, &read));
        ck_assert_mem_eq(&read, &grid, sizeof grid);
    }
}
END_TEST

/* At each place each byte: only a digit in the place of another is a grid still. */
START_TEST(nothing_else_is_a_grid)
{
    uint64_t random = 2;
    const struct sudoku_grid grid = puzzles_make(&random);
    const struct sudoku_grid before = {{7}};
    char text[COMPACT_GRID];

    compact_grid_write(&grid, text);
    for (size_t at = 0; at < COMPACT_GRID; at++) {
        const char was = text[at];
        for (unsigned byte = 0; byte < 256; byte++) {
            struct sudoku_grid read = before;
            text[at] = (char)byte;
            const bool is_grid =
                (char)byte == was || (was >= '0' && was <= '9' && byte >= '0' && byte <= '9');
            ck_assert_int_eq(compact_grid_is(text), is_grid);
            ck_assert_int_eq(compact_grid_read(text, &read), is_grid);
            ck_assert(is_grid || memcmp(&read, &before, sizeof read) == 0);
        }
        text[at] = was;
    }
}
END_TEST

/* A text, and the same with a blank behind its first bracket, which is no compact grid: they are
 * both JSON or neither is. */
static void assert_blank_changes_nothing(const char *text)
{
    struct json_fault fault;
    struct json_fault other;
    char spaced[4096];

    snprintf(spaced, sizeof spaced, "[ %s", text + 1);
    const bool is_json = json_strict_check(text, strlen(text), &fault);
    ck_assert_msg(is_json == json_strict_check(spaced, strlen(spaced), &other), "%s", text);
    if (!is_json) {
        ck_assert_str_eq(fault.reason, other.reason);
        ck_assert_uint_eq(fault.offset + (fault.offset > 0), other.offset);
        return;
    }
    ck_assert_uint_eq(json_walk_root(text).length + 1, json_walk_root(spaced).length);
}

START_TEST(it_changes_nothing_of_what_is_json)
{
    uint64_t random = 3;

    for (unsigned i = 0; i < 30000; i++) {
        const struct sudoku_grid grid = puzzles_make(&random);
        char text[2 * COMPACT_GRID + 8];
        compact_grid_write(&grid, text);
        strcpy(text + COMPACT_GRID, i % 3 == 0 ? "" : i % 3 == 1 ? "]" : ",");
        const size_t length = strlen(text);
        for (unsigned k = i % 4; k > 0; k--)
            text[1 + puzzles_random(&random) % (length - 1)] =
                bytes[puzzles_random(&random) % (sizeof bytes - 1)];
        if (i % 8 == 0)
            text[1 + puzzles_random(&random) % (length - 1)] = '\0';
        assert_blank_changes_nothing(text);
    }
}
END_TEST

START_TEST(it_counts_where_levels_are_counted)
{
    const struct sudoku_grid grid = {{0}};
    struct json_fault fault;

    for (unsigned levels = 0; levels <= JSON_MAX_DEPTH; levels++) {
        char text[COMPACT_GRID + 2 * JSON_MAX_DEPTH];
        memset(text, '[', levels);
        compact_grid_write(&grid, text + levels);
        memset(text + levels + COMPACT_GRID, ']', levels);
        ck_assert_int_eq(json_strict_check(text, COMPACT_GRID + 2 * (size_t)levels, &fault),
                         levels + 2 <= JSON_MAX_DEPTH);
    }
}
END_TEST

/* Where a text ends in the middle of a grid nothing behind it is looked at: for the sanitizers. */
START_TEST(a_grid_may_end_with_its_text)
{
    const struct sudoku_grid grid = {{0}};
    char whole[COMPACT_GRID];
    struct json_fault fault;

    compact_grid_write(&grid, whole);
    for (size_t length = 0; length <= COMPACT_GRID; length++) {
        char *text = malloc(length + 1);
        ck_assert_ptr_nonnull(text);
        memcpy(text, whole, length);
        text[length] = '\0';
        ck_assert_int_eq(json_strict_check(text, length, &fault), length == COMPACT_GRID);
        free(text);
    }
    char *list = malloc(sizeof "[[1,2]]");
    ck_assert_ptr_nonnull(list);
    strcpy(list, "[[1,2]]");
    ck_assert_uint_eq(json_walk_root(list).length, strlen(list));
    free(list);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_written_is_read,
        nothing_else_is_a_grid,
        it_changes_nothing_of_what_is_json,
        it_counts_where_levels_are_counted,
        a_grid_may_end_with_its_text,
    };

    return puzzles_run_suite("compact_grid", tests, sizeof tests / sizeof tests[0]);
}
