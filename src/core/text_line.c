/* One line of puzzle text, taken apart by one table and one loop. */
#include "text_line.h"

enum {
    VALUE = 0x0f,
    SURE = 1 << 4, /* a cell wherever it stands */
    DOT = 1 << 5,  /* a cell, or the corner of a ruling */
    DASH = 1 << 6, /* a blank cell, or part of a ruling */
    CELL = SURE | DOT | DASH,
    BLANK = 1 << 7,
    COMMA = 1 << 8,
    BORDER = 1 << 9,
    RULER = 1 << 10, /* a border; beside dashes it makes them one too */
    SEPARATOR = BLANK | COMMA | BORDER | RULER,
    REMARK = 1 << 11,
    NEWLINE = 1 << 12,
};

static const uint16_t kind_of[256] = {
    ['0'] = SURE,     ['1'] = SURE | 1, ['2'] = SURE | 2, ['3'] = SURE | 3, ['4'] = SURE | 4,
    ['5'] = SURE | 5, ['6'] = SURE | 6, ['7'] = SURE | 7, ['8'] = SURE | 8, ['9'] = SURE | 9,
    ['_'] = SURE,     ['x'] = SURE,     ['X'] = SURE,     ['?'] = SURE,     ['.'] = DOT,
    ['-'] = DASH,     ['*'] = DASH,     [' '] = BLANK,    ['\t'] = BLANK,   [','] = COMMA,
    ['|'] = BORDER,   [':'] = BORDER,   ['\''] = BORDER,  ['+'] = RULER,    ['='] = RULER,
    [';'] = REMARK,   ['#'] = REMARK,   ['\n'] = NEWLINE, ['\r'] = NEWLINE,
};

static unsigned kind_at(const struct text_page *page, size_t at)
{
    return kind_of[(unsigned char)page->text[at]];
}

static bool is_control(char c)
{
    return ((unsigned char)c < 0x20 && c != '\t') || c == 0x7f;
}

struct text_page text_page_init(const char *text, size_t length)
{
    const bool has_mark =
        length >= 3 && text[0] == '\xef' && text[1] == '\xbb' && text[2] == '\xbf';
    return (struct text_page){
        .text = text, .length = length, .offset = has_mark ? 3 : 0, .line = 1};
}

size_t text_line_end(const struct text_page *page, size_t at)
{
    while (at < page->length && !(kind_at(page, at) & NEWLINE))
        at++;
    return at;
}

size_t text_next_line(const struct text_page *page, size_t at)
{
    at = text_line_end(page, at);
    if (at + 1 < page->length && page->text[at] == '\r' && page->text[at + 1] == '\n')
        at++;
    return at < page->length ? at + 1 : at;
}

size_t text_skip_blanks(const struct text_page *page, size_t at)
{
    while (at < page->length && (kind_at(page, at) & BLANK))
        at++;
    return at;
}

bool text_is_letter(const struct text_page *page, size_t at)
{
    const int small = at < page->length ? page->text[at] | 0x20 : 0;
    return small >= 'a' && small <= 'z';
}

bool text_is_word(const struct text_page *page, size_t begin, size_t end, const char *word)
{
    while (begin < end && *word != '\0' && text_is_letter(page, begin) &&
           (page->text[begin] | 0x20) == *word)
        begin++, word++;
    return begin == end && *word == '\0';
}

/* Counts `length` cells that have nothing between them. */
static void add_group(struct text_row *row, size_t begin, size_t length)
{
    const size_t before = row->count;

    row->count += length;
    if (before == 0)
        row->first = begin;
    if (before <= 9 && row->count > 9)
        row->excess9 = begin + (9 - before);
    if (before <= SUDOKU_CELLS && row->count > SUDOKU_CELLS)
        row->excess81 = begin + (SUDOKU_CELLS - before);
    if (length > 1 && row->longest <= 1) {
        row->number = begin;
        row->number_length = length;
        row->number_index = before;
    }
    row->groups++;
    row->singles += length == 1;
    if (length > row->longest)
        row->longest = length;
}

