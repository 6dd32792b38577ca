/* What the fast search is called in the build of each instruction set. */
#ifndef SUDOKU_CORE_ISA_H
#define SUDOKU_CORE_ISA_H

#include "sudoku/sudoku.h"

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

#endif
