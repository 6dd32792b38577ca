/* Who gets the next slice, and who is turned away: the pool's policy, without its threads. No lock,
 * clock or heap, so a test can drive it through any history.
 *
 * 1. A slice goes to the client whose turn it is, and then the next client has its turn: one with a
 *    thousand jobs delays another's by a slice a round. A client's jobs take turns the same way.
 * 2. A job past its deadline comes before all others; its slice only finds that out.
 * 3. Batches have turns of their own. While there are single jobs too, one slice in four is theirs.
 * 4. A worker is idle only when no job waits.
 * 5. Each kind has so many places. A client may have three times as many as are free: alone at most
 *    three quarters, and there is room for the first job of another as long as can be.
 * 6. A single job that needs as much as its client's last ones, or as all clients' if there were
 *    none, would take some time, as the workers are shared by all that get slices meanwhile. If
 *    that is more than max_wait, the job is turned away at once, but for the first four for each
 *    worker; if it is more than half of the time to its deadline, but for the first two. */
#ifndef SUDOKU_SERVER_SCHEDULE_H
#define SUDOKU_SERVER_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum schedule_kind { SCHEDULE_SINGLE, SCHEDULE_BATCH, SCHEDULE_KINDS };

/* What a slice led to. */
enum schedule_progress {
    SCHEDULE_UNFINISHED,
    SCHEDULE_FINISHED,
    SCHEDULE_OVERDUE, /* given up at its deadline: it is not known how long it would have taken */
    SCHEDULE_DROPPED, /* nobody wants it any more, which says nothing about others */
};

/* In a list that is a ring, with a link that belongs to no member as its beginning. */
struct schedule_link {
    struct schedule_link *next, *previous;
};

/* Part of something larger that its owner keeps until it has ended. All is the schedule's. */
struct schedule_job {
    struct schedule_link turn; /* among the waiting jobs of its client */
    struct schedule_link age;  /* among all single jobs */
    struct schedule_client *client;
    uint64_t deadline_us;
    uint64_t work_us; /* what it has had */
    enum schedule_kind kind;
    bool is_waiting;
};

/* What single jobs take: the work that was done of late, whether it ended a job or not, and how
 * many jobs ended meanwhile. So it is not only told from those that take little and end first. */
struct schedule_pace {
    double work_us;
    double ended;
};

/* A client that has jobs, or had some when nobody has come to its place since. So many are told
 * apart; more share the places of others. */
enum { SCHEDULE_CLIENTS = 1024 };
struct schedule_client {
    struct schedule_link turn; /* among the clients whose jobs wait */
    struct schedule_link jobs; /* those that wait */
    uint64_t key;
    size_t job_count; /* waiting or in a slice; 0: the place is free */
    struct schedule_pace pace;
};

struct schedule_line {
    struct schedule_link turns;
    size_t job_count, client_count;
    struct schedule_client clients[SCHEDULE_CLIENTS];
};

struct schedule_limits {
    unsigned workers;
    size_t max_jobs; /* of each kind, waiting or in a slice */
    uint64_t max_wait_us;
};

/* Is not to be moved once it is initialised. */
struct schedule {
    struct schedule_limits limits;
    struct schedule_line lines[SCHEDULE_KINDS];
    struct schedule_link ages; /* single jobs, the oldest first */
    uint64_t seed;
    unsigned turns;
    struct schedule_pace pace; /* of all clients */
};

/* With another seed other clients share a place, once that is needed. */
void schedule_init(struct schedule *schedule, const struct schedule_limits *limits, uint64_t seed);

/* Whether a client may add a job that is to end within this time. */
bool schedule_admits(const struct schedule *schedule, enum schedule_kind kind, uint64_t client,
                     uint64_t time_us);

/* Adds a job, whether it would be admitted or not. Single jobs come in the order of their
 * deadlines, or nearly so; those of batches have none. */
void schedule_add(struct schedule *schedule, struct schedule_job *job, enum schedule_kind kind,
                  uint64_t client, uint64_t deadline_us);

/* The job to run a slice of now, which is then in a slice. NULL: none waits. */
struct schedule_job *schedule_take(struct schedule *schedule, uint64_t now_us);

/* The slice is over, and took so long. Unless the job is unfinished, the schedule has forgotten it
 * when this returns. */
void schedule_slice_done(struct schedule *schedule, struct schedule_job *job, uint64_t took_us,
                         enum schedule_progress progress);

/* How many jobs of a kind it has, waiting or in a slice. */
static inline size_t schedule_jobs(const struct schedule *schedule, enum schedule_kind kind)
{
    return schedule->lines[kind].job_count;
}

#endif
