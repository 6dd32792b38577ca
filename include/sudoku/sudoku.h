/* Rules, search and text forms of 9x9 Sudoku.
 *
 * Pure: what a function does depends on its arguments alone. No heap, threads, clock or I/O and no
 * mutable globals, so every function may be called from any thread, as long as two threads do not
 * share one object.
 *
 * Said once and true everywhere: cells are 0..80, row by row; values are 1..9 and 0 is a blank;
 * a candidate set is a 9-bit mask with bit v-1 for value v; a unit is a row, a column or a box;
 * rows, columns and boxes are numbered 0..8, boxes row by row. */
#ifndef SUDOKU_SUDOKU_H
#define SUDOKU_SUDOKU_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SUDOKU_MUST_USE __attribute__((warn_unused_result))
#else
#define SUDOKU_MUST_USE
#endif

enum {
    SUDOKU_SIZE = 9,
    SUDOKU_CELLS = 81,
    SUDOKU_UNITS = 27,
    SUDOKU_ALL_VALUES = 0x1ff,
};

struct sudoku_grid {
    uint8_t cell[SUDOKU_CELLS];
};

/* ---- Rules (rules.c) ---- */

enum sudoku_unit_kind {
    SUDOKU_ROW,
    SUDOKU_COLUMN,
    SUDOKU_BOX,
};

/* One value that stands more than once in one unit, and all the cells of the unit that hold it. */
struct sudoku_conflict {
    enum sudoku_unit_kind kind;
    uint8_t index;
    uint8_t value;
    uint8_t cell_count; /* 2..9 */
    uint8_t cell[SUDOKU_SIZE];
};

/* Nine cells hold at most four values twice. */
enum { SUDOKU_MAX_CONFLICTS = SUDOKU_UNITS * 4 };

/* Lists every conflict once: rows, then columns, then boxes, each by index and then by value.
 * Returns how many were written. */
SUDOKU_MUST_USE size_t sudoku_conflicts(const struct sudoku_grid *grid,
                                        struct sudoku_conflict ret[SUDOKU_MAX_CONFLICTS]);

/* No unit holds a value twice. */
SUDOKU_MUST_USE bool sudoku_is_valid(const struct sudoku_grid *grid);

/* How many cells are filled. */
SUDOKU_MUST_USE unsigned sudoku_clue_count(const struct sudoku_grid *grid);

/* ---- Search (engine.c, search_reference.c) ----
 *
 * A search is a value of fixed size that the caller owns. Started on a grid it finds the grid's
 * solutions one by one, in an order of its own. It runs for as long as it is told and goes on later
 * from where it was; it may be moved to another thread in between, or just forgotten.
 *
 * A step is one guess: one value tried in one cell. What follows from a guess (propagation) costs
 * no step, and neither does the opposite of a guess that failed. Steps depend on the engine and the
 * grid, never on how a run was sliced. */

struct sudoku_search;
struct sudoku_bulk;
struct sudoku_tally;

/* One way to search. Engines find the same solutions; they differ in speed, order and steps. */
struct sudoku_engine {
    const char *name;
    void (*start)(struct sudoku_search *search, const struct sudoku_grid *grid);
    void (*run)(struct sudoku_search *search, uint32_t limit, uint64_t max_steps);
    /* Many at once; NULL: no better than one after the other. */
    void (*bulk)(struct sudoku_bulk *bulk, const struct sudoku_grid *puzzles, size_t puzzle_count,
                 uint32_t limit, uint64_t max_steps, struct sudoku_tally *ret);
};

enum {
    SUDOKU_SEARCH_FRAMES = 109,     /* 108 nested guesses at most (search_fast.c), and the top */
    SUDOKU_SEARCH_FRAME_WORDS = 96, /* 192 bytes, a whole number of cache lines */
    SUDOKU_SEARCH_BYTES = 21120,    /* what a search takes, aligned to 64; no call allocates more */
};

