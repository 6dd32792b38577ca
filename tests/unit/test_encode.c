/* Grids and answers as JSON. */
#include "api/encode.h"

#include "support_json.h"

static void assert_text(const struct buffer *buffer, const char *expected)
{
    ck_assert(!buffer->failed);
    ck_assert_uint_eq(buffer->length, strlen(expected));
    ck_assert_mem_eq(buffer->data, expected, buffer->length);
}

START_TEST(writes_an_array_grid_without_blanks)
{
    const struct sudoku_grid grid = grid_of(EASY);
    struct buffer out = {0};

    encode_grid(&grid, API_FORM_ARRAY, &out);
    assert_text(&out, "[[5,3,0,0,7,0,0,0,0],[6,0,0,1,9,5,0,0,0],[0,9,8,0,0,0,0,6,0],"
                      "[8,0,0,0,6,0,0,0,3],[4,0,0,8,0,3,0,0,1],[7,0,0,0,2,0,0,0,6],"
                      "[0,6,0,0,0,0,2,8,0],[0,0,0,4,1,9,0,0,5],[0,0,0,0,8,0,0,7,9]]");
    buffer_clear(&out);
}
END_TEST

START_TEST(writes_a_string_grid_for_the_other_forms)
{
    static const enum api_form forms[] = {API_FORM_STRING, API_FORM_STRING};
    const struct sudoku_grid grid = grid_of(EASY);

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct buffer out = {0};
        encode_grid(&grid, forms[i], &out);
        assert_text(&out, "\"" EASY "\"");
        buffer_clear(&out);
    }
}
END_TEST

START_TEST(puts_each_value_in_each_cell_where_it_belongs)
{
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        for (uint8_t value = 1; value <= 9; value++) {
            struct sudoku_grid grid = {0};
            struct buffer out = {0};
            char expected[] = EMPTY;

            grid.cell[cell] = value;
            expected[cell] = (char)('0' + value);
            encode_grid(&grid, API_FORM_ARRAY, &out);
            cJSON *json = json_of(out.data, out.length);
            assert_grid(json, expected);
            cJSON_Delete(json);
            buffer_clear(&out);
        }
    }
}
END_TEST

START_TEST(goes_on_behind_what_is_there)
{
    const struct sudoku_grid grid = grid_of(EMPTY);
    struct buffer out = {0};

    buffer_put_text(&out, "[");
    for (int i = 0; i < 50; i++) {
        encode_grid(&grid, i % 2 == 0 ? API_FORM_STRING : API_FORM_ARRAY, &out);
        buffer_put_text(&out, i == 49 ? "]" : ",");
    }
    cJSON *json = json_of(out.data, out.length);
    ck_assert_uint_eq(json_size(json), 50);
    cJSON_Delete(json);
    buffer_clear(&out);
}
END_TEST

static const struct {
    enum sudoku_status status;
    const char *name;
    bool has_solution;
} statuses[] = {
    {SUDOKU_UNIQUE, "unique", true},
    {SUDOKU_MULTIPLE, "multiple", true},
    {SUDOKU_NONE, "none", false},
    {SUDOKU_SOLVABLE, "solvable", true},
    {SUDOKU_UNDETERMINED, "undetermined", false},
};

/* What encode_search writes, as an object. */
static cJSON *search_json(const struct sudoku_answer *answer, enum api_form form,
                          bool with_solution)
{
    struct buffer out = {0};

    buffer_put_text(&out, "{");
    encode_search(answer, form, with_solution, &out);
    buffer_put_text(&out, "}");
    ck_assert(!out.failed);
    cJSON *json = json_of(out.data, out.length);
    buffer_clear(&out);
    return json;
}

START_TEST(tells_every_status_in_both_forms)
{
    for (enum api_form form = API_FORM_ARRAY; form <= API_FORM_STRING; form++) {
        const struct sudoku_answer answer = {
            .status = statuses[_i].status,
            .has_solution = statuses[_i].has_solution,
            .solution_is_first = true,
            .solution = grid_of(EASY_SOLVED),
            .solution_count = statuses[_i].has_solution,
        };
        cJSON *json = search_json(&answer, form, true);

        ck_assert_str_eq(json_text(json, "status"), statuses[_i].name);
        if (statuses[_i].has_solution) {
            assert_names(json, "status solution solution_is_first solution_count count_exact "
                               "budget_exhausted steps ");
            const cJSON *solution = json_member(json, "solution");
            ck_assert_int_eq(cJSON_IsArray(solution) != 0, form == API_FORM_ARRAY);
            assert_grid(solution, EASY_SOLVED);
        } else {
            assert_names(json, "status solution solution_count count_exact budget_exhausted "
                               "steps ");
            ck_assert(cJSON_IsNull(json_member(json, "solution")));
        }
        cJSON_Delete(json);
    }
}
END_TEST

START_TEST(leaves_the_solution_out_where_nobody_wants_it)
{
    const struct sudoku_answer answer = {
        .status = statuses[_i].status,
        .has_solution = statuses[_i].has_solution,
        .solution = grid_of(EASY_SOLVED),
    };
    cJSON *json = search_json(&answer, API_FORM_ARRAY, false);

    assert_names(json, "status solution_count count_exact budget_exhausted steps ");
    cJSON_Delete(json);
}
END_TEST

START_TEST(tells_each_flag_by_itself)
{
    for (unsigned flags = 0; flags < 8; flags++) {
        const struct sudoku_answer answer = {
            .status = SUDOKU_SOLVABLE,
            .has_solution = true,
            .solution_is_first = (flags & 1) != 0,
            .solution = grid_of(EASY_SOLVED),
            .solution_count = 1,
            .count_exact = (flags & 2) != 0,
            .budget_exhausted = (flags & 4) != 0,
        };
        cJSON *json = search_json(&answer, API_FORM_STRING, true);

        ck_assert_int_eq(json_bool(json, "solution_is_first"), answer.solution_is_first);
        ck_assert_int_eq(json_bool(json, "count_exact"), answer.count_exact);
        ck_assert_int_eq(json_bool(json, "budget_exhausted"), answer.budget_exhausted);
        cJSON_Delete(json);
    }
}
END_TEST

START_TEST(writes_the_largest_numbers_whole)
{
    const struct sudoku_answer answer = {
        .status = SUDOKU_MULTIPLE,
        .has_solution = true,
        .solution = grid_of(EASY_SOLVED),
        .solution_count = SUDOKU_MAX_COUNT,
        .steps = UINT64_MAX,
    };
    struct buffer out = {0};

    encode_search(&answer, API_FORM_STRING, false, &out);
    assert_text(&out, "\"status\":\"multiple\",\"solution_count\":1000000,\"count_exact\":false,"
                      "\"budget_exhausted\":false,\"steps\":18446744073709551615");
    buffer_clear(&out);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("encode", &tests);
    const int status_count = sizeof statuses / sizeof statuses[0];

    tcase_add_test(tests, writes_an_array_grid_without_blanks);
    tcase_add_test(tests, writes_a_string_grid_for_the_other_forms);
    tcase_add_test(tests, puts_each_value_in_each_cell_where_it_belongs);
    tcase_add_test(tests, goes_on_behind_what_is_there);
    tcase_add_loop_test(tests, tells_every_status_in_both_forms, 0, status_count);
    tcase_add_loop_test(tests, leaves_the_solution_out_where_nobody_wants_it, 0, status_count);
    tcase_add_test(tests, tells_each_flag_by_itself);
    tcase_add_test(tests, writes_the_largest_numbers_whole);
    return run_suite(suite);
}
