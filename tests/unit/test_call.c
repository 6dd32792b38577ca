/* Calls from the bytes of the request to those of the reply, without HTTP. */
#include "api/api.h"

#include <stdio.h>

#include "support_json.h"

#define JSON "application/json"

static struct api_service service = {.max_steps = 10000000, .default_steps = 1000000};

static void use_reference_engine(void)
{
    service.engine = &sudoku_reference_engine;
    atomic_store(&service.is_ready, true);
}

/* A call after its decode. */
static void begin(struct api_call *call, const char *path, const char *content_type,
                  const char *body)
{
    char allow[API_MAX_ALLOW];
    *call = (struct api_call){
        .service = &service,
        .route = api_route_find("POST", path, allow),
        .id = "id-1",
        .content_type = content_type,
    };
    buffer_put(&call->body, body, strlen(body));
    if (call->route == NULL)
        call->route = api_route_find("GET", path, allow);
    ck_assert_ptr_nonnull(call->route);
    api_call_decode(call);
}

static void end(struct api_call *call, uint64_t effort)
{
    while (!api_call_run(call, effort))
        continue;
    api_call_encode(call);
    ck_assert(!call->reply.body.failed);
    ck_assert_uint_ne(call->reply.status, 0);
    ck_assert_uint_le(call->reply.header_count, API_MAX_HEADERS);
}

/* Makes a whole call and gives its body; the status is checked. */
static cJSON *answer_to(const char *path, const char *content_type, const char *body,
                        unsigned status)
{
    struct api_call call;

    begin(&call, path, content_type, body);
    end(&call, 1000);
    ck_assert_msg(call.reply.status == status, "%u, not %u: %.*s", call.reply.status, status,
                  (int)call.reply.body.length, call.reply.body.data);
    ck_assert_str_eq(call.reply.content_type, status == 200 ? JSON : "application/problem+json");
    cJSON *json = json_of(call.reply.body.data, call.reply.body.length);
    ck_assert_int_eq(call.reply.body.data[call.reply.body.length - 1], '\n');
    if (status != 200) {
        ck_assert(json_number(json, "status") == status);
        ck_assert_str_eq(json_text(json, "instance"), "id-1");
        ck_assert_uint_gt(strlen(json_text(json, "detail")), 10);
    }
    api_call_clear(&call);
    return json;
}

enum { MAX_BODY = 4096 };

/* {"puzzle":"<81>"<more>} */
static const char *string_body(const char *digits, const char *more)
{
    static char body[MAX_BODY];

    snprintf(body, sizeof body, "{\"puzzle\":\"%s\"%s}", digits, more);
    return body;
}

/* [[...],...], with `blank` for blanks. */
static const char *array_of(const char *digits, const char *blank)
{
    static char array[1024];
    size_t length = 0;

    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        const char value[] = {digits[cell], '\0'};
        length += (size_t)snprintf(array + length, sizeof array - length, "%s%s%s",
                                   cell == 0       ? "[["
                                   : cell % 9 == 0 ? ",["
                                                   : ",",
                                   digits[cell] == '0' ? blank : value,
                                   cell == 80      ? "]]"
                                   : cell % 9 == 8 ? "]"
                                                   : "");
    }
    return array;
}

/* {"puzzle":[[...],...]<more>} */
static const char *array_body(const char *digits, const char *blank, const char *more)
{
    static char body[MAX_BODY];

    snprintf(body, sizeof body, "{\"puzzle\":%s%s}", array_of(digits, blank), more);
    return body;
}

static const struct {
    const char *puzzle;
    const char *more;
    const char *status;
    const char *solution; /* NULL: null */
    unsigned count;
    bool is_exact;
    bool is_exhausted;
} solves[] = {
    {EASY, "", "unique", EASY_SOLVED, 1, true, false},
    {EASY_SOLVED, "", "unique", EASY_SOLVED, 1, true, false},
    {TWO, "", "multiple", EASY_SOLVED, 2, false, false},
    {TWO, ",\"max_solutions\":3", "multiple", EASY_SOLVED, 2, true, false},
    {TWO, ",\"max_solutions\":1", "solvable", EASY_SOLVED, 1, false, false},
    {EASY, ",\"max_solutions\":1", "solvable", EASY_SOLVED, 1, false, false},
    {EASY, ",\"max_solutions\":1000000", "unique", EASY_SOLVED, 1, true, false},
    {EMPTY, "", "multiple", EMPTY_FIRST, 2, false, false},
    {EMPTY, ",\"max_solutions\":100", "multiple", EMPTY_FIRST, 100, false, false},
    {NONE, "", "none", NULL, 0, true, false},
    {SLOW, ",\"max_steps\":100", "undetermined", NULL, 0, false, true},
    {SLOW, ",\"max_steps\":1", "undetermined", NULL, 0, false, true},
};

static void assert_solved(cJSON *json, bool as_array, size_t row)
{
    ck_assert_str_eq(json_text(json, "status"), solves[row].status);
    ck_assert(json_number(json, "solution_count") == solves[row].count);
    ck_assert_int_eq(json_bool(json, "count_exact"), solves[row].is_exact);
    ck_assert_int_eq(json_bool(json, "budget_exhausted"), solves[row].is_exhausted);
    const cJSON *solution = json_member(json, "solution");
    if (solves[row].solution == NULL) {
        assert_names(json, "status solution solution_count count_exact budget_exhausted steps ");
        ck_assert(cJSON_IsNull(solution));
    } else {
        assert_names(json, "status solution solution_is_first solution_count count_exact "
                           "budget_exhausted steps ");
        ck_assert_int_eq(cJSON_IsArray(solution) != 0, as_array);
        assert_grid(solution, solves[row].solution);
        ck_assert(json_bool(json, "solution_is_first"));
    }
    cJSON_Delete(json);
}

START_TEST(solve_answers_in_the_form_of_the_request)
{
    const size_t row = (size_t)_i;
    const char *puzzle = solves[row].puzzle;
    const char *more = solves[row].more;

    assert_solved(answer_to("/solve", JSON, string_body(puzzle, more), 200), false, row);
    assert_solved(answer_to("/solve", JSON, array_body(puzzle, "0", more), 200), true, row);
    assert_solved(answer_to("/solve", JSON, array_body(puzzle, "null", more), 200), true, row);
    if (more[0] == '\0')
        assert_solved(answer_to("/solve", JSON, array_of(puzzle, "0"), 200), true, row);
}
END_TEST

