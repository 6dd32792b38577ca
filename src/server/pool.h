/* Threads that run long jobs in slices, taking turns.
 *
 * Policy: jobs stand in a queue. A worker takes the first, runs one slice of it, and puts it back
 * at the end if it is not finished. So with N jobs each gets every N-th slice: a long one delays
 * the others by one slice a round, never by its length. The jobs of batches stand in a queue of
 * their own, which all together get one slice in four while there are others, and all when there
 * are none: however many batches there are, a single search keeps three quarters of the workers.
 * The pool holds a limited number of jobs of each kind, waiting and running; one more is turned
 * away at once. Workers run at a lower priority than the threads that serve connections, so that
 * easy requests stay fast while all cores search. */
#ifndef SUDOKU_SERVER_POOL_H
#define SUDOKU_SERVER_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct pool;

/* A job is part of something larger that its owner keeps until `finish`. */
struct pool_job {
    bool (*run_slice)(struct pool_job *job); /* true: finished */
    void (*finish)(struct pool_job *job);    /* the pool's last use of the job */
    struct pool_job *next;                   /* the pool's, and so is this: */
    bool is_of_batch;
};

/* NULL: out of memory or threads. */
struct pool *pool_create(unsigned workers, size_t max_jobs);

/* Gives a job to the pool. False: it holds as many as it may, or is closed; the job is untouched.
 * Any thread. */
bool pool_submit(struct pool *pool, struct pool_job *job);

/* Whether it has room for another batch now. */
bool pool_has_room_for_batch(struct pool *pool);

/* Gives it a job of a batch that it had room for, however many it holds by now. False: it is
 * closed; the job is untouched. */
bool pool_submit_of_batch(struct pool *pool, struct pool_job *job);

/* Takes no more jobs, finishes those it has, and ends the threads. */
void pool_close(struct pool *pool);

/* Frees a closed pool. */
void pool_destroy(struct pool *pool);

#endif
