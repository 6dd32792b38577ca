/* The fast search on many puzzles at once: here a lane of a vector is a puzzle, not a value, and
 * there is a board of all lanes for each of the nine values. A round is the same as that of
 * search_fast.c, but counting across values needs no lane of another. Compiled once per instruction
 * set.
 *
 * The lanes go round in step, each at its own node of its own search. What a lane needs when its
 * node is contradicted, solved or at rest is done for it alone, on a board as board.h has it and a
 * search that could be gone on with by itself. A lane whose search is over takes the next puzzle;
 * the last few puzzles are handed to the single search, which is better at few. */
#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "board.h"
#include "frames.h"
#include "guess.h"
#include "isa.h"
#include "narrow.h"

enum {
    VALUES = 9,
    LANES = VECTOR_LANES,
    FEW = 8, /* puzzles under way that are faster one by one */
};

static_assert((int)LANES <= (int)SUDOKU_BULK_SEARCHES, "a search for each lane");

typedef uint32_t word __attribute__((may_alias));

struct lanes {
    struct board value[VALUES];
    struct board clash; /* as in propagate(): cells with a hidden single the round before */
};

/* A bulk run: what is asked, and where it is. */
struct batch {
    struct sudoku_search *search; /* one for each lane */
    const struct sudoku_grid *puzzles;
    size_t puzzle_count;
    size_t next; /* the next puzzle to be begun */
    uint32_t limit;
    uint64_t max_steps;
    struct sudoku_tally *tallies;
    size_t puzzle[LANES]; /* that the lane is at */
    uint64_t active;      /* a bit for each lane that has a puzzle */
};

/* Lanes for which a round of all had some result, a bit for each. The first that holds counts. */
struct verdicts {
    uint64_t contradicted;
    uint64_t solved;
    uint64_t going_on;
};

/* ---- One round of all lanes ---- */

static uint64_t lanes_set(struct vector x)
{
    return ~lanes_equal(x, 0);
}

/* Narrows one value by its triads, finds its hidden singles and adds it to the counts. */
INLINED void narrow(struct board *value, struct board *hidden, struct board *once,
                    struct board *twice, struct board *placed, struct vector *boxes)
{
    struct board board = *value;

    keep_row_triads(&board, permuted_rows(row_triads(&board)));
    keep_column_triads(&board, permuted_columns(column_triads(&board)));
    *boxes = both(*boxes, find_hidden_singles(&board, hidden));
    for (int b = 0; b < BANDS; b++) {
        twice->band[b] = both_or(once->band[b], board.band[b], twice->band[b]);
        once->band[b] = either(once->band[b], board.band[b]);
        placed->band[b] = either(placed->band[b], hidden->band[b]);
    }
    *value = board;
}

INLINED void place(struct board *value, const struct board *hidden, const struct board *single,
                   const struct board *placed)
{
    for (int b = 0; b < BANDS; b++) {
        const struct vector x = value->band[b];
        const struct vector naked = both(x, single->band[b]);
        value->band[b] = placed_singles(x, hidden->band[b], placed->band[b], naked);
    }
}

static struct verdicts narrow_all(struct lanes *lanes)
{
    const struct vector none = splat(0);
    struct board hidden[VALUES];
    struct board once = {{none, none, none}};
    struct board twice = once;
    struct board placed = once;
    struct vector boxes = splat(BOXES(GUARD));
    struct board single;

    for (int v = 0; v < VALUES; v++)
        narrow(&lanes->value[v], &hidden[v], &once, &twice, &placed, &boxes);
    for (int b = 0; b < BANDS; b++)
        single.band[b] = without(once.band[b], twice.band[b]);
    for (int v = 0; v < VALUES; v++)
        place(&lanes->value[v], &hidden[v], &single, &placed);

    struct vector bad = without(splat(BOXES(GUARD)), boxes);
    struct vector open = none;
    struct vector changed = none;
    for (int b = 0; b < BANDS; b++) {
        bad = any_of_3(bad, without(splat(CELLS), once.band[b]),
                       both(lanes->clash.band[b], twice.band[b]));
        open = either(open, without(twice.band[b], placed.band[b]));
        changed = differing_or(single.band[b], placed.band[b], changed);
    }
    lanes->clash = placed;
    return (struct verdicts){
        .contradicted = lanes_set(bad),
        .solved = ~lanes_set(open),
        .going_on = lanes_set(changed),
    };
}

/* ---- What a lane needs for itself ---- */

static word *word_at(struct vector *x, unsigned lane)
{
    return (word *)x + lane;
}

static struct board board_of(struct lanes *lanes, unsigned lane)
{
    struct board board;

#if defined(__AVX512F__)
    enum { STRIDE = sizeof(struct board) / sizeof(uint32_t) };
    const __m512i words =
        _mm512_mullo_epi32(_mm512_set1_epi32(STRIDE),
                           _mm512_setr_epi32(0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 8, 0, 0, 0, 0, 0));
    for (int b = 0; b < BANDS; b++)
        board.band[b].part[0] = (native)_mm512_mask_i32gather_epi32(
            _mm512_setzero_si512(), 0x0777, words, word_at(&lanes->value[0].band[b], lane), 4);
#else
    alignas(64) uint32_t words[BANDS][LANES] = {{0}};
    for (unsigned b = 0; b < BANDS; b++) {
        for (unsigned v = 0; v < VALUES; v++)
            words[b][lane_of(v)] = *word_at(&lanes->value[v].band[b], lane);
        board.band[b] = load(words[b]);
    }
#endif
    return board;
}

