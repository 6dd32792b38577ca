/* The rules: no value twice in a unit. */
#include "sudoku/sudoku.h"
#include "units.h"

size_t sudoku_conflicts(const struct sudoku_grid *grid,
                        struct sudoku_conflict ret[SUDOKU_MAX_CONFLICTS])
{
    size_t count = 0;

    if (sudoku_is_valid(grid))
        return 0;
    for (unsigned unit = 0; unit < SUDOKU_UNITS; unit++) {
        for (unsigned value = 1; value <= SUDOKU_SIZE; value++) {
            struct sudoku_conflict found = {
                .kind = (enum sudoku_unit_kind)(unit / SUDOKU_SIZE),
                .index = (uint8_t)(unit % SUDOKU_SIZE),
                .value = (uint8_t)value,
            };
            for (unsigned i = 0; i < SUDOKU_SIZE; i++) {
                const unsigned cell = unit_cell(unit, i);
                if (grid->cell[cell] == value)
                    found.cell[found.cell_count++] = (uint8_t)cell;
            }
            if (found.cell_count > 1)
                ret[count++] = found;
        }
    }
    return count;
}

/* Values as bits: those of a unit add up to what they are together exactly when none is there
 * twice, because a bit that is added twice carries. */
bool sudoku_is_valid(const struct sudoku_grid *grid)
{
    static const uint16_t bit_of[SUDOKU_SIZE + 1] = {0,      1 << 0, 1 << 1, 1 << 2, 1 << 3,
                                                     1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8};
    unsigned column_sum[SUDOKU_SIZE] = {0};
    unsigned column_any[SUDOKU_SIZE] = {0};
    unsigned box_sum[3] = {0};
    unsigned box_any[3] = {0};
    unsigned twice = 0;

    for (unsigned row = 0; row < SUDOKU_SIZE; row++) {
        unsigned row_sum = 0;
        unsigned row_any = 0;
        for (unsigned column = 0; column < SUDOKU_SIZE; column++) {
            const unsigned bit = bit_of[grid->cell[row * SUDOKU_SIZE + column]];
            row_sum += bit;
            row_any |= bit;
            column_sum[column] += bit;
            column_any[column] |= bit;
            box_sum[column / 3] += bit;
            box_any[column / 3] |= bit;
        }
        twice |= row_sum ^ row_any;
        for (unsigned box = 0; row % 3 == 2 && box < 3; box++) {
            twice |= box_sum[box] ^ box_any[box];
            box_sum[box] = box_any[box] = 0;
        }
    }
    for (unsigned column = 0; column < SUDOKU_SIZE; column++)
        twice |= column_sum[column] ^ column_any[column];
    return twice == 0;
}

unsigned sudoku_clue_count(const struct sudoku_grid *grid)
{
    unsigned count = 0;

    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        count += grid->cell[cell] != 0;
    return count;
}
