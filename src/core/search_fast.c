/* The fast search: all nine values at once, one in each lane of a vector. What a board is says
 * board.h, which rules there are narrow.h; here they are put to work, for one puzzle at a time.
 * Compiled once per instruction set. */
#include <stdalign.h>

#include "board.h"
#include "frames.h"
#include "guess.h"
#include "isa.h"
#include "narrow.h"

enum outcome {
    CONTRADICTION,
    SOLVED,
    OPEN, /* a guess is due */
};

/* What a round finds on a board whose triads have been narrowed. */
struct singles {
    struct board hidden;   /* for each value, where it has its last place in a box */
    struct vector placed;  /* cells with a hidden single of any value */
    struct vector single;  /* cells with one candidate */
    struct vector several; /* cells with more */
};

INLINED void place(struct board *board, const struct singles *singles)
{
    for (int b = 0; b < BANDS; b++) {
        struct vector *x = &board->band[b];
        const struct vector naked = both(*x, spread(singles->single, b));
        *x = placed_singles(*x, singles->hidden.band[b], spread(singles->placed, b), naked);
    }
}

INLINED enum outcome propagate(struct board *board, struct triads *ret_triads)
{
    struct vector clash = splat(0); /* cells where a second candidate is one too many */

    for (;;) {
        struct singles singles;
        struct vector once;

        keep_row_triads(board, permuted_rows(row_triads(board)));
        keep_column_triads(board, permuted_columns(column_triads(board)));
        count_values(board, &once, &singles.several);
        singles.single = without(once, singles.several);
        const struct vector boxes = find_hidden_singles(board, &singles.hidden);
        singles.placed = had_by_any(&singles.hidden);

        const struct vector lost = without(in_use(BOXES(GUARD)), boxes);
        const struct vector empty = without_or(in_use(CELLS), once, both(clash, singles.several));
        if (!is_zero(either(lost, empty)))
            return CONTRADICTION;
        if (is_zero(without(both(singles.several, in_use(CELLS)), singles.placed))) {
            place(board, &singles);
            return is_solution(board) ? SOLVED : CONTRADICTION;
        }
        /* A hidden single that has its cell to itself and a naked single that has its box to itself
         * are the same, and nothing follows from them any more. */
        if (!is_zero(both(differing(singles.single, singles.placed), in_use(CELLS)))) {
            place(board, &singles);
            clash = both(singles.placed, in_use(CELLS));
        } else if (is_at_rest(board, ret_triads)) {
            return OPEN;
        }
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

/* Sets the bits of a band's 27 cells in the words of their values. Returns the filled cells. */
static uint32_t find_clues(const uint8_t *cells, uint32_t *ret)
{
#if defined(__AVX2__)
    /* The cells as bytes, in the order of their bits. Cells 0..15 come from the first load, cells
     * 16..26 from the second, which begins with cell 11. */
    const __m256i early =
        _mm256_setr_epi8(0, 1, 2, 9, 10, 11, -1, -1, -1, -1, 3, 4, 5, 12, 13, 14, -1, -1, -1, -1, 6,
                         7, 8, 15, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i late =
        _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, 7, 8, 9, -1, -1, -1, -1, -1, -1, -1, 10, 11, 12,
                         -1, -1, -1, -1, -1, 5, 6, 13, 14, 15, -1, -1, -1);
    const __m128i first = _mm_loadu_si128((const __m128i *)cells);
    const __m128i second = _mm_loadu_si128((const __m128i *)(cells + 11));
    const __m256i bytes =
        _mm256_or_si256(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(first), early),
                        _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(second), late));
    for (unsigned value = 0; value < 9; value++) {
        const __m256i same = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8((char)(value + 1)));
        ret[lane_of(value)] = (uint32_t)_mm256_movemask_epi8(same);
    }
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()));
#else
    static const uint8_t bit_of[27] = {0,  1,  2,  10, 11, 12, 20, 21, 22, 3,  4,  5,  13, 14,
                                       15, 23, 24, 25, 6,  7,  8,  16, 17, 18, 26, 27, 28};
    uint32_t filled = 0;
    for (unsigned i = 0; i < 27; i++) {
        if (cells[i] == 0)
            continue;
        ret[lane_of(cells[i] - 1U)] |= 1U << bit_of[i];
        filled |= 1U << bit_of[i];
    }
    return filled;
#endif
}

static void start(struct sudoku_search *search, const struct sudoku_grid *grid)
{
    struct board board;

    for (unsigned b = 0; b < BANDS; b++) {
        alignas(64) uint32_t clues[VECTOR_LANES] = {0};
        const uint32_t filled = find_clues(grid->cell + 27 * b, clues);
        const struct vector clue = load(clues);
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
        /* Nested guesses all hold. Each settles where in a box a value's triad of one kind is, and
         * two such settle the value's band or stack: at most 2 * 9 * 6 = 108 are ever nested. */
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
