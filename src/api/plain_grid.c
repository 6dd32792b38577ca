#include "plain_grid.h"

static const char *skip_space(const char *at)
{
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
        at++;
    return at;
}

/* Reads a cell. What follows must end it; in a valid text a longer number or a fraction goes on
 * there, and is left to cJSON. NULL: not plain. */
static const char *read_cell(const char *at, uint8_t *ret)
{
    if (*at >= '0' && *at <= '9') {
        *ret = (uint8_t)(*at - '0');
        at++;
    } else if (*at == 'n') {
        *ret = 0;
        at += 4; /* null: the only word that begins so */
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

static bool read_array(const char *text, struct sudoku_grid *ret)
{
    const char *at = skip_space(text + 1);

    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        const bool ends_row = cell % SUDOKU_SIZE == SUDOKU_SIZE - 1;
        if (cell % SUDOKU_SIZE == 0) {
            if (*at != '[')
                return false;
            at = skip_space(at + 1);
        }
        at = read_cell(at, &ret->cell[cell]);
        if (at == NULL || (at = read_mark(at, ends_row)) == NULL)
            return false;
        /* Behind the last row the array itself ends, and the text may end with it. */
        if (ends_row && cell == SUDOKU_CELLS - 1)
            return *at == ']';
        if (ends_row && (at = read_mark(at, false)) == NULL)
            return false;
    }
    return false;
}

bool plain_grid_read(const char *text, size_t length, struct sudoku_grid *ret_grid,
                     enum api_form *ret_form)
{
    struct sudoku_grid grid;

    if (text[0] == '"' && length == SUDOKU_CELLS + 2 && sudoku_text_read_plain(text + 1, &grid))
        *ret_form = API_FORM_STRING;
    else if (text[0] == '[' && read_array(text, &grid))
        *ret_form = API_FORM_ARRAY;
    else
        return false;
    *ret_grid = grid;
    return true;
}