/* Same request, same bytes, steps included, for all forms of the service's slices. */
START_TEST(the_answer_does_not_depend_on_how_the_search_is_sliced)
{
    static const uint64_t efforts[] = {1, 7, 1000, UINT64_MAX / 2};
    static const char *const puzzles[] = {EASY, TWO, EMPTY, NONE, SLOW};

    for (size_t i = 0; i < sizeof puzzles / sizeof puzzles[0]; i++) {
        struct buffer first = {0};
        for (size_t k = 0; k < sizeof efforts / sizeof efforts[0]; k++) {
            struct api_call call;
            begin(&call, "/solve", JSON,
                  string_body(puzzles[i], ",\"max_solutions\":20,\"max_steps\":500"));
            end(&call, efforts[k]);
            if (k == 0)
                buffer_put(&first, call.reply.body.data, call.reply.body.length);
            ck_assert_uint_eq(call.reply.body.length, first.length);
            ck_assert_mem_eq(call.reply.body.data, first.data, first.length);
            api_call_clear(&call);
        }
        buffer_clear(&first);
    }
}
END_TEST

START_TEST(a_budget_is_never_overspent_and_lists_stay_ascending)
{
    for (unsigned budget = 1; budget <= 120; budget++) {
        char more[96];
        snprintf(more, sizeof more, ",\"max_steps\":%u,\"max_solutions\":50,\"solutions\":true",
                 budget);
        cJSON *json = answer_to("/solve", JSON, string_body(EMPTY, more), 200);
        ck_assert(json_number(json, "steps") <= budget);
        const cJSON *list = json_member(json, "solutions");
        ck_assert(json_number(json, "solution_count") == (double)json_size(list));
        char last[SUDOKU_CELLS + 1] = "";
        for (const cJSON *grid = list->child; grid != NULL; grid = grid->next) {
            char text[SUDOKU_CELLS + 1];
            json_grid(grid, text);
            ck_assert_str_lt(last, text);
            memcpy(last, text, sizeof last);
        }
        if (json_bool(json, "budget_exhausted"))
            ck_assert(json_number(json, "steps") == budget);
        cJSON_Delete(json);
    }
}
END_TEST

START_TEST(solutions_are_listed_in_order_and_in_the_form_of_the_request)
{
    static const char more[] = ",\"solutions\":true,\"max_solutions\":5";

    for (int as_array = 0; as_array <= 1; as_array++) {
        cJSON *json = answer_to(
            "/solve", JSON, as_array ? array_body(TWO, "0", more) : string_body(TWO, more), 200);
        assert_names(json, "status solution solution_is_first solution_count count_exact "
                           "budget_exhausted steps solutions ");
        const cJSON *list = json_member(json, "solutions");
        ck_assert_uint_eq(json_size(list), 2);
        ck_assert_int_eq(cJSON_IsArray(list->child) != 0, as_array);
        assert_grid(list->child, EASY_SOLVED);
        assert_grid(list->child->next, TWO_SECOND);
        ck_assert(json_bool(json, "count_exact"));
        cJSON_Delete(json);
    }
}
END_TEST

static const struct {
    const char *puzzle;
    const char *more;
    int listed; /* -1: there is no list */
} lists[] = {
    {EASY, ",\"solutions\":true", 1},
    {TWO, ",\"solutions\":true", 2},
    {EMPTY, ",\"solutions\":true", 2},
    {EMPTY, ",\"solutions\":true,\"max_solutions\":1", 1},
    {EMPTY, ",\"max_solutions\":1000,\"solutions\":true", 1000},
    {NONE, ",\"solutions\":true,\"max_solutions\":1000", 0},
    {SLOW, ",\"solutions\":true,\"max_steps\":10", 0},
    {EASY, ",\"solutions\":false", -1},
    {EASY, ",\"solutions\":false,\"max_solutions\":1001", -1},
    {EASY, ",\"max_solutions\":1000000,\"solutions\":false", -1},
};

START_TEST(a_list_holds_what_was_counted)
{
    cJSON *json = answer_to("/solve", JSON, string_body(lists[_i].puzzle, lists[_i].more), 200);

    if (lists[_i].listed < 0) {
        ck_assert(!json_has(json, "solutions"));
    } else {
        ck_assert_uint_eq(json_size(json_member(json, "solutions")), (size_t)lists[_i].listed);
        ck_assert(json_number(json, "solution_count") == lists[_i].listed);
    }
    cJSON_Delete(json);
}
END_TEST

START_TEST(text_is_answered_with_a_grid_and_headers)
{
    static const struct {
        const char *puzzle;
        const char *body;
        const char *status;
        const char *count;
        const char *is_first; /* NULL: no such header */
    } rows[] = {
        {EASY, EASY_SOLVED "\n", "unique", "1", "true"},
        {TWO, EASY_SOLVED "\n", "multiple", "2", "true"},
        {NONE, "none\n", "none", "0", NULL},
        {SLOW, "undetermined\n", "undetermined", "0", NULL},
    };
    const uint64_t default_steps = service.default_steps;

    service.default_steps = 1000;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct api_call call;
        begin(&call, "/solve", "text/plain", rows[i].puzzle);
        end(&call, 1000);
        ck_assert_uint_eq(call.reply.status, 200);
        ck_assert_str_eq(call.reply.content_type, "text/plain; charset=utf-8");
        ck_assert_uint_eq(call.reply.body.length, strlen(rows[i].body));
        ck_assert_mem_eq(call.reply.body.data, rows[i].body, call.reply.body.length);
        const char *status = NULL;
        const char *count = NULL;
        const char *is_first = NULL;
        for (unsigned k = 0; k < call.reply.header_count; k++) {
            const struct api_header *header = &call.reply.headers[k];
            if (strcmp(header->name, "Sudoku-Status") == 0)
                status = header->value;
            if (strcmp(header->name, "Sudoku-Solution-Count") == 0)
                count = header->value;
            if (strcmp(header->name, "Sudoku-Solution-Is-First") == 0)
                is_first = header->value;
        }
        ck_assert_pstr_eq(status, rows[i].status);
        ck_assert_pstr_eq(count, rows[i].count);
        ck_assert_pstr_eq(is_first, rows[i].is_first);
        api_call_clear(&call);
    }
    service.default_steps = default_steps;
}
END_TEST

