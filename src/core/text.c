/* One puzzle, in and out. */
#include "text_line.h"

/* Whether the line at hand is a section title of an .sdk file, such as [Puzzle]. */
static bool is_section_title(const struct text_page *page, bool *ret_is_puzzle)
{
    const size_t begin = text_skip_blanks(page, page->offset) + 1;
    size_t end = begin;

    if (begin > page->length || page->text[begin - 1] != '[')
        return false;
    while (text_is_letter(page, end))
        end++;
    if (end == page->length || page->text[end] != ']')
        return false;
    *ret_is_puzzle = text_is_word(page, begin, end, "puzzle");
    return text_skip_blanks(page, end + 1) == text_line_end(page, end);
}

/* Takes lines until one has cells, or something bad. False at the end of the page. */
static bool next_row(struct text_page *page, struct text_row *ret_row)
{
    while (page->offset < page->length) {
        bool is_puzzle = false;
        const bool is_title = is_section_title(page, &is_puzzle);

        text_take_row(page, ret_row);
        if (is_title)
            page->in_other_section = !is_puzzle;
        else if (!page->in_other_section && (ret_row->count > 0 || ret_row->is_bad))
            return true;
    }
    return false;
}

/* How many cells each row should have, judged by the first and by whether others follow. */
static size_t width_of(struct text_page rest, const struct text_row *first)
{
    struct text_row other;

    if (first->count == 9 || (first->count != SUDOKU_CELLS && next_row(&rest, &other)))
        return 9;
    return SUDOKU_CELLS;
}

static bool read_rows(struct text_page page, struct sudoku_grid *ret_grid,
                      enum sudoku_layout *ret_layout, struct sudoku_text_fault *ret_fault)
{
    enum sudoku_layout layout = SUDOKU_LAYOUT_LINE;
    struct sudoku_grid grid;
    struct text_row row;
    size_t cells = 0;
    size_t width = 0;
    size_t end = page.offset; /* behind the last cell so far, and the line it is in */
    unsigned line = page.line;

    while (next_row(&page, &row)) {
        if (cells == 0) {
            width = width_of(page, &row);
            if (width == 9)
                layout =
                    row.is_spaced && row.longest == 1 ? SUDOKU_LAYOUT_SPACED : SUDOKU_LAYOUT_ROWS;
        }
        if (cells == SUDOKU_CELLS && !row.is_bad) {
            text_fault_count(&page, row.first, row.line, cells + row.count, ret_fault);
            return false;
        }
        if (!text_row_check(&page, &row, cells, width, ret_fault))
            return false;
        for (size_t i = 0; i < width; i++)
            grid.cell[cells++] = row.cell[i];
        end = row.end;
        line = row.line;
    }
    if (cells < SUDOKU_CELLS) {
        text_fault_count(&page, end, line, cells, ret_fault);
        return false;
    }
    *ret_grid = grid;
    *ret_layout = layout;
    return true;
}

bool text_page_read(const struct text_page *page, struct sudoku_grid *ret_grid,
                    enum sudoku_layout *ret_layout, struct sudoku_text_fault *ret_fault)
{
    struct sudoku_text_fault fault;
    struct sudoku_text_fault unused;
    struct text_page other_reading = *page;

    /* A line of nine dashes is a ruling, unless the puzzle lacks cells without it. */
    other_reading.dashes_are_cells = true;
    if (read_rows(*page, ret_grid, ret_layout, &fault) ||
        read_rows(other_reading, ret_grid, ret_layout, &unused))
        return true;
    *ret_fault = fault;
    return false;
}

bool sudoku_text_read_plain(const char text[SUDOKU_CELLS], struct sudoku_grid *ret_grid)
{
    struct sudoku_grid grid;
    unsigned strange = 0;

    /* Without a way out in the middle it is done on vectors. */
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        const uint8_t value = (uint8_t)((unsigned char)text[cell] - (unsigned)'0');
        const bool is_digit = value <= 9;
        strange |= !is_digit & (text[cell] != '.');
        grid.cell[cell] = is_digit ? value : 0;
    }
    if (strange != 0)
        return false;
    *ret_grid = grid;
    return true;
}

bool sudoku_text_read(const char *text, size_t length, struct sudoku_grid *ret_grid,
                      enum sudoku_layout *ret_layout, struct sudoku_text_fault *ret_fault)
{
    if (length == SUDOKU_CELLS && sudoku_text_read_plain(text, ret_grid)) {
        *ret_layout = SUDOKU_LAYOUT_LINE;
        return true;
    }
    const struct text_page page = text_page_init(text, length);
    return text_page_read(&page, ret_grid, ret_layout, ret_fault);
}

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
