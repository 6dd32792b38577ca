/* The pool: every job it takes is run to its end and finished exactly once, and jobs take turns. */
#include "server/pool.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "support.h"

/* Lets the n-th thread from now fail to start; the test is linked with --wrap=pthread_create. */
static int threads_until_failure = -1;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    if (threads_until_failure == 0)
        return EAGAIN;
    if (threads_until_failure > 0)
        threads_until_failure--;
    return __real_pthread_create(thread, attributes, start, argument);
}

/* All jobs are those of one client unless it matters, and there is no haste. */
enum { CLIENT = 1 };

static struct pool *create_pool(unsigned workers, size_t max_jobs)
{
    const struct schedule_limits limits = {
        .workers = workers, .max_jobs = max_jobs, .max_wait_us = UINT64_MAX};

    return pool_create(&limits);
}

static bool submit(struct pool *pool, struct pool_job *job)
{
    return pool_submit(pool, job, CLIENT, UINT64_MAX);
}

/* A job of some slices. What isn't atomic is the pool's to hand from thread to thread; the thread
 * sanitizer sees whether it does. */
struct counted_job {
    struct pool_job job; /* first, so that one can be had from the other */
    unsigned slices;     /* to run in all; at least one */
    unsigned run;
    atomic_uint finished;
};

static enum schedule_progress count_slice(struct pool_job *job)
{
    struct counted_job *counted = (struct counted_job *)(void *)job;

    ck_assert_uint_lt(counted->run, counted->slices);
    return ++counted->run == counted->slices ? SCHEDULE_FINISHED : SCHEDULE_UNFINISHED;
}

static void count_finish(struct pool_job *job)
{
    struct counted_job *counted = (struct counted_job *)(void *)job;

    atomic_fetch_add(&counted->finished, 1);
}

static void init_counted(struct counted_job *job, unsigned slices)
{
    *job = (struct counted_job){.job = {.run_slice = count_slice, .finish = count_finish},
                                .slices = slices};
}

static void assert_finished_once(const struct counted_job *job)
{
    ck_assert_uint_eq(job->run, job->slices);
    ck_assert_uint_eq(atomic_load(&job->finished), 1);
}

/* A job that keeps a worker in its only slice until it is let go. */
struct held_job {
    struct pool_job job;
    sem_t begun;
    sem_t let_go;
    sem_t done;
};

static enum schedule_progress hold(struct pool_job *job)
{
    struct held_job *held = (struct held_job *)(void *)job;

    sem_post(&held->begun);
    sem_wait(&held->let_go);
    return SCHEDULE_FINISHED;
}

static void tell_done(struct pool_job *job)
{
    sem_post(&((struct held_job *)(void *)job)->done);
}

static void init_held(struct held_job *held)
{
    held->job = (struct pool_job){.run_slice = hold, .finish = tell_done};
    sem_init(&held->begun, 0, 0);
    sem_init(&held->let_go, 0, 0);
    sem_init(&held->done, 0, 0);
}

static void clear_held(struct held_job *held)
{
    sem_destroy(&held->begun);
    sem_destroy(&held->let_go);
    sem_destroy(&held->done);
}

/* How many slices these jobs had had when another finished. */
static const struct counted_job *noted_blocks;
static size_t noted_count;
static unsigned noted_slices;

static void note_batches(struct pool_job *job)
{
    (void)job;
    for (size_t i = 0; i < noted_count; i++)
        noted_slices += noted_blocks[i].run;
}

START_TEST(opens_and_closes_without_a_job)
{
    for (unsigned workers = 1; workers <= 8; workers++) {
        struct pool *pool = create_pool(workers, 1);
        ck_assert_ptr_nonnull(pool);
        pool_close(pool);
        pool_destroy(pool);
    }
}
END_TEST

START_TEST(runs_every_job_to_its_end_and_finishes_it_once)
{
    enum { JOBS = 200 };
    static struct counted_job jobs[JOBS];

    for (unsigned workers = 1; workers <= 4; workers++) {
        struct pool *pool = create_pool(workers, 2 * JOBS);
        ck_assert_ptr_nonnull(pool);
        for (unsigned i = 0; i < JOBS; i++) {
            init_counted(&jobs[i], i % 13 + 1);
            ck_assert(submit(pool, &jobs[i].job));
        }
        pool_close(pool);
        for (unsigned i = 0; i < JOBS; i++)
            assert_finished_once(&jobs[i]);
        pool_destroy(pool);
    }
}
END_TEST

/* What the slices of named jobs leave behind, in the order in which they ran. */
static char history[256];

struct named_job {
    struct pool_job job;
    char name;
    unsigned slices;
};

