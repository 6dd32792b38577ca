#include "counters.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { CACHE_LINE = 64, MAX_LANES = 64, COUNTERS = sizeof(struct metrics_counters) / 8 };

static_assert(sizeof(struct metrics_counters) % sizeof(uint64_t) == 0, "not only counters");

struct lane {
    _Alignas(CACHE_LINE) struct metrics_counters counters;
};

struct counters {
    unsigned lane_count;
    struct lane lanes[];
};

struct counters *counters_create(void)
{
    const long cpus = sysconf(_SC_NPROCESSORS_CONF);
    const unsigned count = cpus < 1 ? 1 : cpus > MAX_LANES ? MAX_LANES : (unsigned)cpus;
    const size_t size = sizeof(struct counters) + count * sizeof(struct lane);
    struct counters *counters = aligned_alloc(CACHE_LINE, size);

    if (counters == NULL)
        return NULL;
    counters->lane_count = count;
    for (unsigned i = 0; i < count; i++)
        counters->lanes[i] = (struct lane){0};
    return counters;
}

void counters_destroy(struct counters *counters)
{
    free(counters);
}

/* A number that is too large, or -1 where there is none, finds a lane too. */
struct metrics_counters *counters_lane(struct counters *counters)
{
    const unsigned cpu = (unsigned)sched_getcpu();

    return &counters->lanes[cpu < counters->lane_count ? cpu : cpu % counters->lane_count].counters;
}

static void add_duration(struct metrics_histogram *histogram, uint64_t us)
{
    counters_add(&histogram->bucket[metrics_bucket(us)], 1);
    counters_add(&histogram->sum_us, us);
}

/* Most of a tally is zeros, and adding costs more than looking. */
static void add_some(uint64_t *counter, uint64_t amount)
{
    if (amount > 0)
        counters_add(counter, amount);
}

static void add_tally(struct api_tally *to, const struct api_tally *tally)
{
    for (unsigned i = 0; i < TALLY_STATUSES; i++)
        add_some(&to->answers[i], tally->answers[i]);
    add_some(&to->problems, tally->problems);
    add_some(&to->exhausted, tally->exhausted);
    add_some(&to->steps, tally->steps);
}

void counters_add_request(struct counters *counters, const struct counters_request *request)
{
    struct metrics_counters *lane = counters_lane(counters);
    const size_t place = metrics_place(request->path);

    counters_add(
        &lane->requests[place][metrics_method(request->method)][metrics_status(request->status)],
        1);
    add_duration(&lane->request_duration[place], request->took_us);
    if (request->is_solved) {
        add_duration(&lane->solve_duration, request->worked_us);
        add_tally(&lane->puzzles[METRICS_SINGLE], request->tally);
    }
    if (request->is_queued)
        add_duration(&lane->queue_duration, request->queued_us);
    if (request->problem != 0)
        counters_add(&lane->problems[request->problem - 1], 1);
    add_some(&lane->received_bytes, request->received);
    add_some(&lane->sent_bytes, request->sent);
}

void counters_add_puzzles(struct counters *counters, enum metrics_source source,
                          const struct api_tally *tally)
{
    add_tally(&counters_lane(counters)->puzzles[source], tally);
}

void counters_sum(const struct counters *counters, struct metrics_counters *ret)
{
    uint64_t *sum = (uint64_t *)ret;

    *ret = (struct metrics_counters){0};
    for (unsigned i = 0; i < counters->lane_count; i++) {
        const uint64_t *lane = (const uint64_t *)&counters->lanes[i].counters;
        for (size_t j = 0; j < COUNTERS; j++)
            sum[j] += __atomic_load_n(&lane[j], __ATOMIC_RELAXED);
    }
}
