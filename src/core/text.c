/* The text layouts, in and out. */
#include "sudoku/text.h"

size_t sudoku_text_write(const struct sudoku_grid *grid, enum sudoku_layout layout,
                         char ret_text[SUDOKU_TEXT_MAX])
{
    char *end = ret_text;

    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        const bool ends_row = cell % SUDOKU_SIZE == SUDOKU_SIZE - 1;
        *end++ = (char)('0' + grid->cell[cell]);
        if (ends_row && (layout != SUDOKU_LAYOUT_LINE || cell == SUDOKU_CELLS - 1))
            *end++ = '\n';
        else if (layout == SUDOKU_LAYOUT_SPACED)
            *end++ = ' ';
    }
    return (size_t)(end - ret_text);
}
