/* Where a cell lies. */
#ifndef SUDOKU_CORE_UNITS_H
#define SUDOKU_CORE_UNITS_H

static inline unsigned row_of(unsigned cell)
{
    return cell / 9;
}

static inline unsigned column_of(unsigned cell)
{
    return cell % 9;
}

static inline unsigned box_of(unsigned cell)
{
    return cell / 27 * 3 + cell % 9 / 3;
}

/* The i-th cell of a unit; units 0..8 are the rows, 9..17 the columns, 18..26 the boxes. */
static inline unsigned unit_cell(unsigned unit, unsigned i)
{
    if (unit < 9)
        return unit * 9 + i;
    if (unit < 18)
        return i * 9 + unit - 9;
    const unsigned box = unit - 18;
    return (box / 3 * 3 + i / 3) * 9 + box % 3 * 3 + i % 3;
}

#endif
