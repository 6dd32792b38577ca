/* Whatever the lean reader takes, cJSON takes too and reads the same; and it takes what is common.
 */
#include "api/plain_grid.h"

#include "api/decode.h"
#include "puzzles.h"

static const struct api_service service = {.max_steps = 1000, .default_steps = 1000};

/* What the way through cJSON makes of a grid. */
static bool read_slowly(const char *text, struct sudoku_grid *ret_grid, enum api_form *ret_form)
{
    const struct json_piece piece = {text, strlen(text)};
    struct api_ask ask;
    struct problem problem;
    struct ask_reading reading;

    ask_begin(&reading, &service, ASK_PUZZLE, &ask, &problem);
    if (!decode_json_any_puzzle(piece, "/puzzle", &reading) || !ask_end(&reading))
        return false;
    *ret_grid = ask.puzzle;
    *ret_form = ask.form;
    return true;
}

static bool is_json(const char *text)
{
    struct problem problem;

    return decode_json_check(text, strlen(text), &problem);
}

/* Returns whether the lean reader took it. */
static bool assert_same(const char *text)
{
    struct sudoku_grid plain;
    struct sudoku_grid slow;
    enum api_form plain_form;
    enum api_form slow_form;

    if (!is_json(text) || !plain_grid_read(text, strlen(text), &plain, &plain_form))
        return false;
    ck_assert_msg(read_slowly(text, &slow, &slow_form), "only the lean reader takes %s", text);
    ck_assert_msg(memcmp(&plain, &slow, sizeof plain) == 0, "read differently: %s", text);
    ck_assert_int_eq(plain_form, slow_form);
    return true;
}

static void put_array(char *ret, const struct sudoku_grid *grid, const char *blank,
                      const char *space)
{
    ret += sprintf(ret, "[%s", space);
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        ret += sprintf(ret, "%s", cell % 9 == 0 ? "[" : "");
        ret += grid->cell[cell] == 0 ? sprintf(ret, "%s%s%s", space, blank, space)
                                     : sprintf(ret, "%s%d%s", space, grid->cell[cell], space);
        ret += sprintf(ret, "%s", cell == 80 ? "]" : cell % 9 == 8 ? "]," : ",");
        ret += sprintf(ret, "%s", cell % 9 == 8 ? space : "");
    }
    sprintf(ret, "]");
}

START_TEST(plain_grids_are_taken)
{
    const char *const blanks[] = {"0", "null"};
    const char *const spaces[] = {"", " ", "\n\t", " \r\n  "};
    uint64_t random = 7;

    for (unsigned i = 0; i < 200; i++) {
        const struct sudoku_grid grid = puzzles_make(&random);
        char text[4096];
        char digits[82];
        put_array(text, &grid, blanks[i % 2], spaces[i / 2 % 4]);
        ck_assert_msg(assert_same(text), "not taken: %s", text);
        sprintf(text, "\"%s\"", puzzles_text(&grid, digits));
        for (char *c = text; i % 3 == 0 && *c != '\0'; c++)
            *c = *c == '0' ? '.' : *c;
        ck_assert_msg(assert_same(text), "not taken: %s", text);
    }
}
END_TEST

START_TEST(everything_else_is_left_to_cjson)
{
    const char *const texts[] = {
        "5",
        "null",
        "\"\"",
        "[]",
        "[[]]",
        "{}",
        "[null]",
        "[[null,null]]",
        "\"53\"",
        "true",
        "[[1,2,3,4,5,6,7,8,9],[1,2,3,4,5,6,7,8,9]]",
        "[1,2,3,4,5,6,7,8,9]",
    };
    struct sudoku_grid grid;
    enum api_form form;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ck_assert_msg(!plain_grid_read(texts[i], strlen(texts[i]), &grid, &form), "%s", texts[i]);
}
END_TEST

/* One byte more, less or other, at a place that is chosen at random. */
static void spoil(char *text, uint64_t *random)
{
    const char bytes[] = "0123456789[],. \n\"nulxeE+-{}:t\\pz";
    const size_t length = strlen(text);
    const size_t at = puzzles_random(random) % length;
    const char byte = bytes[puzzles_random(random) % (sizeof bytes - 1)];

    switch (puzzles_random(random) % 3) {
    case 0:
        text[at] = byte;
        break;
    case 1:
        memmove(text + at, text + at + 1, length - at);
        break;
    default:
        memmove(text + at + 1, text + at, length - at + 1);
        text[at] = byte;
        break;
    }
}

static void put_grid(char *ret, const struct sudoku_grid *grid, unsigned form)
{
    char digits[82];

    if (form % 4 == 0)
        sprintf(ret, "\"%s\"", puzzles_text(grid, digits));
    else
        put_array(ret, grid, form % 4 == 1 ? "null" : "0", form % 4 == 2 ? " " : "");
}

/* Taken or not, it means the same. */
START_TEST(near_misses_mean_the_same_where_they_are_taken)
{
    uint64_t random = 11;
    unsigned taken = 0;
    unsigned left = 0;

    for (unsigned i = 0; i < 60000; i++) {
        const struct sudoku_grid grid = puzzles_make(&random);
        char text[4096];
        put_grid(text, &grid, i);
        spoil(text, &random);
        if (assert_same(text))
            taken++;
        else
            left++;
    }
    ck_assert_uint_gt(taken, 1000);
    ck_assert_uint_gt(left, 1000);
}
END_TEST

/* What the strict check, the outline and cJSON make of a request. */
static bool read_request_slowly(const char *text, size_t length, struct api_ask *ret)
{
    struct problem problem;
    struct ask_reading reading;
    const char *puzzles;

    ask_begin(&reading, &service, ASK_PUZZLE | ASK_MAX_STEPS, ret, &problem);
    return decode_json_check(text, length, &problem) &&
           decode_json_request(text, length, &reading, &puzzles) && puzzles == NULL &&
           ask_end(&reading);
}

