/* Threads that run long jobs in slices, taking turns; schedule.h says whose turn it is, and who is
 * turned away.
 *
 * Workers run at a lower priority than the threads that serve connections, so that easy requests
 * stay fast while all cores search. */
#ifndef SUDOKU_SERVER_POOL_H
#define SUDOKU_SERVER_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schedule.h"

struct pool;

/* How much search effort a slice takes, about a microsecond each: long enough that turns cost
 * little beside the work, short enough that those who wait do not notice. */
enum { POOL_SLICE = 1024 };

/* A job is part of something larger that its owner keeps until `finish`. */
struct pool_job {
    struct schedule_job scheduled; /* the pool's */
    enum schedule_progress (*run_slice)(struct pool_job *job);
    void (*finish)(struct pool_job *job); /* the pool's last use of the job */
};

/* NULL: out of memory or threads. */
struct pool *pool_create(const struct schedule_limits *limits);

/* Gives a client's job to the pool. The first slice past its deadline, a time of clock_now_us,
 * comes before all others, for the job to end. False: the schedule turns it away, or the pool is
 * closed; the job is untouched. Any thread. */
bool pool_submit(struct pool *pool, struct pool_job *job, uint64_t client, uint64_t deadline_us);

/* Whether it has room for another batch of a client now. */
bool pool_has_room_for_batch(struct pool *pool, uint64_t client);

/* Gives it a job of a batch that it had room for, however many it holds by now. False: it is
 * closed; the job is untouched. */
bool pool_submit_of_batch(struct pool *pool, struct pool_job *job, uint64_t client);

/* How much it has to do now. */
struct pool_load {
    size_t waiting; /* jobs that wait for a turn */
    size_t waiting_of_batches;
    size_t running;
};

struct pool_load pool_look(struct pool *pool);

/* Takes no more jobs, finishes those it has, and ends the threads. */
void pool_close(struct pool *pool);

/* Frees a closed pool. */
void pool_destroy(struct pool *pool);

#endif
