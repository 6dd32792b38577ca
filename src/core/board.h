/* The board of the fast search, the rules that narrow it and the guesses made on it. Compiled once
 * per instruction set; every build draws the same conclusions and makes the same guesses.
 *
 * A board is three vectors, one for each band of three rows. A lane's word holds the 27 cells of
 * its band where the value may still stand, box by box, with a guard bit above each box:
 *
 *     bit    29   28..20   19   18..10    9    8..0        in a box, counted
 *             0   box 2     0   box 1     0    box 0       from its bit 0:   0 1 2
 *                                                                            3 4 5
 *                                                                            6 7 8
 *
 * Triads are the three cells that a box shares with a row or with a column. For each value the 27
 * of each kind are gathered from the bands into one word with the same gaps:
 *
 *     row triads      10 * box + 3 * row + band       (row: within the band)
 *     column triads   10 * stack + 3 * band + column  (column: within the stack of three boxes)
 *
 * In a band the triads of a value form a 3 x 3 matrix, boxes by rows, and a solution takes one from
 * each line of it: one of six ways to set up a permutation. In a stack likewise. Bits of a triad
 * word that are not in the table above are not cleaned up; whoever takes triads out masks them.
 *
 * Propagation: triads that no permutation uses, hidden and naked singles, and once those are
 * exhausted triads that three values fill. Candidates only ever vanish and each rule is monotone,
 * so the point where nothing changes does not depend on the order, nor does a contradiction. */
#ifndef SUDOKU_CORE_BOARD_H
#define SUDOKU_CORE_BOARD_H

#include <assert.h>
#include <string.h>

#include "sudoku/sudoku.h"
#include "vector.h"

enum {
    BOX = 0x1ff, /* all cells of a box */
    GUARD = 0x200,
};

/* The same mask for each of the three boxes. */
#define BOXES(mask) ((uint32_t)(mask)*0x100401U)

#define CELLS         BOXES(BOX)
#define ROW_TRIADS    BOXES(0111) /* of band 0 */
#define COLUMN_TRIADS BOXES(0007) /* of band 0 */

enum { BANDS = 3 };

struct board {
    struct vector band[BANDS];
};

struct triads {
    struct vector rows;
    struct vector columns;
};

static_assert(sizeof(struct board) <= SUDOKU_SEARCH_FRAME_WORDS * sizeof(uint16_t),
              "a board fits a frame");

/* What an instruction set's build is called. */
#define JOIN_2(a, b, c) a##b##c
#define JOIN(a, b, c)   JOIN_2(a, b, c)
#define TEXT_OF_2(isa)  #isa
#define TEXT_OF(isa)    TEXT_OF_2(isa)
#define ENGINE_OF_ISA   JOIN(sudoku_, SUDOKU_ISA, _engine)
#define BULK_OF_ISA     JOIN(sudoku_, SUDOKU_ISA, _bulk)
#define NAME_OF_ISA     TEXT_OF(SUDOKU_ISA)

extern const struct sudoku_engine ENGINE_OF_ISA;
void BULK_OF_ISA(struct sudoku_bulk *bulk, const struct sudoku_grid *puzzles, size_t puzzle_count,
                 uint32_t limit, uint64_t max_steps, struct sudoku_tally *ret);

/* ---- Triads ---- */

INLINED struct vector row_triads(const struct board *board)
{
    const struct vector *x = board->band;
    const struct vector first = any_of_3(x[0], right(x[0], 1), right(x[0], 2));
    const struct vector second = any_of_3(left(x[1], 1), x[1], right(x[1], 1));
    const struct vector third = any_of_3(left(x[2], 2), left(x[2], 1), x[2]);

    return choose(splat(ROW_TRIADS), first, choose(splat(ROW_TRIADS << 1), second, third));
}

INLINED struct vector column_triads(const struct board *board)
{
    const struct vector *x = board->band;
    const struct vector first = any_of_3(x[0], right(x[0], 3), right(x[0], 6));
    const struct vector second = any_of_3(left(x[1], 3), x[1], right(x[1], 3));
    const struct vector third = any_of_3(left(x[2], 6), left(x[2], 3), x[2]);

    return choose(splat(COLUMN_TRIADS), first, choose(splat(COLUMN_TRIADS << 3), second, third));
}

