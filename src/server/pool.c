#include "pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WORKER_NICENESS = 10 };

/* Of each so many slices one goes to a batch, if there is one. */
enum { BATCH_SHARE = 4 };

/* Jobs that wait for a slice, and how many there are with those in a slice. */
struct queue {
    struct pool_job *first;
    struct pool_job *last;
    size_t jobs;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    struct queue singles;
    struct queue batches;
    unsigned turns;
    size_t max_jobs; /* in each queue */
    bool is_closed;
    unsigned workers;
    pthread_t threads[];
};

static struct queue *queue_of(struct pool *pool, const struct pool_job *job)
{
    return job->is_of_batch ? &pool->batches : &pool->singles;
}

static void append(struct queue *queue, struct pool_job *job)
{
    job->next = NULL;
    if (queue->first == NULL)
        queue->first = job;
    else
        queue->last->next = job;
    queue->last = job;
}

static bool is_empty(const struct pool *pool)
{
    return pool->singles.jobs + pool->batches.jobs == 0;
}

/* The queue whose turn it is; one of them has a job that waits. */
static struct queue *choose_queue(struct pool *pool)
{
    const bool is_batch_turn = ++pool->turns % BATCH_SHARE == 0;

    if (pool->singles.first == NULL || (is_batch_turn && pool->batches.first != NULL))
        return &pool->batches;
    return &pool->singles;
}

/* The next job to run a slice of, NULL when the pool is closed and empty. */
static struct pool_job *take(struct pool *pool)
{
    while (pool->singles.first == NULL && pool->batches.first == NULL) {
        if (pool->is_closed && is_empty(pool))
            return NULL;
        pthread_cond_wait(&pool->has_work, &pool->lock);
    }
    struct queue *queue = choose_queue(pool);
    struct pool_job *job = queue->first;
    queue->first = job->next;
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
            append(queue_of(pool, job), job);
            continue;
        }
        /* Its place is free before its owner hears of it, who may come with the next at once. */
        queue_of(pool, job)->jobs--;
        if (is_empty(pool) && pool->is_closed)
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

static void add(struct pool *pool, struct queue *queue, struct pool_job *job)
{
    job->is_of_batch = queue == &pool->batches;
    queue->jobs++;
    append(queue, job);
    pthread_cond_signal(&pool->has_work);
}

bool pool_submit(struct pool *pool, struct pool_job *job)
{
    pthread_mutex_lock(&pool->lock);
    const bool is_taken = pool->singles.jobs < pool->max_jobs && !pool->is_closed;
    if (is_taken)
        add(pool, &pool->singles, job);
    pthread_mutex_unlock(&pool->lock);
    return is_taken;
}

bool pool_has_room_for_batch(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    const bool has_room = pool->batches.jobs < pool->max_jobs && !pool->is_closed;
    pthread_mutex_unlock(&pool->lock);
    return has_room;
}

bool pool_submit_of_batch(struct pool *pool, struct pool_job *job)
{
    pthread_mutex_lock(&pool->lock);
    const bool is_taken = !pool->is_closed;
    if (is_taken)
        add(pool, &pool->batches, job);
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
