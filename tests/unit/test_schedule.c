/* The schedule: driven through histories of made-up clients in a time that is made up too. */
#include "server/schedule.h"

#include "support.h"

enum { SLICE_US = 1000 };

static struct schedule schedule; /* large, and not to be moved */

static void init(unsigned workers, size_t max_jobs, uint64_t max_wait_us)
{
    const struct schedule_limits limits = {
        .workers = workers, .max_jobs = max_jobs, .max_wait_us = max_wait_us};

    schedule_init(&schedule, &limits, 12345);
}

/* ---- One thing at a time ---- */

/* A job that leaves its name in the history at each slice. */
struct named {
    struct schedule_job job; /* first, so that one can be had from the other */
    char name;
    unsigned slices;
};

static struct named named[4000];

static void add(size_t index, char name, enum schedule_kind kind, uint64_t client, unsigned slices)
{
    named[index].name = name;
    named[index].slices = slices;
    schedule_add(&schedule, &named[index].job, kind, client, UINT64_MAX);
}

/* Runs the next slice. Returns the job's name, '\0' when none waits. */
static char step(uint64_t now_us)
{
    struct named *job = (struct named *)(void *)schedule_take(&schedule, now_us);

    if (job == NULL)
        return '\0';
    schedule_slice_done(&schedule, &job->job, SLICE_US,
                        --job->slices == 0 ? SCHEDULE_FINISHED : SCHEDULE_UNFINISHED);
    return job->name;
}

static void assert_history(const char *expected)
{
    char history[64] = "";
    size_t length = 0;

    while (length < sizeof history - 1 && (history[length] = step(0)) != '\0')
        length++;
    ck_assert_str_eq(history, expected);
}

START_TEST(an_empty_schedule_has_nothing_to_run)
{
    init(2, 10, SLICE_US);
    ck_assert_ptr_null(schedule_take(&schedule, UINT64_MAX));
    ck_assert_uint_eq(schedule_jobs(&schedule, SCHEDULE_SINGLE), 0);
    ck_assert_uint_eq(schedule_jobs(&schedule, SCHEDULE_BATCH), 0);
}
END_TEST

START_TEST(the_jobs_of_a_client_take_turns_in_the_order_they_came)
{
    init(1, 10, SLICE_US);
    add(0, 'a', SCHEDULE_SINGLE, 1, 4);
    add(1, 'b', SCHEDULE_SINGLE, 1, 1);
    add(2, 'c', SCHEDULE_SINGLE, 1, 3);
    assert_history("abcacaca");
}
END_TEST

START_TEST(clients_take_turns_however_many_jobs_they_have)
{
    init(1, 10, SLICE_US);
    add(0, 'a', SCHEDULE_SINGLE, 1, 2);
    add(1, 'b', SCHEDULE_SINGLE, 1, 2);
    add(2, 'c', SCHEDULE_SINGLE, 1, 2);
    add(3, 'x', SCHEDULE_SINGLE, 2, 3);
    add(4, 'y', SCHEDULE_SINGLE, 3, 1);
    assert_history("axybxcxabc");
}
END_TEST

/* The first of these has a thousand jobs, each without end. */
START_TEST(a_thousand_jobs_of_a_client_delay_another_by_one_slice_a_round)
{
    unsigned between = 0;

    init(1, 2000, SLICE_US);
    for (size_t i = 0; i < 1000; i++)
        add(i, 'k', SCHEDULE_SINGLE, 1, UINT32_MAX);
    for (unsigned i = 0; i < 700; i++)
        ck_assert_int_eq(step(0), 'k');
    add(1000, 'e', SCHEDULE_SINGLE, 2, 50);
    while (named[1000].slices > 0)
        between += step(0) == 'k';
    ck_assert_uint_le(between, 50);
}
END_TEST

START_TEST(batches_have_one_slice_in_four_of_singles_and_all_without_them)
{
    init(1, 10, SLICE_US);
    add(0, 's', SCHEDULE_SINGLE, 1, 6);
    add(1, 'A', SCHEDULE_BATCH, 1, 3);
    add(2, 'B', SCHEDULE_BATCH, 1, 3);
    add(3, 'X', SCHEDULE_BATCH, 2, 2);
    /* Clients take turns here too. */
    assert_history("sssAsssXBXABAB");
}
END_TEST

