/* Many puzzles in one text. What kind of text it is shows in its first lines:
 *
 *   LINES    a puzzle a line
 *   TABLE    CSV: the first line names the columns, one of which holds puzzles
 *   BLOCKS   the first line is a title such as "Grid 01", and what follows up to the next title is
 *            a text of one puzzle
 *
 * Takes linear time in all: a byte is looked at a bounded number of times. */
#include <string.h>

#include "text_line.h"

/* What a column of puzzles may be called, the surest name first. */
static const char *const column_names[] = {"puzzle", "puzzles", "quizzes", "quiz",
                                           "sudoku", "grid",    "clues"};

/* Goes to the next line that is neither blank nor a remark. False at the end. */
static bool skip_to_line(struct text_page *page)
{
    for (; page->offset < page->length; page->line++) {
        const size_t at = text_skip_blanks(page, page->offset);
        const char *c = page->text + at;
        if (at < page->length && *c != '\n' && *c != '\r' && *c != '#')
            return true;
        page->offset = text_next_line(page, at);
    }
    return false;
}

/* A title begins with a word. Words in x are out: that letter is a blank cell. One letter may be
 * a slip in a row. */
static bool is_title(const struct text_page *page)
{
    const size_t at = text_skip_blanks(page, page->offset);
    return text_is_letter(page, at) && (page->text[at] | 0x20) != 'x' &&
           text_is_letter(page, at + 1);
}

static bool is_quote_or_blank(char c)
{
    return c == '"' || c == ' ';
}

/* Whether the line at hand begins with a field in quotes. */
static bool is_quoted(const struct text_page *page)
{
    const size_t at = text_skip_blanks(page, page->offset);
    return at < page->length && page->text[at] == '"';
}

static struct text_page line_of(const struct text_page *page)
{
    struct text_page line = *page;
    line.length = text_line_end(page, page->offset);
    return line;
}

/* Whether a line from line_of() has a field that take_field() hasn't taken: at first it has. */
static bool has_field(const struct text_page *line)
{
    return line->offset <= line->length;
}

/* Takes the next field of a line, without the quotes around it. */
static struct text_page take_field(struct text_page *line)
{
    struct text_page field = *line;
    bool in_quotes = false;
    size_t at = line->offset;

    for (; at < line->length; at++) {
        const char c = line->text[at];
        if (c == '"')
            in_quotes = !in_quotes;
        else if (!in_quotes && (c == ',' || c == ';' || c == '\t'))
            break;
    }
    line->offset = at + 1;
    field.length = at;
    while (field.offset < field.length && is_quote_or_blank(field.text[field.offset]))
        field.offset++;
    while (field.offset < field.length && is_quote_or_blank(field.text[field.length - 1]))
        field.length--;
    return field;
}

/* The field of that index; the empty end of the line if it has fewer. */
static struct text_page field_of(const struct text_page *page, size_t index)
{
    struct text_page line = line_of(page);

    for (; index > 0 && has_field(&line); index--)
        (void)take_field(&line);
    if (!has_field(&line))
        line.offset = line.length;
    return take_field(&line);
}

/* Finds the column of puzzles in a line of column names: the one with the surest name. */
static bool find_column(const struct text_page *page, size_t *ret_index)
{
    const size_t names = sizeof column_names / sizeof column_names[0];
    struct text_page line = line_of(page);
    size_t best = names;

    for (size_t index = 0; has_field(&line); index++) {
        const struct text_page field = take_field(&line);
        for (size_t name = 0; name < best; name++)
            if (text_is_word(&field, field.offset, field.length, column_names[name])) {
                best = name;
                *ret_index = index;
            }
    }
    return best < names;
}

/* Takes a row from the line at hand: from its first field if that is in quotes, else from all of
 * it. False: there is no further line. */
static bool take_any_row(struct text_page *page, struct text_row *ret_row)
{
    if (!skip_to_line(page))
        return false;
    struct text_page part = is_quoted(page) ? field_of(page, 0) : *page;
    text_take_row(&part, ret_row);
    page->offset = text_next_line(page, page->offset);
    page->line++;
    return true;
}

/* Whether the lines below a single word are puzzles in a column of that name, or else the rows of a
 * grid of that title. The first line that has the cells of either tells; one that is broken
 * doesn't.
 */
static bool has_puzzles(struct text_page below)
{
    struct text_row row;

    while (take_any_row(&below, &row)) {
        if (row.count >= 9)
            return row.count > 9;
    }
    return false;
}

/* Whether the line at `page` names the columns of a table. */
static bool names_columns(const struct text_page *page, size_t *ret_column)
{
    struct text_page line = line_of(page);
    struct text_page below = *page;
    struct text_row row;
    const char last = page->text[line.length - 1];
    const struct text_page first = take_field(&line);

    below.offset = text_next_line(page, page->offset);
    if (find_column(page, ret_column)) {
        if (!has_field(&line))
            return has_puzzles(below);
        return !take_any_row(&below, &row) || row.count != 9;
    }
    *ret_column = 0;
    return is_title(&first) && take_any_row(&below, &row) && row.count == SUDOKU_CELLS &&
           !(last >= '0' && last <= '9'); /* not "Grid 01" */
}

void sudoku_text_reader_init(struct sudoku_text_reader *reader, const char *text, size_t length)
{
    struct text_page page = text_page_init(text, length);
    size_t column = 0;

    reader->kind = SUDOKU_TEXT_LINES;
    if (skip_to_line(&page)) {
        if (names_columns(&page, &column)) {
            reader->kind = SUDOKU_TEXT_TABLE;
            page.offset = text_next_line(&page, page.offset);
            page.line++;
        } else if (is_title(&page)) {
            reader->kind = SUDOKU_TEXT_BLOCKS;
        }
    }
    reader->text = text;
    reader->length = length;
    reader->offset = page.offset;
    reader->line = page.line;
    reader->column = column;
}

