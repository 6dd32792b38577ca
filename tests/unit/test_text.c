/* The text layouts: each file of tests/data/formats, what is refused and where, and properties. */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sudoku/text.h"
#include "suite.h"

#define A   "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
#define B   "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
#define R2  "6..195...\n"
#define R3  "7...2...6\n"
#define R72 R2 R3 R2 R3 R2 R3 R2 R3 /* eight rows */

enum { MAX_FILE = 1 << 16 };

static struct sudoku_grid grid_of(const char *digits)
{
    struct sudoku_grid grid;

    ck_assert_uint_ge(strlen(digits), SUDOKU_CELLS);
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        grid.cell[cell] = (uint8_t)(digits[cell] - '0');
    return grid;
}

static void assert_grid(const char *name, const struct sudoku_grid *grid, const char *digits)
{
    const struct sudoku_grid expected = grid_of(digits);
    ck_assert_msg(memcmp(grid, &expected, sizeof expected) == 0, "%s: another grid", name);
}

/* The first 60 characters of a text, fit for a message. */
static const char *excerpt(const char *text)
{
    static char shown[61];
    size_t i = 0;

    for (; i < sizeof shown - 1 && text[i] != '\0'; i++) {
        shown[i] = '~';
        if (text[i] >= ' ' && text[i] <= '~')
            shown[i] = text[i];
    }
    shown[i] = '\0';
    return shown;
}

/* ---- The files ---- */

static size_t load(const char *name, const char *suffix, char ret_text[MAX_FILE])
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/formats/%s%s", TEST_DATA_DIR, name, suffix);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s: can't be opened", path);
    const size_t length = fread(ret_text, 1, MAX_FILE - 1, file);
    (void)fclose(file);
    ret_text[length] = '\0';
    return length;
}

/* Calls `visit` with the name of every file that has an .expected beside it. */
static unsigned for_each_file(void (*visit)(const char *name))
{
    DIR *folder = opendir(TEST_DATA_DIR "/formats");
    unsigned count = 0;

    ck_assert_ptr_nonnull(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *end = strstr(entry->d_name, ".expected");
        if (end == NULL)
            continue;
        char name[256];
        (void)snprintf(name, sizeof name, "%.*s", (int)(end - entry->d_name), entry->d_name);
        visit(name);
        count++;
    }
    (void)closedir(folder);
    return count;
}

static void read_file(const char *name)
{
    static char text[MAX_FILE];
    static char expected[MAX_FILE];
    const size_t length = load(name, "", text);
    const size_t puzzles = load(name, ".expected", expected) / (SUDOKU_CELLS + 1);
    struct sudoku_grid grid;
    enum sudoku_layout layout;
    struct sudoku_text_fault fault = {0};

    if (!sudoku_text_is_many(text, length)) {
        ck_assert_msg(puzzles == 1, "%s: taken for one puzzle", name);
        ck_assert_msg(sudoku_text_read(text, length, &grid, &layout, &fault), "%s:%u:%u: %s", name,
                      fault.line, fault.column, fault.reason);
        assert_grid(name, &grid, expected);
        return;
    }
    struct sudoku_text_reader reader;
    sudoku_text_reader_init(&reader, text, length);
    for (size_t i = 0; i < puzzles; i++) {
        const enum sudoku_text_item item = sudoku_text_next(&reader, &grid, &fault);
        ck_assert_msg(item == SUDOKU_TEXT_PUZZLE, "%s:%u:%u: %s", name, fault.line, fault.column,
                      fault.reason);
        assert_grid(name, &grid, expected + i * (SUDOKU_CELLS + 1));
    }
    ck_assert_int_eq(sudoku_text_next(&reader, &grid, &fault), SUDOKU_TEXT_END);
}

START_TEST(every_file_of_the_formats_folder_reads_as_expected)
{
    ck_assert_uint_ge(for_each_file(read_file), 40);
}
END_TEST

/* ---- Tables ---- */

