#include "pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WORKER_NICENESS = 10 };

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    struct pool_job *first; /* the queue of jobs that wait for a slice */
    struct pool_job *last;
    size_t jobs; /* waiting or in a slice */
    size_t max_jobs;
    bool is_closed;
    unsigned workers;
    pthread_t threads[];
};

static void append(struct pool *pool, struct pool_job *job)
{
    job->next = NULL;
    if (pool->first == NULL)
        pool->first = job;
    else
        pool->last->next = job;
    pool->last = job;
}

/* The next job to run a slice of, NULL when the pool is closed and empty. */
static struct pool_job *take(struct pool *pool)
{
    while (pool->first == NULL && !(pool->is_closed && pool->jobs == 0))
        pthread_cond_wait(&pool->has_work, &pool->lock);
    struct pool_job *job = pool->first;
    if (job != NULL)
        pool->first = job->next;
    return job;
}

static void *work(void *argument)
{
    struct pool *pool = argument;
    struct pool_job *job;

    /* On Linux a niceness belongs to a thread. Where it can't be had, it is done without. */
    (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), WORKER_NICENESS);

    pthread_mutex_lock(&pool->lock);
    while ((job = take(pool)) != NULL) {
        pthread_mutex_unlock(&pool->lock);
        const bool is_finished = job->run_slice(job);
        pthread_mutex_lock(&pool->lock);
        if (!is_finished) {
            append(pool, job);
            continue;
        }
        /* Its place is free before its owner hears of it, who may come with the next at once. */
        if (--pool->jobs == 0 && pool->is_closed)
            pthread_cond_broadcast(&pool->has_work);
        pthread_mutex_unlock(&pool->lock);
        job->finish(job);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct pool *pool_create(unsigned workers, size_t max_jobs)
{
    struct pool *pool = calloc(1, sizeof *pool + workers * sizeof pool->threads[0]);

    if (pool == NULL)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_work, NULL);
    pool->max_jobs = max_jobs;
    for (; pool->workers < workers; pool->workers++) {
        if (pthread_create(&pool->threads[pool->workers], NULL, work, pool) != 0) {
            pool_close(pool);
            pool_destroy(pool);
            return NULL;
        }
    }
    return pool;
}

static bool has_room(const struct pool *pool)
{
    return pool->jobs < pool->max_jobs && !pool->is_closed;
}

static void add(struct pool *pool, struct pool_job *job)
{
    pool->jobs++;
    append(pool, job);
    pthread_cond_signal(&pool->has_work);
}

bool pool_submit(struct pool *pool, struct pool_job *job)
{
    pthread_mutex_lock(&pool->lock);
    const bool is_taken = has_room(pool);
    if (is_taken)
        add(pool, job);
    pthread_mutex_unlock(&pool->lock);
    return is_taken;
}

bool pool_has_room(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    const bool is_room = has_room(pool);
    pthread_mutex_unlock(&pool->lock);
    return is_room;
}

bool pool_submit_more(struct pool *pool, struct pool_job *job)
{
    pthread_mutex_lock(&pool->lock);
    const bool is_taken = !pool->is_closed;
    if (is_taken)
        add(pool, job);
    pthread_mutex_unlock(&pool->lock);
    return is_taken;
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
