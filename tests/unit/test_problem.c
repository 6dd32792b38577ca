/* Problems in their RFC 9457 form. */
#include "api/problem.h"

#include <stdio.h>

#include "support_json.h"

static cJSON *json_of_problem(const struct problem *problem, const char *instance)
{
    struct buffer out = {0};

    problem_put(problem, instance, &out);
    ck_assert(!out.failed);
    cJSON *json = json_of(out.data, out.length);
    buffer_clear(&out);
    return json;
}

/* A problem is put on dirty memory, as on a stack. */
static struct problem *dirty_problem(void)
{
    struct problem *problem = malloc(sizeof *problem);

    ck_assert_ptr_nonnull(problem);
    memset(problem, 0xA5, sizeof *problem);
    return problem;
}

/* Written out again, so that a change of the contract needs a change here. */
static const struct {
    enum problem_type type;
    unsigned status;
    const char *uri;
} expected_types[] = {
    {PROBLEM_MALFORMED_REQUEST, 400, "/problems/malformed-request"},
    {PROBLEM_MALFORMED_JSON, 400, "/problems/malformed-json"},
    {PROBLEM_MALFORMED_TEXT, 400, "/problems/malformed-text"},
    {PROBLEM_NOT_FOUND, 404, "/problems/not-found"},
    {PROBLEM_METHOD_NOT_ALLOWED, 405, "/problems/method-not-allowed"},
    {PROBLEM_NOT_ACCEPTABLE, 406, "/problems/not-acceptable"},
    {PROBLEM_UPLOAD_TOO_SLOW, 408, "/problems/upload-too-slow"},
    {PROBLEM_BODY_TOO_LARGE, 413, "/problems/body-too-large"},
    {PROBLEM_URI_TOO_LONG, 414, "/problems/uri-too-long"},
    {PROBLEM_UNSUPPORTED_MEDIA_TYPE, 415, "/problems/unsupported-media-type"},
    {PROBLEM_EXPECTATION_FAILED, 417, "/problems/expectation-failed"},
    {PROBLEM_INVALID_REQUEST, 422, "/problems/invalid-request"},
    {PROBLEM_CONFLICTING_CLUES, 422, "/problems/conflicting-clues"},
    {PROBLEM_HEAD_TOO_LARGE, 431, "/problems/head-too-large"},
    {PROBLEM_NOT_IMPLEMENTED, 501, "/problems/not-implemented"},
    {PROBLEM_OVERLOADED, 503, "/problems/overloaded"},
    {PROBLEM_DEADLINE_EXCEEDED, 503, "/problems/deadline-exceeded"},
    {PROBLEM_SHUTTING_DOWN, 503, "/problems/shutting-down"},
    {PROBLEM_OUT_OF_MEMORY, 503, "/problems/out-of-memory"},
};

START_TEST(every_type_has_its_json_form)
{
    struct problem *problem = dirty_problem();
    const enum problem_type type = expected_types[_i].type;

    problem_init(problem, type, "What is wrong with %s number %d.", "case", 7);
    cJSON *json = json_of_problem(problem, "id-1");
    assert_names(json, "type title status detail instance ");
    ck_assert_str_eq(json_text(json, "type"), expected_types[_i].uri);
    ck_assert_str_eq(json_text(json, "title"), problem_title(type));
    ck_assert(json_number(json, "status") == expected_types[_i].status);
    ck_assert_uint_eq(problem_status(type), expected_types[_i].status);
    ck_assert_str_eq(json_text(json, "detail"), "What is wrong with case number 7.");
    ck_assert_str_eq(json_text(json, "instance"), "id-1");
    cJSON_Delete(json);
    free(problem);
}
END_TEST