static const struct {
    const char *text;
    enum sudoku_layout layout;
} layouts[] = {
    {A, SUDOKU_LAYOUT_LINE},
    {A "  # a remark", SUDOKU_LAYOUT_LINE},
    {"6..195... 7...2...6 6..195... 7...2...6 6..195... 7...2...6 6..195... 7...2...6 6..195...",
     SUDOKU_LAYOUT_LINE},
    {R72 R3, SUDOKU_LAYOUT_ROWS},
    {R72 "7.. .2. ..6", SUDOKU_LAYOUT_ROWS},
    {"7.. .2. ..6\n" R72, SUDOKU_LAYOUT_ROWS},
    {"|7..|.2.|..6|\n" R72, SUDOKU_LAYOUT_ROWS},
    {"|7|.|.|.|2|.|.|.|6|\n" R72, SUDOKU_LAYOUT_ROWS},
    {"  7...2...6  \n" R72, SUDOKU_LAYOUT_ROWS},
    {"7 . . . 2 . . . 6\n" R72, SUDOKU_LAYOUT_SPACED},
    {"7\t.\t.\t.\t2\t.\t.\t.\t6\n" R72, SUDOKU_LAYOUT_SPACED},
    {"7,.,.,.,2,.,.,.,6\n" R72, SUDOKU_LAYOUT_SPACED},
    {"7,,,,2,,,,6\n" R72, SUDOKU_LAYOUT_SPACED},
    {"1,,,,,,,2,,1,,,,,,,2,,1,,,,,,,2,,1,,,,,,,2,,1,,,,,,,2,,1,,,,,,,2,,1,,,,,,,2,,1,,,,,,,2,,"
     "1,,,,,,,2,9,",
     SUDOKU_LAYOUT_LINE},
    {"| 7 . . | . 2 . | . . 6 |\n" R72, SUDOKU_LAYOUT_SPACED},
};

START_TEST(the_first_row_tells_the_layout)
{
    struct sudoku_grid grid;
    enum sudoku_layout layout;
    struct sudoku_text_fault fault = {0};
    const char *text = layouts[_i].text;

    ck_assert_msg(!sudoku_text_is_many(text, strlen(text)), "%s", excerpt(text));
    ck_assert_msg(sudoku_text_read(text, strlen(text), &grid, &layout, &fault), "%s: %u:%u %s",
                  excerpt(text), fault.line, fault.column, fault.reason);
    ck_assert_msg(layout == layouts[_i].layout, "%s: layout %d", excerpt(text), (int)layout);
}
END_TEST

#define TEXT(literal) literal, sizeof(literal) - 1

