/* The plain search: naked and hidden singles to a fixed point, then a guess where there is the
 * least choice. Written to be read; the fast engines are compared with it.
 *
 * A state is 81 candidate sets and, for each row, the set of columns whose cell is placed: settled,
 * and its value taken from the candidates of all its peers. */
#include <assert.h>
#include <string.h>

#include "sudoku/sudoku.h"
#include "units.h"

enum {
    PLACED = SUDOKU_CELLS, /* a state's words: candidates, then placed columns by row */
    STATE_WORDS = PLACED + SUDOKU_SIZE,
};

static_assert((int)STATE_WORDS <= (int)SUDOKU_SEARCH_FRAME_WORDS, "a state fits a frame");

static bool is_single(unsigned mask)
{
    return (mask & (mask - 1)) == 0;
}

static unsigned popcount(unsigned mask)
{
    return (unsigned)__builtin_popcount(mask);
}

static bool is_placed(const uint16_t *state, unsigned cell)
{
    return (state[PLACED + row_of(cell)] >> column_of(cell) & 1) != 0;
}

/* Settles a cell. False when a peer is left without candidates. */
static bool place(uint16_t *state, unsigned cell, unsigned bit)
{
    const unsigned units[] = {row_of(cell), 9 + column_of(cell), 18 + box_of(cell)};

    for (unsigned u = 0; u < 3; u++) {
        for (unsigned i = 0; i < SUDOKU_SIZE; i++) {
            const unsigned peer = unit_cell(units[u], i);
            state[peer] &= (uint16_t)~bit;
            if (state[peer] == 0 && peer != cell)
                return false;
        }
    }
    state[cell] = (uint16_t)bit;
    state[PLACED + row_of(cell)] |= (uint16_t)(1U << column_of(cell));
    return true;
}

/* Places every cell that has one candidate. False on a contradiction. */
static bool place_naked_singles(uint16_t *state, bool *ret_changed)
{
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        if (is_placed(state, cell) || !is_single(state[cell]))
            continue;
        if (state[cell] == 0 || !place(state, cell, state[cell]))
            return false;
        *ret_changed = true;
    }
    return true;
}

/* Places every value that has one cell left in a unit. False on a contradiction. */
static bool place_hidden_singles(uint16_t *state, bool *ret_changed)
{
    for (unsigned unit = 0; unit < SUDOKU_UNITS; unit++) {
        unsigned once = 0;
        unsigned twice = 0;
        for (unsigned i = 0; i < SUDOKU_SIZE; i++) {
            const unsigned mask = state[unit_cell(unit, i)];
            twice |= once & mask;
            once |= mask;
        }
        if (once != SUDOKU_ALL_VALUES)
            return false;
        for (unsigned i = 0; i < SUDOKU_SIZE; i++) {
            const unsigned cell = unit_cell(unit, i);
            const unsigned hidden = state[cell] & ~twice;
            if (hidden == 0 || is_placed(state, cell))
                continue;
            /* Two values that can only go here are one too many. */
            if (!is_single(hidden) || !place(state, cell, hidden))
                return false;
            *ret_changed = true;
        }
    }
    return true;
}

/* Draws all conclusions from singles. False on a contradiction, whatever the order they came in:
 * candidates only ever vanish, and a contradiction stays one. */
static bool propagate(uint16_t *state)
{
    bool changed = true;

    while (changed) {
        changed = false;
        if (!place_naked_singles(state, &changed) || !place_hidden_singles(state, &changed))
            return false;
    }
    return true;
}

struct guess {
    unsigned cell;
    unsigned bit;
    unsigned choices; /* ways there are to decide this */
};

/* The lowest candidate of the cell that has the fewest. No choices: all cells are placed. */
static struct guess tightest_cell(const uint16_t *state)
{
    struct guess best = {0};

    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        const unsigned choices = popcount(state[cell]);
        if (choices > 1 && (best.choices == 0 || choices < best.choices))
            best = (struct guess){cell, state[cell] & (0U - state[cell]), choices};
    }
    return best;
}

/* The first place of a value that has just two in some unit, or else `otherwise`. */
static struct guess tightest_placement(const uint16_t *state, struct guess otherwise)
{
    for (unsigned unit = 0; unit < SUDOKU_UNITS; unit++) {
        unsigned once = 0;
        unsigned twice = 0;
        unsigned more = 0;
        for (unsigned i = 0; i < SUDOKU_SIZE; i++) {
            const unsigned mask = state[unit_cell(unit, i)];
            more |= twice & mask;
            twice |= once & mask;
            once |= mask;
        }
        const unsigned exactly_two = twice & ~more;
        for (unsigned i = 0; i < SUDOKU_SIZE && exactly_two != 0; i++) {
            const unsigned cell = unit_cell(unit, i);
            const unsigned mask = state[cell] & exactly_two;
            if (mask != 0)
                return (struct guess){cell, mask & (0U - mask), 2};
        }
    }
    return otherwise;
}

static struct guess choose(const uint16_t *state)
{
    const struct guess guess = tightest_cell(state);

    return guess.choices > 2 ? tightest_placement(state, guess) : guess;
}

/* Tries the guess in a new top state; the one below goes on without it. */
static void descend(struct sudoku_search *search, struct guess guess)
{
    uint16_t *state = search->frame[search->depth];
    uint16_t *next = search->frame[++search->depth];

    memcpy(next, state, STATE_WORDS * sizeof *state);
    next[guess.cell] = (uint16_t)guess.bit;
    state[guess.cell] &= (uint16_t)~guess.bit;
    search->steps++;
}

static void go_back(struct sudoku_search *search)
{
    if (search->depth == 0)
        search->exhausted = true;
    else
        search->depth--;
}

static void record(struct sudoku_search *search, const uint16_t *state)
{
    if (search->count < 2) {
        struct sudoku_grid *solution = &search->solution[search->count];
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            solution->cell[cell] = (uint8_t)(__builtin_ctz(state[cell]) + 1);
    }
    search->count++;
}

static void start(struct sudoku_search *search, const struct sudoku_grid *grid)
{
    uint16_t *state = search->frame[0];

    memset(state, 0, STATE_WORDS * sizeof *state);
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        const unsigned value = grid->cell[cell];
        state[cell] = (uint16_t)(value == 0 ? SUDOKU_ALL_VALUES : 1U << (value - 1));
    }
}

static void run(struct sudoku_search *search, uint32_t limit, uint64_t max_steps)
{
    const uint64_t last_step = search->steps + max_steps;

    while (search->count < limit && !search->exhausted) {
        uint16_t *state = search->frame[search->depth];
        if (!propagate(state)) {
            go_back(search);
            continue;
        }
        const struct guess guess = choose(state);
        if (guess.choices == 0) {
            record(search, state);
            go_back(search);
            continue;
        }
        if (search->steps == last_step)
            return;
        descend(search, guess);
    }
}

const struct sudoku_engine sudoku_reference_engine = {
    .name = "reference",
    .start = start,
    .run = run,
};
