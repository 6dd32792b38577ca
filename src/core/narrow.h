/* The rules that narrow a board: triads that no permutation uses, hidden and naked singles, and
 * once those are exhausted triads that three values fill. Candidates only ever vanish and each rule
 * is monotone, so the point where nothing changes does not depend on the order, nor does a
 * contradiction. */
#ifndef SUDOKU_CORE_NARROW_H
#define SUDOKU_CORE_NARROW_H

#include "board.h"

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

#endif