static const struct {
    const char *text;
    size_t length;
    unsigned line, column, cells;
    const char *reason;
} faults[] = {
    /* Too few and too many. */
    {TEXT(""), 1, 1, 0, "0 cells, not 81"},
    {TEXT("\n \n# nothing\n"), 1, 1, 0, "0 cells, not 81"},
    {TEXT("-------\n"), 1, 1, 0, "0 cells, not 81"},
    {TEXT("1"), 1, 2, 1, "1 cell, not 81"},
    {TEXT(A "\n" A), 2, 1, 81, "162 cells, not 81"},
    {TEXT(A "5"), 1, 82, 81, "82 cells, not 81"},
    {TEXT(A "5 easy"), 1, 82, 81, "82 cells, not 81"},
    {TEXT("  " A "555\n"), 1, 84, 81, "84 cells, not 81"},
    {TEXT("30070000600195000098000060800060003400803001700020006060000280000419005000080079 1\n"),
     1, 81, 80, "80 cells, not 81"},
    {TEXT(R72), 8, 10, 72, "72 cells, not 81"},
    {TEXT(R72 "\n\n# the end\n"), 8, 10, 72, "72 cells, not 81"},
    {TEXT(R72 "---------\n"
              "---------\n"),
     8, 10, 72, "72 cells, not 81"},
    {TEXT(R72 R2 "|1..|...|...|"), 10, 2, 81, "90 cells, not 81"},
    {TEXT("[State]\n" R72 R2), 1, 1, 0, "0 cells, not 81"},
    /* Rows that make 81 together and are wrong all the same. */
    {TEXT("6..195..\n" R72 ".........\n."), 1, 9, 8, "8 cells in this line, not 9"},
    {TEXT(R3 "6..195..\n"
             "6..195...1\n" R2 R2 R2 R2 R2 R2),
     2, 9, 17, "8 cells in this line, not 9"},
    {TEXT(R3 "6..195...1\n"
             "6..195..\n" R2 R2 R2 R2 R2 R2),
     2, 10, 18, "10 cells in this line, not 9"},
    {TEXT("6..195...\n| 1 2 3 | 4 5 6 | 7 8 |\n"), 2, 22, 17, "8 cells in this line, not 9"},
    {TEXT("6..195...\n| 1 2 3 | 4 5 6 | 7 8 9 | 1 |\n"), 2, 27, 18, "10 cells in this line, not 9"},
    {TEXT("53. .7. ..\n" R72), 1, 11, 8, "8 cells in this line, not 9"},
    /* Fields: an empty one is a cell, and a comma at the end means the same in every row. */
    {TEXT("1,2,3,4,5,6,7,8\n" R72), 1, 16, 8, "8 cells in this line, not 9"},
    {TEXT("1,2,,3,4,5,6,7,8,9\n" R72), 1, 18, 9, "10 cells in this line, not 9"},
    {TEXT("1,2,3,4,5,6,7,8,9,\n1,2,3,4,5,6,7,8,\n" R72), 2, 16, 17, "8 cells in this line, not 9"},
    {TEXT("1,2,3,4,5,6,7,8,\n1,2,3,4,5,6,7,8,9,\n" R72), 2, 19, 18, "10 cells in this line, not 9"},
    /* Numbers. */
    {TEXT("0 0 10 0 0 0 0 0 0\n" R72), 1, 5, 2, "\"10\" is not a value 0..9"},
    {TEXT(R3 "0,0,0,0,0,0,0,0,12\n"), 2, 17, 17, "\"12\" is not a value 0..9"},
    {TEXT("0 0 0 0 0 0 0 10\n" R72), 1, 15, 7, "\"10\" is not a value 0..9"},
    {TEXT("10 11 12 13 14 15 16 17 18\n"), 1, 1, 0, "\"10\" is not a value 0..9"},
    {TEXT("| 5 123456789 . | . 7 . | . . . |\n"), 1, 5, 1, "\"123456789\" is not a value 0..9"},
    {TEXT("1 2 -12345678901\n"), 1, 5, 2, "\"-123456789...\" is not a value 0..9"},
    {TEXT("1 2 -3 4 5 6 7 8 9\n"), 1, 5, 2, "\"-3\" is not a value 0..9"},
    {TEXT("5300 70000\n" R72), 1, 1, 0, "\"5300\" is not a value 0..9"},
    {TEXT("5 30 070 000\n" R72), 1, 3, 1, "\"30\" is not a value 0..9"},
    /* What has no business in a puzzle. */
    {TEXT("53..7...k"), 1, 9, 8, "unexpected \"k\" after 8 cells"},
    {TEXT(R72 "6..195..k"), 9, 9, 80, "unexpected \"k\" after 80 cells"},
    {TEXT(A "k"), 1, 82, 81, "unexpected \"k\" after 81 cells"},
    {TEXT(A "\n<"), 2, 1, 81, "unexpected \"<\" after 81 cells"},
    {TEXT("hello, world"), 1, 1, 0, "unexpected \"h\" after 0 cells"},
    {TEXT("\"" A "\""), 1, 1, 0, "unexpected '\"' after 0 cells"},
    {TEXT("[5,3,0]"), 1, 1, 0, "unexpected \"[\" after 0 cells"},
    {TEXT("[Puzzle] 53\n"), 1, 1, 0, "unexpected \"[\" after 0 cells"},
    {TEXT("[Puzzle"), 1, 1, 0, "unexpected \"[\" after 0 cells"},
    {TEXT("53 # no remark here"), 1, 4, 2, "unexpected \"#\" after 2 cells"},
    {TEXT("53;1"), 1, 3, 2, "unexpected \";\" after 2 cells"},
    {TEXT("\xef\xbb\xbf"
          "5k"),
     1, 2, 1, "unexpected \"k\" after 1 cell"},
    {TEXT("5\xef\xbb\xbf"
          "k"),
     1, 2, 1, "unexpected U+FEFF after 1 cell"},
    {TEXT("\xe2\x94\x82\xe2\x94\x82"
          "5\xc3\xa9"),
     1, 4, 1, "unexpected U+00E9 after 1 cell"},
    {TEXT("5\xf0\x9f\x98\x80"), 1, 2, 1, "unexpected U+1F600 after 1 cell"},
    {TEXT("5\xff"
          "3"),
     1, 2, 1, "unexpected byte 0xFF after 1 cell"},
    {TEXT("5\x80"), 1, 2, 1, "unexpected byte 0x80 after 1 cell"},
    {TEXT("5\xe2\x94"), 1, 2, 1, "unexpected byte 0xE2 after 1 cell"},     /* cut short */
    {TEXT("5\xc0\xb1"), 1, 2, 1, "unexpected byte 0xC0 after 1 cell"},     /* 1, overlong */
    {TEXT("5\xed\xa0\x80"), 1, 2, 1, "unexpected byte 0xED after 1 cell"}, /* half a pair */
    {TEXT("5\xf8\x88\x80\x80"), 1, 2, 1, "unexpected byte 0xF8 after 1 cell"},
    {TEXT("5\xf9\x80\x80\x80"), 1, 2, 1, "unexpected byte 0xF9 after 1 cell"},
    {TEXT("---------- k"), 1, 12, 0, "unexpected \"k\" after 0 cells"},
    {TEXT("53\0"), 1, 3, 2, "unexpected U+0000 after 2 cells"},
    {TEXT("53\f"), 1, 3, 2, "unexpected U+000C after 2 cells"},
    {TEXT("53\x7f"), 1, 3, 2, "unexpected U+007F after 2 cells"},
    {TEXT("# a\0b\n" R72 R2), 1, 4, 0, "unexpected U+0000 after 0 cells"},
    {TEXT(A " a\033[1m\n"), 1, 84, 81, "unexpected U+001B after 81 cells"},
    {TEXT("53..7....\r\n53\r\n"), 2, 3, 11, "2 cells in this line, not 9"},
    {TEXT("53..7....\r53\r"), 2, 3, 11, "2 cells in this line, not 9"},
};

