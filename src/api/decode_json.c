/* The JSON of a request. The only file that knows cJSON.
 *
 * cJSON 1.7.15 takes 17 of JSONTestSuite's 188 invalid texts and cuts strings at an escaped NUL, so
 * a strict check runs before it (json_strict.h, about a twentieth of cJSON's own work). What passes
 * that check and is not parsed has met the end of memory.
 *
 * A document of 100,000 puzzles would take 500 MB as a tree, and a grid of plain cells is read
 * twenty times faster without one. So a request is only outlined (json_walk.h), a plain grid is
 * read where it stands (plain_grid.h), and cJSON parses whatever else there is, piece by piece. */
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

/* After so many faults the rest of a request is not looked at, and nothing said of it. */
enum { MAX_FAULTS = 100 };

static bool is_hopeless(struct problem *problem)
{
    if (problem->error_count < MAX_FAULTS)
        return false;
    snprintf(problem->detail, sizeof problem->detail,
             "%u faults or more, the first %d listed in errors.", problem->error_count,
             PROBLEM_MAX_ERRORS);
    return true;
}

/* False: the problem is settled. */
static bool is_small(size_t length, struct ask_reading *reading)
{
    if (length <= MAX_PARSED)
        return true;
    problem_init(reading->problem, PROBLEM_BODY_TOO_LARGE,
                 "A puzzle with its options may have at most %d bytes of JSON, not %zu.",
                 MAX_PARSED, length);
    return false;
}

/* NULL: the problem is settled. */
static cJSON *parse(struct json_piece piece, struct ask_reading *reading)
{
    if (!is_small(piece.length, reading))
        return NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(piece.text, piece.length, NULL, 0);

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

/* Reads the cells of a row. `pointer` is that of the row. A cell is not read from valueint, which
 * is 5 for 5.9. */
static void read_row(const cJSON *row, const char *pointer, struct problem *problem,
                     uint8_t ret_cells[SUDOKU_SIZE])
{
    char place[PROBLEM_MAX_POINTER];
    char found[32];
    unsigned column = 0;

    for (const cJSON *cell = row->child; cell != NULL; cell = cell->next, column++) {
        const double number = cJSON_IsNull(cell) ? 0 : cell->valuedouble;
        const bool is_number = cJSON_IsNumber(cell) || cJSON_IsNull(cell);
        if (column >= SUDOKU_SIZE)
            continue;
        if (is_number && number >= 0 && number <= SUDOKU_SIZE && number == floor(number))
            ret_cells[column] = (uint8_t)number;
        else
            problem_add_error(problem, pointer_below(pointer, column, place),
                              "must be a whole number 0 to 9 or null, is %s",
                              describe(cell, found));
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

/* Reads a puzzle; what is neither an array nor a string is a fault at `pointer`. */
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

bool decode_json_any_puzzle(struct json_piece piece, const char *pointer,
                            struct ask_reading *reading)
{
    cJSON *item = parse(piece, reading);

    if (item == NULL)
        return false;
    reading->seen |= ASK_PUZZLE;
    read_puzzle(item, pointer, reading);
    cJSON_Delete(item);
    return true;
}

bool decode_json_puzzle(struct json_piece piece, const char *pointer, struct ask_reading *reading)
{
    if (!plain_grid_read(piece.text, piece.length, &reading->ask->puzzle, &reading->ask->form))
        return decode_json_any_puzzle(piece, pointer, reading);
    reading->seen |= ASK_PUZZLE;
    return true;
}

static bool read_option(struct json_piece piece, const struct ask_member *member,
                        struct ask_reading *reading)
{
    cJSON *item = parse(piece, reading);
    char found[32];

    if (item == NULL)
        return false;
    if (member->flag == ASK_SOLUTIONS && cJSON_IsBool(item))
        reading->ask->wants_list = cJSON_IsTrue(item) != 0;
    else if ((member->flag & (ASK_MAX_STEPS | ASK_MAX_SOLUTIONS)) != 0 && cJSON_IsNumber(item))
        ask_set_number(reading, member, item->valuedouble);
    else
        ask_refuse_kind(reading, member, describe(item, found));
    cJSON_Delete(item);
    return true;
}

/* Reads a member by its name. False: the problem is settled, for one because it stands twice. */
static bool read_member(const char *name, struct json_piece value, struct ask_reading *reading,
                        const char **ret_puzzles)
{
    bool is_twice;
    const struct ask_member *member = ask_find(reading, name, &is_twice);

    if (is_twice) {
        /* If not both times in the JSON, then that is in order. */
        if ((reading->in_uri & member->flag) == 0)
            reading->problem->type = PROBLEM_MALFORMED_JSON;
        return false;
    }
    if (member == NULL)
        return true;
    if (member->flag == ASK_PUZZLE)
        return decode_json_puzzle(value, member->pointer, reading);
    if (member->flag == ASK_PUZZLES && value.text[0] == '[') {
        *ret_puzzles = value.text;
        return true;
    }
    return read_option(value, member, reading);
}

/* Reads a member by its name as it is written, in quotes. */
static bool read_written(struct json_piece name, struct json_piece value,
                         struct ask_reading *reading, const char **ret_puzzles)
{
    char plain[32];

    if (name.length - 2 < sizeof plain && memchr(name.text, '\\', name.length) == NULL) {
        memcpy(plain, name.text + 1, name.length - 2);
        plain[name.length - 2] = '\0';
        return read_member(plain, value, reading, ret_puzzles);
    }
    cJSON *item = parse(name, reading);
    const bool is_read =
        item != NULL && read_member(item->valuestring, value, reading, ret_puzzles);
    cJSON_Delete(item);
    return is_read;
}

static bool read_object(const char *object, struct ask_reading *reading, const char **ret_puzzles)
{
    struct json_walk walk = json_walk_into(object);
    struct json_piece name = {0};
    struct json_piece value;

    while (json_walk_next(&walk, &name, &value)) {
        if (!read_written(name, value, reading, ret_puzzles) || is_hopeless(reading->problem))
            return false;
    }
    return true;
}

bool decode_json_request(const char *text, size_t length, struct ask_reading *reading,
                         const char **ret_puzzles)
{
    const char *start = json_walk_start(text);
    char found[32];

    *ret_puzzles = NULL;
    if (*start == '{')
        return read_object(start, reading, ret_puzzles) &&
               (*ret_puzzles != NULL || is_small(length, reading));
    if (!is_small(length, reading))
        return false;
    const struct json_piece root = json_walk_root(text);
    if (root.text[0] == '[')
        return decode_json_puzzle(root, "", reading);
    cJSON *item = parse(root, reading);
    if (item == NULL)
        return false;
    reading->seen |= ASK_PUZZLE;
    problem_add_error(reading->problem, "", "must be an object or an array of 9 rows, is %s",
                      describe(item, found));
    cJSON_Delete(item);
    return true;
}
