/* The JSON of a request. The only file that knows cJSON.
 *
 * cJSON 1.7.15 takes 17 of JSONTestSuite's 188 invalid texts and cuts strings at an escaped NUL, so
 * a strict check runs before it (json_strict.h, about a twentieth of cJSON's own work). What passes
 * that check and is not parsed has met the end of memory.
 *
 * A document of 100,000 puzzles would take 500 MB as a tree, so a batch is only outlined
 * (json_walk.h) and each puzzle parsed by itself. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decode.h"
#include "json_strict.h"
#include "json_walk.h"
#include "plain_grid.h"

bool decode_json_check(const char *text, size_t length, struct problem *ret_problem)
{
    struct json_fault fault;

    if (json_strict_check(text, length, &fault))
        return true;
    problem_init(ret_problem, fault.is_json ? PROBLEM_INVALID_REQUEST : PROBLEM_MALFORMED_JSON,
                 "Line %u, column %u: %s.", fault.line, fault.column, fault.reason);
    ret_problem->line = fault.line;
    ret_problem->column = fault.column;
    ret_problem->offset = fault.offset;
    return false;
}

/* A tree takes cJSON up to 40 times the text, and a while to build: whatever is larger than any
 * puzzle with its options can be is refused before. */
enum { MAX_PARSED = 64 * 1024 };

/* After so many faults the rest of a request is not looked at. */
enum { MAX_FAULTS = 100 };

/* NULL: the problem is settled. */
static cJSON *parse(const char *text, size_t length, struct ask_reading *reading)
{
    if (length > MAX_PARSED) {
        problem_init(reading->problem, PROBLEM_BODY_TOO_LARGE,
                     "A puzzle with its options may have at most %d bytes of JSON, not %zu.",
                     MAX_PARSED, length);
        return NULL;
    }
    cJSON *root = cJSON_ParseWithLengthOpts(text, length, NULL, 0);

    if (root == NULL)
        problem_init(reading->problem, PROBLEM_OUT_OF_MEMORY, "No memory to read the request.");
    return root;
}

/* What an item is instead of what it should be, in words. */
static const char *describe(const cJSON *item, char ret[32])
{
    switch (item->type & 0xff) {
    case cJSON_False:
    case cJSON_True:
        return "a boolean";
    case cJSON_NULL:
        return "null";
    case cJSON_Number:
        return ask_print_number(item->valuedouble, ret);
    case cJSON_String:
        return "a string";
    case cJSON_Array:
        return "an array";
    default:
        return "an object";
    }
}

/* The pointer of an element; that of the whole where it has no room. */
static const char *pointer_below(const char *pointer, unsigned index, char ret[PROBLEM_MAX_POINTER])
{
    if (snprintf(ret, PROBLEM_MAX_POINTER, "%s/%u", pointer, index) >= PROBLEM_MAX_POINTER)
        return pointer;
    return ret;
}

/* Not read from valueint, which is 5 for 5.9. */
static void read_cell(const cJSON *item, const char *pointer, struct problem *problem,
                      uint8_t *ret_cell)
{
    const double number = cJSON_IsNull(item) ? 0 : item->valuedouble;
    const bool is_number = cJSON_IsNumber(item) || cJSON_IsNull(item);
    char found[32];

    if (is_number && number >= 0 && number <= SUDOKU_SIZE && number == floor(number))
        *ret_cell = (uint8_t)number;
    else
        problem_add_error(problem, pointer, "must be a whole number 0 to 9 or null, is %s",
                          describe(item, found));
}

/* Reads the cells of a row. `pointer` is that of the row. */
static void read_row(const cJSON *row, const char *pointer, struct problem *problem,
                     uint8_t ret_cells[SUDOKU_SIZE])
{
    char place[PROBLEM_MAX_POINTER];
    unsigned column = 0;

    for (const cJSON *cell = row->child; cell != NULL; cell = cell->next, column++) {
        if (column >= SUDOKU_SIZE)
            continue;
        read_cell(cell, pointer_below(pointer, column, place), problem, &ret_cells[column]);
    }
    if (column != SUDOKU_SIZE)
        problem_add_error(problem, pointer, "must have 9 cells, has %u", column);
}

/* Reads 9 rows of 9 cells. `pointer` is that of the grid. */
static void read_array(const cJSON *grid, const char *pointer, struct ask_reading *reading)
{
    char room[PROBLEM_MAX_POINTER];
    char found[32];
    unsigned row_index = 0;

    for (const cJSON *row = grid->child; row != NULL; row = row->next, row_index++) {
        if (row_index >= SUDOKU_SIZE)
            continue;
        const char *place = pointer_below(pointer, row_index, room);
        if (cJSON_IsArray(row))
            read_row(row, place, reading->problem,
                     &reading->ask->puzzle.cell[(size_t)row_index * SUDOKU_SIZE]);
        else
            problem_add_error(reading->problem, place, "must be an array of 9 cells, is %s",
                              describe(row, found));
    }
    if (row_index != SUDOKU_SIZE)
        problem_add_error(reading->problem, pointer, "must have 9 rows, has %u", row_index);
    reading->ask->form = API_FORM_ARRAY;
}