START_TEST(a_fault_says_where_how_many_and_why)
{
    struct sudoku_grid grid;
    enum sudoku_layout layout;
    struct sudoku_text_fault fault;
    const char *shown = excerpt(faults[_i].text);

    ck_assert_msg(!sudoku_text_read(faults[_i].text, faults[_i].length, &grid, &layout, &fault),
                  "%s: accepted", shown);
    ck_assert_msg(strcmp(fault.reason, faults[_i].reason) == 0, "%s: %s", shown, fault.reason);
    ck_assert_msg(fault.line == faults[_i].line && fault.column == faults[_i].column,
                  "%s: %u:%u %s", shown, fault.line, fault.column, fault.reason);
    ck_assert_msg(fault.cells == faults[_i].cells, "%s: %u cells", shown, fault.cells);
}
END_TEST

static const struct {
    const char *text;
    bool is_many;
} numbers[] = {
    {"", false},
    {A, false},
    {A "\n", false},
    {A " a remark\n\n# and another\n", false},
    {A "," B "\n", false},
    {A "\n" B "\n", true},
    {A "\n\n" B, true},
    {A "\r" B, true},
    {A "\nnonsense\n", true},
    {"8\n" A "\n", true},
    {"\"" A "\",1\n\"" B "\",2\n", true},
    {R72 R2, false},
    {"xx...x...\n" R72, false},
    {R72 R2 R72 R2, false},
    {"[State]\n" A "\n[Puzzle]\n" B "\n", false},
    {"#A me\n[Puzzle]\n" A "\n[State]\n" B "\n", false},
    {"puzzle\n", false},
    {"puzzle\n" A "\n", true},
    {"puzzle\n\"" A "\"\n", true},
    {"\"column\"\n\"" A "\"\n", true},
    {"column\n\"" A "\"\n", true},
    {"puzzle\n1234\n" A "\n", true},
    {"puzzle,solution\n", false},
    {"puzzle,solution\n" A "," B "\n", true},
    {"puzzle,solution\n1234,\n", true},
    {"Grid 01\n", false},
    {"Grid 01\nGrid 02\n", false},
    {"Grid 01\n" R72 R2, true},
    {"Grid\n" R72 R2, true},
    {"Grid 01\n" A "\nGrid 02\n" B "\n", true},
    {"Grid 01\n12345678\n" R72, true},
    {"hello, world\n", false},
    {"puzzle=" A "&max_solutions=2", false},
    {"{\"puzzle\": \"" A "\"}", false},
};