/* Keeps the cells of these row triads. A triad's three cells are seven times its lowest bit. */
INLINED void keep_row_triads(struct board *board, struct vector triads)
{
    struct vector *x = board->band;
    const struct vector first = both(triads, splat(ROW_TRIADS));
    const struct vector second = both(triads, splat(ROW_TRIADS << 1));
    const struct vector third = both(triads, splat(ROW_TRIADS << 2));

    x[0] = both(x[0], any_of_3(first, left(first, 1), left(first, 2)));
    x[1] = both(x[1], minus(left(second, 2), right(second, 1)));
    x[2] = both(x[2], minus(left(third, 1), right(third, 2)));
}

INLINED void keep_column_triads(struct board *board, struct vector triads)
{
    struct vector *x = board->band;
    const struct vector first = both(triads, splat(COLUMN_TRIADS));
    const struct vector second = both(triads, splat(COLUMN_TRIADS << 3));
    const struct vector third = both(triads, splat(COLUMN_TRIADS << 6));

    x[0] = both(x[0], any_of_3(first, left(first, 3), left(first, 6)));
    x[1] = both(x[1], any_of_3(right(second, 3), second, left(second, 3)));
    x[2] = both(x[2], any_of_3(right(third, 6), right(third, 3), third));
}

/* In each of these, bit by bit, what stands one or two further on in a cycle of three: the boxes of
 * a word, the threes of a box, the bits of a three. */
INLINED struct vector next_box(struct vector x)
{
    return choose(splat(0xfffff), right(x, 10), left(x, 20));
}

INLINED struct vector next_but_one_box(struct vector x)
{
    return choose(splat(0x3ff), right(x, 20), left(x, 10));
}

INLINED struct vector next_three(struct vector x)
{
    return choose(splat(BOXES(0077)), right(x, 3), left(x, 6));
}

INLINED struct vector next_but_one_three(struct vector x)
{
    return choose(splat(BOXES(0007)), right(x, 6), left(x, 3));
}

INLINED struct vector next_bit(struct vector x)
{
    return choose(splat(BOXES(0333)), right(x, 1), left(x, 2));
}

INLINED struct vector next_but_one_bit(struct vector x)
{
    return choose(splat(BOXES(0111)), right(x, 2), left(x, 1));
}

/* The triads of x that some permutation uses: one with its next line's next and that after it, or
 * the other way around. */
INLINED struct vector permuted_rows(struct vector x)
{
    const struct vector next = next_three(x);
    const struct vector after = next_but_one_three(x);
    const struct vector down = both(next_box(next), next_but_one_box(after));

    return both(x, both_or(next_box(after), next_but_one_box(next), down));
}

INLINED struct vector permuted_columns(struct vector x)
{
    const struct vector next = next_bit(x);
    const struct vector after = next_but_one_bit(x);
    const struct vector down = both(next_three(next), next_but_one_three(after));

    return both(x, both_or(next_three(after), next_but_one_three(next), down));
}

/* ---- Across the values ---- */

INLINED struct vector in_use(uint32_t mask)
{
    alignas(64) static const uint32_t lanes[16] = {~0U, ~0U, ~0U, 0,   ~0U, ~0U,
                                                   ~0U, 0,   ~0U, ~0U, ~0U};

    return both(splat(mask), load(lanes));
}

/* For band k in quarter k: cells that some value has. */
INLINED struct vector had_by_any(const struct board *board)
{
    struct vector x[BANDS];

    regroup(board->band, x);
    const struct vector any = any_of_3(x[0], x[1], x[2]);
    return any_of_3(any, turn(any), turn_twice(any));
}

/* For band k in quarter k: cells that at least one value has, and cells that two have. */
INLINED void count_values(const struct board *board, struct vector *ret_once,
                          struct vector *ret_twice)
{
    struct vector x[BANDS];

    regroup(board->band, x);
    const struct vector once = any_of_3(x[0], x[1], x[2]);
    const struct vector twice = two_of_3(x[0], x[1], x[2]);
    const struct vector once_next = turn(once);
    const struct vector once_after = turn_twice(once);
    *ret_once = any_of_3(once, once_next, once_after);
    *ret_twice = either(any_of_3(twice, turn(twice), turn_twice(twice)),
                        two_of_3(once, once_next, once_after));
}