/* A form comes from a file, or from echo, with a line end behind it. */
START_TEST(white_space_around_a_form_is_no_part_of_it)
{
    static const char *const forms[] = {
        "puzzle=" TWO "&max_solutions=1",
        "puzzle=" TWO "&max_solutions=1\n",
        "max_solutions=1&puzzle=" TWO "\r\n\r\n",
        "\r\n \tpuzzle=" TWO "&max_solutions=1 ",
    };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct api_call call;
        begin(&call, "/solve", "application/x-www-form-urlencoded", forms[i]);
        end(&call, 1000);
        ck_assert_uint_eq(call.reply.status, 200);
        ck_assert_str_eq(call.reply.headers[0].value, "solvable");
        api_call_clear(&call);
    }
}
END_TEST

static const struct {
    const char *puzzle;
    const char *more;
    bool is_valid;
    bool is_complete;
    unsigned clues;
    const char *status;
    unsigned count;
    bool is_exact;
    unsigned conflicts;
} validations[] = {
    {EASY, "", true, false, 30, "unique", 1, true, 0},
    {EASY_SOLVED, "", true, true, 81, "unique", 1, true, 0},
    {TWO, "", true, false, 77, "multiple", 2, false, 0},
    {EMPTY, "", true, false, 0, "multiple", 2, false, 0},
    {NONE, "", true, false, 9, "none", 0, true, 0},
    {BROKEN, "", false, false, 7, "none", 0, true, 3},
    {SLOW, ",\"max_steps\":100", true, false, 16, "undetermined", 0, false, 0},
    {"111111111111111111111111111111111111111111111111111111111111111111111111111111111", "", false,
     true, 81, "none", 0, true, 27},
};

START_TEST(validate_tells_what_a_grid_is_and_never_refuses_it)
{
    const char *puzzle = validations[_i].puzzle;
    const char *more = validations[_i].more;
    const char *bodies[] = {string_body(puzzle, more), array_body(puzzle, "0", more),
                            more[0] == '\0' ? array_of(puzzle, "null") : NULL};

    for (size_t i = 0; i < 3 && bodies[i] != NULL; i++) {
        cJSON *json = answer_to("/validate", JSON, bodies[i], 200);
        assert_names(json, "valid complete solved clues status solution_count count_exact "
                           "budget_exhausted steps conflicts ");
        ck_assert_int_eq(json_bool(json, "valid"), validations[_i].is_valid);
        ck_assert_int_eq(json_bool(json, "complete"), validations[_i].is_complete);
        ck_assert_int_eq(json_bool(json, "solved"),
                         validations[_i].is_valid && validations[_i].is_complete);
        ck_assert(json_number(json, "clues") == validations[_i].clues);
        ck_assert_str_eq(json_text(json, "status"), validations[_i].status);
        ck_assert(json_number(json, "solution_count") == validations[_i].count);
        ck_assert_int_eq(json_bool(json, "count_exact"), validations[_i].is_exact);
        ck_assert_uint_eq(json_size(json_member(json, "conflicts")), validations[_i].conflicts);
        if (!validations[_i].is_valid)
            ck_assert(json_number(json, "steps") == 0);
        cJSON_Delete(json);
    }
}
END_TEST

START_TEST(solve_refuses_conflicting_clues_with_the_conflicts_that_validate_lists)
{
    for (int as_array = 0; as_array <= 1; as_array++) {
        const char *body = as_array ? array_of(BROKEN, "null") : string_body(BROKEN, "");
        cJSON *problem = answer_to("/solve", JSON, body, 422);
        cJSON *answer = answer_to("/validate", JSON, body, 200);
        ck_assert_str_eq(json_text(problem, "type"), "/problems/conflicting-clues");
        ck_assert(!json_has(problem, "errors"));
        ck_assert_uint_eq(json_size(json_member(problem, "conflicts")), 3);
        ck_assert(
            cJSON_Compare(json_member(problem, "conflicts"), json_member(answer, "conflicts"), 1));
        cJSON_Delete(problem);
        cJSON_Delete(answer);
    }
}
END_TEST

START_TEST(conflicting_clues_in_text_are_a_problem_too)
{
    cJSON *problem = answer_to("/solve", "text/plain", BROKEN, 422);

    ck_assert_str_eq(json_text(problem, "type"), "/problems/conflicting-clues");
    cJSON_Delete(problem);
}
END_TEST

/* A request with one fault, the place of it, and what is said of it. */
#define P "\"puzzle\":\"" EASY "\""