START_TEST(the_shape_tells_many_from_one)
{
    const char *text = numbers[_i].text;
    ck_assert_msg(sudoku_text_is_many(text, strlen(text)) == numbers[_i].is_many, "%s",
                  excerpt(text));
}
END_TEST

/* Items as text: a puzzle as its first three digits, a fault as line:column reason. */
static const struct {
    const char *text;
    size_t length;
    const char *items;
} walks[] = {
    {TEXT(""), ""},
    {TEXT(A "\n" B "\n"), "530;000;"},
    {TEXT(A "\n\n# a remark\n  \n" B), "530;000;"},
    {TEXT(A "\n0" A "\n" B), "530;2:82 82 cells, not 81;000;"},
    {TEXT("x\n" A "\n"), "1:2 1 cell, not 81;530;"},
    {TEXT(A "\n" R72), "530;2:10 9 cells, not 81;3:10 9 cells, not 81;4:10 9 cells, not 81;"
                       "5:10 9 cells, not 81;6:10 9 cells, not 81;7:10 9 cells, not 81;"
                       "8:10 9 cells, not 81;9:10 9 cells, not 81;"},
    {TEXT(A "\r\n5300700006001950000k\r\n" B "\r\n"),
     "530;2:20 unexpected \"k\" after 19 cells;000;"},
    {TEXT(A "\n1234567890123 easy 5\n" B), "530;2:14 13 cells, not 81;000;"},
    {TEXT(A " a\0b\n" B), "1:84 unexpected U+0000 after 81 cells;000;"},
    {TEXT(A "\n-----\n" B), "530;000;"},
    {TEXT("---------------------------------------------------------------------------------\n" B),
     "000;000;"},
    {TEXT("\"" A "\",\"x\"\n\"" B "\"\n"), "530;000;"},
    {TEXT("id,puzzle\n1," A "\n2\n\n3,\n4,12\n5," B "\n"),
     "530;3:2 0 cells, not 81;5:3 0 cells, not 81;6:5 2 cells, not 81;000;"},
    {TEXT("clues,grid\n30," A "\n"), "530;"},
    {TEXT("\"puzzle\"\r\n\"" A "\"\r\n\"12\"\r\n\"" B "\"\r\n"), "530;3:4 2 cells, not 81;000;"},
    {TEXT("\"column\"\n\"" A "\"\n"), "530;"},
    {TEXT("quiz\n12345\n\"k\"\n\n" A "\n" B),
     "2:6 5 cells, not 81;3:2 unexpected \"k\" after 0 cells;530;000;"},
    {TEXT("quiz\n12345678\n" R72 "Quiz\n" R72 R3), "2:9 8 cells in this line, not 9;600;"},
    {TEXT(",quizzes\n0," A "\n1," B "\n"), "530;000;"},
    {TEXT("quiz\n" A "\nk\n"), "530;3:1 unexpected \"k\" after 0 cells;"},
    {TEXT("Grid 01\n" R72 R3 "Grid 02\n" R72 "Grid 03\n" R72 "7...\nGrid 04\n" R3 R72),
     "600;19:10 72 cells, not 81;29:5 4 cells in this line, not 9;700;"},
    {TEXT("Grid 01\nGrid 02\n" R72 R3), "1:8 0 cells, not 81;600;"},
    {TEXT("Grid 01\n" A "\nGrid 02\n" B), "530;000;"},
    {TEXT("Grid\n" R72 R3), "600;"},
    {TEXT("Grid 01\n" R72 "o...2...6\nGrid 02\n" R72 R3),
     "10:1 unexpected \"o\" after 72 cells;600;"},
};

