/* Any bytes at all as puzzle text. What must hold whatever they are:
 *
 *   - a grid that was read is the same, in the same layout, when written and read again;
 *   - rows of nothing but sure cells, blanks and bars give just these cells;
 *   - an answer is written on success only, a fault on failure only;
 *   - a fault lies in the text, at the line and column it says, for a reason in printable ASCII;
 *   - CRLF instead of LF changes nothing;
 *   - the reader comes to an end, and goes forward with every item.
 *
 * The input is copied to a block of its own size, so that a sanitizer sees any look beyond it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sudoku/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(claim) ((claim) ? (void)0 : fail(#claim, __LINE__))

static void fail(const char *claim, int line)
{
    (void)fprintf(stderr, "line %d: not true: %s\n", line, claim);
    abort();
}

struct reading {
    bool is_good;
    struct sudoku_grid grid;
    enum sudoku_layout layout;
    struct sudoku_text_fault fault;
};

static void check_grid(const struct sudoku_grid *grid)
{
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        CHECK(grid->cell[cell] <= 9);
}

static void check_fault(const struct sudoku_text_fault *fault, const char *text, size_t length)
{
    unsigned line = 1;
    size_t begin = 0;

    CHECK(fault->offset <= length);
    for (size_t i = 0; i < fault->offset; i++) {
        const bool is_half = text[i] == '\r' && i + 1 < length && text[i + 1] == '\n';
        if ((text[i] == '\n' || text[i] == '\r') && !is_half) {
            line++;
            begin = i + 1;
        }
    }
    CHECK(fault->line == line);
    CHECK(fault->column >= 1 && fault->column <= fault->offset - begin + 1);
    CHECK(fault->column >= (fault->offset - begin) / 4);
    CHECK(fault->cells <= SUDOKU_CELLS);
    CHECK(memchr(fault->reason, '\0', sizeof fault->reason) != NULL);
    CHECK(fault->reason[0] != '\0');
    for (const char *c = fault->reason; *c != '\0'; c++)
        CHECK(*c >= ' ' && *c <= '~');
}

static struct reading read_text(const char *text, size_t length)
{
    struct reading reading = {.layout = (enum sudoku_layout)99};
    memset(reading.grid.cell, 99, sizeof reading.grid.cell);

    reading.is_good =
        sudoku_text_read(text, length, &reading.grid, &reading.layout, &reading.fault);
    if (reading.is_good) {
        CHECK(reading.fault.line == 0 && reading.fault.reason[0] == '\0');
        check_grid(&reading.grid);
    } else {
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            CHECK(reading.grid.cell[cell] == 99);
        CHECK((int)reading.layout == 99);
        check_fault(&reading.fault, text, length);
    }
    return reading;
}

static void check_round_trip(const struct reading *reading)
{
    char text[SUDOKU_TEXT_MAX];
    const size_t length = sudoku_text_write(&reading->grid, reading->layout, text);
    CHECK(length <= sizeof text);
    const struct reading again = read_text(text, length);

    CHECK(again.is_good);
    CHECK(memcmp(&again.grid, &reading->grid, sizeof again.grid) == 0);
    CHECK(again.layout == reading->layout);
    CHECK(!sudoku_text_is_many(text, length));
}

/* A second opinion on which cells a text has, where it is easy to give. In one line it isn't: what
 * follows 81 cells there may be a remark. */
static void check_plain_rows(const struct reading *reading, const char *text, size_t length)
{
    size_t cells = 0;

    if (reading->layout == SUDOKU_LAYOUT_LINE)
        return;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0' || strchr("0123456789._xX?| \t\r\n", text[i]) == NULL)
            return;
    for (size_t i = 0; i < length; i++) {
        const bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (strchr("| \t\r\n", text[i]) != NULL)
            continue;
        CHECK(cells < SUDOKU_CELLS);
        CHECK(reading->grid.cell[cells] == (is_digit ? text[i] - '0' : 0));
        cells++;
    }
    CHECK(cells == SUDOKU_CELLS);
}

static void check_crlf(const struct reading *reading, const char *text, size_t length)
{
    char *crlf = malloc(length * 2 + 1);
    size_t end = 0;

    CHECK(crlf != NULL);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            crlf[end++] = '\r';
        crlf[end++] = text[i];
    }
    const struct reading other = read_text(crlf, end);
    CHECK(other.is_good == reading->is_good);
    if (reading->is_good) {
        CHECK(memcmp(&other.grid, &reading->grid, sizeof other.grid) == 0);
        CHECK(other.layout == reading->layout);
    } else {
        CHECK(other.fault.line == reading->fault.line);
        CHECK(other.fault.column == reading->fault.column);
        CHECK(strcmp(other.fault.reason, reading->fault.reason) == 0);
    }
    CHECK(sudoku_text_is_many(crlf, end) == sudoku_text_is_many(text, length));
    free(crlf);
}

/* Returns how many items there were. */
static size_t check_reader(const char *text, size_t length)
{
    struct sudoku_text_reader reader;
    size_t items = 0;

    sudoku_text_reader_init(&reader, text, length);
    for (;; items++) {
        const size_t offset = reader.offset;
        struct sudoku_grid grid;
        struct sudoku_text_fault fault;
        const enum sudoku_text_item item = sudoku_text_next(&reader, &grid, &fault);
        if (item == SUDOKU_TEXT_END)
            break;
        CHECK(reader.offset > offset && reader.offset <= length);
        if (item == SUDOKU_TEXT_PUZZLE) {
            check_grid(&grid);
        } else {
            check_fault(&fault, text, length);
            CHECK(fault.offset >= offset && fault.offset <= reader.offset);
        }
    }
    return items;
}

/* Stretches of some size have the items of the whole text, one after the other. */
static void check_stretches(const char *text, size_t length, size_t bytes)
{
    struct sudoku_text_reader whole;
    struct sudoku_text_reader rest;
    struct sudoku_text_reader stretch;

    sudoku_text_reader_init(&whole, text, length);
    rest = whole;
    while (sudoku_text_take_stretch(&rest, bytes, &stretch)) {
        for (;;) {
            struct sudoku_grid grids[2] = {0};
            struct sudoku_text_fault faults[2] = {0};
            const enum sudoku_text_item item = sudoku_text_next(&stretch, &grids[0], &faults[0]);
            if (item == SUDOKU_TEXT_END)
                break;
            CHECK(sudoku_text_next(&whole, &grids[1], &faults[1]) == item);
            CHECK(memcmp(&grids[0], &grids[1], sizeof grids[0]) == 0);
            CHECK(faults[0].line == faults[1].line && faults[0].column == faults[1].column);
            CHECK(strcmp(faults[0].reason, faults[1].reason) == 0);
        }
    }
    struct sudoku_grid grid;
    struct sudoku_text_fault fault;
    CHECK(sudoku_text_next(&whole, &grid, &fault) == SUDOKU_TEXT_END);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(size > 0 ? size : 1, 1);

    CHECK(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    const struct reading reading = read_text(text, size);
    if (reading.is_good) {
        check_round_trip(&reading);
        check_plain_rows(&reading, text, size);
    }
    if (memchr(text, '\r', size) == NULL)
        check_crlf(&reading, text, size);
    const size_t items = check_reader(text, size);
    check_stretches(text, size, size > 0 ? data[0] : 0);
    CHECK(!sudoku_text_is_many(text, size) || items > 0);
    free(text);
    return 0;
}