static enum schedule_progress note_slice(struct pool_job *job)
{
    struct named_job *named = (struct named_job *)(void *)job;
    const size_t length = strlen(history);

    history[length] = named->name;
    history[length + 1] = '\0';
    return --named->slices == 0 ? SCHEDULE_FINISHED : SCHEDULE_UNFINISHED;
}

static void note_finish(struct pool_job *job)
{
    strcat(history, ((struct named_job *)(void *)job)->name == 'a' ? "!" : ".");
}

static struct named_job named_job(char name, unsigned slices)
{
    return (struct named_job){
        .job = {.run_slice = note_slice, .finish = note_finish}, .name = name, .slices = slices};
}

/* One worker, kept until all stand in the queue: the order is then the pool's alone. */
START_TEST(jobs_take_turns_in_the_order_they_came)
{
    struct named_job jobs[] = {named_job('a', 4), named_job('b', 1), named_job('c', 3),
                               named_job('d', 2)};
    struct held_job held;
    struct pool *pool = create_pool(1, 10);

    history[0] = '\0';
    init_held(&held);
    ck_assert_ptr_nonnull(pool);
    ck_assert(submit(pool, &held.job));
    sem_wait(&held.begun);
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
        ck_assert(submit(pool, &jobs[i].job));
    sem_post(&held.let_go);
    pool_close(pool);
    ck_assert_str_eq(history, "ab.cdacd.ac.a!");
    pool_destroy(pool);
    clear_held(&held);
}
END_TEST

/* A job that submits a short one from its first slice, then goes on for long. */
struct parent_job {
    struct named_job named;
    struct pool *pool;
    struct named_job *child;
    sem_t submitted;
};

static enum schedule_progress submit_child(struct pool_job *job)
{
    struct parent_job *parent = (struct parent_job *)(void *)job;

    if (parent->child != NULL) {
        ck_assert(submit(parent->pool, &parent->child->job));
        parent->child = NULL;
        sem_post(&parent->submitted);
    }
    return note_slice(job);
}

START_TEST(a_late_job_waits_for_one_slice_of_a_long_one)
{
    struct named_job child = named_job('b', 1);
    struct parent_job parent = {.named = named_job('a', 6), .child = &child};

    history[0] = '\0';
    parent.named.job.run_slice = submit_child;
    sem_init(&parent.submitted, 0, 0);
    parent.pool = create_pool(1, 10);
    ck_assert_ptr_nonnull(parent.pool);
    ck_assert(submit(parent.pool, &parent.named.job));
    sem_wait(&parent.submitted);
    pool_close(parent.pool);
    ck_assert_str_eq(history, "ab.aaaaa!");
    pool_destroy(parent.pool);
    sem_destroy(&parent.submitted);
}
END_TEST

/* However many blocks of batches wait, a single search has three slices in four; and where there is
 * none, they have all. With one worker, held until all jobs wait. */
START_TEST(batches_together_have_one_slice_in_four)
{
    enum { BLOCKS = 20, SLICES = 30 };
    static struct counted_job blocks[BLOCKS];
    static struct counted_job single;
    struct held_job held;
    struct pool *pool = create_pool(1, BLOCKS);
    unsigned of_batches = 0;

    ck_assert_ptr_nonnull(pool);
    init_held(&held);
    ck_assert(submit(pool, &held.job));
    sem_wait(&held.begun);
    for (size_t i = 0; i < BLOCKS; i++) {
        init_counted(&blocks[i], SLICES);
        /* A client alone may have three quarters of the places. */
        ck_assert(pool_has_room_for_batch(pool, CLIENT) == (i < BLOCKS * 3 / 4));
        ck_assert(pool_submit_of_batch(pool, &blocks[i].job, CLIENT));
    }
    ck_assert(!pool_has_room_for_batch(pool, CLIENT + 1));
    init_counted(&single, SLICES);
    single.job.finish = note_batches;
    noted_blocks = blocks;
    noted_count = BLOCKS;
    ck_assert(submit(pool, &single.job));
    sem_post(&held.let_go);
    pool_close(pool);
    pool_destroy(pool);
    clear_held(&held);

    ck_assert_uint_eq(single.run, SLICES);
    ck_assert_uint_ge(noted_slices, SLICES / 4);
    ck_assert_uint_le(noted_slices, SLICES / 3 + 1);
    for (size_t i = 0; i < BLOCKS; i++) {
        assert_finished_once(&blocks[i]);
        of_batches += blocks[i].run;
    }
    ck_assert_uint_eq(of_batches, BLOCKS * SLICES);
}
END_TEST