struct sudoku_search {
    const struct sudoku_engine *engine;
    uint64_t steps;                 /* guesses made so far */
    uint32_t count;                 /* solutions found so far */
    bool exhausted;                 /* there are no more than those */
    struct sudoku_grid solution[2]; /* the first two found; as many as count says are valid */

    /* The engine's own: a stack of states, those below the top waiting to be gone back to. */
    unsigned depth;
    alignas(64) uint16_t frame[SUDOKU_SEARCH_FRAMES][SUDOKU_SEARCH_FRAME_WORDS];
};

/* The plain engine: short, and what the others are compared with. */
extern const struct sudoku_engine sudoku_reference_engine;

/* The fastest engine that this CPU can run. Ask once and keep the answer. */
SUDOKU_MUST_USE const struct sudoku_engine *sudoku_engine_best(void);

/* The engine of that name, NULL when there is none or this CPU can't run it. */
SUDOKU_MUST_USE const struct sudoku_engine *sudoku_engine_find(const char *name);

/* The i-th engine that this CPU can run, the plainest first; NULL past the last. */
SUDOKU_MUST_USE const struct sudoku_engine *sudoku_engine_at(size_t i);

/* Begins a search. The grid's values must be 0..9 but may break the rules (then there is no
 * solution); it is not needed afterwards. */
void sudoku_search_start(struct sudoku_search *search, const struct sudoku_engine *engine,
                         const struct sudoku_grid *grid);

enum sudoku_progress {
    SUDOKU_SETTLED, /* what was asked for is known */
    SUDOKU_PAUSED,  /* the steps are spent; says nothing about the puzzle */
};

/* Goes on until `limit` solutions are found in all, there are no more, or `max_steps` more guesses
 * are made (at most half of UINT64_MAX, as all numbers of steps here). May be called again with a
 * higher limit. */
SUDOKU_MUST_USE enum sudoku_progress sudoku_search_run(struct sudoku_search *search, uint32_t limit,
                                                       uint64_t max_steps);

/* ---- Bulk (bulk.c, bulk_fast.c) ----
 *
 * Many puzzles in one call. Each is answered as a search of its own would answer it, steps
 * included: what differs is only the time it takes. */

struct sudoku_tally {
    uint64_t steps;                 /* guesses made */
    uint32_t count;                 /* solutions found */
    bool exhausted;                 /* there are no more than those */
    struct sudoku_grid solution[2]; /* the first two found; as many as count says are valid */
};

enum { SUDOKU_BULK_SEARCHES = 16 };

/* Where a bulk run works; the caller owns it and need not clear it. A third of a megabyte: not for
 * a small stack. */
struct sudoku_bulk {
    struct sudoku_search search[SUDOKU_BULK_SEARCHES];
};

/* Searches every puzzle for `limit` solutions, for at most `max_steps` guesses each; one that is
 * neither exhausted nor at its limit then ran out of steps. */
void sudoku_bulk_run(struct sudoku_bulk *bulk, const struct sudoku_engine *engine,
                     const struct sudoku_grid *puzzles, size_t puzzle_count, uint32_t limit,
                     uint64_t max_steps, struct sudoku_tally *ret);

/* ---- Ordered solutions (ordered.c) ----
 *
 * Walks the solutions of a grid in lexicographic order, read row by row, whatever the order in
 * which the engine finds them. Needs one solution, any, to begin with. */

struct sudoku_ordered {
    struct sudoku_grid puzzle;
    struct sudoku_grid best; /* the smallest completion known of what is fixed */
    uint64_t steps;          /* guesses made so far, by all searches that ended */
    uint64_t searches;       /* searches started so far */
    uint8_t cell;            /* the cell whose value is being settled; all before are fixed */
    uint8_t value;           /* the next value to try there */
    bool is_rising;          /* looking for the next solution, still going back up */
    bool is_asking;          /* `search` is under way, for `value` in `cell` */
    bool is_exhausted;       /* no further solution exists */
    struct sudoku_search search;
};

