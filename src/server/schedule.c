#include "schedule.h"

#include <assert.h>
#include <string.h>

/* See the policy in schedule.h for these. */
enum {
    BATCH_SHARE = 4,
    CLIENT_SHARE = 3,
    ALWAYS_BEFORE_DEADLINE = 2,
    ALWAYS_BEFORE_MAX_WAIT = 4,
};

/* A job may need so many times what others do and still is to end before its deadline. */
enum { MARGIN = 2 };

/* The pace is that of about so many jobs. */
enum { PACE_OF = 32 };

/* How many places a client may be found in. */
enum { PROBES = 16 };

#define OWNER(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

/* ---- Lists ---- */

static void list_init(struct schedule_link *list)
{
    list->next = list;
    list->previous = list;
}

static bool is_empty(const struct schedule_link *list)
{
    return list->next == list;
}

static void append(struct schedule_link *list, struct schedule_link *link)
{
    link->next = list;
    link->previous = list->previous;
    list->previous->next = link;
    list->previous = link;
}

static void take_out(struct schedule_link *link)
{
    link->next->previous = link->previous;
    link->previous->next = link->next;
}

/* ---- Clients ---- */

/* Mixes all bits of a key into all of the result, so that who shares a place with whom can't be
 * told without the seed. */
static uint64_t mix(uint64_t key, uint64_t seed)
{
    key ^= seed;
    key = (key ^ key >> 32) * UINT64_C(0xd6e8feb86659fd93);
    key = (key ^ key >> 32) * UINT64_C(0xd6e8feb86659fd93) ^ seed;
    return key ^ key >> 32;
}

/* The index of a client's place: the one it has or had, else a free one, else one to share. */
static size_t place_of(const struct schedule *schedule, const struct schedule_line *line,
                       uint64_t key)
{
    const uint64_t first = mix(key, schedule->seed);
    const uint64_t stride = first >> 32 | 1;
    size_t place = first % SCHEDULE_CLIENTS;

    for (unsigned i = PROBES; i-- > 0;) {
        const size_t probe = (first + i * stride) % SCHEDULE_CLIENTS;
        if (line->clients[probe].key == key)
            return probe;
        if (line->clients[probe].job_count == 0)
            place = probe;
    }
    return place;
}

/* ---- Coming ---- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The work of a job. Before any has ended, all that was done may be of one. */
static double work_of(const struct schedule_pace *pace)
{
    return pace->ended > 0 ? pace->work_us / pace->ended : pace->work_us;
}

/* How long a job of a client is likely to take that is one of so many jobs that take turns. */
static double expect_us(const struct schedule *schedule, const struct schedule_client *client,
                        uint64_t key, size_t jobs)
{
    const bool is_known = client->key == key && client->pace.ended > 0;
    const double work_us = work_of(is_known ? &client->pace : &schedule->pace);
    const double share = schedule->lines[SCHEDULE_BATCH].job_count > 0 ? 1 - 1.0 / BATCH_SHARE : 1;

    return work_us * (double)jobs / (schedule->limits.workers * share);
}

bool schedule_admits(const struct schedule *schedule, enum schedule_kind kind, uint64_t key,
                     uint64_t time_us)
{
    const struct schedule_limits *limits = &schedule->limits;
    const struct schedule_line *line = &schedule->lines[kind];
    const struct schedule_client *client = &line->clients[place_of(schedule, line, key)];
    const size_t free = limits->max_jobs - least(limits->max_jobs, line->job_count);

    if (free == 0 || client->job_count / CLIENT_SHARE >= free)
        return false;
    if (kind == SCHEDULE_BATCH)
        return true;
    /* While it runs, each client gets as many slices as its own; or all jobs do, if that is less.
     */
    const size_t clients = line->client_count + (client->job_count == 0);
    const size_t jobs = least(line->job_count + 1, (client->job_count + 1) * clients);
    const double expected_us = expect_us(schedule, client, key, jobs);
    const size_t workers = limits->workers;
    return (jobs <= ALWAYS_BEFORE_DEADLINE * workers || expected_us * MARGIN <= (double)time_us) &&
           (jobs <= ALWAYS_BEFORE_MAX_WAIT * workers || expected_us <= (double)limits->max_wait_us);
}

/* At the end of its client's jobs, and its client at the end of the clients, if it is not there. */
static void wait_for_turn(struct schedule_line *line, struct schedule_job *job)
{
    if (is_empty(&job->client->jobs))
        append(&line->turns, &job->client->turn);
    append(&job->client->jobs, &job->turn);
    job->is_waiting = true;
}