START_TEST(a_full_pool_refuses_and_leaves_the_job_alone)
{
    struct held_job held;
    struct counted_job waiting;
    struct counted_job refused;
    struct pool *pool = create_pool(1, 2);

    ck_assert_ptr_nonnull(pool);
    init_held(&held);
    init_counted(&waiting, 1);
    init_counted(&refused, 1);
    refused.job.scheduled.work_us = 77;
    ck_assert(submit(pool, &held.job)); /* in a slice counts */
    sem_wait(&held.begun);
    ck_assert(submit(pool, &waiting.job)); /* so does waiting */
    const struct pool_job before = refused.job;
    for (int i = 0; i < 3; i++)
        ck_assert(!submit(pool, &refused.job));
    ck_assert_mem_eq(&refused.job, &before, sizeof before);

    sem_post(&held.let_go);
    pool_close(pool);
    assert_finished_once(&waiting);
    ck_assert_uint_eq(refused.run, 0);
    ck_assert_uint_eq(atomic_load(&refused.finished), 0);
    pool_destroy(pool);
    clear_held(&held);
}
END_TEST

START_TEST(a_pool_without_room_refuses_all)
{
    struct counted_job job;
    struct pool *pool = create_pool(1, 0);

    ck_assert_ptr_nonnull(pool);
    init_counted(&job, 1);
    ck_assert(!submit(pool, &job.job));
    pool_close(pool);
    ck_assert_uint_eq(job.run, 0);
    pool_destroy(pool);
}
END_TEST

/* A place is free again once a job is finished and its worker has come back for more. */
START_TEST(a_finished_job_makes_room_for_another)
{
    struct held_job held[2];
    struct pool *pool = create_pool(1, 2);

    ck_assert_ptr_nonnull(pool);
    init_held(&held[0]);
    init_held(&held[1]);
    ck_assert(submit(pool, &held[0].job));
    ck_assert(submit(pool, &held[1].job));
    for (int i = 0; i < 100; i++) {
        struct held_job *oldest = &held[i % 2];
        struct held_job *other = &held[1 - i % 2];
        ck_assert(!submit(pool, &oldest->job));
        sem_post(&oldest->let_go);
        sem_wait(&oldest->done);
        sem_wait(&other->begun);
        sem_post(&other->begun); /* for the next round */
        sem_wait(&oldest->begun);
        ck_assert(submit(pool, &oldest->job));
    }
    sem_post(&held[0].let_go);
    sem_post(&held[1].let_go);
    pool_close(pool);
    pool_destroy(pool);
    clear_held(&held[0]);
    clear_held(&held[1]);
}
END_TEST

START_TEST(a_closed_pool_refuses)
{
    struct counted_job job;
    struct pool *pool = create_pool(2, 10);

    ck_assert_ptr_nonnull(pool);
    init_counted(&job, 1);
    pool_close(pool);
    ck_assert(!submit(pool, &job.job));
    ck_assert_uint_eq(job.run, 0);
    ck_assert_uint_eq(atomic_load(&job.finished), 0);
    pool_destroy(pool);
}
END_TEST

/* The pool's last use of a job is `finish`: its memory may be gone with it. */
static atomic_uint freed;

static void free_job(struct pool_job *job)
{
    atomic_fetch_add(&freed, 1);
    free(job);
}

static struct counted_job *new_job(unsigned slices)
{
    struct counted_job *job = malloc(sizeof *job);

    ck_assert_ptr_nonnull(job);
    init_counted(job, slices);
    job->job.finish = free_job;
    return job;
}

START_TEST(a_job_may_be_freed_by_its_finish)
{
    enum { JOBS = 1000 };
    struct pool *pool = create_pool(4, 2 * JOBS);

    ck_assert_ptr_nonnull(pool);
    atomic_store(&freed, 0);
    for (unsigned i = 0; i < JOBS; i++)
        ck_assert(submit(pool, &new_job(i % 3 + 1)->job));
    pool_close(pool);
    ck_assert_uint_eq(atomic_load(&freed), JOBS);
    pool_destroy(pool);
}
END_TEST

static void *close_pool(void *pool)
{
    pool_close(pool);
    return NULL;
}

/* Closing begins while one job is in a slice and others wait; sooner or later a job comes too late.
 */