/* Begins before the first solution. `known` must be a solution of `puzzle`. */
void sudoku_ordered_start(struct sudoku_ordered *ordered, const struct sudoku_engine *engine,
                          const struct sudoku_grid *puzzle, const struct sudoku_grid *known);

/* Goes on to the next solution, for at most `max_steps` more guesses and `max_searches` more
 * searches. When settled, either `is_exhausted` or the solution is in `best`; the next call goes on
 * to the one after it. */
SUDOKU_MUST_USE enum sudoku_progress sudoku_ordered_run(struct sudoku_ordered *ordered,
                                                        uint64_t max_steps, uint64_t max_searches);

/* ---- Query (query.c) ----
 *
 * One question about one puzzle, with a budget: how many solutions up to a limit, which is first,
 * and which are they. Runs in slices like a search, and the answer does not depend on them. */

enum {
    SUDOKU_MAX_COUNT = 1000000, /* the highest limit of a query */
};

struct sudoku_question {
    struct sudoku_grid puzzle; /* values 0..9; may break the rules */
    uint32_t max_solutions;    /* 1..SUDOKU_MAX_COUNT: where to stop counting */
    uint64_t max_steps;        /* guesses in all */
    bool count_only;           /* the caller has no use for a solution: don't look for the first */
    struct sudoku_grid *list;  /* room for max(2, max_solutions) grids; NULL: don't list */
};

enum sudoku_status {
    SUDOKU_UNIQUE,       /* exactly one solution, proven */
    SUDOKU_MULTIPLE,     /* two or more found */
    SUDOKU_NONE,         /* proven that there is none */
    SUDOKU_SOLVABLE,     /* one found, a second neither found nor excluded */
    SUDOKU_UNDETERMINED, /* the budget ended before any was found */
};

struct sudoku_answer {
    enum sudoku_status status;
    bool has_solution;
    bool solution_is_first;      /* it is known to be the lexicographically smallest */
    struct sudoku_grid solution; /* valid when has_solution */
    uint32_t solution_count;     /* counted, never more than max_solutions */
    bool count_exact;            /* there are no more than that */
    bool budget_exhausted;
    uint64_t steps;
};

struct sudoku_query {
    struct sudoku_question question;
    enum sudoku_query_phase {
        SUDOKU_QUERY_PROVE, /* find out whether there are none, one or several */
        SUDOKU_QUERY_ORDER, /* find the first solution, or list them in order */
        SUDOKU_QUERY_COUNT, /* go on counting to the limit */
        SUDOKU_QUERY_DONE,
    } phase;
    bool budget_exhausted;
    bool first_known;
    uint32_t listed; /* solutions found in order so far */
    struct sudoku_grid first;
    struct sudoku_search search;
    struct sudoku_ordered ordered;
};

/* Begins. `question` is copied; its list must outlive the query. */
void sudoku_query_start(struct sudoku_query *query, const struct sudoku_engine *engine,
                        const struct sudoku_question *question);

/* Goes on until the answer is known or the budget is spent (settled), or for about `max_effort`, at
 * least 1 (paused). Effort bounds the time of a slice: one for each guess and each search started.
 */
SUDOKU_MUST_USE enum sudoku_progress sudoku_query_run(struct sudoku_query *query,
                                                      uint64_t max_effort);

/* Whether a tally says all that a query would find out; if so, *ret is the answer of the query. The
 * tally must be one of the question's puzzle, for a limit of 2. */
SUDOKU_MUST_USE bool sudoku_query_is_told(const struct sudoku_question *question,
                                          const struct sudoku_tally *tally,
                                          struct sudoku_answer *ret);

/* How much effort the query has taken so far. */
SUDOKU_MUST_USE uint64_t sudoku_query_effort(const struct sudoku_query *query);

/* What is known once the query is settled. With a list, its first `solution_count` grids are then
 * the solutions found, ascending; gapless unless the budget was exhausted. */
void sudoku_query_answer(const struct sudoku_query *query, struct sudoku_answer *ret);

#endif