/* For x[k] in quarter k: bits that at least three of the nine values have. */
INLINED struct vector had_by_three(const struct vector x[3])
{
    struct vector y[3];

    regroup(x, y);
    /* Sums of three lanes, as ones and twos; then of those sums. */
    const struct vector one = odd_of_3(y[0], y[1], y[2]);
    const struct vector two = two_of_3(y[0], y[1], y[2]);
    const struct vector one_next = turn(one);
    const struct vector one_after = turn_twice(one);
    const struct vector two_next = turn(two);
    const struct vector two_after = turn_twice(two);
    const struct vector carry = two_of_3(one, one_next, one_after);
    const struct vector some_two = any_of_3(two, two_next, two_after);
    const struct vector excess = both_or(carry, some_two, two_of_3(two, two_next, two_after));

    return both_or(odd_of_3(one, one_next, one_after), either(carry, some_two), excess);
}

/* ---- Propagation ---- */

/* All cells of the boxes whose guard bit is set. */
INLINED struct vector boxes_of(struct vector guards)
{
    const struct vector set = both(guards, splat(BOXES(GUARD)));

    return minus(set, right(set, 9));
}

/* Box by box x less one: the guard bit is set where x was not empty, and x's lowest bit is not. */
INLINED struct vector less_one(struct vector x)
{
    return minus(either(x, splat(BOXES(GUARD))), splat(BOXES(1)));
}

/* Where a value has its last place in a box; rows and columns come to that by way of their triads.
 * Returns the boxes, by their guard bits, where it has one place at least. */
INLINED struct vector find_hidden_singles(const struct board *board, struct board *ret)
{
    struct vector less[BANDS];

    for (int b = 0; b < BANDS; b++) {
        const struct vector x = board->band[b];
        less[b] = less_one(x);
        const struct vector several = plus(both(x, less[b]), splat(CELLS));
        ret->band[b] = without(x, boxes_of(several));
    }
    return all_of_3(less[0], less[1], less[2]);
}

/* x without what its hidden singles take from the cells where others are placed, and without what
 * its naked singles take from the other cells of their boxes. If two cells of a box have the same
 * naked single, one of them is left with no candidate. */
INLINED struct vector placed_singles(struct vector x, struct vector hidden, struct vector placed,
                                     struct vector naked)
{
    const struct vector less = less_one(naked);
    const struct vector kept = without_unless(x, placed, hidden);

    return without_unless(kept, boxes_of(less), without(naked, less));
}

/* The triads that are left when three values with their last place in a box in one triad leave no
 * room there for others. */
INLINED struct triads fill_triads(struct triads x)
{
    const struct vector last[3] = {
        without_both(x.rows, next_three(x.rows), next_but_one_three(x.rows)),
        without_both(x.columns, next_bit(x.columns), next_but_one_bit(x.columns)),
        splat(0),
    };
    const struct vector full = had_by_three(last);

    x.rows = without_unless(x.rows, spread(full, 0), last[0]);
    x.columns = without_unless(x.columns, spread(full, 1), last[1]);
    return x;
}

/* With one candidate left in each cell: does every row, column and box have all values? */
INLINED bool is_solution(const struct board *board)
{
    const struct vector *x = board->band;
    const struct vector rows = row_triads(board);
    const struct vector columns = column_triads(board);
    const struct vector every_row = any_of_3(rows, right(rows, 10), right(rows, 20));
    const struct vector every_column = any_of_3(columns, right(columns, 3), right(columns, 6));
    const struct vector every_box = all_of_3(less_one(x[0]), less_one(x[1]), less_one(x[2]));
    const struct vector missing =
        any_of_3(without(in_use(BOX), every_row), without(in_use(COLUMN_TRIADS), every_column),
                 without(in_use(BOXES(GUARD)), every_box));
    struct vector once;
    struct vector twice;

    count_values(board, &once, &twice);
    return is_zero(either(missing, without_or(in_use(CELLS), once, both(twice, in_use(CELLS)))));
}

/* The rules that are tried when a round of singles has changed nothing. Returns whether they leave
 * the board as it is, with its triads. */
