/* The fast search: all nine values at once, one in each lane of a vector. What a board is and which
 * rules there are says board.h; here they are put to work, for one puzzle at a time. Compiled once
 * per instruction set. */
#include "board.h"

enum outcome {
    CONTRADICTION,
    SOLVED,
    OPEN, /* a guess is due */
};

INLINED enum outcome propagate(struct board *board, struct triads *ret_triads)
{
    struct vector clash = splat(0);

    for (;;) {
        struct board hidden;
        struct vector once;
        struct vector twice;

        keep_row_triads(board, permuted_rows(row_triads(board)));
        keep_column_triads(board, permuted_columns(column_triads(board)));
        const struct board before = *board;
        count_values(board, &once, &twice);
        const struct vector boxes = find_hidden_singles(board, &hidden);
        const struct vector lost = without(in_use(BOXES(GUARD)), boxes);
        const struct vector placed = had_by_any(&hidden);
        const struct vector empty = without_or(in_use(CELLS), once, both(clash, twice));
        if (!is_zero(either(lost, empty)))
            return CONTRADICTION;
        const struct vector single = without(once, twice);
        for (int b = 0; b < BANDS; b++) {
            struct vector *x = &board->band[b];
            *x = placed_singles(*x, hidden.band[b], spread(placed, b), both(*x, spread(single, b)));
        }
        if (is_zero(without(both(twice, in_use(CELLS)), placed)))
            return is_solution(board) ? SOLVED : CONTRADICTION;
        clash = both(placed, in_use(CELLS));
        if (!is_zero(changes(board, &before)))
            continue;
        if (!is_zero(both(clash, twice)))
            return CONTRADICTION;

        if (is_at_rest(board, ret_triads))
            return OPEN;
    }
}

/* Takes cells of one band from the candidates in one lane. */
INLINED void take(struct board *board, unsigned band, unsigned lane, uint32_t cells)
{
    alignas(64) static const uint32_t lanes[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                   8, 9, 10, 11, 12, 13, 14, 15};
    const struct vector here = equal(load(lanes), splat(lane));

    for (unsigned b = 0; b < BANDS; b++)
        board->band[b] = without(board->band[b], both(here, splat(b == band ? cells : 0)));
}

static void start(struct sudoku_search *search, const struct sudoku_grid *grid)
{
    static const uint8_t bit_of[27] = {0,  1,  2,  10, 11, 12, 20, 21, 22, 3,  4,  5,  13, 14,
                                       15, 23, 24, 25, 6,  7,  8,  16, 17, 18, 26, 27, 28};
    alignas(64) uint32_t clues[BANDS][VECTOR_LANES] = {{0}};
    struct board board;

    for (unsigned b = 0; b < BANDS; b++) {
        uint32_t filled = 0;
        for (unsigned i = 0; i < 27; i++) {
            const unsigned value = grid->cell[27 * b + i];
            if (value == 0)
                continue;
            clues[b][lane_of(value - 1)] |= 1U << bit_of[i];
            filled |= 1U << bit_of[i];
        }
        const struct vector clue = load(clues[b]);
        const struct vector less = less_one(clue);
        board.band[b] = without_or(in_use(CELLS & ~filled), boxes_of(less), without(clue, less));
    }
    store_board(search, &board);
}

static void run(struct sudoku_search *search, uint32_t limit, uint64_t max_steps)
{
    const uint64_t last_step = search->steps + max_steps;
    struct board board = load_board(search);
    struct triads triads;

    while (search->count < limit && !search->exhausted) {
        const enum outcome outcome = propagate(&board, &triads);
        if (outcome == SOLVED)
            record(search, &board);
        if (outcome != OPEN) {
            go_back(search, &board);
            continue;
        }
        if (search->steps == last_step) {
            store_board(search, &board);
            return;
        }
        const struct guess guess = choose_guess(&triads);
        store_opposite(search, &board, &guess);
        search->depth++;
        search->steps++;
        take(&board, guess.band, guess.lane, guess.others);
    }
}

const struct sudoku_engine ENGINE_OF_ISA = {
    .name = NAME_OF_ISA,
    .start = start,
    .run = run,
    .bulk = BULK_OF_ISA,
};