/* Takes the cells that stand on end from `begin` on. Works on locals, because a store to a cell
 * could change anything else in memory for all the compiler knows. */
static size_t take_group(const struct text_page *page, struct text_row *row, size_t begin)
{
    const unsigned char *text = (const unsigned char *)page->text;
    const size_t length = page->length;
    const size_t before = row->count;
    unsigned seen = 0;
    size_t at = begin;

    for (; at < length && (kind_of[text[at]] & CELL); at++) {
        const unsigned kind = kind_of[text[at]];
        seen |= kind;
        if (before + (at - begin) < SUDOKU_CELLS)
            row->cell[before + (at - begin)] = kind & VALUE;
    }
    row->seen |= seen;
    add_group(row, begin, at - begin);
    row->end = at;
    return at;
}

/* A comma at the end of a line ends the row or stands before a last blank cell. A text has it one
 * way or the other, and its first such row tells. */
static void take_last_comma(struct text_page *page, struct text_row *row, size_t at)
{
    if (page->last_comma == TEXT_COMMA_UNKNOWN)
        page->last_comma = row->count % 9 == 0 ? TEXT_COMMA_ENDS_ROW : TEXT_COMMA_BEFORE_BLANK;
    if (page->last_comma == TEXT_COMMA_BEFORE_BLANK)
        add_group(row, at, 1);
}

static bool is_ruling(const struct text_page *page, const struct text_row *row)
{
    const bool fits = row->count == 9 || row->count == SUDOKU_CELLS;

    if ((row->seen & (SURE | COMMA)) || !(row->seen & DASH))
        return false;
    if (row->seen & RULER)
        return true;
    return !fits || !(row->seen & DOT || page->dashes_are_cells);
}

/* What a character is, and how many bytes it takes. */
static unsigned character_at(const struct text_page *page, size_t at, size_t *ret_bytes)
{
    const unsigned kind = kind_at(page, at);

    *ret_bytes = 1;
    if (kind != 0)
        return kind;
    const int32_t c = text_code_point(page, at, ret_bytes);
    return c >= 0x2500 && c <= 0x257f ? BORDER : 0; /* box drawing */
}

/* Whether that kind of character begins a remark after the row so far. */
static bool begins_remark(const struct text_row *row, unsigned kind)
{
    return (kind & (BLANK | COMMA | REMARK)) && row->longest > 9 && (row->seen & (SURE | DOT));
}

void text_take_row(struct text_page *page, struct text_row *ret_row)
{
    struct text_row *row = ret_row;
    size_t at = text_skip_blanks(page, page->offset);
    bool is_remark = at < page->length && page->text[at] == '#';
    bool cell_is_due = true; /* there was none since the last comma */
    unsigned gap = 0;        /* what was seen since the last cell */

    *row = (struct text_row){.line = page->line, .end = page->offset};
    while (at < page->length && !is_remark) {
        size_t bytes;
        const unsigned kind = character_at(page, at, &bytes);

        if (kind & CELL) {
            row->is_spaced |= row->count > 0 && (gap & (BLANK | COMMA));
            at = take_group(page, row, at);
            cell_is_due = false;
            gap = 0;
            continue;
        }
        is_remark = begins_remark(row, kind);
        if (is_remark || !(kind & SEPARATOR))
            break;
        if (kind & COMMA) {
            row->is_spaced = true;
            if (cell_is_due)
                add_group(row, at, 1);
            cell_is_due = true;
            row->end = at;
        }
        row->seen |= kind;
        gap |= kind;
        at += bytes;
    }
    while (is_remark && at < page->length && !is_control(page->text[at]))
        at++;
    row->bad = at;
    row->is_bad = at < page->length && !(kind_at(page, at) & NEWLINE);
    if (cell_is_due && (row->seen & COMMA) && !row->is_bad)
        take_last_comma(page, row, at);
    if (is_ruling(page, row))
        row->count = 0;
    page->offset = text_next_line(page, at);
    page->line++;
}