/* The items as they are written above. */
struct items {
    char text[1024];
    size_t length;
};

static void read_items(struct sudoku_text_reader *reader, struct items *items)
{
    struct sudoku_grid grid;
    struct sudoku_text_fault fault;
    enum sudoku_text_item item;

    while ((item = sudoku_text_next(reader, &grid, &fault)) != SUDOKU_TEXT_END) {
        char *end = items->text + items->length;
        const size_t room = sizeof items->text - items->length;
        const int written =
            item == SUDOKU_TEXT_PUZZLE
                ? snprintf(end, room, "%u%u%u;", grid.cell[0], grid.cell[1], grid.cell[2])
                : snprintf(end, room, "%u:%u %s;", fault.line, fault.column, fault.reason);
        ck_assert_int_gt(written, 0);
        items->length += (size_t)written;
        ck_assert_uint_lt(items->length, sizeof items->text);
    }
    ck_assert_int_eq(sudoku_text_next(reader, &grid, &fault), SUDOKU_TEXT_END);
}

START_TEST(a_bad_item_does_not_keep_the_reader_from_the_next)
{
    struct sudoku_text_reader reader;
    struct items items = {0};

    sudoku_text_reader_init(&reader, walks[_i].text, walks[_i].length);
    read_items(&reader, &items);
    ck_assert_str_eq(items.text, walks[_i].items);
}
END_TEST

START_TEST(stretches_have_the_items_of_the_whole)
{
    for (size_t bytes = 0; bytes < walks[_i].length + 2; bytes++) {
        struct sudoku_text_reader reader;
        struct sudoku_text_reader stretch;
        struct items items = {0};

        sudoku_text_reader_init(&reader, walks[_i].text, walks[_i].length);
        while (sudoku_text_take_stretch(&reader, bytes, &stretch)) {
            ck_assert_uint_gt(stretch.length, stretch.offset);
            ck_assert_uint_eq(stretch.length, reader.offset);
            read_items(&stretch, &items);
        }
        ck_assert_uint_eq(reader.offset, walks[_i].length);
        ck_assert_msg(strcmp(items.text, walks[_i].items) == 0, "in stretches of %zu: %s", bytes,
                      items.text);
    }
}
END_TEST

START_TEST(plain_text_is_81_digits_and_dots)
{
    char text[] = A;
    struct sudoku_grid grid;

    ck_assert(sudoku_text_read_plain(text, &grid));
    assert_grid("plain", &grid, A);
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        for (int c = 0; c < 256; c++) {
            const char was = text[cell];
            text[cell] = (char)c;
            memset(grid.cell, 99, sizeof grid.cell);
            const bool is_plain = (c >= '0' && c <= '9') || c == '.';
            ck_assert_int_eq(sudoku_text_read_plain(text, &grid), is_plain);
            ck_assert_uint_eq(grid.cell[cell], !is_plain ? 99U : c == '.' ? 0U : (unsigned)c - '0');
            text[cell] = was;
        }
    }
}
END_TEST

/* ---- Properties ---- */

static uint64_t random_state;

/* xorshift64: the same numbers on every machine. */
static unsigned random_below(unsigned limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)((random_state >> 33) % limit);
}