INLINED bool is_at_rest(struct board *board, struct triads *ret)
{
    const struct triads triads = {row_triads(board), column_triads(board)};
    struct triads left = fill_triads(triads);

    left.rows = both(left.rows, permuted_rows(triads.rows));
    const struct vector gone =
        either(without(triads.rows, left.rows), without(triads.columns, left.columns));
    *ret = triads;
    if (is_zero(both(gone, splat(CELLS))))
        return true;
    keep_row_triads(board, left.rows);
    keep_column_triads(board, left.columns);
    return false;
}

/* ---- Guesses ---- */

/* A guess says that a value stands in one triad of a box; its opposite, that it doesn't. Both are
 * about one band, so about one word of the board. */
struct guess {
    unsigned band;
    unsigned lane;   /* of the value */
    uint32_t triad;  /* the cells */
    uint32_t others; /* the other cells of the box where the value may stand */
};

/* For each value, how many triads it has left in each of three bands: a byte for each band. */
INLINED struct vector count_row_triads(struct vector triads)
{
    const struct vector first = bits_set(both(triads, splat(ROW_TRIADS)));
    const struct vector second = bits_set(both(triads, splat(ROW_TRIADS << 1)));
    const struct vector third = bits_set(both(triads, splat(ROW_TRIADS << 2)));

    return any_of_3(first, left(second, 8), left(third, 16));
}

INLINED struct vector count_column_triads(struct vector triads)
{
    const struct vector first = bits_set(both(triads, splat(BOX)));
    const struct vector second = bits_set(both(triads, splat(BOX << 10)));
    const struct vector third = bits_set(both(triads, splat(BOX << 20)));

    return any_of_3(first, left(second, 8), left(third, 16));
}

INLINED unsigned lowest_bit(uint32_t word)
{
    return (unsigned)__builtin_ctz(word);
}

/* The lesser of two keys. */
INLINED uint32_t least(uint32_t x, uint32_t y)
{
    return x < y ? x : y;
}

/* Which band of rows (0..2) or stack of columns (4..6) has the fewest triads left, but more than
 * the 27 of a settled one; the first of several. On an open board there is one. */
INLINED unsigned tightest_band(uint32_t rows, uint32_t columns)
{
    uint32_t best[3];

    for (unsigned i = 0; i < 3; i++) {
        const uint32_t in_rows = (rows >> 8 * i & 0xff) - 28;
        const uint32_t in_columns = (columns >> 8 * i & 0xff) - 28;
        best[i] = least(in_rows << 3 | i, in_columns << 3 | 4 | i);
    }
    return least(least(best[0], best[1]), best[2]) & 7;
}

/* The first lane that has the fewest triads left, but more than the three of a settled value; after
 * propagation that makes five at least. */
INLINED unsigned tightest_lane(struct vector counts)
{
    const uint64_t lanes = lanes_equal(counts, 5) | lanes_equal(counts, 6) << 16 |
                           lanes_equal(counts, 7) << 32 | lanes_equal(counts, 8) << 48;

    return (unsigned)__builtin_ctzll(lanes != 0 ? lanes : lanes_equal(counts, 9)) & 15;
}

/* In the tightest band, the tightest value; of its boxes there, the first that leaves a choice, and
 * in that box the second triad. Without a branch: which way it went would be anybody's guess. */
INLINED struct guess choose_guess(const struct triads *triads)
{
    /* For rows and for columns: where the triads of a band (at band 0) and of a box (the first of
     * that band) are, where that box begins by the place of any of its triads, and the cells of a
     * triad. */
    static const uint32_t band_mask[2] = {ROW_TRIADS, BOX};
    static const uint32_t first_triads[2] = {BOXES(1), 0111};
    static const uint32_t box_mask[2] = {BOX, 7};
    static const uint8_t box_begin[2][27] = {
        {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  10, 10, 10, 10,
         10, 10, 10, 10, 10, 10, 20, 20, 20, 20, 20, 20, 20},
        {0, 0, 0, 3, 3, 3, 6, 6, 6},
    };
    static const uint32_t cells[2] = {7, 0111};

    alignas(64) uint32_t words[2][VECTOR_LANES];
    alignas(64) uint32_t counts[2][VECTOR_LANES];
    uint32_t sums[2];
    const struct vector row_counts = count_row_triads(triads->rows);
    const struct vector column_counts = count_column_triads(triads->columns);

    store(words[0], triads->rows);
    store(words[1], triads->columns);
    store(counts[0], row_counts);
    store(counts[1], column_counts);
    sum(row_counts, column_counts, sums);

    const unsigned tightest = tightest_band(sums[0], sums[1]);
    const unsigned kind = tightest >> 2;
    const unsigned band = tightest & 3;
    const struct vector in_band = both(right(load(counts[kind]), 8 * (int)band), splat(0xff));
    const unsigned lane = tightest_lane(in_band);

    const unsigned shift = kind == 0 ? band : 10 * band;
    const uint32_t word = words[kind][lane] >> shift & band_mask[kind];
    const uint32_t several = word & (word - first_triads[kind]);
    const unsigned begin = box_begin[kind][lowest_bit(several)];
    const uint32_t in_box = word >> begin & box_mask[kind];
    const uint32_t second = several >> begin & (0U - (several >> begin));
    const unsigned place = kind == 0 ? begin : shift;
    return (struct guess){
        .band = kind == 0 ? band : begin / 3,
        .lane = lane,
        .triad = second * cells[kind] << place,
        .others = (in_box ^ second) * cells[kind] << place,
    };
}