START_TEST(types_differ_in_name_and_title)
{
    ck_assert_uint_eq(sizeof expected_types / sizeof expected_types[0], PROBLEM_TYPE_COUNT);
    for (int a = 0; a < PROBLEM_TYPE_COUNT; a++) {
        ck_assert_int_eq((int)expected_types[a].type, a);
        ck_assert_uint_gt(strlen(problem_title((enum problem_type)a)), 0);
        for (int b = 0; b < a; b++) {
            ck_assert_str_ne(problem_name((enum problem_type)a),
                             problem_name((enum problem_type)b));
            ck_assert_str_ne(problem_title((enum problem_type)a),
                             problem_title((enum problem_type)b));
        }
    }
}
END_TEST

START_TEST(lists_errors_in_the_order_they_came)
{
    struct problem *problem = dirty_problem();

    problem_init(problem, PROBLEM_INVALID_REQUEST, "Two faults.");
    problem_add_error(problem, "/puzzle/3/4", "is %d", 12);
    problem_add_error(problem, "", "is %s", "null");
    cJSON *json = json_of_problem(problem, "id-1");
    assert_names(json, "type title status detail instance errors ");
    const cJSON *errors = json_member(json, "errors");
    ck_assert_uint_eq(json_size(errors), 2);
    assert_names(errors->child, "pointer detail ");
    ck_assert_str_eq(json_text(errors->child, "pointer"), "/puzzle/3/4");
    ck_assert_str_eq(json_text(errors->child, "detail"), "is 12");
    ck_assert_str_eq(json_text(errors->child->next, "pointer"), "");
    ck_assert_str_eq(json_text(errors->child->next, "detail"), "is null");
    cJSON_Delete(json);
    free(problem);
}
END_TEST

/* The boundary: 20 are listed, the 21st is only counted. */
START_TEST(errors_past_the_twentieth_are_counted_and_not_listed)
{
    for (unsigned count = 19; count <= 25; count++) {
        struct problem *problem = dirty_problem();

        problem_init(problem, PROBLEM_INVALID_REQUEST, "Many faults.");
        for (unsigned i = 0; i < count; i++) {
            char pointer[16];
            snprintf(pointer, sizeof pointer, "/%u", i);
            problem_add_error(problem, pointer, "fault %u", i);
        }
        ck_assert_uint_eq(problem->error_count, count);

        cJSON *json = json_of_problem(problem, "id-1");
        const cJSON *errors = json_member(json, "errors");
        ck_assert_uint_eq(json_size(errors), count < 20 ? count : 20);
        unsigned i = 0;
        for (const cJSON *error = errors->child; error != NULL; error = error->next, i++) {
            char expected[16];
            snprintf(expected, sizeof expected, "fault %u", i);
            ck_assert_str_eq(json_text(error, "detail"), expected);
        }
        cJSON_Delete(json);
        free(problem);
    }
}
END_TEST

START_TEST(tells_the_place_where_there_is_one)
{
    struct problem *problem = dirty_problem();

    problem_init(problem, PROBLEM_MALFORMED_JSON, "Here.");
    problem->line = 3;
    problem->column = 14;
    problem->offset = 0;
    cJSON *json = json_of_problem(problem, "id-1");
    assert_names(json, "type title status detail instance line column offset ");
    ck_assert(json_number(json, "line") == 3);
    ck_assert(json_number(json, "column") == 14);
    ck_assert(json_number(json, "offset") == 0);
    cJSON_Delete(json);
    free(problem);
}
END_TEST

