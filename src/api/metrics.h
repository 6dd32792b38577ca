/* What an operator may know of the server: numbers, and their text at /metrics.
 *
 * Who counts is the server's affair; here is what is counted and how it is written. */
#ifndef SUDOKU_API_METRICS_H
#define SUDOKU_API_METRICS_H

#include "buffer.h"
#include "problem.h"
#include "tally.h"

enum {
    METRICS_PLACES = 32,   /* paths of the route table, and one for all others */
    METRICS_METHODS = 8,   /* see metrics_method */
    METRICS_STATUSES = 24, /* see metrics_status */
    METRICS_BUCKETS = 22,  /* see metrics_bucket */
};

/* How long something took, and how often. */
struct metrics_histogram {
    uint64_t bucket[METRICS_BUCKETS]; /* each without those before it */
    uint64_t sum_us;
};

enum metrics_source {
    METRICS_SINGLE, /* requests with one puzzle */
    METRICS_BATCH,
    METRICS_SOURCES
};

enum metrics_reason { METRICS_CLIENT_LEFT, METRICS_DEADLINE, METRICS_SHUTDOWN, METRICS_REASONS };

/* What a client was too slow with. */
enum metrics_phase { METRICS_HEAD, METRICS_BODY, METRICS_ANSWER, METRICS_PHASES };

/* What only grows. All members are uint64_t, so that lanes of it can be summed one by one. */
struct metrics_counters {
    uint64_t requests[METRICS_PLACES][METRICS_METHODS][METRICS_STATUSES];
    struct metrics_histogram request_duration[METRICS_PLACES];
    struct metrics_histogram queue_duration; /* of searches that went to the pool */
    struct metrics_histogram solve_duration; /* of requests with one puzzle */
    struct api_tally puzzles[METRICS_SOURCES];
    uint64_t batches;
    uint64_t problems[PROBLEM_TYPE_COUNT];
    uint64_t cancelled[METRICS_SOURCES][METRICS_REASONS];
    uint64_t received_bytes;
    uint64_t sent_bytes;
    uint64_t connections_opened;
    uint64_t connections_closed;
    uint64_t slow_clients[METRICS_PHASES];
    uint64_t log_lines_lost;
};

#define METRICS_UNKNOWN UINT64_MAX

/* What goes up and down, or belongs to the process. What is METRICS_UNKNOWN is not told. */
struct metrics_state {
    uint64_t is_ready;
    uint64_t connections;
    uint64_t max_connections;
    uint64_t requests_in_flight;
    uint64_t body_bytes;
    uint64_t max_body_bytes;
    uint64_t queued[METRICS_SOURCES];
    uint64_t max_queued;
    uint64_t busy_workers;
    uint64_t workers;
    uint64_t threads;
    uint64_t cpu_us;
    uint64_t resident_bytes;
    uint64_t virtual_bytes;
    uint64_t open_files;
    uint64_t max_files;
    uint64_t start_us;
};

struct api_metrics {
    struct metrics_counters counted;
    struct metrics_state state;
    const char *version;
    const char *engine;
    const char *library; /* the version of the HTTP library */
};

/* Where a path, a method, a status (0: no answer) and a duration are counted. Constant time but for
 * a few comparisons. */
size_t metrics_place(const char *path);
size_t metrics_method(const char *method);
size_t metrics_status(unsigned status);
size_t metrics_bucket(uint64_t us);

/* The label of a place: its path, or "other". */
const char *metrics_place_name(size_t place);

/* Writes all of it in the text format of Prometheus, 0.0.4, or of OpenMetrics, 1.0.0. */
void metrics_put(const struct api_metrics *metrics, bool is_openmetrics, struct buffer *out);

#endif