/* ---- Boards in the frames of a search ---- */

INLINED struct board load_board(const struct sudoku_search *search)
{
    const uint16_t *frame = search->frame[search->depth];
    struct board board;

    for (int b = 0; b < BANDS; b++)
        board.band[b] = load(frame + (size_t)b * VECTOR_LANES * 2);
    return board;
}

INLINED void store_board(struct sudoku_search *search, const struct board *board)
{
    uint16_t *frame = search->frame[search->depth];

    for (int b = 0; b < BANDS; b++)
        store(frame + (size_t)b * VECTOR_LANES * 2, board->band[b]);
}

/* Leaves the board to be gone back to when the guess has been tried. */
INLINED void store_opposite(struct sudoku_search *search, const struct board *board,
                            const struct guess *guess)
{
    typedef uint32_t word __attribute__((may_alias));

    store_board(search, board);
    word *words = (word *)search->frame[search->depth];
    words[guess->band * VECTOR_LANES + guess->lane] &= ~guess->triad;
}

INLINED void go_back(struct sudoku_search *search, struct board *board)
{
    if (search->depth == 0) {
        search->exhausted = true;
        return;
    }
    search->depth--;
    *board = load_board(search);
}

/* Writes a solved band: the words have one bit for each value in each box. */
INLINED void write_cells(const uint32_t *words, uint8_t *ret)
{
#if defined(__AVX512BW__)
    /* Where cells 0..26 are in the order of bits: up to bit 15, and from there on. */
    const __m256i low =
        _mm256_setr_epi8(0, 1, 2, 10, 11, 12, -1, -1, -1, 3, 4, 5, 13, 14, 15, -1, -1, -1, 6, 7, 8,
                         -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i high =
        _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, 4, 5, 6, -1, -1, -1, -1, -1, -1, 7, 8, 9, -1, -1,
                         -1, 0, 1, 2, 10, 11, 12, -1, -1, -1, -1, -1);
    __m256i bytes = _mm256_setzero_si256();
    for (unsigned value = 0; value < 9; value++)
        bytes =
            _mm256_mask_mov_epi8(bytes, words[lane_of(value)], _mm256_set1_epi8((char)(value + 1)));
    const __m256i early = _mm256_permute4x64_epi64(bytes, 0x44);
    const __m256i late = _mm256_permute4x64_epi64(bytes, 0xee);
    _mm256_mask_storeu_epi8(
        ret, 0x7ffffff,
        _mm256_or_si256(_mm256_shuffle_epi8(early, low), _mm256_shuffle_epi8(late, high)));
#else
    static const uint8_t offset[] = {0, 1, 2, 9, 10, 11, 18, 19, 20};
    for (unsigned value = 0; value < 9; value++) {
        const uint32_t word = words[lane_of(value)];
        for (unsigned box = 0; box < 3; box++)
            ret[3 * box + offset[lowest_bit(word >> 10 * box)]] = (uint8_t)(value + 1);
    }
#endif
}

INLINED void record(struct sudoku_search *search, const struct board *board)
{
    for (unsigned b = 0; b < BANDS && search->count < 2; b++) {
        alignas(64) uint32_t words[VECTOR_LANES];
        store(words, board->band[b]);
        write_cells(words, search->solution[search->count].cell + 27 * b);
    }
    search->count++;
}

#endif
