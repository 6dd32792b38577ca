#include "compact_grid.h"

#include <assert.h>
#include <string.h>

#define ROW "[0,0,0,0,0,0,0,0,0]"

static const char shape[] =
    "[" ROW "," ROW "," ROW "," ROW "," ROW "," ROW "," ROW "," ROW "," ROW "]";

static_assert(sizeof shape == COMPACT_GRID + 1, "a digit or mark too many");

/* Where the digits of a row are. */
static unsigned place_of_row(unsigned row)
{
    return 2 + row * (unsigned)sizeof ROW; /* whose NUL counts for the comma */
}

void compact_grid_write(const struct sudoku_grid *grid, char ret_text[COMPACT_GRID])
{
    memcpy(ret_text, shape, COMPACT_GRID);
    for (unsigned row = 0; row < SUDOKU_SIZE; row++) {
        const uint8_t *cell = &grid->cell[row * SUDOKU_SIZE];
        char *at = ret_text + place_of_row(row);
        for (unsigned column = 0; column < SUDOKU_SIZE; column++)
            at[2 * column] = (char)('0' + cell[column]);
    }
}

/* Most of what is asked for is an array of something else. Behind that without a branch, so that a
 * compiler may look at many bytes at once. */
bool compact_grid_is(const char text[COMPACT_GRID])
{
    unsigned char wrong = 0;

    if (text[0] != '[' || text[1] != '[')
        return false;

    for (unsigned i = 0; i < COMPACT_GRID; i++) {
        const unsigned char digit = (unsigned char)(text[i] - '0');
        const unsigned char mark = (unsigned char)(text[i] ^ shape[i]);
        wrong |= shape[i] == '0' ? (unsigned char)(digit > 9) : mark;
    }
    return wrong == 0;
}

bool compact_grid_read(const char text[COMPACT_GRID], struct sudoku_grid *ret_grid)
{
    if (!compact_grid_is(text))
        return false;
    for (unsigned row = 0; row < SUDOKU_SIZE; row++) {
        uint8_t *cell = &ret_grid->cell[row * SUDOKU_SIZE];
        const char *at = text + place_of_row(row);
        for (unsigned column = 0; column < SUDOKU_SIZE; column++)
            cell[column] = (uint8_t)(at[2 * column] - '0');
    }
    return true;
}
