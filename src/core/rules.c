/* The rules: no value twice in a unit. */
#include "sudoku/sudoku.h"
#include "units.h"

size_t sudoku_conflicts(const struct sudoku_grid *grid,
                        struct sudoku_conflict ret[SUDOKU_MAX_CONFLICTS])
{
    size_t count = 0;

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

bool sudoku_is_valid(const struct sudoku_grid *grid)
{
    unsigned row[SUDOKU_SIZE] = {0};
    unsigned column[SUDOKU_SIZE] = {0};
    unsigned box[SUDOKU_SIZE] = {0};

    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        /* A blank becomes bit 0, which is masked away. */
        const unsigned bit = (1U << grid->cell[cell]) & ~1U;
        if (((row[row_of(cell)] | column[column_of(cell)] | box[box_of(cell)]) & bit) != 0)
            return false;
        row[row_of(cell)] |= bit;
        column[column_of(cell)] |= bit;
        box[box_of(cell)] |= bit;
    }
    return true;
}

unsigned sudoku_clue_count(const struct sudoku_grid *grid)
{
    unsigned count = 0;

    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        count += grid->cell[cell] != 0;
    return count;
}