START_TEST(what_is_past_its_deadline_comes_first_the_oldest_before_others)
{
    static struct schedule_job jobs[4];

    init(1, 10, SLICE_US);
    for (size_t i = 0; i < 3; i++)
        schedule_add(&schedule, &jobs[i], SCHEDULE_SINGLE, 1, 100 + i);
    schedule_add(&schedule, &jobs[3], SCHEDULE_SINGLE, 2, 103);
    ck_assert_ptr_eq(schedule_take(&schedule, 99), &jobs[0]); /* its turn */
    ck_assert_ptr_eq(schedule_take(&schedule, 101), &jobs[1]);
    ck_assert_ptr_eq(schedule_take(&schedule, 101), &jobs[3]); /* the turn of client 2 */
    schedule_slice_done(&schedule, &jobs[0], 1, SCHEDULE_UNFINISHED);
    schedule_slice_done(&schedule, &jobs[3], 1, SCHEDULE_UNFINISHED);
    ck_assert_ptr_eq(schedule_take(&schedule, 1000), &jobs[0]);
    ck_assert_ptr_eq(schedule_take(&schedule, 1000), &jobs[2]);
    ck_assert_ptr_eq(schedule_take(&schedule, 1000), &jobs[3]);
    ck_assert_ptr_null(schedule_take(&schedule, 1000));
    for (size_t i = 0; i < 4; i++)
        schedule_slice_done(&schedule, &jobs[i], 1, SCHEDULE_OVERDUE);
    ck_assert_uint_eq(schedule_jobs(&schedule, SCHEDULE_SINGLE), 0);
}
END_TEST

/* ---- Who is turned away ---- */

/* Lets a client come until it is refused. Returns how many of its jobs were taken. */
static size_t fill(size_t from, enum schedule_kind kind, uint64_t client)
{
    size_t count = 0;

    while (schedule_admits(&schedule, kind, client, UINT64_MAX)) {
        ck_assert_uint_lt(from + count, sizeof named / sizeof named[0]);
        add(from + count, 'k', kind, client, UINT32_MAX);
        count++;
    }
    return count;
}

START_TEST(a_client_leaves_room_for_another)
{
    static const size_t taken[] = {750, 188, 47, 12, 3, 0};

    for (unsigned kind = 0; kind < SCHEDULE_KINDS; kind++) {
        size_t count = 0;

        init(2, 1000, SLICE_US);
        for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
            ck_assert_uint_eq(fill(count, kind, i), taken[i]);
            count += taken[i];
        }
        ck_assert_uint_eq(schedule_jobs(&schedule, kind), count);
        /* The other kind has places of its own. */
        ck_assert(schedule_admits(&schedule, 1 - kind, 0, UINT64_MAX));
    }
}
END_TEST

/* Where no job is. */
static size_t find_free(void)
{
    size_t index = 0;

    while (named[index].slices > 0)
        index++;
    return index;
}

/* Clients that take all they can get, the first of them long before the others. */
START_TEST(shares_of_the_places_even_out)
{
    enum { PLACES = 1000, CLIENTS = 8, ALONE = 1000, ROUNDS = 40000 };
    size_t held[CLIENTS] = {0};

    memset(named, 0, sizeof named);
    init(2, PLACES, UINT64_MAX);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned client = round < ALONE ? 0 : round % CLIENTS;
        if (schedule_admits(&schedule, SCHEDULE_SINGLE, client, UINT64_MAX)) {
            add(find_free(), (char)('A' + client), SCHEDULE_SINGLE, client, 1);
            held[client]++;
        }
        if (round >= ALONE && round % 2 == 0)
            held[step(0) - 'A']--;
    }
    for (unsigned client = 0; client < CLIENTS; client++) {
        ck_assert_uint_ge(held[client], PLACES / CLIENTS * 3 / 4);
        ck_assert_uint_le(held[client], PLACES / CLIENTS);
    }
    ck_assert(schedule_admits(&schedule, SCHEDULE_SINGLE, CLIENTS, UINT64_MAX));
}
END_TEST

