#include "pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>

#include "clock.h"

/* More than the other threads have. */
enum { WORKER_NICENESS = 10 };

struct pool {
    pthread_mutex_t lock; /* for the schedule and what follows */
    pthread_cond_t has_work;
    struct schedule schedule;
    size_t running[SCHEDULE_KINDS]; /* jobs in a slice */
    bool is_closed;
    unsigned workers;
    pthread_t threads[];
};

static struct pool_job *job_of(struct schedule_job *scheduled)
{
    return (struct pool_job *)(void *)((char *)scheduled - offsetof(struct pool_job, scheduled));
}

static bool is_empty(const struct pool *pool)
{
    return schedule_jobs(&pool->schedule, SCHEDULE_SINGLE) == 0 &&
           schedule_jobs(&pool->schedule, SCHEDULE_BATCH) == 0;
}

/* The next job to run a slice of, NULL when the pool is closed and empty. */
static struct pool_job *take(struct pool *pool, uint64_t now_us)
{
    struct schedule_job *scheduled;

    while ((scheduled = schedule_take(&pool->schedule, now_us)) == NULL) {
        if (pool->is_closed && is_empty(pool))
            return NULL;
        pthread_cond_wait(&pool->has_work, &pool->lock);
        now_us = clock_now_us();
    }
    pool->running[scheduled->kind]++;
    return job_of(scheduled);
}

static void *work(void *argument)
{
    struct pool *pool = argument;
    struct pool_job *job;
    uint64_t now_us = clock_now_us();

    /* On Linux a niceness belongs to a thread, 0 being the caller. Where it can't be had, it is
     * done without. */
    (void)setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + WORKER_NICENESS);

    pthread_mutex_lock(&pool->lock);
    while ((job = take(pool, now_us)) != NULL) {
        pthread_mutex_unlock(&pool->lock);
        const uint64_t began_us = clock_now_us();
        const enum schedule_progress progress = job->run_slice(job);
        now_us = clock_now_us();
        pthread_mutex_lock(&pool->lock);
        pool->running[job->scheduled.kind]--;
        schedule_slice_done(&pool->schedule, &job->scheduled, now_us - began_us, progress);
        if (progress == SCHEDULE_UNFINISHED)
            continue;
        /* Its place is free before its owner hears of it, who may come with the next at once. */
        if (is_empty(pool) && pool->is_closed)
            pthread_cond_broadcast(&pool->has_work);
        pthread_mutex_unlock(&pool->lock);
        job->finish(job);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Without a seed it is only easier to tell which clients would share a place in the schedule. */
static uint64_t make_seed(void)
{
    uint64_t seed = 0;

    (void)!getrandom(&seed, sizeof seed, GRND_NONBLOCK);
    return seed;
}

struct pool *pool_create(const struct schedule_limits *limits)
{
    const unsigned workers = limits->workers;
    struct pool *pool = calloc(1, sizeof *pool + workers * sizeof pool->threads[0]);

    if (pool == NULL)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_work, NULL);
    schedule_init(&pool->schedule, limits, make_seed());
    for (; pool->workers < workers; pool->workers++) {
        if (pthread_create(&pool->threads[pool->workers], NULL, work, pool) != 0) {
            pool_close(pool);
            pool_destroy(pool);
            return NULL;
        }
    }
    return pool;
}

bool pool_submit(struct pool *pool, struct pool_job *job, uint64_t client, uint64_t deadline_us)
{
    const uint64_t now_us = clock_now_us();
    const uint64_t time_us = deadline_us > now_us ? deadline_us - now_us : 0;

    pthread_mutex_lock(&pool->lock);
    const bool is_taken =
        !pool->is_closed && schedule_admits(&pool->schedule, SCHEDULE_SINGLE, client, time_us);
    if (is_taken) {
        schedule_add(&pool->schedule, &job->scheduled, SCHEDULE_SINGLE, client, deadline_us);
        pthread_cond_signal(&pool->has_work);
    }
    pthread_mutex_unlock(&pool->lock);
    return is_taken;
}

bool pool_has_room_for_batch(struct pool *pool, uint64_t client)
{
    pthread_mutex_lock(&pool->lock);
    const bool has_room =
        !pool->is_closed && schedule_admits(&pool->schedule, SCHEDULE_BATCH, client, UINT64_MAX);
    pthread_mutex_unlock(&pool->lock);
    return has_room;
}

bool pool_submit_of_batch(struct pool *pool, struct pool_job *job, uint64_t client)
{
    pthread_mutex_lock(&pool->lock);
    const bool is_taken = !pool->is_closed;
    if (is_taken) {
        schedule_add(&pool->schedule, &job->scheduled, SCHEDULE_BATCH, client, UINT64_MAX);
        pthread_cond_signal(&pool->has_work);
    }
    pthread_mutex_unlock(&pool->lock);
    return is_taken;
}

struct pool_load pool_look(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    const size_t *running = pool->running;
    const struct pool_load load = {
        .waiting = schedule_jobs(&pool->schedule, SCHEDULE_SINGLE) - running[SCHEDULE_SINGLE],
        .waiting_of_batches =
            schedule_jobs(&pool->schedule, SCHEDULE_BATCH) - running[SCHEDULE_BATCH],
        .running = running[SCHEDULE_SINGLE] + running[SCHEDULE_BATCH],
    };
    pthread_mutex_unlock(&pool->lock);
    return load;
}

void pool_close(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->is_closed = true;
    pthread_cond_broadcast(&pool->has_work);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->workers; i++)
        pthread_join(pool->threads[i], NULL);
    pool->workers = 0;
}

void pool_destroy(struct pool *pool)
{
    pthread_cond_destroy(&pool->has_work);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
