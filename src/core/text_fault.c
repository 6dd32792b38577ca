/* Where and why a text stopped being a puzzle. Reasons are printable ASCII whatever the text is,
 * because they go into JSON and headers. */
#include "text_line.h"

int32_t text_code_point(const struct text_page *page, size_t at, size_t *ret_bytes)
{
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* by the number of bytes */
    const unsigned char *text = (const unsigned char *)page->text;
    const unsigned lead = text[at];
    const size_t bytes = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    int32_t c = (int32_t)(bytes < 2 ? lead : lead & (0x7fU >> bytes));

    *ret_bytes = 1;
    if (bytes == 0 || lead >= 0xf8 || bytes > page->length - at)
        return -1;
    for (size_t i = 1; i < bytes; i++) {
        if ((text[at + i] & 0xc0) != 0x80)
            return -1;
        c = c << 6 | (text[at + i] & 0x3f);
    }
    if (c < least[bytes] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return -1;
    *ret_bytes = bytes;
    return c;
}

static unsigned column_of(const struct text_page *page, size_t at)
{
    const struct text_page whole = text_page_init(page->text, page->length);
    unsigned column = 1;
    size_t begin = at;
    size_t bytes;

    while (begin > whole.offset && page->text[begin - 1] != '\n' && page->text[begin - 1] != '\r')
        begin--;
    for (; begin < at; begin += bytes, column++)
        (void)text_code_point(page, begin, &bytes);
    return column;
}

/* A fault whose reason is being written. The longest reason takes 61 of its 96 bytes. */
struct writer {
    struct sudoku_text_fault *fault;
    char *end;
};

static struct writer begin(const struct text_page *page, size_t at, unsigned line, size_t cells,
                           struct sudoku_text_fault *ret_fault)
{
    *ret_fault = (struct sudoku_text_fault){
        .offset = at,
        .line = line,
        .column = column_of(page, at),
        .cells = (unsigned)(cells < SUDOKU_CELLS ? cells : SUDOKU_CELLS),
    };
    return (struct writer){.fault = ret_fault, .end = ret_fault->reason};
}

static void say(struct writer *writer, const char *words)
{
    while (*words != '\0')
        *writer->end++ = *words++;
}

static void say_number(struct writer *writer, size_t number, unsigned base, int least_digits)
{
    char digits[24]; /* 2^64 has 20 */
    size_t first = sizeof digits - 1;

    digits[first] = '\0';
    for (; number > 0 || least_digits > 0; number /= base, least_digits--)
        digits[--first] = "0123456789ABCDEF"[number % base];
    say(writer, digits + first);
}

static void say_cells(struct writer *writer, size_t cells)
{
    say_number(writer, cells, 10, 1);
    say(writer, cells == 1 ? " cell" : " cells");
}

/* Says the first ten of these characters, which are printable ASCII. */
static void say_quoted(struct writer *writer, const char *text, size_t length)
{
    const char *quote = text[0] == '"' ? "'" : "\"";

    say(writer, quote);
    for (size_t i = 0; i < length && i < 10; i++)
        *writer->end++ = text[i];
    say(writer, length > 10 ? "..." : "");
    say(writer, quote);
}

static void say_character(struct writer *writer, const struct text_page *page, size_t at)
{
    size_t bytes;
    const int32_t c = text_code_point(page, at, &bytes);

    if (c > ' ' && c < 0x7f) {
        say_quoted(writer, page->text + at, 1);
        return;
    }
    say(writer, c < 0 ? "byte 0x" : "U+");
    say_number(writer, c < 0 ? (unsigned char)page->text[at] : (size_t)c, 16, c < 0 ? 2 : 4);
}

void text_fault_count(const struct text_page *page, size_t at, unsigned line, size_t cells,
                      struct sudoku_text_fault *ret_fault)
{
    struct writer writer = begin(page, at, line, cells, ret_fault);
    say_cells(&writer, cells);
    say(&writer, ", not 81");
}

/* Whether the row has a number of several digits where single cells are the rule, as in 5 10 0.
 * Groups of several cells are fine when they are all alike, as in 53. .7. ... */
static bool has_number(const struct text_row *row, size_t width)
{
    const bool is_even = row->groups * row->longest == row->count;
    const bool looks_spaced = row->singles * 2 >= row->groups || row->longest == 2;

    return row->groups > 1 && row->longest > 1 &&
           (looks_spaced || (!is_even && row->count == width));
}

bool text_row_check(const struct text_page *page, const struct text_row *row, size_t before,
                    size_t width, struct sudoku_text_fault *ret_fault)
{
    const bool is_short = row->count < width;
    struct writer writer;

    if (row->is_bad) {
        writer = begin(page, row->bad, row->line, before + row->count, ret_fault);
        say(&writer, "unexpected ");
        say_character(&writer, page, row->bad);
        say(&writer, " after ");
        say_cells(&writer, before + row->count);
    } else if (row->count > 0 && has_number(row, width)) {
        writer = begin(page, row->number, row->line, before + row->number_index, ret_fault);
        say_quoted(&writer, page->text + row->number, row->number_length);
        say(&writer, " is not a value 0..9");
    } else if (row->count == width) {
        return true;
    } else {
        const size_t excess = width == SUDOKU_CELLS ? row->excess81 : row->excess9;
        writer = begin(page, is_short ? row->end : excess, row->line,
                       before + (is_short ? row->count : width), ret_fault);
        say_cells(&writer, row->count);
        say(&writer, width == SUDOKU_CELLS ? ", not 81" : " in this line, not 9");
    }
    return false;
}