static const struct fault {
    const char *path;
    const char *body;
    const char *pointer;
    const char *detail; /* how it begins */
} faults[] = {
    {"/solve", "{}", "/puzzle", "is missing"},
    {"/solve", "{\"max_steps\":1}", "/puzzle", "is missing"},
    {"/validate", "{}", "/puzzle", "is missing"},

    {"/solve", "null", "", "must be an object or an array of 9 rows, is null"},
    {"/solve", "true", "", "must be an object or an array of 9 rows, is a boolean"},
    {"/solve", "17", "", "must be an object or an array of 9 rows, is 17"},
    {"/solve", "\"" EASY "\"", "", "must be an object or an array of 9 rows, is a string"},

    {"/solve", "{\"puzzle\":null}", "/puzzle", "must be an array of 9 rows or a string, is null"},
    {"/solve", "{\"puzzle\":5}", "/puzzle", "must be an array of 9 rows or a string, is 5"},
    {"/solve", "{\"puzzle\":{}}", "/puzzle",
     "must be an array of 9 rows or a string, is an object"},
    {"/solve", "{\"puzzle\":false}", "/puzzle",
     "must be an array of 9 rows or a string, is a boolean"},
    {"/validate", "{\"puzzle\":[]}", "/puzzle", "must have 9 rows, has 0"},
    {"/validate", "[]", "", "must have 9 rows, has 0"},

    {"/solve", "{" P ",\"x\":1}", "/x",
     "is not known here; known are: puzzle, puzzles, max_solutions, max_steps, solutions"},
    {"/validate", "{" P ",\"x\":1}", "/x",
     "is not known here; known are: puzzle, puzzles, max_steps"},
    {"/validate", "{" P ",\"max_solutions\":1}", "/max_solutions", "is not known here"},
    {"/validate", "{" P ",\"solutions\":true}", "/solutions", "is not known here"},
    {"/solve", "{" P ",\"Puzzle\":1}", "/Puzzle", "is not known here"},
    {"/solve", "{" P ",\"puzzle \":1}", "/puzzle ", "is not known here"},
    {"/solve", "{" P ",\"maxSteps\":1}", "/maxSteps", "is not known here"},
    {"/solve", "{" P ",\"\":1}", "/", "is not known here"},
    {"/solve", "{" P ",\"a/b~c\":1}", "/a~1b~0c", "is not known here"},
    {"/solve", "{" P ",\"\\\"\\u0001\\\\\":1}", "/\"\x01\\", "is not known here"},
    {"/solve", "{" P ",\"caf\xC3\xA9\":1}", "/caf\xC3\xA9", "is not known here"},

    {"/solve", "{" P ",\"max_solutions\":0}", "/max_solutions",
     "must be a whole number 1 to 1000000, is 0"},
    {"/solve", "{" P ",\"max_solutions\":-1}", "/max_solutions",
     "must be a whole number 1 to 1000000, is -1"},
    {"/solve", "{" P ",\"max_solutions\":-0}", "/max_solutions",
     "must be a whole number 1 to 1000000, is -0"},
    {"/solve", "{" P ",\"max_solutions\":1000001}", "/max_solutions",
     "must be a whole number 1 to 1000000, is 1000001"},
    {"/solve", "{" P ",\"max_solutions\":1.5}", "/max_solutions",
     "must be a whole number 1 to 1000000, is 1.5"},
    {"/solve", "{" P ",\"max_solutions\":5.9}", "/max_solutions",
     "must be a whole number 1 to 1000000, is 5.9"},
    {"/solve", "{" P ",\"max_solutions\":0.99999999999999}", "/max_solutions", "must be"},
    {"/solve", "{" P ",\"max_solutions\":1e400}", "/max_solutions", "must be"},
    {"/solve", "{" P ",\"max_solutions\":-1e400}", "/max_solutions", "must be"},
    {"/solve", "{" P ",\"max_solutions\":4294967297}", "/max_solutions",
     "must be a whole number 1 to 1000000, is 4294967297"},
    {"/solve", "{" P ",\"max_solutions\":18446744073709551617}", "/max_solutions", "must be"},
    {"/solve", "{" P ",\"max_solutions\":99999999999999999999999999999999}", "/max_solutions",
     "must be"},
    {"/solve", "{" P ",\"max_solutions\":\"2\"}", "/max_solutions",
     "must be a whole number 1 to 1000000, is a string"},
    {"/solve", "{" P ",\"max_solutions\":null}", "/max_solutions",
     "must be a whole number 1 to 1000000, is null"},
    {"/solve", "{" P ",\"max_solutions\":true}", "/max_solutions",
     "must be a whole number 1 to 1000000, is a boolean"},
    {"/solve", "{" P ",\"max_solutions\":[2]}", "/max_solutions",
     "must be a whole number 1 to 1000000, is an array"},
    {"/solve", "{" P ",\"max_solutions\":{}}", "/max_solutions",
     "must be a whole number 1 to 1000000, is an object"},

    {"/solve", "{" P ",\"max_steps\":0}", "/max_steps",
     "must be a whole number 1 to 10000000, is 0"},
    {"/validate", "{" P ",\"max_steps\":10000001}", "/max_steps",
     "must be a whole number 1 to 10000000, is 10000001"},
    {"/validate", "{" P ",\"max_steps\":-5}", "/max_steps",
     "must be a whole number 1 to 10000000, is -5"},
    {"/validate", "{" P ",\"max_steps\":2.5}", "/max_steps",
     "must be a whole number 1 to 10000000, is 2.5"},
    {"/validate", "{" P ",\"max_steps\":18446744073709551617}", "/max_steps", "must be"},
    {"/validate", "{" P ",\"max_steps\":1e400}", "/max_steps", "must be"},
    {"/validate", "{" P ",\"max_steps\":\"many\"}", "/max_steps",
     "must be a whole number 1 to 10000000, is a string"},

    {"/solve", "{\"puzzles\":5}", "/puzzles", "must be an array of puzzles, is 5"},
    {"/validate", "{\"puzzles\":{}}", "/puzzles", "must be an array of puzzles, is an object"},
    {"/solve", "{" P ",\"solutions\":1}", "/solutions", "must be true or false, is 1"},
    {"/solve", "{" P ",\"solutions\":null}", "/solutions", "must be true or false, is null"},
    {"/solve", "{" P ",\"solutions\":\"true\"}", "/solutions",
     "must be true or false, is a string"},
    {"/solve", "{" P ",\"solutions\":[]}", "/solutions", "must be true or false, is an array"},
    {"/solve", "{" P ",\"solutions\":true,\"max_solutions\":1001}", "/max_solutions",
     "must be at most 1000 where solutions is true, is 1001"},
    {"/solve", "{\"max_solutions\":1000000,\"solutions\":true," P "}", "/max_solutions",
     "must be at most 1000 where solutions is true, is 1000000"},
};

