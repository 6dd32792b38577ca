#include "plain_grid.h"

#include <string.h>

#include "compact_grid.h"

static const char *skip_space(const char *at)
{
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
        at++;
    return at;
}

/* Reads a cell. What follows must end it; a longer number or a fraction goes on there, and is left
 * to cJSON. NULL: not plain. */
static const char *read_cell(const char *at, uint8_t *ret)
{
    if (*at >= '0' && *at <= '9') {
        *ret = (uint8_t)(*at - '0');
        at++;
    } else if (strncmp(at, "null", 4) == 0) {
        *ret = 0;
        at += 4;
    } else {
        return NULL;
    }
    at = skip_space(at);
    return *at == ',' || *at == ']' ? at : NULL;
}

/* Reads what stands between the elements of an array, or behind its last. NULL: it is not there. */
static const char *read_mark(const char *at, bool is_last)
{
    return *at == (is_last ? ']' : ',') ? skip_space(at + 1) : NULL;
}

/* Returns the end of the array; NULL: not plain. */
static const char *read_array(const char *text, struct sudoku_grid *ret)
{
    const char *at = skip_space(text + 1);

    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        const bool ends_row = cell % SUDOKU_SIZE == SUDOKU_SIZE - 1;
        if (cell % SUDOKU_SIZE == 0) {
            if (*at != '[')
                return NULL;
            at = skip_space(at + 1);
        }
        at = read_cell(at, &ret->cell[cell]);
        if (at == NULL || (at = read_mark(at, ends_row)) == NULL)
            return NULL;
        /* Behind the last row the array itself ends, and the text may end with it. */
        if (ends_row && cell == SUDOKU_CELLS - 1)
            return *at == ']' ? at + 1 : NULL;
        if (ends_row && (at = read_mark(at, false)) == NULL)
            return NULL;
    }
    return NULL;
}

/* Returns the end of the grid, at most `end`; NULL: not plain. */
static const char *read_grid(const char *text, const char *end, struct sudoku_grid *ret_grid,
                             enum api_form *ret_form)
{
    const size_t length = (size_t)(end - text);
    struct sudoku_grid grid;
    const char *behind = NULL;
    enum api_form form = API_FORM_ARRAY;

    if (length >= COMPACT_GRID && compact_grid_read(text, &grid)) {
        behind = text + COMPACT_GRID;
    } else if (text[0] == '[') {
        behind = read_array(text, &grid);
    } else if (length >= SUDOKU_CELLS + 2 && text[0] == '"' && text[SUDOKU_CELLS + 1] == '"' &&
               sudoku_text_read_plain(text + 1, &grid)) {
        behind = text + SUDOKU_CELLS + 2;
        form = API_FORM_STRING;
    }
    if (behind == NULL || behind > end)
        return NULL;
    *ret_grid = grid;
    *ret_form = form;
    return behind;
}

bool plain_grid_read(const char *text, size_t length, struct sudoku_grid *ret_grid,
                     enum api_form *ret_form)
{
    const char *end = text + length;
    struct sudoku_grid grid;
    enum api_form form;

    if (read_grid(text, end, &grid, &form) != end)
        return false;
    *ret_grid = grid;
    *ret_form = form;
    return true;
}

/* What comes before the value of the only member. NULL: something else. */
static const char *open_object(const char *at)
{
    static const char name[] = "\"puzzle\"";

    at = skip_space(at + 1);
    if (strncmp(at, name, sizeof name - 1) != 0)
        return NULL;
    at = skip_space(at + sizeof name - 1);
    return *at == ':' ? skip_space(at + 1) : NULL;
}

bool plain_grid_read_request(const char *text, size_t length, struct sudoku_grid *ret_grid,
                             enum api_form *ret_form)
{
    enum { LONGEST = 4096 }; /* what is longer may be too long, which others tell */
    const char *end = text + length;
    const char *at = skip_space(text);
    const bool is_object = *at == '{';
    struct sudoku_grid grid;
    enum api_form form;

    if (length > LONGEST || (is_object && (at = open_object(at)) == NULL) ||
        (!is_object && *at != '['))
        return false;
    at = read_grid(at, end, &grid, &form);
    if (at == NULL)
        return false;
    at = skip_space(at);
    if (is_object && *at == '}')
        at = skip_space(at + 1);
    else if (is_object)
        return false;
    if (at != end)
        return false;
    *ret_grid = grid;
    *ret_form = form;
    return true;
}
