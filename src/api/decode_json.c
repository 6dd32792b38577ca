/* The JSON body of a request. The only file that knows cJSON.
 *
 * cJSON 1.7.15 takes 17 of JSONTestSuite's 188 invalid texts and cuts strings at an escaped NUL, so
 * a strict check runs before it (json_strict.h, about a twentieth of cJSON's own work).
 * What passes that check and is not parsed has met the end of memory.
 *
 * Faults are collected, not stopped at: whoever mistyped one cell may have mistyped two. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "json_strict.h"

enum { MAX_LISTED = 1000 };

/* What the readers of the members share. */
struct reading {
    const struct api_call *call;
    struct api_ask *ask;
    struct problem *problem;
};

static const char *kind_of(const cJSON *item)
{
    switch (item->type & 0xff) {
    case cJSON_False:
    case cJSON_True:
        return "a boolean";
    case cJSON_NULL:
        return "null";
    case cJSON_Number:
        return "a number";
    case cJSON_String:
        return "a string";
    case cJSON_Array:
        return "an array";
    default:
        return "an object";
    }
}

/* Whether item is a whole number from low to high. Not read from valueint, which is 5 for 5.9. */
static bool read_whole(const cJSON *item, uint64_t low, uint64_t high, uint64_t *ret)
{
    if (!cJSON_IsNumber(item))
        return false;
    const double number = item->valuedouble;
    if (!(number >= (double)low && number <= (double)high) || number != floor(number))
        return false;
    *ret = (uint64_t)number;
    return true;
}

/* Says what item is instead of what it should be. */
static void add_unexpected(struct problem *problem, const char *pointer, const char *expected,
                           const cJSON *item)
{
    char number[32];

    if (cJSON_IsNumber(item)) {
        /* The shortest of the two that stands for the same number: 5.9, not 5.9000000000000004. */
        snprintf(number, sizeof number, "%.15g", item->valuedouble);
        if (strtod(number, NULL) != item->valuedouble)
            snprintf(number, sizeof number, "%.17g", item->valuedouble);
        problem_add_error(problem, pointer, "must be %s, is %s", expected, number);
    } else {
        problem_add_error(problem, pointer, "must be %s, is %s", expected, kind_of(item));
    }
}

static void read_cell(const cJSON *item, const char *pointer, struct problem *problem,
                      uint8_t *ret_cell)
{
    uint64_t value = 0;

    if (!cJSON_IsNull(item) && !read_whole(item, 0, SUDOKU_SIZE, &value)) {
        add_unexpected(problem, pointer, "a whole number 0 to 9 or null", item);
        return;
    }
    *ret_cell = (uint8_t)value;
}

/* Reads 9 rows of 9 cells. `pointer` is that of the grid. */
static void read_array(const cJSON *grid, const char *pointer, struct reading *reading)
{
    struct problem *problem = reading->problem;
    char place[PROBLEM_MAX_POINTER];
    unsigned row_index = 0;

    for (const cJSON *row = grid->child; row != NULL; row = row->next, row_index++) {
        unsigned column = 0;

        if (row_index >= SUDOKU_SIZE)
            continue;
        snprintf(place, sizeof place, "%s/%u", pointer, row_index);
        if (!cJSON_IsArray(row)) {
            add_unexpected(problem, place, "an array of 9 cells", row);
            continue;
        }
        for (const cJSON *cell = row->child; cell != NULL; cell = cell->next, column++) {
            if (column >= SUDOKU_SIZE)
                continue;
            snprintf(place, sizeof place, "%s/%u/%u", pointer, row_index, column);
            read_cell(cell, place, problem,
                      &reading->ask->puzzle.cell[row_index * SUDOKU_SIZE + column]);
        }
        if (column != SUDOKU_SIZE) {
            snprintf(place, sizeof place, "%s/%u", pointer, row_index);
            problem_add_error(problem, place, "must have 9 cells, has %u", column);
        }
    }
    if (row_index != SUDOKU_SIZE)
        problem_add_error(problem, pointer, "must have 9 rows, has %u", row_index);
    reading->ask->form = API_FORM_ARRAY;
}

static void read_puzzle(const cJSON *item, const char *pointer, struct reading *reading)
{
    struct sudoku_text_fault fault;

    if (cJSON_IsArray(item)) {
        read_array(item, pointer, reading);
        return;
    }
    if (!cJSON_IsString(item)) {
        add_unexpected(reading->problem, pointer, "an array of 9 rows or a string", item);
        return;
    }
    reading->ask->form = API_FORM_STRING;
    if (!sudoku_text_read(item->valuestring, strlen(item->valuestring), &reading->ask->puzzle,
                          &reading->ask->layout, &fault))
        problem_add_error(reading->problem, pointer, "is not a puzzle: line %u, column %u: %s",
                          fault.line, fault.column, fault.reason);
}

static void read_max_solutions(const cJSON *item, const char *pointer, struct reading *reading)
{
    uint64_t value;

    if (read_whole(item, 1, SUDOKU_MAX_COUNT, &value))
        reading->ask->max_solutions = (uint32_t)value;
    else
        add_unexpected(reading->problem, pointer, "a whole number 1 to 1000000", item);
}

static void read_max_steps(const cJSON *item, const char *pointer, struct reading *reading)
{
    const uint64_t limit = reading->call->service->max_steps;
    char expected[64];

    if (read_whole(item, 1, limit, &reading->ask->max_steps))
        return;
    snprintf(expected, sizeof expected, "a whole number 1 to %llu", (unsigned long long)limit);
    add_unexpected(reading->problem, pointer, expected, item);
}

static void read_solutions(const cJSON *item, const char *pointer, struct reading *reading)
{
    if (cJSON_IsBool(item))
        reading->ask->wants_list = cJSON_IsTrue(item) != 0;
    else
        add_unexpected(reading->problem, pointer, "true or false", item);
}