START_TEST(a_grid_written_in_any_layout_reads_back_equal)
{
    random_state = 1465;
    for (unsigned round = 0; round < 3000; round++) {
        const enum sudoku_layout layout = (enum sudoku_layout)(round % 3);
        const unsigned blanks = random_below(11);
        struct sudoku_grid grid;
        struct sudoku_grid again;
        enum sudoku_layout layout_again;
        struct sudoku_text_fault fault;
        char text[SUDOKU_TEXT_MAX];

        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            grid.cell[cell] = (uint8_t)(random_below(10) < blanks ? 0 : random_below(10));
        const size_t length = sudoku_text_write(&grid, layout, text);
        /* Other signs for a blank change nothing. */
        for (size_t i = 0; i < length; i++)
            if (text[i] == '0')
                text[i] = "0._*xX?-"[random_below(8)];
        ck_assert(sudoku_text_read(text, length, &again, &layout_again, &fault));
        ck_assert_mem_eq(&again, &grid, sizeof grid);
        ck_assert_int_eq(layout_again, layout);
    }
}
END_TEST

static void check_item(enum sudoku_text_item item, const struct sudoku_text_fault *fault,
                       size_t length)
{
    if (item != SUDOKU_TEXT_FAULT)
        return;
    ck_assert(fault->offset <= length && fault->line >= 1 && fault->column >= 1);
    ck_assert(fault->cells <= SUDOKU_CELLS && fault->reason[0] != '\0');
    for (const char *c = fault->reason; *c != '\0'; c++)
        ck_assert(*c >= ' ' && *c <= '~');
}

/* In a block of its own size, so that a sanitizer sees any look beyond it. */
static void read_in_every_way(const char *text, size_t length)
{
    char *copy = malloc(length + (length == 0));
    struct sudoku_text_reader reader;
    struct sudoku_grid grid;
    enum sudoku_layout layout;
    struct sudoku_text_fault fault;
    enum sudoku_text_item item;
    size_t items = 0;

    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, length);
    if (!sudoku_text_read(copy, length, &grid, &layout, &fault))
        check_item(SUDOKU_TEXT_FAULT, &fault, length);
    sudoku_text_reader_init(&reader, copy, length);
    while ((item = sudoku_text_next(&reader, &grid, &fault)) != SUDOKU_TEXT_END) {
        check_item(item, &fault, length);
        ck_assert_uint_le(++items, length);
    }
    ck_assert(!sudoku_text_is_many(copy, length) || items > 0);
    free(copy);
}

static void mutate_file(const char *name)
{
    static char text[MAX_FILE];
    const size_t length = load(name, "", text);

    ck_assert_uint_gt(length, 0);
    for (size_t cut = 0; cut <= length; cut++)
        read_in_every_way(text, cut);
    for (unsigned round = 0; round < 300; round++) {
        const size_t at = random_below((unsigned)length);
        const char old = text[at];
        text[at] = text[random_below((unsigned)length)];
        if (round % 2)
            text[at] = (char)random_below(256);
        read_in_every_way(text, length);
        if (round % 4)
            text[at] = old; /* some changes stay and add up */
    }
}

START_TEST(cut_and_changed_files_are_read_or_refused)
{
    random_state = 2580;
    (void)for_each_file(mutate_file);
}
END_TEST

#define ROWS_OF(table) (int)(sizeof(table) / sizeof(table)[0])

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("text", &tests);

    tcase_add_test(tests, every_file_of_the_formats_folder_reads_as_expected);
    tcase_add_loop_test(tests, the_first_row_tells_the_layout, 0, ROWS_OF(layouts));
    tcase_add_loop_test(tests, a_fault_says_where_how_many_and_why, 0, ROWS_OF(faults));
    tcase_add_loop_test(tests, the_shape_tells_many_from_one, 0, ROWS_OF(numbers));
    tcase_add_loop_test(tests, a_bad_item_does_not_keep_the_reader_from_the_next, 0,
                        ROWS_OF(walks));
    tcase_add_loop_test(tests, stretches_have_the_items_of_the_whole, 0, ROWS_OF(walks));
    tcase_add_test(tests, plain_text_is_81_digits_and_dots);
    tcase_add_test(tests, a_grid_written_in_any_layout_reads_back_equal);
    tcase_add_test(tests, cut_and_changed_files_are_read_or_refused);
    return run_suite(suite);
}
