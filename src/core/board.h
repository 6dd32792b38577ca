/* The board of the fast search. Compiled once per instruction set; every build draws the same
 * conclusions (narrow.h) and makes the same guesses (guess.h).
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
 * word that are not in the table above are not cleaned up; whoever takes triads out masks them. */
#ifndef SUDOKU_CORE_BOARD_H
#define SUDOKU_CORE_BOARD_H

#include <stdalign.h>

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

#endif