static void set_board(struct lanes *lanes, unsigned lane, const struct board *board)
{
    alignas(64) uint32_t words[BANDS][LANES];

    for (unsigned b = 0; b < BANDS; b++) {
        store(words[b], board->band[b]);
        for (unsigned v = 0; v < VALUES; v++)
            *word_at(&lanes->value[v].band[b], lane) = words[b][lane_of(v)];
        *word_at(&lanes->clash.band[b], lane) = 0;
    }
}

/* Gives the lane the next puzzle, if there is one. */
static void begin(struct batch *batch, struct lanes *lanes, unsigned lane)
{
    struct sudoku_search *search = &batch->search[lane];

    if (batch->next == batch->puzzle_count) {
        batch->active &= ~((uint64_t)1 << lane);
        return;
    }
    batch->puzzle[lane] = batch->next++;
    sudoku_search_start(search, &ENGINE_OF_ISA, &batch->puzzles[batch->puzzle[lane]]);
    const struct board board = load_board(search);
    set_board(lanes, lane, &board);
    batch->active |= (uint64_t)1 << lane;
}

static void finish(struct batch *batch, unsigned lane)
{
    const struct sudoku_search *search = &batch->search[lane];
    struct sudoku_tally *tally = &batch->tallies[batch->puzzle[lane]];

    tally->steps = search->steps;
    tally->count = search->count;
    tally->exhausted = search->exhausted;
    for (uint32_t i = 0; i < search->count && i < 2; i++)
        tally->solution[i] = search->solution[i];
}

/* The lane's node is done with: on to the one below, or to the next puzzle. */
static void leave_node(struct batch *batch, struct lanes *lanes, unsigned lane)
{
    struct sudoku_search *search = &batch->search[lane];
    struct board board;

    go_back(search, &board);
    if (search->exhausted || search->count >= batch->limit) {
        finish(batch, lane);
        begin(batch, lanes, lane);
    } else {
        set_board(lanes, lane, &board);
    }
}

static void solve_node(struct batch *batch, struct lanes *lanes, unsigned lane)
{
    const struct board board = board_of(lanes, lane);

    if (is_solution(&board))
        record(&batch->search[lane], &board);
    leave_node(batch, lanes, lane);
}

/* The lane's board is at rest as far as singles go: narrows it further, or guesses. */
static void open_node(struct batch *batch, struct lanes *lanes, unsigned lane)
{
    struct sudoku_search *search = &batch->search[lane];
    struct board board = board_of(lanes, lane);
    struct triads triads;

    if (!is_at_rest(&board, &triads)) {
        set_board(lanes, lane, &board);
        return;
    }
    if (search->steps == batch->max_steps) {
        finish(batch, lane);
        begin(batch, lanes, lane);
        return;
    }
    const struct guess guess = choose_guess(&triads);
    const unsigned value = guess.lane - guess.lane / 4;
    store_opposite(search, &board, &guess);
    search->depth++;
    search->steps++;
    *word_at(&lanes->value[value].band[guess.band], lane) &= ~guess.others;
}

static void hand_over(struct batch *batch, struct lanes *lanes, unsigned lane)
{
    struct sudoku_search *search = &batch->search[lane];
    const struct board board = board_of(lanes, lane);

    store_board(search, &board);
    ENGINE_OF_ISA.run(search, batch->limit, batch->max_steps - search->steps);
    finish(batch, lane);
}

static unsigned next_lane(uint64_t *lanes)
{
    const unsigned lane = (unsigned)__builtin_ctzll(*lanes);

    *lanes &= *lanes - 1;
    return lane;
}

void BULK_OF_ISA(struct sudoku_bulk *bulk, const struct sudoku_grid *puzzles, size_t puzzle_count,
                 uint32_t limit, uint64_t max_steps, struct sudoku_tally *ret)
{
    struct batch batch = {
        .search = bulk->search,
        .puzzles = puzzles,
        .puzzle_count = puzzle_count,
        .limit = limit,
        .max_steps = max_steps,
        .tallies = ret,
    };
    struct lanes lanes;

    memset(&lanes, 0, sizeof lanes);
    for (unsigned lane = 0; lane < LANES; lane++)
        begin(&batch, &lanes, lane);
    while (__builtin_popcountll(batch.active) > FEW) {
        const struct verdicts verdicts = narrow_all(&lanes);
        uint64_t contradicted = batch.active & verdicts.contradicted;
        uint64_t solved = batch.active & ~verdicts.contradicted & verdicts.solved;
        uint64_t left = batch.active & ~contradicted & ~solved & ~verdicts.going_on;

        while (contradicted != 0)
            leave_node(&batch, &lanes, next_lane(&contradicted));
        while (solved != 0)
            solve_node(&batch, &lanes, next_lane(&solved));
        while (left != 0)
            open_node(&batch, &lanes, next_lane(&left));
    }
    while (batch.active != 0)
        hand_over(&batch, &lanes, next_lane(&batch.active));
}