START_TEST(close_finishes_what_the_pool_has_and_takes_no_more)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    struct held_job held;
    struct counted_job waiting;
    struct pool *pool = create_pool(1, SIZE_MAX);
    pthread_t closer;
    unsigned taken = 0;

    ck_assert_ptr_nonnull(pool);
    atomic_store(&freed, 0);
    init_held(&held);
    init_counted(&waiting, 5);
    ck_assert(submit(pool, &held.job));
    sem_wait(&held.begun);
    ck_assert(submit(pool, &waiting.job));
    ck_assert_int_eq(pthread_create(&closer, NULL, close_pool, pool), 0);

    struct counted_job *late = new_job(1);
    while (submit(pool, &late->job)) {
        taken++;
        late = new_job(1);
        nanosleep(&pause, NULL);
    }
    ck_assert(!submit(pool, &late->job));
    ck_assert_uint_eq(late->run, 0);
    free(late);

    sem_post(&held.let_go);
    pthread_join(closer, NULL);
    assert_finished_once(&waiting);
    ck_assert_uint_eq(atomic_load(&freed), taken);
    pool_destroy(pool);
    clear_held(&held);
}
END_TEST

/* One past its deadline has all slices until it ends; of the others the second client's has every
 * other slice, though it came last. */
START_TEST(clients_take_turns_and_what_is_late_comes_first)
{
    struct named_job jobs[] = {named_job('a', 3), named_job('b', 2), named_job('c', 2),
                               named_job('x', 3), named_job('l', 3)};
    struct held_job held;
    struct pool *pool = create_pool(1, 10);

    history[0] = '\0';
    init_held(&held);
    ck_assert_ptr_nonnull(pool);
    ck_assert(pool_submit(pool, &held.job, CLIENT, 1));
    sem_wait(&held.begun);
    ck_assert(pool_submit(pool, &jobs[4].job, CLIENT, 1));
    for (size_t i = 0; i < 3; i++)
        ck_assert(submit(pool, &jobs[i].job));
    ck_assert(pool_submit(pool, &jobs[3].job, CLIENT + 1, UINT64_MAX));
    sem_post(&held.let_go);
    pool_close(pool);
    ck_assert_str_eq(history, "lll.axbxcx.ab.c.a!");
    pool_destroy(pool);
    clear_held(&held);
}
END_TEST

enum { SUBMITTERS = 4, EACH = 3000, HELD_AT_MOST = 64 };

static struct counted_job stress_jobs[SUBMITTERS][EACH];

struct submitter {
    pthread_t thread;
    struct pool *pool;
    struct counted_job *jobs;
    uint64_t client;
    unsigned taken;
    unsigned refused;
};

/* Ends in each way that there is, some in the first slice. */
static enum schedule_progress count_and_end(struct pool_job *job)
{
    struct counted_job *counted = (struct counted_job *)(void *)job;
    const enum schedule_progress progress = count_slice(job);

    if (progress == SCHEDULE_UNFINISHED)
        return progress;
    return counted->slices % 3 == 0   ? SCHEDULE_OVERDUE
           : counted->slices % 3 == 1 ? SCHEDULE_DROPPED
                                      : SCHEDULE_FINISHED;
}

/* Every seventh is of a batch, every eleventh late when it comes; all have to be taken some time.
 */
static void *submit_many(void *argument)
{
    struct submitter *submitter = argument;

    for (unsigned i = 0; i < EACH; i++) {
        struct counted_job *job = &submitter->jobs[i];
        init_counted(job, i % 5 + 1);
        job->job.run_slice = count_and_end;
        while (i % 7 == 0 ? !pool_has_room_for_batch(submitter->pool, submitter->client) ||
                                !pool_submit_of_batch(submitter->pool, &job->job, submitter->client)
                          : !pool_submit(submitter->pool, &job->job, submitter->client,
                                         i % 11 == 0 ? 1 : UINT64_MAX)) {
            submitter->refused++;
            sched_yield();
        }
    }
    return NULL;
}

/* Some jobs come too late, and are untouched. */
static void *submit_until_closed(void *argument)
{
    struct submitter *submitter = argument;

    for (unsigned i = 0; i < EACH; i++) {
        init_counted(&submitter->jobs[i], i % 5 + 1);
        if (pool_submit(submitter->pool, &submitter->jobs[i].job, submitter->client, UINT64_MAX))
            submitter->taken++;
    }
    return NULL;
}

static void start_submitters(struct submitter submitters[SUBMITTERS], struct pool *pool,
                             void *(*run)(void *))
{
    for (unsigned i = 0; i < SUBMITTERS; i++) {
        submitters[i] = (struct submitter){.pool = pool, .jobs = stress_jobs[i], .client = i / 2};
        ck_assert_int_eq(pthread_create(&submitters[i].thread, NULL, run, &submitters[i]), 0);
    }
}