START_TEST(a_fault_is_listed_with_its_pointer)
{
    const struct fault *fault = &faults[_i];
    cJSON *problem = answer_to(fault->path, JSON, fault->body, 422);

    ck_assert_str_eq(json_text(problem, "type"), "/problems/invalid-request");
    const cJSON *errors = json_member(problem, "errors");
    ck_assert_uint_eq(json_size(errors), 1);
    ck_assert_str_eq(json_text(errors->child, "pointer"), fault->pointer);
    const char *detail = json_text(errors->child, "detail");
    ck_assert_msg(strncmp(detail, fault->detail, strlen(fault->detail)) == 0, "%s: %s", fault->body,
                  detail);
    /* The only fault is the problem's own sentence too. */
    ck_assert_ptr_nonnull(strstr(json_text(problem, "detail"), fault->detail));
    cJSON_Delete(problem);
}
END_TEST

/* What a cell of an array may not be, and how it is told; put in row 3, column 4. */
static const struct {
    const char *cell;
    const char *told;
} bad_cells[] = {
    {"10", "is 10"},
    {"-1", "is -1"},
    {"1.5", "is 1.5"},
    {"5.9", "is 5.9"},
    {"0.1", "is 0.1"},
    {"9.000000000000002", "is 9.000000000000002"},
    {"1e400", "is "},
    {"-1e400", "is "},
    {"1e2", "is 100"},
    {"4294967296", "is 4294967296"},
    {"18446744073709551617", "is "},
    {"-18446744073709551617", "is "},
    {"\"5\"", "is a string"},
    {"\"\"", "is a string"},
    {"true", "is a boolean"},
    {"false", "is a boolean"},
    {"[]", "is an array"},
    {"[5]", "is an array"},
    {"{}", "is an object"},
};

/* The solution of EASY as an array, with a cell replaced that holds 6. */
static const char *array_with(const char *cell)
{
    static char array[1024];
    char digits[] = EASY_SOLVED;

    digits[3 * 9 + 4] = '*';
    const char *whole = array_of(digits, "0");
    const size_t before = strcspn(whole, "*");
    snprintf(array, sizeof array, "%.*s%s%s", (int)before, whole, cell, whole + before + 1);
    return array;
}

START_TEST(a_bad_cell_is_listed_with_its_row_and_column)
{
    char body[MAX_BODY];
    char expected[128];

    snprintf(expected, sizeof expected, "must be a whole number 0 to 9 or null, %s",
             bad_cells[_i].told);
    snprintf(body, sizeof body, "{\"puzzle\":%s}", array_with(bad_cells[_i].cell));
    for (int bare = 0; bare <= 1; bare++) {
        cJSON *problem =
            answer_to("/solve", JSON, bare ? array_with(bad_cells[_i].cell) : body, 422);
        const cJSON *errors = json_member(problem, "errors");
        ck_assert_uint_eq(json_size(errors), 1);
        ck_assert_str_eq(json_text(errors->child, "pointer"), bare ? "/3/4" : "/puzzle/3/4");
        const char *detail = json_text(errors->child, "detail");
        ck_assert_msg(strncmp(detail, expected, strlen(expected)) == 0, "%s", detail);
        if (expected[strlen(expected) - 1] != ' ')
            ck_assert_str_eq(detail, expected);
        cJSON_Delete(problem);
    }
}
END_TEST

/* Other ways to write a whole number or a blank. */
START_TEST(a_cell_is_taken_by_its_value)
{
    static const char *const cells[] = {"6", "6.0", "6e0", "60e-1", "0.6e1",
                                        "0", "-0",  "0.0", "-0.0",  "null"};

    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        cJSON *json = answer_to("/solve", JSON, array_with(cells[i]), 200);
        ck_assert_str_eq(json_text(json, "status"), "unique");
        assert_grid(json_member(json, "solution"), EASY_SOLVED);
        cJSON_Delete(json);
    }
}
END_TEST

START_TEST(limits_are_taken_by_their_value_up_to_the_last)
{
    static const char *const members[] = {
        ",\"max_solutions\":1",   ",\"max_solutions\":1000000", ",\"max_solutions\":1e6",
        ",\"max_solutions\":2.0", ",\"max_steps\":1",           ",\"max_steps\":10000000",
        ",\"max_steps\":1e7",     ",\"max_steps\":100E-1",
    };

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        cJSON_Delete(answer_to("/solve", JSON, string_body(EASY_SOLVED, members[i]), 200));
}
END_TEST

/* {"puzzle":<rows of so many cells>}, the last row with `last` cells. */
static const char *shaped_body(unsigned rows, unsigned cells, unsigned last)
{
    static char body[MAX_BODY];
    size_t length = (size_t)snprintf(body, sizeof body, "{\"puzzle\":[");

    for (unsigned row = 0; row < rows; row++) {
        const unsigned count = row == rows - 1 ? last : cells;
        body[length++] = row == 0 ? '[' : ',';
        if (row > 0)
            body[length++] = '[';
        for (unsigned cell = 0; cell < count; cell++) {
            body[length++] = '0';
            body[length++] = ',';
        }
        length -= count > 0;
        body[length++] = ']';
    }
    memcpy(body + length, "]}", 3);
    return body;
}

START_TEST(wrong_counts_of_rows_and_cells_are_listed)
{
    static const struct {
        unsigned rows, cells, last;
        const char *pointer;
        const char *detail;
    } rows[] = {
        {8, 9, 9, "/puzzle", "must have 9 rows, has 8"},
        {10, 9, 9, "/puzzle", "must have 9 rows, has 10"},
        {1, 9, 9, "/puzzle", "must have 9 rows, has 1"},
        {30, 9, 9, "/puzzle", "must have 9 rows, has 30"},
        {10, 9, 3, "/puzzle", "must have 9 rows, has 10"},
        {9, 9, 8, "/puzzle/8", "must have 9 cells, has 8"},
        {9, 9, 10, "/puzzle/8", "must have 9 cells, has 10"},
        {9, 9, 0, "/puzzle/8", "must have 9 cells, has 0"},
        {9, 9, 81, "/puzzle/8", "must have 9 cells, has 81"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cJSON *problem =
            answer_to("/solve", JSON, shaped_body(rows[i].rows, rows[i].cells, rows[i].last), 422);
        const cJSON *errors = json_member(problem, "errors");
        ck_assert_uint_eq(json_size(errors), 1);
        ck_assert_str_eq(json_text(errors->child, "pointer"), rows[i].pointer);
        ck_assert_str_eq(json_text(errors->child, "detail"), rows[i].detail);
        cJSON_Delete(problem);
    }
}
END_TEST

START_TEST(a_row_that_is_no_array_is_listed)
{
    cJSON *problem = answer_to("/solve", JSON,
                               "{\"puzzle\":[1,\"000000000\",null,{},true,[0,0,0,0,0,0,0,0,0],"
                               "[0,0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0,0],[]]}",
                               422);
    static const char *const told[] = {
        "/puzzle/0 must be an array of 9 cells, is 1",
        "/puzzle/1 must be an array of 9 cells, is a string",
        "/puzzle/2 must be an array of 9 cells, is null",
        "/puzzle/3 must be an array of 9 cells, is an object",
        "/puzzle/4 must be an array of 9 cells, is a boolean",
        "/puzzle/8 must have 9 cells, has 0",
    };
    const cJSON *error = json_member(problem, "errors")->child;

    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++, error = error->next) {
        char line[256];
        ck_assert_ptr_nonnull(error);
        snprintf(line, sizeof line, "%s %s", json_text(error, "pointer"),
                 json_text(error, "detail"));
        ck_assert_str_eq(line, told[i]);
    }
    ck_assert_ptr_null(error);
    cJSON_Delete(problem);
}
END_TEST