void schedule_add(struct schedule *schedule, struct schedule_job *job, enum schedule_kind kind,
                  uint64_t key, uint64_t deadline_us)
{
    struct schedule_line *line = &schedule->lines[kind];
    struct schedule_client *client = &line->clients[place_of(schedule, line, key)];

    if (client->job_count == 0) {
        line->client_count++;
        if (client->key != key)
            client->pace = (struct schedule_pace){0};
        client->key = key;
    }
    client->job_count++;
    line->job_count++;
    *job = (struct schedule_job){.client = client, .kind = kind, .deadline_us = deadline_us};
    if (kind == SCHEDULE_SINGLE)
        append(&schedule->ages, &job->age);
    wait_for_turn(line, job);
}

/* ---- Slices ---- */

static struct schedule_job *take(struct schedule_job *job)
{
    take_out(&job->turn);
    if (is_empty(&job->client->jobs))
        take_out(&job->client->turn);
    job->is_waiting = false;
    return job;
}

/* The oldest job that waits past its deadline. Passes by no more jobs than there are workers, since
 * those are in a slice. */
static struct schedule_job *find_overdue(struct schedule *schedule, uint64_t now_us)
{
    for (struct schedule_link *at = schedule->ages.next; at != &schedule->ages; at = at->next) {
        struct schedule_job *job = OWNER(at, struct schedule_job, age);
        if (job->deadline_us > now_us)
            break;
        if (job->is_waiting)
            return job;
    }
    return NULL;
}

/* The kind whose turn it is, when either waits. */
static struct schedule_line *choose_line(struct schedule *schedule)
{
    struct schedule_line *singles = &schedule->lines[SCHEDULE_SINGLE];
    struct schedule_line *batches = &schedule->lines[SCHEDULE_BATCH];
    const bool is_batch_turn = ++schedule->turns % BATCH_SHARE == 0;

    if (is_empty(&singles->turns) || (is_batch_turn && !is_empty(&batches->turns)))
        return batches;
    return singles;
}

struct schedule_job *schedule_take(struct schedule *schedule, uint64_t now_us)
{
    struct schedule_job *overdue = find_overdue(schedule, now_us);

    if (overdue != NULL)
        return take(overdue);
    struct schedule_line *line = choose_line(schedule);
    if (is_empty(&line->turns))
        return NULL;
    struct schedule_client *client = OWNER(line->turns.next, struct schedule_client, turn);
    struct schedule_job *job = take(OWNER(client->jobs.next, struct schedule_job, turn));
    if (!is_empty(&client->jobs)) {
        take_out(&client->turn);
        append(&line->turns, &client->turn);
    }
    return job;
}

/* One that was given up at its deadline is taken to have been half done. Taking it for done, a job
 * would be what there is time for, however many share that time; and none would ever be finished.
 * One that nobody wanted any more is taken out again. */
static void note_end(struct schedule_pace *pace, const struct schedule_job *job,
                     enum schedule_progress progress)
{
    const double work_us = (double)job->work_us;

    if (progress == SCHEDULE_DROPPED) {
        pace->work_us = pace->work_us > work_us ? pace->work_us - work_us : 0;
        return;
    }
    pace->ended += progress == SCHEDULE_OVERDUE ? 0.5 : 1;
    pace->ended *= 1 - 1.0 / PACE_OF;
    pace->work_us *= 1 - 1.0 / PACE_OF;
}

void schedule_slice_done(struct schedule *schedule, struct schedule_job *job, uint64_t took_us,
                         enum schedule_progress progress)
{
    struct schedule_line *line = &schedule->lines[job->kind];

    assert(!job->is_waiting);
    job->work_us += took_us;
    if (job->kind == SCHEDULE_SINGLE) {
        schedule->pace.work_us += (double)took_us;
        job->client->pace.work_us += (double)took_us;
    }
    if (progress == SCHEDULE_UNFINISHED) {
        wait_for_turn(line, job);
        return;
    }
    if (job->kind == SCHEDULE_SINGLE) {
        take_out(&job->age);
        note_end(&schedule->pace, job, progress);
        note_end(&job->client->pace, job, progress);
    }
    line->job_count--;
    if (--job->client->job_count == 0)
        line->client_count--;
}

void schedule_init(struct schedule *schedule, const struct schedule_limits *limits, uint64_t seed)
{
    memset(schedule, 0, sizeof *schedule);
    schedule->limits = *limits;
    schedule->seed = seed;
    list_init(&schedule->ages);
    for (unsigned kind = 0; kind < SCHEDULE_KINDS; kind++) {
        struct schedule_line *line = &schedule->lines[kind];
        list_init(&line->turns);
        for (size_t i = 0; i < SCHEDULE_CLIENTS; i++)
            list_init(&line->clients[i].jobs);
    }
}
