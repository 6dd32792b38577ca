/* Puzzles as people and programs write them: text in, text out.
 *
 * Pure like sudoku.h: no heap, no I/O, nothing kept between calls. Text is bytes with a length and
 * needs no NUL behind it; it may hold any bytes at all. */
#ifndef SUDOKU_TEXT_H
#define SUDOKU_TEXT_H

#include "sudoku/sudoku.h"

/* How a grid is laid out, so that an answer can look like its question. */
enum sudoku_layout {
    SUDOKU_LAYOUT_LINE,   /* one line of 81 digits */
    SUDOKU_LAYOUT_ROWS,   /* 9 lines of 9 digits */
    SUDOKU_LAYOUT_SPACED, /* 9 lines of 9 digits with one blank between */
};

/* Where and why a text stopped being a puzzle. */
struct sudoku_text_fault {
    size_t offset;   /* bytes before the fault */
    unsigned line;   /* from 1 */
    unsigned column; /* from 1, in characters (UTF-8 code points) */
    unsigned cells;  /* cells read before it, at most 81 */
    char reason[96]; /* printable ASCII, such as: unexpected "k" after 12 cells; 80 cells, not 81 */
};

/* Reads text that holds one puzzle:
 *
 *   - 9 lines of 9 cells, on end, in groups of three, or with blanks, tabs or commas between;
 *   - the same with borders and rulings of | + - = * : or box-drawing characters (.ss and forums);
 *   - one line of 81 cells, in the same ways; a remark may follow 81 cells on end;
 *   - .sdk files: # begins a line to skip, and of several sections the one named [Puzzle] counts.
 *
 * A cell is 1..9, or one of 0 . _ * x X ? - for a blank, or an empty field between commas. A line
 * of nine dashes is a ruling if there are 81 cells without it. Lines end in LF, CRLF or CR.
 *
 * The layout is that of the first row. Outputs are written on success only, the fault on failure
 * only. */
SUDOKU_MUST_USE bool sudoku_text_read(const char *text, size_t length, struct sudoku_grid *ret_grid,
                                      enum sudoku_layout *ret_layout,
                                      struct sudoku_text_fault *ret_fault);

/* Reads 81 characters that are all 1..9, 0 or a dot for a blank: what most puzzles are written as,
 * several times faster. False: it is something else, and nothing is written. */
SUDOKU_MUST_USE bool sudoku_text_read_plain(const char text[SUDOKU_CELLS],
                                            struct sudoku_grid *ret_grid);

/* Room for a grid in any layout, each line ended by a newline. */
enum { SUDOKU_TEXT_MAX = SUDOKU_CELLS * 2 };

/* Writes a grid, blanks as 0, and returns the bytes written. No NUL behind them. */
size_t sudoku_text_write(const struct sudoku_grid *grid, enum sudoku_layout layout,
                         char ret_text[SUDOKU_TEXT_MAX]);

/* Whether text is to be read with a reader: two or more lines and one of 81 cells among them, or at
 * least one puzzle under the column names of CSV or under a title line. A guess by its shape: says
 * nothing about its being right. */
SUDOKU_MUST_USE bool sudoku_text_is_many(const char *text, size_t length);

/* A walk through text that holds many puzzles. Points into the text, which must outlive it. */
struct sudoku_text_reader {
    const char *text;
    size_t length;
    size_t offset; /* where to go on */
    unsigned line; /* the number of the line there */
    enum sudoku_text_kind {
        SUDOKU_TEXT_LINES,  /* a puzzle a line */
        SUDOKU_TEXT_TABLE,  /* CSV, the first line names the columns */
        SUDOKU_TEXT_BLOCKS, /* grids, each under a title line */
    } kind;
    size_t column; /* of the table: which one holds puzzles, from 0 */
};

void sudoku_text_reader_init(struct sudoku_text_reader *reader, const char *text, size_t length);

enum sudoku_text_item {
    SUDOKU_TEXT_PUZZLE, /* a grid */
    SUDOKU_TEXT_FAULT,  /* no puzzle here; the next item is readable all the same */
    SUDOKU_TEXT_END,
};

/* Takes the next puzzle, skipping blank lines, remarks and headers. Writes the grid with a puzzle
 * only, the fault with a fault only. All calls together take time linear in the text's length. */
SUDOKU_MUST_USE enum sudoku_text_item sudoku_text_next(struct sudoku_text_reader *reader,
                                                       struct sudoku_grid *ret_grid,
                                                       struct sudoku_text_fault *ret_fault);

/* Takes the next stretch of the text, about `bytes` of it up to the end of a puzzle, to be read by
 * a reader of its own. Those of all stretches together read what the one would have read; there may
 * be none in one. False: there is no more text, and nothing is written. */
SUDOKU_MUST_USE bool sudoku_text_take_stretch(struct sudoku_text_reader *reader, size_t bytes,
                                              struct sudoku_text_reader *ret_stretch);

#endif