/* All at once, in the order of the body. */
START_TEST(faults_of_all_members_are_listed_together)
{
    static const char *const pointers[] = {"/typo", "/max_steps", "/puzzle/3/4", "/solutions",
                                           "/max_solutions"};
    char body[MAX_BODY];

    snprintf(body, sizeof body,
             "{\"typo\":1,\"max_steps\":0,\"puzzle\":%s,\"solutions\":2,\"max_solutions\":1.5}",
             array_with("11"));
    cJSON *problem = answer_to("/solve", JSON, body, 422);
    ck_assert_str_eq(json_text(problem, "detail"), "5 faults, listed in errors.");
    const cJSON *error = json_member(problem, "errors")->child;
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; i++, error = error->next)
        ck_assert_str_eq(json_text(error, "pointer"), pointers[i]);
    ck_assert_ptr_null(error);
    cJSON_Delete(problem);
}
END_TEST

START_TEST(past_twenty_faults_are_counted_and_not_listed)
{
    static const struct {
        unsigned faults;
        const char *detail;
    } rows[] = {
        {19, "19 faults, listed in errors."},
        {20, "20 faults, listed in errors."},
        {21, "21 faults, the first 20 listed in errors."},
        {81, "81 faults, the first 20 listed in errors."},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char digits[] = EMPTY;
        char body[MAX_BODY];
        memset(digits, '*', rows[i].faults);
        const char *whole = array_of(digits, "0");
        size_t length = 0;
        for (; *whole != '\0'; whole++)
            length += (size_t)snprintf(body + length, sizeof body - length,
                                       *whole == '*' ? "true" : "%c", *whole);
        cJSON *problem = answer_to("/validate", JSON, body, 422);
        ck_assert_str_eq(json_text(problem, "detail"), rows[i].detail);
        const cJSON *errors = json_member(problem, "errors");
        ck_assert_uint_eq(json_size(errors), rows[i].faults < 20 ? rows[i].faults : 20);
        const cJSON *error = errors->child;
        for (unsigned k = 0; error != NULL; error = error->next, k++) {
            char pointer[16];
            snprintf(pointer, sizeof pointer, "/%u/%u", k / 9, k % 9);
            ck_assert_str_eq(json_text(error, "pointer"), pointer);
        }
        cJSON_Delete(problem);
    }
}
END_TEST

/* Whether or not what is needed stands among the rest, and however long that is. */
START_TEST(past_a_hundred_faults_the_rest_is_not_looked_at)
{
    static const struct {
        const char *begin;
        const char *end;
    } rows[] = {
        {"{", "\"z\":1}"},
        {"{", P "}"},
        {"{", "\"puzzles\":[\"" EASY "\"]}"},
        {"{", "\"puzzle\":1,\"puzzle\":2}"},
        {"{\"puzzles\":[\"" EASY "\"],", "\"z\":1}"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned spaces = 0; spaces <= 1; spaces++) {
            struct buffer body = {0};
            buffer_put_text(&body, rows[i].begin);
            for (unsigned k = 0; k < 100; k++)
                buffer_put_text(&body, "\"a\":1,");
            for (unsigned k = 0; k < spaces * 70000; k++)
                buffer_put(&body, " ", 1);
            buffer_put_text(&body, rows[i].end);
            buffer_put(&body, "", 1);
            cJSON *problem = answer_to("/solve", JSON, body.data, 422);
            ck_assert_str_eq(json_text(problem, "detail"),
                             "100 faults or more, the first 20 listed in errors.");
            ck_assert_uint_eq(json_size(json_member(problem, "errors")), 20);
            cJSON_Delete(problem);
            buffer_clear(&body);
        }
    }
}
END_TEST