/* What a client can have put in a pointer, a detail or its request id. */
static const struct {
    const char *text;
    const char *read_back;
} client_texts[] = {
    {"plain", "plain"},
    {"\"quoted\"", "\"quoted\""},
    {"back\\slash", "back\\slash"},
    {"line\nfeed\r\ttab", "line\nfeed\r\ttab"},
    {"\x01\x02\x1f\x7f", "\x01\x02\x1f\x7f"},
    {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
    {"\xFF\xFE", "\xEF\xBF\xBD\xEF\xBF\xBD"},
    {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
    {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
    {"\",\"status\":200,\"x\":\"", "\",\"status\":200,\"x\":\""},
    {"</script>\\u0000", "</script>\\u0000"},
    {"%s%n%d", "%s%n%d"},
};

START_TEST(texts_of_the_client_come_out_as_valid_json)
{
    struct problem *problem = dirty_problem();
    const char *text = client_texts[_i].text;
    const char *expected = client_texts[_i].read_back;

    problem_init(problem, PROBLEM_INVALID_REQUEST, "%s", text);
    problem_add_error(problem, text, "%s", text);
    cJSON *json = json_of_problem(problem, text);
    assert_names(json, "type title status detail instance errors ");
    ck_assert_str_eq(json_text(json, "detail"), expected);
    ck_assert_str_eq(json_text(json, "instance"), expected);
    ck_assert_str_eq(json_text(json_member(json, "errors")->child, "pointer"), expected);
    ck_assert_str_eq(json_text(json_member(json, "errors")->child, "detail"), expected);
    cJSON_Delete(json);
    free(problem);
}
END_TEST

/* Cut at every place of a character of four bytes. */
START_TEST(long_texts_of_the_client_are_cut_and_stay_valid_json)
{
    char text[1024];

    for (size_t shift = 0; shift < 4; shift++) {
        struct problem *problem = dirty_problem();

        memset(text, 'x', shift);
        for (size_t i = shift; i + 4 < sizeof text; i += 4)
            memcpy(text + i, "\xF0\x9F\x98\x80", 5);
        problem_init(problem, PROBLEM_INVALID_REQUEST, "%s", text);
        problem_add_error(problem, text, "%s", text);
        ck_assert_uint_eq(strlen(problem->detail), PROBLEM_MAX_DETAIL - 1);
        ck_assert_uint_eq(strlen(problem->errors[0].pointer), PROBLEM_MAX_POINTER - 1);
        cJSON *json = json_of_problem(problem, "id-1");
        cJSON_Delete(json);
        free(problem);
    }
}
END_TEST

/* The cell that is the i-th of a unit, from its row and column. */
static unsigned cell_of(unsigned kind, unsigned index, unsigned i)
{
    switch (kind) {
    case 0:
        return index * 9 + i;
    case 1:
        return i * 9 + index;
    default:
        return (index / 3 * 3 + i / 3) * 9 + index % 3 * 3 + i % 3;
    }
}

/* Compares a list of conflicts with what the contract says it is, worked out anew. */
static void assert_conflicts(const cJSON *conflicts, const struct sudoku_grid *grid)
{
    static const char *const units[] = {"row", "column", "box"};
    const cJSON *conflict = conflicts->child;

    ck_assert(cJSON_IsArray(conflicts));
    for (unsigned place = 0; place < 3 * 9 * 9; place++) {
        const unsigned kind = place / 81;
        const unsigned index = place / 9 % 9;
        const unsigned value = place % 9 + 1;
        unsigned count = 0;

        for (unsigned i = 0; i < 9; i++)
            count += grid->cell[cell_of(kind, index, i)] == value;
        if (count < 2)
            continue;
        ck_assert_ptr_nonnull(conflict);
        assert_names(conflict, "unit index value cells ");
        ck_assert_str_eq(json_text(conflict, "unit"), units[kind]);
        ck_assert(json_number(conflict, "index") == index);
        ck_assert(json_number(conflict, "value") == value);
        const cJSON *cells = json_member(conflict, "cells");
        ck_assert_uint_eq(json_size(cells), count);
        const cJSON *cell = cells->child;
        for (unsigned i = 0; i < 9; i++) {
            const unsigned at = cell_of(kind, index, i);
            if (grid->cell[at] != value)
                continue;
            ck_assert_uint_eq(json_size(cell), 2);
            ck_assert(cell->child->valuedouble == at / 9);
            ck_assert(cell->child->next->valuedouble == at % 9);
            cell = cell->next;
        }
        conflict = conflict->next;
    }
    ck_assert_ptr_null(conflict);
}

START_TEST(conflicts_are_listed_rows_first_then_columns_then_boxes)
{
    const struct sudoku_grid grid = grid_of(BROKEN);
    struct problem *problem = dirty_problem();

    problem_init_conflicts(problem, &grid);
    cJSON *json = json_of_problem(problem, "id-1");
    assert_names(json, "type title status detail instance conflicts ");
    ck_assert_str_eq(json_text(json, "type"), "/problems/conflicting-clues");
    ck_assert(json_number(json, "status") == 422);
    ck_assert_str_eq(json_text(json, "detail"),
                     "The first row has the value 5 twice; one of 3 conflicts.");
    char *text = cJSON_PrintUnformatted(json_member(json, "conflicts"));
    ck_assert_str_eq(text,
                     "[{\"unit\":\"row\",\"index\":0,\"value\":5,\"cells\":[[0,0],[0,5]]},"
                     "{\"unit\":\"column\",\"index\":4,\"value\":7,\"cells\":[[1,4],[3,4],[6,4]]},"
                     "{\"unit\":\"box\",\"index\":8,\"value\":9,\"cells\":[[7,6],[8,8]]}]");
    cJSON_free(text);
    assert_conflicts(json_member(json, "conflicts"), &grid);
    cJSON_Delete(json);
    free(problem);
}
END_TEST

START_TEST(a_single_conflict_is_told_in_the_detail)
{
    struct sudoku_grid grid = {0};
    struct problem *problem = dirty_problem();

    grid.cell[3 * 9 + 4] = 8;
    grid.cell[7 * 9 + 4] = 8;
    problem_init_conflicts(problem, &grid);
    cJSON *json = json_of_problem(problem, "id-1");
    ck_assert_str_eq(json_text(json, "detail"), "The fifth column has the value 8 twice.");
    assert_conflicts(json_member(json, "conflicts"), &grid);
    cJSON_Delete(json);
    free(problem);
}
END_TEST

/* Few values fill the grids with conflicts, up to the most there can be. */
START_TEST(conflicts_of_any_grid_are_those_of_the_definition)
{
    unsigned random = 12345;
    size_t most = 0;

    for (unsigned round = 0; round < 300; round++) {
        struct sudoku_grid grid;
        struct problem *problem = dirty_problem();

        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
            random = random * 1664525 + 1013904223;
            grid.cell[cell] = (uint8_t)((random >> 16) % (round % 9 + 2));
        }
        grid.cell[0] = grid.cell[1] = 1;
        problem_init_conflicts(problem, &grid);
        cJSON *json = json_of_problem(problem, "id-1");
        assert_conflicts(json_member(json, "conflicts"), &grid);
        most = problem->conflict_count > most ? problem->conflict_count : most;
        cJSON_Delete(json);
        free(problem);
    }
    ck_assert_uint_gt(most, 50);
}
END_TEST

START_TEST(no_conflicts_are_an_empty_list)
{
    struct buffer out = {0};

    problem_put_conflicts(NULL, 0, &out);
    ck_assert_uint_eq(out.length, 2);
    ck_assert_mem_eq(out.data, "[]", 2);
    buffer_clear(&out);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("problem", &tests);

    tcase_add_loop_test(tests, every_type_has_its_json_form, 0,
                        sizeof expected_types / sizeof expected_types[0]);
    tcase_add_test(tests, types_differ_in_name_and_title);
    tcase_add_test(tests, lists_errors_in_the_order_they_came);
    tcase_add_test(tests, errors_past_the_twentieth_are_counted_and_not_listed);
    tcase_add_test(tests, tells_the_place_where_there_is_one);
    tcase_add_loop_test(tests, texts_of_the_client_come_out_as_valid_json, 0,
                        sizeof client_texts / sizeof client_texts[0]);
    tcase_add_test(tests, long_texts_of_the_client_are_cut_and_stay_valid_json);
    tcase_add_test(tests, conflicts_are_listed_rows_first_then_columns_then_boxes);
    tcase_add_test(tests, a_single_conflict_is_told_in_the_detail);
    tcase_add_test(tests, conflicts_of_any_grid_are_those_of_the_definition);
    tcase_add_test(tests, no_conflicts_are_an_empty_list);
    return run_suite(suite);
}