START_TEST(there_are_never_more_jobs_than_places)
{
    for (size_t max_jobs = 0; max_jobs < 20; max_jobs++) {
        size_t count = 0;

        init(2, max_jobs, SLICE_US);
        for (uint64_t client = 1; client <= 50; client++)
            count += fill(count, SCHEDULE_SINGLE, client);
        ck_assert_uint_eq(count, max_jobs);
    }
}
END_TEST

/* Jobs that come and go, so that the mean is known. */
static void teach(uint64_t client, uint64_t work_us, unsigned jobs, enum schedule_progress progress)
{
    for (unsigned i = 0; i < jobs; i++) {
        static struct schedule_job job;
        schedule_add(&schedule, &job, SCHEDULE_SINGLE, client, UINT64_MAX);
        ck_assert_ptr_eq(schedule_take(&schedule, 0), &job);
        schedule_slice_done(&schedule, &job, work_us, progress);
    }
}

/* Two workers, jobs of 100 ms: with N of them each takes N times 50 ms; twice that must be left. */
START_TEST(a_job_that_would_end_past_its_deadline_is_turned_away_at_once)
{
    init(2, 1000, UINT64_MAX);
    teach(99, 100000, 200, SCHEDULE_FINISHED);
    for (size_t i = 0; i < 9; i++) {
        ck_assert(schedule_admits(&schedule, SCHEDULE_SINGLE, 1, 1000000));
        add(i, 'k', SCHEDULE_SINGLE, 1, UINT32_MAX);
    }
    ck_assert(schedule_admits(&schedule, SCHEDULE_SINGLE, 1, 1001000));
    ck_assert(!schedule_admits(&schedule, SCHEDULE_SINGLE, 1, 999000));
    /* Another client has half of the workers. */
    ck_assert(schedule_admits(&schedule, SCHEDULE_SINGLE, 2, 999000));
    /* Batches take a quarter. */
    ck_assert(schedule_admits(&schedule, SCHEDULE_SINGLE, 1, 1300000));
    add(9, 'B', SCHEDULE_BATCH, 1, UINT32_MAX);
    ck_assert(!schedule_admits(&schedule, SCHEDULE_SINGLE, 1, 1300000));
    ck_assert(schedule_admits(&schedule, SCHEDULE_SINGLE, 1, 1400000));
}
END_TEST

START_TEST(the_first_few_are_never_turned_away_for_time)
{
    init(2, 1000, 1);
    teach(99, 1000000, 200, SCHEDULE_FINISHED);
    ck_assert_uint_eq(fill(0, SCHEDULE_SINGLE, 1), 8);
    init(2, 1000, UINT64_MAX);
    teach(99, 1000000, 200, SCHEDULE_FINISHED);
    for (size_t i = 0; i < 4; i++) {
        ck_assert(schedule_admits(&schedule, SCHEDULE_SINGLE, 1, 0));
        add(i, 'k', SCHEDULE_SINGLE, 1, UINT32_MAX);
    }
    ck_assert(!schedule_admits(&schedule, SCHEDULE_SINGLE, 1, 0));
}
END_TEST

START_TEST(max_wait_limits_how_many_share_the_workers)
{
    init(2, 1000, 1010000);
    teach(99, 100000, 200, SCHEDULE_FINISHED);
    ck_assert_uint_eq(fill(0, SCHEDULE_SINGLE, 1), 20);
    ck_assert_uint_ge(fill(20, SCHEDULE_SINGLE, 2), 10);
}
END_TEST

static double mean_us(void)
{
    return schedule.pace.work_us / schedule.pace.ended;
}

START_TEST(one_that_met_its_deadline_counts_twice_and_one_that_nobody_wants_not)
{
    init(2, 1000, UINT64_MAX);
    teach(99, 100000, 200, SCHEDULE_OVERDUE);
    ck_assert_double_eq_tol(mean_us(), 200000, 1);
    const double before = mean_us();
    teach(99, 5000, 200, SCHEDULE_DROPPED);
    ck_assert_double_eq_tol(mean_us(), before, 1);
    teach(99, 100000, 200, SCHEDULE_FINISHED);
    ck_assert_double_eq_tol(mean_us(), 105000, 10000);
}
END_TEST