START_TEST(a_member_that_stands_twice_is_malformed)
{
    static const struct {
        const char *path;
        const char *body;
        const char *pointer;
    } rows[] = {
        {"/solve", "{" P "," P "}", "/puzzle"},
        {"/solve", "{" P ",\"max_steps\":1,\"max_steps\":1}", "/max_steps"},
        {"/solve", "{\"max_solutions\":1," P ",\"max_solutions\":2}", "/max_solutions"},
        {"/solve", "{" P ",\"solutions\":true,\"solutions\":false}", "/solutions"},
        {"/validate", "{\"puzzle\":1,\"typo\":2,\"puzzle\":3}", "/puzzle"},
        {"/validate", "{" P ",\"p\\u0075zzle\":\"" EASY "\"}", "/puzzle"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cJSON *problem = answer_to(rows[i].path, JSON, rows[i].body, 400);
        ck_assert_str_eq(json_text(problem, "type"), "/problems/malformed-json");
        const cJSON *errors = json_member(problem, "errors");
        ck_assert_uint_eq(json_size(errors), 1);
        ck_assert_str_eq(json_text(errors->child, "pointer"), rows[i].pointer);
        ck_assert_str_eq(json_text(errors->child, "detail"), "is given twice");
        cJSON_Delete(problem);
    }
}
END_TEST

/* The name is cut, where it may be in the middle of a character or an escape. */
START_TEST(a_member_with_an_endless_name_is_listed_cut)
{
    static const char *const units[] = {"x", "\xC3\xA9", "\xF0\x9F\x98\x80", "~", "/", "\\u0001"};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        for (size_t shift = 0; shift < 4; shift++) {
            char name[2000] = "";
            char body[MAX_BODY];
            size_t length = shift;
            memset(name, 'x', shift);
            for (int k = 0; k < 300; k++)
                length += (size_t)snprintf(name + length, sizeof name - length, "%s", units[i]);
            snprintf(body, sizeof body, "{" P ",\"%s\":1}", name);
            cJSON *problem = answer_to("/solve", JSON, body, 422);
            const char *pointer = json_text(json_member(problem, "errors")->child, "pointer");
            ck_assert_int_eq(pointer[0], '/');
            ck_assert_uint_gt(strlen(pointer), 100);
            if (units[i][0] == '~' || units[i][0] == '/')
                ck_assert_uint_eq(strlen(pointer + 1 + shift) % 2, 0);
            cJSON_Delete(problem);
        }
    }
}
END_TEST

static const struct {
    const char *content_type;
    const char *body; /* NULL: not taken */
} content_types[] = {
    {"application/json", "{" P "}"},
    {"application/json; charset=utf-8", "{" P "}"},
    {"application/json;charset=utf-8", "{" P "}"},
    {"application/json ; charset=utf-8", "{" P "}"},
    {"application/json\t", "{" P "}"},
    {" \tapplication/json", "{" P "}"},
    {"APPLICATION/Json", "{" P "}"},
    {"application/json;", "{" P "}"},
    {"text/plain", EASY},
    {"text/plain; charset=us-ascii", EASY},
    {"Text/Plain", EASY},
    {NULL, EASY},
    {"", NULL},
    {" ", NULL},
    {";", NULL},
    {"application/jsonx", NULL},
    {"application/json-patch", NULL},
    {"application/json charset=utf-8", NULL},
    {"application/json, text/plain", NULL},
    {"application/jso", NULL},
    {"application/xml", NULL},
    {"text/html", NULL},
    {"text/plainer", NULL},
    {"json", NULL},
    {"*/*", NULL},
    {"multipart/form-data; boundary=x", NULL},
    {"\"quoted\"\n\x01\xFF", NULL},
    {"a/very/long/type/that/goes/on/and/on/and/on/and/on/and/on/and/on/and/on/and/on/and/on/and/on",
     NULL},
};

START_TEST(the_content_type_chooses_the_reader)
{
    struct api_call call;
    const char *body = content_types[_i].body;

    begin(&call, "/solve", content_types[_i].content_type, body == NULL ? "{" P "}" : body);
    end(&call, 1000);
    if (body != NULL) {
        ck_assert_uint_eq(call.reply.status, 200);
    } else {
        ck_assert_uint_eq(call.reply.status, 415);
        cJSON *problem = json_of(call.reply.body.data, call.reply.body.length);
        ck_assert_str_eq(json_text(problem, "type"), "/problems/unsupported-media-type");
        ck_assert_uint_eq(call.reply.header_count, 2);
        ck_assert_str_eq(call.reply.headers[1].name, "Accept-Post");
        ck_assert_str_eq(call.reply.headers[1].value,
                         "application/json, application/x-ndjson, text/plain, text/csv, "
                         "application/x-www-form-urlencoded");
        cJSON_Delete(problem);
    }
    api_call_clear(&call);
}
END_TEST

START_TEST(a_request_without_a_budget_gets_the_default)
{
    const uint64_t default_steps = service.default_steps;

    for (service.default_steps = 10; service.default_steps <= 1000; service.default_steps *= 10) {
        cJSON *json = answer_to("/solve", JSON, string_body(SLOW, ""), 200);
        ck_assert(json_bool(json, "budget_exhausted"));
        ck_assert(json_number(json, "steps") == (double)service.default_steps);
        cJSON_Delete(json);
        json = answer_to("/validate", JSON, string_body(SLOW, ""), 200);
        ck_assert(json_number(json, "steps") == (double)service.default_steps);
        cJSON_Delete(json);
    }
    service.default_steps = default_steps;
}
END_TEST

START_TEST(a_request_may_ask_for_the_largest_budget_and_no_more)
{
    const uint64_t max_steps = service.max_steps;

    service.max_steps = 50;
    cJSON *json = answer_to("/solve", JSON, string_body(SLOW, ",\"max_steps\":50"), 200);
    ck_assert(json_number(json, "steps") == 50);
    cJSON_Delete(json);
    json = answer_to("/solve", JSON, string_body(SLOW, ",\"max_steps\":51"), 422);
    ck_assert_str_eq(json_text(json_member(json, "errors")->child, "detail"),
                     "must be a whole number 1 to 50, is 51");
    cJSON_Delete(json);
    service.max_steps = max_steps;
}
END_TEST

START_TEST(a_refused_call_is_not_decoded_run_or_encoded)
{
    struct api_call call = {.service = &service, .route = api_route_at(0), .id = "id-1"};

    api_call_refuse_with(&call, PROBLEM_OVERLOADED, "Too much to do.");
    api_call_decode(&call);
    ck_assert_ptr_null(call.work.query);
    ck_assert(api_call_run(&call, 1));
    const size_t length = call.reply.body.length;
    api_call_encode(&call);
    ck_assert_uint_eq(call.reply.body.length, length);
    ck_assert_uint_eq(call.reply.status, 503);
    ck_assert_uint_eq(call.reply.header_count, 2);
    ck_assert_str_eq(call.reply.headers[0].name, "Cache-Control");
    ck_assert_str_eq(call.reply.headers[0].value, "no-store");
    ck_assert_str_eq(call.reply.headers[1].name, "Retry-After");
    ck_assert_str_eq(call.reply.headers[1].value, "1");
    api_call_clear(&call);
}
END_TEST