/* A small pool, so that it is often full. */
START_TEST(many_threads_may_submit_at_once)
{
    struct submitter submitters[SUBMITTERS];
    struct pool *pool = create_pool(3, HELD_AT_MOST);

    ck_assert_ptr_nonnull(pool);
    start_submitters(submitters, pool, submit_many);
    for (unsigned i = 0; i < SUBMITTERS; i++)
        pthread_join(submitters[i].thread, NULL);
    pool_close(pool);
    for (unsigned i = 0; i < SUBMITTERS; i++) {
        for (unsigned k = 0; k < EACH; k++)
            assert_finished_once(&stress_jobs[i][k]);
    }
    pool_destroy(pool);
}
END_TEST

START_TEST(closing_while_many_threads_submit_finishes_just_what_was_taken)
{
    struct submitter submitters[SUBMITTERS];
    struct pool *pool = create_pool(3, HELD_AT_MOST);
    unsigned taken = 0;
    unsigned finished = 0;

    ck_assert_ptr_nonnull(pool);
    start_submitters(submitters, pool, submit_until_closed);
    pool_close(pool);
    for (unsigned i = 0; i < SUBMITTERS; i++) {
        pthread_join(submitters[i].thread, NULL);
        taken += submitters[i].taken;
        for (unsigned k = 0; k < EACH; k++) {
            const struct counted_job *job = &stress_jobs[i][k];
            const unsigned times = atomic_load(&job->finished);
            ck_assert_uint_le(times, 1);
            ck_assert_uint_eq(job->run, times * job->slices);
            finished += times;
        }
    }
    ck_assert_uint_eq(finished, taken);
    pool_destroy(pool);
}
END_TEST

START_TEST(there_is_no_pool_where_a_thread_cannot_be_made)
{
    for (int made = 0; made < 4; made++) {
        threads_until_failure = made;
        ck_assert_ptr_null(create_pool(4, 10));
    }
    threads_until_failure = 4;
    struct pool *pool = create_pool(4, 10);
    ck_assert_ptr_nonnull(pool);
    threads_until_failure = -1;
    pool_close(pool);
    pool_destroy(pool);
}
END_TEST

struct nice_job {
    struct pool_job job;
    int niceness;
    sem_t is_done;
};

static enum schedule_progress read_niceness(struct pool_job *job)
{
    ((struct nice_job *)(void *)job)->niceness = getpriority(PRIO_PROCESS, 0);
    return SCHEDULE_FINISHED;
}

static void tell(struct pool_job *job)
{
    sem_post(&((struct nice_job *)(void *)job)->is_done);
}

/* However nice these are: a worker that is less so would take their time. */
START_TEST(workers_are_nicer_than_the_threads_of_connections)
{
    enum { NICEST = 19 };
    struct nice_job job = {.job = {.run_slice = read_niceness, .finish = tell}};

    ck_assert_int_eq(sem_init(&job.is_done, 0, 0), 0);
    ck_assert_int_eq(setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 4), 0);
    const int own = getpriority(PRIO_PROCESS, 0);
    struct pool *pool = create_pool(1, 1);
    ck_assert(submit(pool, &job.job));
    while (sem_wait(&job.is_done) != 0)
        continue;
    ck_assert_int_eq(job.niceness, own + 10 < NICEST ? own + 10 : NICEST);
    pool_close(pool);
    pool_destroy(pool);
    sem_destroy(&job.is_done);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("pool", &tests);

    tcase_add_test(tests, opens_and_closes_without_a_job);
    tcase_add_test(tests, runs_every_job_to_its_end_and_finishes_it_once);
    tcase_add_test(tests, jobs_take_turns_in_the_order_they_came);
    tcase_add_test(tests, a_late_job_waits_for_one_slice_of_a_long_one);
    tcase_add_test(tests, batches_together_have_one_slice_in_four);
    tcase_add_test(tests, a_full_pool_refuses_and_leaves_the_job_alone);
    tcase_add_test(tests, a_pool_without_room_refuses_all);
    tcase_add_test(tests, a_finished_job_makes_room_for_another);
    tcase_add_test(tests, a_closed_pool_refuses);
    tcase_add_test(tests, close_finishes_what_the_pool_has_and_takes_no_more);
    tcase_add_test(tests, clients_take_turns_and_what_is_late_comes_first);
    tcase_add_test(tests, many_threads_may_submit_at_once);
    tcase_add_test(tests, closing_while_many_threads_submit_finishes_just_what_was_taken);
    tcase_add_test(tests, a_job_may_be_freed_by_its_finish);
    tcase_add_test(tests, workers_are_nicer_than_the_threads_of_connections);
    tcase_add_test(tests, there_is_no_pool_where_a_thread_cannot_be_made);
    return run_suite(suite);
}
