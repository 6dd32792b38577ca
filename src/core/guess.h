/* What is guessed when the rules leave a board open. */
#ifndef SUDOKU_CORE_GUESS_H
#define SUDOKU_CORE_GUESS_H

#include <stdalign.h>

#include "board.h"

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

#endif