/* Returns whether the lean reader took it. */
static bool assert_same_request(const char *text, size_t length)
{
    struct sudoku_grid plain;
    enum api_form form;
    struct api_ask ask;

    if (!plain_grid_read_request(text, length, &plain, &form))
        return false;
    ck_assert_msg(read_request_slowly(text, length, &ask), "only the lean reader takes %s", text);
    ck_assert_msg(memcmp(&plain, &ask.puzzle, sizeof plain) == 0, "read differently: %s", text);
    ck_assert_int_eq(form, ask.form);
    return true;
}

START_TEST(plain_requests_are_taken)
{
    static const char *const frames[] = {"{\"puzzle\":%s}", "{\"puzzle\": %s}\n",
                                         " {\n  \"puzzle\" : %s\r\n}\t", "{ \"puzzle\":%s }"};
    uint64_t random = 3;

    for (unsigned i = 0; i < 400; i++) {
        const struct sudoku_grid grid = puzzles_make(&random);
        char value[2048];
        char text[4096];
        put_grid(value, &grid, i);
        snprintf(text, sizeof text, frames[i / 4 % 4], value);
        ck_assert_msg(assert_same_request(text, strlen(text)), "not taken: %s", text);
        if (value[0] == '[')
            ck_assert_msg(assert_same_request(value, strlen(value)), "not taken: %s", value);
    }
}
END_TEST

START_TEST(other_requests_are_left_to_the_others)
{
    static const char *const frames[] = {"{\"puzzle\":%s",
                                         "{\"puzzle\":%s}}",
                                         "{\"puzzle\":%s},",
                                         "{\"puzzle\":%s}\v",
                                         "{\"puzzle\":%s,}",
                                         "{\"puzzle\":%s,\"max_steps\":5}",
                                         "{\"puzzle\":%s,\"puzzle\":%s}",
                                         "{\"Puzzle\":%s}",
                                         "{\"puzzl\\u0065\":%s}",
                                         "{\"puzzles\":%s}",
                                         "{\"puzzle\" %s}",
                                         "{puzzle:%s}",
                                         "{\"puzzle\":+%s}",
                                         "[%s]",
                                         "%s,",
                                         "%s]",
                                         "{%s}",
                                         "\xef\xbb\xbf{\"puzzle\":%s}",
                                         "\"%s\"",
                                         ""};
    uint64_t random = 5;
    struct sudoku_grid plain;
    enum api_form form;

    for (unsigned i = 0; i < 8; i++) {
        const struct sudoku_grid grid = puzzles_make(&random);
        char value[2048];
        char text[8192];
        put_grid(value, &grid, i);
        for (size_t k = 0; k < sizeof frames / sizeof frames[0]; k++) {
            snprintf(text, sizeof text, frames[k], value, value);
            ck_assert_msg(!plain_grid_read_request(text, strlen(text), &plain, &form), "%s", text);
        }
        /* Not as the whole request, which is no object then. */
        if (value[0] == '"')
            ck_assert(!plain_grid_read_request(value, strlen(value), &plain, &form));
        /* Cut anywhere, with the NUL that ends it where it is cut, or behind one more. */
        snprintf(text, sizeof text, "{\"puzzle\":%s}", value);
        for (size_t length = strlen(text); length-- > 0;) {
            text[length] = '\0';
            ck_assert(!plain_grid_read_request(text, length, &plain, &form));
            ck_assert(!plain_grid_read_request(text, length + 1, &plain, &form));
        }
    }
}
END_TEST

/* White space may make it longer than what is read at all. */
START_TEST(a_long_request_is_left_to_the_others)
{
    char *text = calloc(1, 100000);
    struct sudoku_grid plain;
    enum api_form form;

    ck_assert_ptr_nonnull(text);
    sprintf(text, "{\"puzzle\":\"%081d\"}", 0);
    ck_assert(assert_same_request(text, strlen(text)));
    memset(text + strlen(text), ' ', 70000);
    ck_assert(!plain_grid_read_request(text, strlen(text), &plain, &form));
    free(text);
}
END_TEST

START_TEST(requests_that_nearly_are_mean_the_same_where_they_are_taken)
{
    uint64_t random = 13;
    unsigned taken = 0;
    unsigned left = 0;

    for (unsigned i = 0; i < 60000; i++) {
        const struct sudoku_grid grid = puzzles_make(&random);
        char value[2048];
        char text[4096];
        put_grid(value, &grid, i);
        snprintf(text, sizeof text, i / 4 % 3 == 0 ? "%s" : "{\"puzzle\":%s}", value);
        spoil(text, &random);
        /* Most of the places are in the grid: some more before and behind it. */
        if (i % 2 == 0 && text[0] == '{')
            text[1 + puzzles_random(&random) % 10] = "\"puzle: \n"[puzzles_random(&random) % 9];
        if (assert_same_request(text, strlen(text)))
            taken++;
        else
            left++;
    }
    ck_assert_uint_gt(taken, 1000);
    ck_assert_uint_gt(left, 1000);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        plain_grids_are_taken,
        everything_else_is_left_to_cjson,
        near_misses_mean_the_same_where_they_are_taken,
        plain_requests_are_taken,
        other_requests_are_left_to_the_others,
        a_long_request_is_left_to_the_others,
        requests_that_nearly_are_mean_the_same_where_they_are_taken,
    };

    return puzzles_run_suite("plain_grid", tests, sizeof tests / sizeof tests[0]);
}