/* Of jobs that take turns the short ones end first; what the others have had counts too. */
START_TEST(work_that_has_not_ended_counts)
{
    init(1, 1000, 30 * SLICE_US);
    for (size_t i = 0; i < 10; i++)
        add(i, 'k', SCHEDULE_SINGLE, 1, i == 0 ? 1 : 100);
    for (unsigned i = 0; i < 10; i++)
        step(0);
    ck_assert_uint_eq(schedule_jobs(&schedule, SCHEDULE_SINGLE), 9);
    ck_assert(!schedule_admits(&schedule, SCHEDULE_SINGLE, 1, UINT64_MAX));
}
END_TEST

/* A job is judged by its client's, wherever they are from; with two workers and two clients of four
 * jobs each, one more of 100 ms takes 450, and the same of 1 ms 4.5. */
START_TEST(what_a_client_sends_is_judged_by_what_it_sent)
{
    init(2, 1000, 300000);
    teach(1, 100000, 200, SCHEDULE_FINISHED);
    teach(2, 1000, 200, SCHEDULE_FINISHED);
    teach(1, 100000, 200, SCHEDULE_FINISHED);
    for (size_t i = 0; i < 8; i++)
        add(i, 'k', SCHEDULE_SINGLE, i % 2 + 1, UINT32_MAX);
    ck_assert(!schedule_admits(&schedule, SCHEDULE_SINGLE, 1, UINT64_MAX));
    ck_assert(schedule_admits(&schedule, SCHEDULE_SINGLE, 2, UINT64_MAX));
    /* Of one that is not known, as all were of late. */
    add(8, 'k', SCHEDULE_SINGLE, 3, UINT32_MAX);
    add(9, 'k', SCHEDULE_SINGLE, 3, UINT32_MAX);
    ck_assert(!schedule_admits(&schedule, SCHEDULE_SINGLE, 3, UINT64_MAX));
}
END_TEST

START_TEST(nobody_is_judged_by_who_had_the_place_before)
{
    enum { CLIENTS = 5000 }; /* so that each place has been somebody's */

    init(2, 1000, 1000);
    for (uint64_t client = 1; client <= CLIENTS; client++)
        teach(client, 1000000, 1, SCHEDULE_FINISHED);
    teach(1, 1, 1000, SCHEDULE_FINISHED);
    for (size_t i = 0; i < 50; i++) {
        ck_assert(schedule_admits(&schedule, SCHEDULE_SINGLE, CLIENTS + 1, UINT64_MAX));
        add(i, 'k', SCHEDULE_SINGLE, CLIENTS + 1, UINT32_MAX);
    }
}
END_TEST

/* More clients than are told apart: they share places, and nothing is lost. */
START_TEST(there_may_be_more_clients_than_places_for_them)
{
    enum { CLIENTS = 4000, SLICES = 3 };
    unsigned steps = 0;

    init(2, CLIENTS, UINT64_MAX);
    for (size_t i = 0; i < CLIENTS; i++)
        add(i, 'k', SCHEDULE_SINGLE, i << 7, SLICES);
    while (step(0) != '\0')
        steps++;
    ck_assert_uint_eq(steps, CLIENTS * SLICES);
    ck_assert_uint_eq(schedule.lines[SCHEDULE_SINGLE].client_count, 0);
}
END_TEST

START_TEST(so_many_clients_are_told_apart_as_there_may_be_jobs)
{
    enum { CLIENTS = 500 };

    init(2, CLIENTS, UINT64_MAX);
    for (size_t i = 0; i < CLIENTS; i++)
        add(i, 'k', SCHEDULE_SINGLE, i << 7, 1);
    ck_assert_uint_eq(schedule.lines[SCHEDULE_SINGLE].client_count, CLIENTS);
}
END_TEST

/* ---- Whole histories ---- */

enum { MAX_WORKERS = 4, MAX_CLIENTS = 12, MAX_JOBS = 20000 };

