/* One line of puzzle text, taken apart. What all the layouts have in common is here:
 *
 *   - A cell is one of 1..9, or one of 0 . _ * x X ? - for a blank one.
 *   - Cells with nothing between them are a group. Blanks, commas and borders end a group.
 *   - A comma where a cell is due stands for a blank cell, as an empty field of CSV does.
 *   - After more than nine cells on end, a blank, comma, semicolon or # begins a remark.
 *   - A line without a sure cell is a ruling when it has + or =, or dashes that need not be cells.
 *   - A line that begins with # is a remark. */
#ifndef SUDOKU_CORE_TEXT_LINE_H
#define SUDOKU_CORE_TEXT_LINE_H

#include "sudoku/text.h"

/* A stretch of a text, of which the lines from `offset` on are still to be taken. */
struct text_page {
    const char *text;
    size_t length; /* of the text up to the end of the page */
    size_t offset;
    unsigned line;         /* the number of the line at offset, from 1 */
    bool dashes_are_cells; /* what a line of 9 or 81 dashes is; otherwise it is a ruling */
    bool in_other_section; /* of an .sdk file: not the puzzle */
    enum text_last_comma {
        TEXT_COMMA_UNKNOWN, /* no row ended in a comma so far */
        TEXT_COMMA_ENDS_ROW,
        TEXT_COMMA_BEFORE_BLANK,
    } last_comma;
};

/* Offsets are into the text. A ruling, a remark and a blank line have no cells. */
struct text_row {
    unsigned line;
    unsigned seen; /* kinds of character */
    bool is_bad;   /* what stands at `bad` is no part of a row */
    size_t bad;
    bool is_spaced;  /* blanks or commas stand between cells */
    size_t count;    /* cells, also those for which `cell` has no room */
    size_t first;    /* the first cell */
    size_t end;      /* behind the last cell, blank or not */
    size_t excess9;  /* the tenth cell */
    size_t excess81; /* the 82nd cell */
    size_t groups;
    size_t singles;       /* groups of one cell */
    size_t longest;       /* cells in the longest group */
    size_t number;        /* the first group of several cells */
    size_t number_length; /* cells in it */
    size_t number_index;  /* cells before it */
    uint8_t cell[SUDOKU_CELLS];
};

/* The page that is all of the text but for a byte order mark. */
struct text_page text_page_init(const char *text, size_t length);

/* Takes the line at page->offset, however short. */
void text_take_row(struct text_page *page, struct text_row *ret_row);

/* Where the line that holds `at` ends, and where the next one begins. */
size_t text_line_end(const struct text_page *page, size_t at);
size_t text_next_line(const struct text_page *page, size_t at);

/* The first character from `at` on that is neither a blank nor a tab. */
size_t text_skip_blanks(const struct text_page *page, size_t at);

bool text_is_letter(const struct text_page *page, size_t at);

/* Whether the page from `begin` to `end` is `word`, in small letters or capitals. */
bool text_is_word(const struct text_page *page, size_t begin, size_t end, const char *word);

/* Reads the page as one puzzle, as sudoku_text_read() does. */
SUDOKU_MUST_USE bool text_page_read(const struct text_page *page, struct sudoku_grid *ret_grid,
                                    enum sudoku_layout *ret_layout,
                                    struct sudoku_text_fault *ret_fault);

/* ---- text_fault.c ---- */

/* Whether nothing is wrong with the row and it has `width` cells, 9 or 81; `before` cells came
 * before it. Writes the fault on failure only. */
SUDOKU_MUST_USE bool text_row_check(const struct text_page *page, const struct text_row *row,
                                    size_t before, size_t width,
                                    struct sudoku_text_fault *ret_fault);

/* Writes that `cells` cells were found, not 81. */
void text_fault_count(const struct text_page *page, size_t at, unsigned line, size_t cells,
                      struct sudoku_text_fault *ret_fault);

/* The code point at `at` and how many bytes it takes; -1 and one byte if it isn't UTF-8. */
int32_t text_code_point(const struct text_page *page, size_t at, size_t *ret_bytes);

#endif