static const struct member {
    const char *name;
    const char *pointer;
    enum decode_members flag;
    void (*read)(const cJSON *item, const char *pointer, struct reading *reading);
} members_of_request[] = {
    {"puzzle", "/puzzle", DECODE_PUZZLE, read_puzzle},
    {"max_solutions", "/max_solutions", DECODE_MAX_SOLUTIONS, read_max_solutions},
    {"max_steps", "/max_steps", DECODE_MAX_STEPS, read_max_steps},
    {"solutions", "/solutions", DECODE_SOLUTIONS, read_solutions},
};

enum { MEMBERS = sizeof members_of_request / sizeof members_of_request[0] };

static const struct member *find_member(const char *name, unsigned members)
{
    for (size_t i = 0; i < MEMBERS; i++) {
        if ((members_of_request[i].flag & members) != 0 &&
            strcmp(members_of_request[i].name, name) == 0)
            return &members_of_request[i];
    }
    return NULL;
}

/* "/name", with ~ and / escaped as RFC 6901 has it; cut when it is too long to be of use. */
static void pointer_to(const char *name, char ret[PROBLEM_MAX_POINTER])
{
    size_t length = 0;

    ret[length++] = '/';
    for (; *name != '\0' && length + 3 < PROBLEM_MAX_POINTER; name++) {
        if (*name == '~' || *name == '/') {
            ret[length++] = '~';
            ret[length++] = *name == '~' ? '0' : '1';
        } else {
            ret[length++] = *name;
        }
    }
    ret[length] = '\0';
}

static void add_unknown(struct problem *problem, const char *name, unsigned members)
{
    char pointer[PROBLEM_MAX_POINTER];
    char known[96] = "";
    size_t length = 0;

    for (size_t i = 0; i < MEMBERS; i++) {
        if ((members_of_request[i].flag & members) != 0)
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                       length == 0 ? "" : ", ", members_of_request[i].name);
    }
    pointer_to(name, pointer);
    problem_add_error(problem, pointer, "is not a member of this request; known are: %s", known);
}

/* Reads the members of a request. False when one of them stands twice, which is worse than any
 * other fault: there is no telling which is meant. */
static bool read_object(const cJSON *object, unsigned members, struct reading *reading)
{
    unsigned seen = 0;

    for (const cJSON *item = object->child; item != NULL; item = item->next) {
        const struct member *member = find_member(item->string, members);
        if (member == NULL) {
            add_unknown(reading->problem, item->string, members);
            continue;
        }
        if ((seen & member->flag) != 0) {
            problem_init(reading->problem, PROBLEM_MALFORMED_JSON,
                         "The member \"%s\" stands twice.", member->name);
            problem_add_error(reading->problem, member->pointer, "stands twice");
            return false;
        }
        seen |= member->flag;
        member->read(item, member->pointer, reading);
    }
    if ((seen & DECODE_PUZZLE) == 0)
        problem_add_error(reading->problem, "/puzzle", "is missing");
    if (reading->ask->wants_list && (seen & DECODE_MAX_SOLUTIONS) != 0 &&
        reading->ask->max_solutions > MAX_LISTED)
        problem_add_error(reading->problem, "/max_solutions",
                          "must be at most %d where solutions is true, is %lu", MAX_LISTED,
                          (unsigned long)reading->ask->max_solutions);
    return true;
}

/* Sums the faults up in the problem's own sentence. */
static void summarize(struct problem *problem)
{
    const unsigned count = problem->error_count;

    if (count == 1)
        snprintf(problem->detail, sizeof problem->detail, "%.100s %.120s.",
                 problem->errors[0].pointer[0] == '\0' ? "The body" : problem->errors[0].pointer,
                 problem->errors[0].detail);
    else if (count <= PROBLEM_MAX_ERRORS)
        snprintf(problem->detail, sizeof problem->detail, "%u faults, listed in errors.", count);
    else
        snprintf(problem->detail, sizeof problem->detail,
                 "%u faults, the first %d listed in errors.", count, PROBLEM_MAX_ERRORS);
}

static bool read_root(const cJSON *root, unsigned members, struct reading *reading)
{
    problem_init(reading->problem, PROBLEM_INVALID_REQUEST, "%s", "");
    if (cJSON_IsArray(root)) {
        read_array(root, "", reading);
    } else if (!cJSON_IsObject(root)) {
        add_unexpected(reading->problem, "", "an object or an array of 9 rows", root);
    } else if (!read_object(root, members, reading)) {
        return false;
    }
    if (reading->problem->error_count == 0)
        return true;
    summarize(reading->problem);
    return false;
}

bool decode_json(const struct api_call *call, unsigned members, struct api_ask *ret_ask,
                 struct problem *ret_problem)
{
    struct json_fault fault;

    if (!json_strict_check(call->body, call->body_length, &fault)) {
        problem_init(ret_problem, fault.is_json ? PROBLEM_INVALID_REQUEST : PROBLEM_MALFORMED_JSON,
                     "Line %u, column %u: %s.", fault.line, fault.column, fault.reason);
        ret_problem->line = fault.line;
        ret_problem->column = fault.column;
        ret_problem->offset = fault.offset;
        return false;
    }

    cJSON *root = cJSON_ParseWithLengthOpts(call->body, call->body_length + 1, NULL, 1);
    if (root == NULL) {
        problem_init(ret_problem, PROBLEM_OUT_OF_MEMORY, "No memory to read the body.");
        return false;
    }
    struct reading reading = {.call = call, .ask = ret_ask, .problem = ret_problem};
    const bool is_read = read_root(root, members, &reading);
    cJSON_Delete(root);
    return is_read;
}