/* Takes the title at hand and all lines up to the next title. */
static struct text_page take_block(struct text_page *page)
{
    struct text_page block = *page;

    do {
        page->offset = text_next_line(page, page->offset);
        page->line++;
    } while (page->offset < page->length && !is_title(page));
    block.offset = text_line_end(page, block.offset); /* behind the title, in its line */
    block.length = page->offset;
    return block;
}

/* Takes a line that is 81 plain characters and nothing else. */
static bool take_plain_line(struct text_page *page, struct sudoku_grid *ret_grid)
{
    const char *line = page->text + page->offset;
    const size_t left = page->length - page->offset;

    if (left < SUDOKU_CELLS || (left > SUDOKU_CELLS && line[SUDOKU_CELLS] != '\n') ||
        !sudoku_text_read_plain(line, ret_grid))
        return false;
    page->offset += left > SUDOKU_CELLS ? SUDOKU_CELLS + 1 : SUDOKU_CELLS;
    page->line++;
    return true;
}

/* Takes a line, and the row in it or in the one field of it that counts. */
static void take_line(const struct sudoku_text_reader *reader, struct text_page *page,
                      struct text_row *ret_row)
{
    const bool is_field = reader->kind == SUDOKU_TEXT_TABLE || is_quoted(page);
    struct text_page part = is_field ? field_of(page, reader->column) : *page;

    part.dashes_are_cells = true;
    text_take_row(&part, ret_row);
    page->offset = part.length == page->length ? part.offset : text_next_line(page, part.offset);
    page->line++;
}

enum sudoku_text_item sudoku_text_next(struct sudoku_text_reader *reader,
                                       struct sudoku_grid *ret_grid,
                                       struct sudoku_text_fault *ret_fault)
{
    struct text_page page = {.text = reader->text,
                             .length = reader->length,
                             .offset = reader->offset,
                             .line = reader->line};
    enum sudoku_text_item item = SUDOKU_TEXT_END;
    enum sudoku_layout layout;
    struct text_row row;

    while (item == SUDOKU_TEXT_END && skip_to_line(&page)) {
        bool is_good;
        if (reader->kind == SUDOKU_TEXT_BLOCKS) {
            const struct text_page block = take_block(&page);
            is_good = text_page_read(&block, ret_grid, &layout, ret_fault);
        } else if (reader->kind == SUDOKU_TEXT_LINES && take_plain_line(&page, ret_grid)) {
            is_good = true;
        } else {
            take_line(reader, &page, &row);
            if (reader->kind == SUDOKU_TEXT_LINES && row.count == 0 && !row.is_bad)
                continue; /* a ruling between puzzles */
            is_good = text_row_check(&page, &row, 0, SUDOKU_CELLS, ret_fault);
            if (is_good)
                memcpy(ret_grid->cell, row.cell, sizeof row.cell);
        }
        item = is_good ? SUDOKU_TEXT_PUZZLE : SUDOKU_TEXT_FAULT;
    }
    reader->offset = page.offset;
    reader->line = page.line;
    return item;
}

/* How many lines end in a text. Two simple loops, which are done on vectors. */
static unsigned count_line_ends(const char *text, size_t length)
{
    unsigned count = 0;

    for (size_t i = 0; i < length; i++)
        count += (unsigned)(text[i] == '\n') + (text[i] == '\r');
    for (size_t i = 1; i < length; i++)
        count -= (unsigned)(text[i] == '\n') & (text[i - 1] == '\r');
    return count;
}

bool sudoku_text_take_stretch(struct sudoku_text_reader *reader, size_t bytes,
                              struct sudoku_text_reader *ret_stretch)
{
    struct text_page page = {.text = reader->text,
                             .length = reader->length,
                             .offset = reader->offset,
                             .line = reader->line};

    if (page.offset == page.length)
        return false;
    page.offset = bytes < page.length - page.offset ? text_next_line(&page, page.offset + bytes)
                                                    : page.length;
    while (reader->kind == SUDOKU_TEXT_BLOCKS && page.offset < page.length && !is_title(&page))
        page.offset = text_next_line(&page, page.offset);
    *ret_stretch = *reader;
    ret_stretch->length = page.offset;
    reader->line += count_line_ends(reader->text + reader->offset, page.offset - reader->offset);
    reader->offset = page.offset;
    return true;
}

bool sudoku_text_is_many(const char *text, size_t length)
{
    struct sudoku_text_reader reader;
    struct text_page page = text_page_init(text, length);
    bool has_cells = false;
    unsigned items = 0;

    /* The sections of an .sdk file may have a line of 81 each. */
    if (skip_to_line(&page) && text[text_skip_blanks(&page, page.offset)] == '[')
        return false;
    sudoku_text_reader_init(&reader, text, length);
    for (;;) {
        struct sudoku_text_fault fault;
        struct sudoku_grid grid;
        const enum sudoku_text_item item = sudoku_text_next(&reader, &grid, &fault);
        if (item == SUDOKU_TEXT_END)
            return false;
        has_cells |=
            item == SUDOKU_TEXT_PUZZLE || (reader.kind != SUDOKU_TEXT_LINES && fault.cells > 0);
        items++;
        if (has_cells && items >= (reader.kind == SUDOKU_TEXT_LINES ? 2 : 1))
            return true;
    }
}
