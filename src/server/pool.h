/* Threads that run long jobs in slices, taking turns.
 *
 * Policy: jobs stand in one queue. A worker takes the first, runs one slice of it, and puts it back
 * at the end if it is not finished. So with N jobs each gets every N-th slice: a long one delays
 * the others by one slice a round, never by its length. The pool holds a limited number of jobs,
 * waiting and running; one more is turned away at once. Workers run at a lower priority than the
 * threads that serve connections, so that easy requests stay fast while both cores search. */
#ifndef SUDOKU_SERVER_POOL_H
#define SUDOKU_SERVER_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct pool;

/* A job is part of something larger that its owner keeps until `finish`. */
struct pool_job {
    bool (*run_slice)(struct pool_job *job); /* true: finished */
    void (*finish)(struct pool_job *job);    /* the pool's last use of the job */
    struct pool_job *next;                   /* the pool's */
};

/* NULL: out of memory or threads. */
struct pool *pool_create(unsigned workers, size_t max_jobs);

/* Gives a job to the pool. False: it holds as many as it may, or is closed; the job is untouched.
 * Any thread. */
bool pool_submit(struct pool *pool, struct pool_job *job);

/* Whether it would take another job now. */
bool pool_has_room(struct pool *pool);

/* Gives it one more job of an owner that it had room for, however many it holds by now. False: it
 * is closed; the job is untouched. */
bool pool_submit_more(struct pool *pool, struct pool_job *job);

/* Takes no more jobs, finishes those it has, and ends the threads. */
void pool_close(struct pool *pool);

/* Frees a closed pool. */
void pool_destroy(struct pool *pool);

#endif