/* Reads a puzzle; the pointer of what is none is said to be an array or a string. */
static void read_puzzle(const cJSON *item, const char *pointer, struct ask_reading *reading)
{
    char found[32];

    if (cJSON_IsArray(item))
        read_array(item, pointer, reading);
    else if (cJSON_IsString(item))
        ask_set_puzzle(reading, pointer, item->valuestring, strlen(item->valuestring));
    else
        problem_add_error(reading->problem, pointer,
                          "must be an array of 9 rows or a string, is %s", describe(item, found));
}

static void read_value(const cJSON *item, const struct ask_member *member,
                       struct ask_reading *reading)
{
    char found[32];

    if (member->flag == ASK_PUZZLE)
        read_puzzle(item, member->pointer, reading);
    else if (member->flag == ASK_SOLUTIONS && cJSON_IsBool(item))
        reading->ask->wants_list = cJSON_IsTrue(item) != 0;
    else if ((member->flag & (ASK_MAX_STEPS | ASK_MAX_SOLUTIONS)) != 0 && cJSON_IsNumber(item))
        ask_set_number(reading, member, item->valuedouble);
    else
        ask_refuse_kind(reading, member, describe(item, found));
}

/* Reads a member by its name. False when it stands twice. */
static bool read_member(const cJSON *item, const char *name, struct ask_reading *reading)
{
    bool is_twice;
    const struct ask_member *member = ask_find(reading, name, &is_twice);

    if (is_twice) {
        /* If not both times in the JSON, then that is in order. */
        if ((reading->in_uri & member->flag) == 0)
            reading->problem->type = PROBLEM_MALFORMED_JSON;
        return false;
    }
    if (member != NULL)
        read_value(item, member, reading);
    return true;
}

static bool read_root(const cJSON *root, struct ask_reading *reading)
{
    char found[32];

    if (cJSON_IsArray(root)) {
        reading->seen |= ASK_PUZZLE;
        read_array(root, "", reading);
        return true;
    }
    if (!cJSON_IsObject(root)) {
        reading->seen |= ASK_PUZZLE;
        problem_add_error(reading->problem, "", "must be an object or an array of 9 rows, is %s",
                          describe(root, found));
        return true;
    }
    for (const cJSON *item = root->child; item != NULL; item = item->next) {
        if (!read_member(item, item->string, reading))
            return false;
    }
    return true;
}

bool decode_json_request(const char *text, size_t length, struct ask_reading *reading)
{
    cJSON *root = parse(text, length, reading);

    if (root == NULL)
        return false;
    const bool is_read = read_root(root, reading);
    cJSON_Delete(root);
    return is_read;
}

bool decode_json_puzzle(const char *text, size_t length, const char *pointer,
                        struct ask_reading *reading)
{
    reading->seen |= ASK_PUZZLE;
    if (plain_grid_read(text, length, &reading->ask->puzzle, &reading->ask->form))
        return true;

    cJSON *item = parse(text, length, reading);
    if (item == NULL)
        return false;
    read_puzzle(item, pointer, reading);
    cJSON_Delete(item);
    return true;
}

/* Whether a member's name, as it is written, is "puzzles"; any letter of it may be an escape. */
static bool is_puzzles(struct json_piece name)
{
    static const char plain[] = "\"puzzles\"";
    enum { LONGEST = 2 + 7 * 6 };

    if (memchr(name.text, '\\', name.length) == NULL || name.length > LONGEST)
        return name.length == sizeof plain - 1 && memcmp(name.text, plain, name.length) == 0;
    cJSON *item = cJSON_ParseWithLengthOpts(name.text, name.length, NULL, 0);
    const bool is_it = item != NULL && strcmp(item->valuestring, "puzzles") == 0;
    cJSON_Delete(item);
    return is_it;
}

/* Reads one member of an outlined object; its name has to be parsed too. */
static bool read_piece(struct json_piece name, struct json_piece value, struct ask_reading *reading)
{
    cJSON *name_item = parse(name.text, name.length, reading);
    cJSON *item = name_item == NULL ? NULL : parse(value.text, value.length, reading);
    const bool is_read = item != NULL && read_member(item, name_item->valuestring, reading);

    cJSON_Delete(name_item);
    cJSON_Delete(item);
    return is_read;
}

bool decode_json_batch(const char *text, struct ask_reading *reading, const char **ret_puzzles,
                       bool *ret_is_read)
{
    const struct json_piece root = json_walk_root(text);
    struct json_piece name = {0};
    struct json_piece value;
    bool has_puzzles = false;

    if (root.text[0] != '{')
        return false;
    for (struct json_walk walk = json_walk_into(root); json_walk_next(&walk, &name, &value);)
        has_puzzles = has_puzzles || (is_puzzles(name) && value.text[0] == '[');
    if (!has_puzzles)
        return false;

    *ret_is_read = true;
    for (struct json_walk walk = json_walk_into(root); *ret_is_read &&
                                                       reading->problem->error_count < MAX_FAULTS &&
                                                       json_walk_next(&walk, &name, &value);) {
        if (is_puzzles(name) && value.text[0] == '[' && (reading->seen & ASK_PUZZLES) == 0) {
            *ret_puzzles = value.text;
            reading->seen |= ASK_PUZZLES;
        } else {
            *ret_is_read = read_piece(name, value, reading);
        }
    }
    return true;
}