START_TEST(a_refusal_takes_the_place_of_an_answer_and_of_its_headers)
{
    struct api_call call;

    begin(&call, "/solve", "text/plain", EASY);
    end(&call, 1000);
    ck_assert_uint_eq(call.reply.status, 200);
    ck_assert_uint_gt(call.reply.header_count, 0);
    api_call_refuse_with(&call, PROBLEM_NOT_FOUND, "Nothing here.");
    ck_assert_uint_eq(call.reply.status, 404);
    ck_assert_uint_eq(call.reply.header_count, 1);
    ck_assert_str_eq(call.reply.headers[0].name, "Cache-Control");
    ck_assert_str_eq(call.reply.content_type, "application/problem+json");
    cJSON *json = json_of(call.reply.body.data, call.reply.body.length);
    ck_assert_str_eq(json_text(json, "detail"), "Nothing here.");
    cJSON_Delete(json);
    api_call_clear(&call);
}
END_TEST

/* A detail is a text, not a format. */
START_TEST(a_refusal_says_its_sentence_as_it_is)
{
    struct api_call call = {.service = &service, .route = api_route_at(0), .id = "id-1"};

    api_call_refuse_with(&call, PROBLEM_NOT_FOUND, "%s%n 100% \"x\"");
    cJSON *json = json_of(call.reply.body.data, call.reply.body.length);
    ck_assert_str_eq(json_text(json, "detail"), "%s%n 100% \"x\"");
    cJSON_Delete(json);
    api_call_clear(&call);
}
END_TEST

START_TEST(a_call_can_be_dropped_at_any_time)
{
    struct api_call call;

    begin(&call, "/solve", JSON, string_body(EMPTY, ",\"solutions\":true,\"max_solutions\":1000"));
    api_call_clear(&call);
    begin(&call, "/solve", JSON, string_body(EMPTY, ",\"solutions\":true,\"max_solutions\":1000"));
    ck_assert(!api_call_run(&call, 1));
    api_call_clear(&call);
    ck_assert_ptr_null(call.work.query);
    ck_assert_ptr_null(call.work.list);
    api_call_clear(&call);
}
END_TEST

START_TEST(liveness_and_readiness_are_told)
{
    cJSON *json = answer_to("/livez", NULL, "", 200);
    ck_assert_str_eq(json_text(json, "status"), "live");
    cJSON_Delete(json);
    json = answer_to("/readyz", NULL, "", 200);
    ck_assert_str_eq(json_text(json, "status"), "ready");
    cJSON_Delete(json);

    atomic_store(&service.is_ready, false);
    json = answer_to("/livez", NULL, "", 200);
    cJSON_Delete(json);
    json = answer_to("/readyz", NULL, "", 503);
    ck_assert_str_eq(json_text(json, "type"), "/problems/shutting-down");
    cJSON_Delete(json);
}
END_TEST

START_TEST(the_description_of_the_api_is_served)
{
    struct api_call call;

    begin(&call, "/openapi.yaml", NULL, "");
    end(&call, 1);
    ck_assert_uint_eq(call.reply.status, 200);
    ck_assert_str_eq(call.reply.content_type, "application/yaml");
    ck_assert_uint_gt(call.reply.body.length, 8);
    ck_assert_mem_eq(call.reply.body.data, "openapi:", 8);
    api_call_clear(&call);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("call", &tests);

    tcase_add_checked_fixture(tests, use_reference_engine, NULL);
    tcase_add_loop_test(tests, solve_answers_in_the_form_of_the_request, 0, COUNT(solves));
    tcase_add_test(tests, the_answer_does_not_depend_on_how_the_search_is_sliced);
    tcase_add_test(tests, a_budget_is_never_overspent_and_lists_stay_ascending);
    tcase_add_test(tests, solutions_are_listed_in_order_and_in_the_form_of_the_request);
    tcase_add_loop_test(tests, a_list_holds_what_was_counted, 0, COUNT(lists));
    tcase_add_test(tests, text_is_answered_with_a_grid_and_headers);
    tcase_add_loop_test(tests, validate_tells_what_a_grid_is_and_never_refuses_it, 0,
                        COUNT(validations));
    tcase_add_test(tests, solve_refuses_conflicting_clues_with_the_conflicts_that_validate_lists);
    tcase_add_test(tests, conflicting_clues_in_text_are_a_problem_too);
    tcase_add_loop_test(tests, a_fault_is_listed_with_its_pointer, 0, COUNT(faults));
    tcase_add_loop_test(tests, a_bad_cell_is_listed_with_its_row_and_column, 0, COUNT(bad_cells));
    tcase_add_test(tests, a_cell_is_taken_by_its_value);
    tcase_add_test(tests, limits_are_taken_by_their_value_up_to_the_last);
    tcase_add_test(tests, wrong_counts_of_rows_and_cells_are_listed);
    tcase_add_test(tests, a_row_that_is_no_array_is_listed);
    tcase_add_test(tests, faults_of_all_members_are_listed_together);
    tcase_add_test(tests, past_twenty_faults_are_counted_and_not_listed);
    tcase_add_test(tests, white_space_around_a_form_is_no_part_of_it);
    tcase_add_test(tests, past_a_hundred_faults_the_rest_is_not_looked_at);
    tcase_add_test(tests, a_member_that_stands_twice_is_malformed);
    tcase_add_test(tests, a_member_with_an_endless_name_is_listed_cut);
    tcase_add_loop_test(tests, the_content_type_chooses_the_reader, 0, COUNT(content_types));
    tcase_add_test(tests, a_request_without_a_budget_gets_the_default);
    tcase_add_test(tests, a_request_may_ask_for_the_largest_budget_and_no_more);
    tcase_add_test(tests, a_refused_call_is_not_decoded_run_or_encoded);
    tcase_add_test(tests, a_refusal_takes_the_place_of_an_answer_and_of_its_headers);
    tcase_add_test(tests, a_refusal_says_its_sentence_as_it_is);
    tcase_add_test(tests, a_call_can_be_dropped_at_any_time);
    tcase_add_test(tests, liveness_and_readiness_are_told);
    tcase_add_test(tests, the_description_of_the_api_is_served);
    return run_suite(suite);
}