/* As ck_assert, which does so much when all is well that it can't be had for every slice. */
#define REQUIRE(claim)                                                                             \
    do {                                                                                           \
        if (!(claim))                                                                              \
            ck_abort_msg("%s", #claim);                                                            \
    } while (0)

/* What a client sends. */
struct habit {
    enum schedule_kind kind;
    double per_second;
    uint64_t work_us; /* on average */
    double leaves;    /* how many of its jobs it does not wait for */
};

struct made_up {
    struct schedule_job job; /* first, so that one can be had from the other */
    unsigned client;
    enum schedule_kind kind;
    uint64_t left_us; /* of its work */
    uint64_t came_us;
    uint64_t deadline_us;
    uint64_t leaves_us; /* when the client does */
    uint64_t ticket;    /* those of a client that wait are served in this order */
    bool is_waiting;
    size_t present;    /* its index there */
    uint64_t ended_us; /* 0: it has not */
    enum schedule_progress end;
};

struct worker {
    struct made_up *job; /* NULL: idle */
    uint64_t took_us;
    uint64_t done_us;
    enum schedule_progress progress;
};

static struct history {
    uint64_t random;
    uint64_t now_us;
    uint64_t slice_us;
    uint64_t patience_us; /* from coming to the deadline */
    bool is_even;         /* all jobs of a client are the same work */
    unsigned worker_count, client_count;
    struct habit habits[MAX_CLIENTS];
    uint64_t next_us[MAX_CLIENTS]; /* when a client comes next */
    struct worker workers[MAX_WORKERS];
    struct made_up jobs[MAX_JOBS];
    size_t job_count;
    struct made_up *present[MAX_JOBS]; /* those that have not ended, in no order */
    size_t present_count;
    size_t refused[MAX_CLIENTS];
    size_t waiting[SCHEDULE_KINDS][MAX_CLIENTS];
    size_t held[SCHEDULE_KINDS];
    uint64_t tickets;
    /* How many slices a client has had since another, that waits, had its last. */
    unsigned passed[SCHEDULE_KINDS][MAX_CLIENTS][MAX_CLIENTS];
    unsigned singles_in_a_row; /* while batches waited */
    unsigned batches_in_a_row; /* while singles waited */
} history;

static double random_fraction(void)
{
    history.random ^= history.random << 13;
    history.random ^= history.random >> 7;
    history.random ^= history.random << 17;
    return (double)(history.random >> 11) / (double)(UINT64_C(1) << 53);
}

/* With this average; many short ones and a few long, as times between arrivals are. */
static uint64_t random_time(double average_us)
{
    const double fraction = random_fraction();
    double rest = 1;
    double sum = 0;

    /* -ln(1 - fraction), as a series that is exact enough here */
    for (int i = 1; i < 60; i++) {
        rest *= fraction;
        sum += rest / i;
    }
    return 1 + (uint64_t)(sum * average_us);
}

static size_t count_waiting(enum schedule_kind kind)
{
    size_t count = 0;

    for (unsigned c = 0; c < history.client_count; c++)
        count += history.waiting[kind][c];
    return count;
}

static void begin_to_wait(struct made_up *job)
{
    if (history.waiting[job->kind][job->client]++ == 0)
        memset(history.passed[job->kind][job->client], 0,
               sizeof history.passed[job->kind][job->client]);
    job->ticket = ++history.tickets;
    job->is_waiting = true;
}

static void come(unsigned client)
{
    const struct habit *habit = &history.habits[client];
    const size_t held = history.held[habit->kind];

    history.next_us[client] = history.now_us + random_time(1e6 / habit->per_second);
    if (!schedule_admits(&schedule, habit->kind, client, history.patience_us)) {
        history.refused[client]++;
        return;
    }
    REQUIRE(held < schedule.limits.max_jobs);
    REQUIRE(history.job_count < MAX_JOBS);
    struct made_up *job = &history.jobs[history.job_count++];
    *job = (struct made_up){
        .client = client,
        .kind = habit->kind,
        .left_us = history.is_even ? habit->work_us : random_time((double)habit->work_us),
        .came_us = history.now_us,
        .deadline_us =
            habit->kind == SCHEDULE_BATCH ? UINT64_MAX : history.now_us + history.patience_us,
        .leaves_us =
            random_fraction() < habit->leaves ? history.now_us + random_time(20000) : UINT64_MAX,
    };
    job->present = history.present_count;
    history.present[history.present_count++] = job;
    schedule_add(&schedule, &job->job, habit->kind, client, job->deadline_us);
    history.held[habit->kind]++;
    REQUIRE(schedule_jobs(&schedule, habit->kind) == held + 1);
    begin_to_wait(job);
}

/* Nobody with an older ticket of the same client waits; no client that waits has been passed by
 * another twice; batches have their share and no more. */
static void assert_fair(const struct made_up *taken)
{
    const unsigned kind = taken->kind;

    for (size_t i = 0; i < history.present_count; i++) {
        const struct made_up *job = history.present[i];
        if (job->is_waiting && job->client == taken->client && job->kind == taken->kind)
            REQUIRE(job->ticket >= taken->ticket);
    }
    for (unsigned c = 0; c < history.client_count; c++) {
        if (c != taken->client && history.waiting[kind][c] > 0)
            REQUIRE(++history.passed[kind][c][taken->client] == 1);
        history.passed[kind][taken->client][c] = 0;
    }
    const bool is_batch = kind == SCHEDULE_BATCH;
    history.singles_in_a_row =
        is_batch || count_waiting(SCHEDULE_BATCH) == 0 ? 0 : history.singles_in_a_row + 1;
    history.batches_in_a_row =
        !is_batch || count_waiting(SCHEDULE_SINGLE) == 0 ? 0 : history.batches_in_a_row + 1;
    REQUIRE(history.singles_in_a_row <= 3);
    REQUIRE(history.batches_in_a_row <= 1);
}

static bool is_overdue(const struct made_up *job)
{
    return job->deadline_us <= history.now_us;
}

/* No other that waits past its deadline came earlier. NULL: none does. */
static void assert_oldest_overdue(const struct made_up *taken)
{
    for (size_t i = 0; i < history.present_count; i++) {
        const struct made_up *job = history.present[i];
        if (job->is_waiting && is_overdue(job))
            REQUIRE(taken != NULL && job->came_us >= taken->came_us);
    }
}

static void begin_slice(struct worker *worker)
{
    struct made_up *job = (struct made_up *)(void *)schedule_take(&schedule, history.now_us);

    if (job == NULL) {
        /* Idle only when nothing waits. */
        REQUIRE(count_waiting(SCHEDULE_SINGLE) + count_waiting(SCHEDULE_BATCH) == 0);
        return;
    }
    REQUIRE(job->is_waiting);
    job->is_waiting = false;
    history.waiting[job->kind][job->client]--;
    worker->job = job;
    worker->took_us = job->left_us < history.slice_us ? job->left_us : history.slice_us;
    worker->progress = job->left_us <= history.slice_us ? SCHEDULE_FINISHED : SCHEDULE_UNFINISHED;
    if (is_overdue(job)) {
        assert_oldest_overdue(job);
        worker->took_us = 1;
        worker->progress = SCHEDULE_OVERDUE;
    } else {
        assert_oldest_overdue(NULL);
        assert_fair(job);
        if (job->leaves_us <= history.now_us) {
            worker->took_us = 1;
            worker->progress = SCHEDULE_DROPPED;
        }
    }
    worker->done_us = history.now_us + worker->took_us;
}

static void end_slice(struct worker *worker)
{
    struct made_up *job = worker->job;

    worker->job = NULL;
    schedule_slice_done(&schedule, &job->job, worker->took_us, worker->progress);
    if (worker->progress == SCHEDULE_UNFINISHED) {
        job->left_us -= worker->took_us;
        begin_to_wait(job);
        return;
    }
    REQUIRE(job->ended_us == 0);
    history.present[job->present] = history.present[--history.present_count];
    history.present[job->present]->present = job->present;
    job->ended_us = history.now_us;
    job->end = worker->progress;
    history.held[job->kind]--;
    REQUIRE(schedule_jobs(&schedule, job->kind) == history.held[job->kind]);
}

/* Goes on to what happens next, until `until_us`. False: nothing does. */
static bool go_on(uint64_t until_us)
{
    uint64_t next_us = UINT64_MAX;

    for (unsigned c = 0; c < history.client_count; c++) {
        if (history.next_us[c] < until_us && history.next_us[c] < next_us)
            next_us = history.next_us[c];
    }
    for (unsigned w = 0; w < history.worker_count; w++) {
        if (history.workers[w].job != NULL && history.workers[w].done_us < next_us)
            next_us = history.workers[w].done_us;
    }
    if (next_us == UINT64_MAX)
        return false;
    history.now_us = next_us;
    for (unsigned w = 0; w < history.worker_count; w++) {
        if (history.workers[w].job != NULL && history.workers[w].done_us == next_us)
            end_slice(&history.workers[w]);
    }
    for (unsigned c = 0; c < history.client_count; c++) {
        if (history.next_us[c] == next_us && next_us < until_us)
            come(c);
    }
    for (unsigned w = 0; w < history.worker_count; w++) {
        if (history.workers[w].job == NULL)
            begin_slice(&history.workers[w]);
    }
    return true;
}

static void start_history(uint64_t seed, unsigned workers, uint64_t patience_us, uint64_t slice_us)
{
    memset(&history, 0, sizeof history);
    history.random = seed * 2654435761U + 1;
    history.worker_count = workers;
    history.patience_us = patience_us;
    history.slice_us = slice_us;
}

static void add_client(enum schedule_kind kind, double per_second, uint64_t work_us, double leaves)
{
    const unsigned client = history.client_count++;

    ck_assert_uint_lt(client, MAX_CLIENTS);
    history.habits[client] = (struct habit){kind, per_second, work_us, leaves};
    history.next_us[client] = random_time(1e6 / per_second);
}

/* Clients come for so many seconds, and then what they sent is finished. */
static void run_history(double seconds)
{
    while (go_on((uint64_t)(seconds * 1e6)))
        ;
    for (size_t i = 0; i < history.job_count; i++)
        REQUIRE(history.jobs[i].ended_us != 0);
    for (unsigned kind = 0; kind < SCHEDULE_KINDS; kind++) {
        ck_assert_uint_eq(history.held[kind], 0);
        ck_assert_uint_eq(schedule.lines[kind].client_count, 0);
    }
}

struct outcome {
    size_t finished, overdue, dropped;
    uint64_t p99_us, longest_us; /* of those that were finished */
};

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static struct outcome outcome_of(unsigned client)
{
    static uint64_t took_us[MAX_JOBS];
    struct outcome outcome = {0};

    for (size_t i = 0; i < history.job_count; i++) {
        const struct made_up *job = &history.jobs[i];
        if (job->client != client)
            continue;
        outcome.overdue += job->end == SCHEDULE_OVERDUE;
        outcome.dropped += job->end == SCHEDULE_DROPPED;
        if (job->end == SCHEDULE_FINISHED)
            took_us[outcome.finished++] = job->ended_us - job->came_us;
    }
    if (outcome.finished > 0) {
        qsort(took_us, outcome.finished, sizeof took_us[0], compare);
        outcome.p99_us = took_us[outcome.finished * 99 / 100];
        outcome.longest_us = took_us[outcome.finished - 1];
    }
    return outcome;
}

/* Clients of all sorts, from idle times to far too much; what must always be so is asserted in each
 * slice. */
START_TEST(every_history_is_fair_and_loses_nothing)
{
    for (unsigned seed = 1; seed <= 24; seed++) {
        const unsigned workers = seed % MAX_WORKERS + 1;

        init(workers, seed % 3 == 0 ? 40 : 400, 500000);
        start_history(seed, workers, seed % 2 == 0 ? 300000 : 3000000, SLICE_US);
        add_client(SCHEDULE_SINGLE, 200, 3000, 0);             /* the usual */
        add_client(SCHEDULE_SINGLE, 20, 2000, 0.2);            /* impatient */
        add_client(SCHEDULE_SINGLE, 5 * seed, 50000, 0);       /* killers */
        add_client(SCHEDULE_SINGLE, 8, 60000 * (seed % 5), 0); /* huge ones */
        add_client(SCHEDULE_SINGLE, 1, 4000, 0);
        add_client(SCHEDULE_BATCH, 10 * (seed % 4) + 1, 20000, 0.1);
        add_client(SCHEDULE_BATCH, 4, 100000, 0);
        run_history(3);
        ck_assert_uint_gt(history.job_count, 100);
    }
}
END_TEST

/* A client with a thousand killers at once, and one with an occasional search. */
START_TEST(a_thousand_killers_do_not_delay_the_jobs_of_another)
{
    init(2, 1024, 500000);
    start_history(7, 2, 30000000, SLICE_US);
    add_client(SCHEDULE_SINGLE, 1000, 15000, 0);
    add_client(SCHEDULE_SINGLE, 20, 3000, 0);
    run_history(10);
    const struct outcome other = outcome_of(1);
    ck_assert_uint_eq(history.refused[1], 0);
    ck_assert_uint_eq(other.overdue, 0);
    ck_assert_uint_gt(other.finished, 150);
    /* At most a slice of the killers before each of its own, whose work is 30 ms at the most. */
    ck_assert_uint_le(other.longest_us, 80000);
    ck_assert_uint_gt(history.refused[0], 7000);
}
END_TEST

/* Clients that send twice as much as there is time for, together. */
static void assert_overload(uint64_t patience_us, unsigned clients, bool is_even,
                            uint64_t longest_us)
{
    enum { WORKERS = 2, SECONDS = 40, WORK_US = 15000 };
    const double capacity = WORKERS * 1e6 / WORK_US;
    size_t finished = 0;
    size_t overdue = 0;

    init(WORKERS, 1024, 500000);
    start_history(clients, WORKERS, patience_us, SLICE_US);
    history.is_even = is_even;
    for (unsigned i = 0; i < clients; i++)
        add_client(SCHEDULE_SINGLE, 2 * capacity / clients, WORK_US, 0);
    run_history(SECONDS);
    for (unsigned i = 0; i < clients; i++) {
        const struct outcome outcome = outcome_of(i);
        finished += outcome.finished;
        overdue += outcome.overdue;
        ck_assert_uint_le(outcome.p99_us, longest_us);
        /* And each has its part. */
        ck_assert_double_ge((double)outcome.finished, 0.6 * capacity * SECONDS / clients);
    }
    ck_assert_double_ge((double)finished, 0.85 * capacity * SECONDS);
    ck_assert_uint_le(overdue, is_even ? 0 : finished / 4);
}

/* Where the work differs, the p99 is that of jobs of nearly five times the mean. */
START_TEST(twice_too_much_is_turned_away_early_and_the_rest_answered_soon)
{
    for (unsigned clients = 1; clients <= 4; clients++) {
        assert_overload(30000000, clients, true, 1000000);
        assert_overload(30000000, clients, false, 3500000);
        assert_overload(300000, clients, true, 300000);
        assert_overload(300000, clients, false, 300000);
    }
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("schedule", &tests);

    tcase_add_test(tests, an_empty_schedule_has_nothing_to_run);
    tcase_add_test(tests, the_jobs_of_a_client_take_turns_in_the_order_they_came);
    tcase_add_test(tests, clients_take_turns_however_many_jobs_they_have);
    tcase_add_test(tests, a_thousand_jobs_of_a_client_delay_another_by_one_slice_a_round);
    tcase_add_test(tests, batches_have_one_slice_in_four_of_singles_and_all_without_them);
    tcase_add_test(tests, what_is_past_its_deadline_comes_first_the_oldest_before_others);
    tcase_add_test(tests, a_client_leaves_room_for_another);
    tcase_add_test(tests, shares_of_the_places_even_out);
    tcase_add_test(tests, there_are_never_more_jobs_than_places);
    tcase_add_test(tests, a_job_that_would_end_past_its_deadline_is_turned_away_at_once);
    tcase_add_test(tests, the_first_few_are_never_turned_away_for_time);
    tcase_add_test(tests, max_wait_limits_how_many_share_the_workers);
    tcase_add_test(tests, one_that_met_its_deadline_counts_twice_and_one_that_nobody_wants_not);
    tcase_add_test(tests, work_that_has_not_ended_counts);
    tcase_add_test(tests, what_a_client_sends_is_judged_by_what_it_sent);
    tcase_add_test(tests, nobody_is_judged_by_who_had_the_place_before);
    tcase_add_test(tests, there_may_be_more_clients_than_places_for_them);
    tcase_add_test(tests, so_many_clients_are_told_apart_as_there_may_be_jobs);
    tcase_add_test(tests, every_history_is_fair_and_loses_nothing);
    tcase_add_test(tests, a_thousand_killers_do_not_delay_the_jobs_of_another);
    tcase_add_test(tests, twice_too_much_is_turned_away_early_and_the_rest_answered_soon);
    return run_suite(suite);
}
