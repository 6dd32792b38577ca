/* Counts what the server does. Any thread may count at any time and never waits: each CPU has a
 * lane of counters of its own, so that threads do not take cache lines from each other, and adding
 * is atomic, so that nothing is lost when a thread moves to another CPU meanwhile. Who asks gets
 * the sum of the lanes. */
#ifndef SUDOKU_SERVER_COUNTERS_H
#define SUDOKU_SERVER_COUNTERS_H

#include <stdbool.h>

#include "api/metrics.h"

struct counters;

/* NULL: out of memory. */
struct counters *counters_create(void);
void counters_destroy(struct counters *counters);

/* The counters of the CPU that this runs on; only for counters_add. */
struct metrics_counters *counters_lane(struct counters *counters);

static inline void counters_add(uint64_t *counter, uint64_t amount)
{
    (void)__atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

/* A request that has ended. */
struct counters_request {
    const char *path; /* of its route; or as it was asked for, and then any */
    const char *method;
    unsigned status;  /* 0: it got no answer */
    unsigned problem; /* as in struct api_reply */
    bool is_solved;   /* worked_us is how long a puzzle took */
    bool is_queued;   /* queued_us is how long it waited for a worker */
    uint64_t took_us;
    uint64_t worked_us;
    uint64_t queued_us;
    uint64_t received; /* bytes of the bodies */
    uint64_t sent;
    const struct api_tally *tally; /* of its puzzle */
};

void counters_add_request(struct counters *counters, const struct counters_request *request);

/* Counts what came of puzzles. */
void counters_add_puzzles(struct counters *counters, enum metrics_source source,
                          const struct api_tally *tally);

/* What has been counted so far; nothing goes down from one call to the next. */
void counters_sum(const struct counters *counters, struct metrics_counters *ret);

#endif
