/* GET /metrics: the numbers as Prometheus reads them.
 *
 * https://prometheus.io/docs/instrumenting/exposition_formats/ and the OpenMetrics specification,
 * which differ in the name that a counter is announced by and in the end of the text. */
#include "metrics.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "accept.h"
#include "cache.h"
#include "encode.h"
#include "endpoints.h"

/* ---- Where things are counted ---- */

static const char *const methods[METRICS_METHODS] = {"GET", "POST",   "HEAD",  "OPTIONS",
                                                     "PUT", "DELETE", "PATCH", "other"};

/* Every status that the server answers with, the commonest first; the last stands for others. */
static const unsigned statuses[] = {200, 0,   204, 304, 400, 404, 405, 406, 408,
                                    413, 414, 415, 417, 422, 431, 501, 503, 999};

enum { STATUSES = sizeof statuses / sizeof statuses[0], METHODS = METRICS_METHODS };

static_assert((int)STATUSES <= (int)METRICS_STATUSES, "more statuses than are counted");

/* Upper bounds, in microseconds; the last bucket has none. */
static const uint64_t bounds[METRICS_BUCKETS - 1] = {
    10,    25,     50,     100,    250,     500,     1000,    2500,     5000,     10000,   25000,
    50000, 100000, 250000, 500000, 1000000, 2500000, 5000000, 10000000, 30000000, 60000000};

size_t metrics_place(const char *path)
{
    const struct api_route *route;
    size_t place = 0;

    while ((route = api_route_at(place)) != NULL && strcmp(route->path, path) != 0)
        place++;
    return place;
}

const char *metrics_place_name(size_t place)
{
    const struct api_route *route = api_route_at(place);

    return route == NULL ? "other" : route->path;
}

size_t metrics_method(const char *method)
{
    size_t i = 0;

    while (i < METHODS - 1 && strcmp(methods[i], method) != 0)
        i++;
    return i;
}

size_t metrics_status(unsigned status)
{
    size_t i = 0;

    while (i < STATUSES - 1 && statuses[i] != status)
        i++;
    return i;
}

size_t metrics_bucket(uint64_t us)
{
    size_t i = 0;

    while (i < METRICS_BUCKETS - 1 && us > bounds[i])
        i++;
    return i;
}

/* ---- Their text ---- */

struct writer {
    struct buffer *out;
    bool is_openmetrics;
};

__attribute__((format(printf, 2, 3))) static void print(struct writer *writer, const char *format,
                                                        ...)
{
    enum { MAX_LINE = 512 };
    char *text = buffer_reserve(writer->out, MAX_LINE);
    va_list arguments;

    if (text == NULL)
        return;
    va_start(arguments, format);
    const int length = vsnprintf(text, MAX_LINE, format, arguments);
    va_end(arguments);
    assert(length >= 0 && length < MAX_LINE);
    writer->out->length += (size_t)length;
}

/* What comes before the values of a metric. OpenMetrics announces a counter without its _total. */
static void announce(struct writer *writer, const char *name, const char *type, const char *help)
{
    int length = (int)strlen(name);

    if (writer->is_openmetrics && strcmp(type, "counter") == 0)
        length -= (int)strlen("_total");
    print(writer, "# HELP %.*s %s\n", length, name, help);
    print(writer, "# TYPE %.*s %s\n", length, name, type);
}

static void put_count(struct writer *writer, const char *name, const char *labels, uint64_t count)
{
    print(writer, "%s%s %llu\n", name, labels, (unsigned long long)count);
}

/* Seconds, from microseconds. */
static void put_seconds(struct writer *writer, const char *name, const char *labels, uint64_t us)
{
    print(writer, "%s%s %llu.%06llu\n", name, labels, (unsigned long long)(us / 1000000U),
          (unsigned long long)(us % 1000000U));
}

/* One row of counts that differ in one label. */
static void put_row(struct writer *writer, const char *name, const char *label,
                    const char *const values[], const uint64_t counts[], size_t count)
{
    char labels[96];

    for (size_t i = 0; i < count; i++) {
        snprintf(labels, sizeof labels, "{%s=\"%s\"}", label, values[i]);
        put_count(writer, name, labels, counts[i]);
    }
}

/* `labels` are those of the histogram, each with a comma behind it. */
static void put_histogram(struct writer *writer, const char *name, const char *labels,
                          const struct metrics_histogram *histogram)
{
    uint64_t count = 0;

    for (size_t i = 0; i < METRICS_BUCKETS; i++) {
        count += histogram->bucket[i];
        if (i < METRICS_BUCKETS - 1)
            print(writer, "%s_bucket{%sle=\"%.6g\"} %llu\n", name, labels, (double)bounds[i] / 1e6,
                  (unsigned long long)count);
        else
            print(writer, "%s_bucket{%sle=\"+Inf\"} %llu\n", name, labels,
                  (unsigned long long)count);
    }
    char suffixed[96];
    char braced[96] = "";
    const int length = (int)strlen(labels);
    if (length > 0)
        snprintf(braced, sizeof braced, "{%.*s}", length - 1, labels);
    snprintf(suffixed, sizeof suffixed, "%s_sum", name);
    put_seconds(writer, suffixed, braced, histogram->sum_us);
    snprintf(suffixed, sizeof suffixed, "%s_count", name);
    put_count(writer, suffixed, braced, count);
}

/* ---- What is told ---- */

/* Whether a request of that kind is told before there is one, so that its rate begins at 0. */
static bool is_expected(size_t place, const char *method, unsigned status)
{
    const struct api_route *route;

    for (size_t i = place; status == 200 && (route = api_route_at(i)) != NULL; i++) {
        if (metrics_place(route->path) == place && strcmp(route->method, method) == 0)
            return true;
    }
    return false;
}

static void put_status(char ret[16], unsigned status)
{
    if (status == 0)
        snprintf(ret, 16, "none");
    else if (status == statuses[STATUSES - 1])
        snprintf(ret, 16, "other");
    else
        snprintf(ret, 16, "%u", status);
}

static void put_requests_of(struct writer *writer, const struct metrics_counters *counted,
                            const char *name, size_t place, size_t method)
{
    char labels[160];
    char status[16];

    for (size_t i = 0; i < STATUSES; i++) {
        const uint64_t count = counted->requests[place][method][i];
        if (count == 0 && !is_expected(place, methods[method], statuses[i]))
            continue;
        put_status(status, statuses[i]);
        snprintf(labels, sizeof labels, "{route=\"%s\",method=\"%s\",status=\"%s\"}",
                 metrics_place_name(place), methods[method], status);
        put_count(writer, name, labels, count);
    }
}

static bool is_first_of_its_path(size_t place)
{
    return metrics_place(metrics_place_name(place)) == place;
}

static size_t count_places(void)
{
    size_t count = 0;

    while (api_route_at(count) != NULL)
        count++;
    return count + 1;
}

static void put_requests(struct writer *writer, const struct metrics_counters *counted)
{
    static const char name[] = "sudokud_http_requests_total";
    const size_t places = count_places();

    announce(writer, name, "counter", "Requests, by path, method and status of the answer.");
    for (size_t place = 0; place < places; place++) {
        for (size_t method = 0; method < METHODS && is_first_of_its_path(place); method++)
            put_requests_of(writer, counted, name, place, method);
    }
}

static bool is_empty(const struct metrics_histogram *histogram)
{
    uint64_t count = 0;

    for (size_t i = 0; i < METRICS_BUCKETS; i++)
        count += histogram->bucket[i];
    return count == 0;
}

/* Those of the paths that solve, and of others once they have been asked for. */
static void put_request_durations(struct writer *writer, const struct metrics_counters *counted)
{
    static const char name[] = "sudokud_http_request_duration_seconds";
    const size_t places = count_places();
    char labels[96];

    announce(writer, name, "histogram",
             "From the head of a request to the end of its answer, by path.");
    for (size_t place = 0; place < places; place++) {
        const struct api_route *route = api_route_at(place);
        if ((route == NULL || route->endpoint == NULL || !is_first_of_its_path(place)) &&
            is_empty(&counted->request_duration[place]))
            continue;
        snprintf(labels, sizeof labels, "route=\"%s\",", metrics_place_name(place));
        put_histogram(writer, name, labels, &counted->request_duration[place]);
    }
}

static void put_problems(struct writer *writer, const struct metrics_counters *counted)
{
    static const char name[] = "sudokud_http_problems_total";
    const char *names[PROBLEM_TYPE_COUNT];

    for (unsigned i = 0; i < PROBLEM_TYPE_COUNT; i++)
        names[i] = problem_name(i);
    announce(writer, name, "counter",
             "Requests answered with a problem, by its type; overloaded ones were rejected.");
    put_row(writer, name, "type", names, counted->problems, PROBLEM_TYPE_COUNT);
}

static const char *const sources[METRICS_SOURCES] = {"single", "batch"};

static void put_puzzles(struct writer *writer, const struct metrics_counters *counted)
{
    static const char answers[] = "sudokud_answers_total";
    static const char in_batches[] = "sudokud_batch_puzzles_total";
    const char *names[TALLY_STATUSES + 1];
    uint64_t counts[TALLY_STATUSES + 1];
    uint64_t steps[METRICS_SOURCES];
    uint64_t exhausted[METRICS_SOURCES];

    for (unsigned i = 0; i < TALLY_STATUSES; i++)
        names[i] = encode_status_names[i];
    names[TALLY_STATUSES] = "error";
    announce(writer, answers, "counter", "Answers to requests with one puzzle, by status.");
    put_row(writer, answers, "status", names, counted->puzzles[METRICS_SINGLE].answers,
            TALLY_STATUSES);

    memcpy(counts, counted->puzzles[METRICS_BATCH].answers, TALLY_STATUSES * sizeof counts[0]);
    counts[TALLY_STATUSES] = counted->puzzles[METRICS_BATCH].problems;
    announce(writer, in_batches, "counter", "Puzzles in batches, by status.");
    put_row(writer, in_batches, "status", names, counts, TALLY_STATUSES + 1);

    for (unsigned i = 0; i < METRICS_SOURCES; i++) {
        steps[i] = counted->puzzles[i].steps;
        exhausted[i] = counted->puzzles[i].exhausted;
    }
    announce(writer, "sudokud_steps_total", "counter", "Guesses of searches that were answered.");
    put_row(writer, "sudokud_steps_total", "work", sources, steps, METRICS_SOURCES);
    announce(writer, "sudokud_budgets_exhausted_total", "counter",
             "Answers whose search ended with its budget of steps.");
    put_row(writer, "sudokud_budgets_exhausted_total", "work", sources, exhausted, METRICS_SOURCES);
}

static void put_cancelled(struct writer *writer, const struct metrics_counters *counted)
{
    static const char name[] = "sudokud_cancelled_total";
    static const char *const reasons[METRICS_REASONS] = {"client_left", "deadline", "shutdown"};
    char labels[96];

    announce(writer, name, "counter", "Searches and batches that were begun and given up.");
    for (unsigned i = 0; i < METRICS_SOURCES; i++) {
        for (unsigned j = 0; j < METRICS_REASONS; j++) {
            snprintf(labels, sizeof labels, "{work=\"%s\",reason=\"%s\"}", sources[i], reasons[j]);
            put_count(writer, name, labels, counted->cancelled[i][j]);
        }
    }
}

/* Metrics of one number, which is a member of struct api_metrics. */
#define COUNTED(member) offsetof(struct api_metrics, counted.member)
#define STATE(member)   offsetof(struct api_metrics, state.member)

static const struct single {
    const char *name;
    bool is_counter;
    bool is_us;
    size_t member;
    const char *help;
} singles[] = {
    {"sudokud_batches_total", true, false, COUNTED(batches), "Batches begun."},
    {"sudokud_http_received_bytes_total", true, false, COUNTED(received_bytes),
     "Bytes of request bodies."},
    {"sudokud_http_sent_bytes_total", true, false, COUNTED(sent_bytes),
     "Bytes of answers' bodies."},
    {"sudokud_connections_total", true, false, COUNTED(connections_opened),
     "Connections accepted."},
    {"sudokud_log_lines_lost_total", true, false, COUNTED(log_lines_lost),
     "Log lines that stderr did not take at once."},
    {"sudokud_ready", false, false, STATE(is_ready), "1 while /readyz answers 200, else 0."},
    {"sudokud_connections_open", false, false, STATE(connections), "Connections open."},
    {"sudokud_connections_limit", false, false, STATE(max_connections),
     "Connections that may be open."},
    {"sudokud_http_requests_in_flight", false, false, STATE(requests_in_flight),
     "Requests from the end of their head to the end of their answer, this one too."},
    {"sudokud_body_bytes_held", false, false, STATE(body_bytes),
     "Bytes of memory that request bodies take."},
    {"sudokud_body_bytes_limit", false, false, STATE(max_body_bytes),
     "Bytes that request bodies may take."},
    {"sudokud_queue_limit", false, false, STATE(max_queued),
     "Searches that may be with the workers, and blocks of batches before one more is rejected."},
    {"sudokud_workers_busy", false, false, STATE(busy_workers), "Workers in a search."},
    {"sudokud_workers", false, false, STATE(workers), "Threads that run long searches."},
    {"sudokud_http_threads", false, false, STATE(threads), "Threads that serve connections."},
    {"process_cpu_seconds_total", true, true, STATE(cpu_us), "CPU time used, user and system."},
    {"process_resident_memory_bytes", false, false, STATE(resident_bytes), "Memory in RAM."},
    {"process_virtual_memory_bytes", false, false, STATE(virtual_bytes), "Address space."},
    {"process_open_fds", false, false, STATE(open_files), "Files and sockets open."},
    {"process_max_fds", false, false, STATE(max_files), "Files and sockets that may be open."},
    {"process_start_time_seconds", false, true, STATE(start_us),
     "When the server started, in seconds since 1970."},
};

static void put_singles(struct writer *writer, const struct api_metrics *metrics)
{
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++) {
        const struct single *single = &singles[i];
        uint64_t value;

        memcpy(&value, (const char *)metrics + single->member, sizeof value);
        if (value == METRICS_UNKNOWN)
            continue;
        announce(writer, single->name, single->is_counter ? "counter" : "gauge", single->help);
        if (single->is_us)
            put_seconds(writer, single->name, "", value);
        else
            put_count(writer, single->name, "", value);
    }
}

void metrics_put(const struct api_metrics *metrics, bool is_openmetrics, struct buffer *out)
{
    static const char *const phases[METRICS_PHASES] = {"head", "body", "answer"};
    struct writer writer = {out, is_openmetrics};
    const struct metrics_counters *counted = &metrics->counted;

    announce(&writer, "sudokud_build_info", "gauge", "Always 1; the labels say what is running.");
    print(&writer, "sudokud_build_info{version=\"%s\",engine=\"%s\",libmicrohttpd=\"%s\"} 1\n",
          metrics->version, metrics->engine, metrics->library);
    put_requests(&writer, counted);
    put_request_durations(&writer, counted);
    announce(&writer, "sudokud_queue_duration_seconds", "histogram",
             "How long a search that went to the workers waited for its first turn.");
    put_histogram(&writer, "sudokud_queue_duration_seconds", "", &counted->queue_duration);
    announce(&writer, "sudokud_solve_duration_seconds", "histogram",
             "How long one puzzle was read and worked on, waiting for turns between included.");
    put_histogram(&writer, "sudokud_solve_duration_seconds", "", &counted->solve_duration);
    put_problems(&writer, counted);
    put_puzzles(&writer, counted);
    put_cancelled(&writer, counted);
    announce(&writer, "sudokud_slow_clients_total", "counter",
             "Connections ended since the client was too slow, by what with.");
    put_row(&writer, "sudokud_slow_clients_total", "phase", phases, counted->slow_clients,
            METRICS_PHASES);
    announce(&writer, "sudokud_queue_depth", "gauge",
             "Searches and blocks of batches that wait for a worker.");
    put_row(&writer, "sudokud_queue_depth", "work", sources, metrics->state.queued,
            METRICS_SOURCES);
    put_singles(&writer, metrics);
    if (is_openmetrics)
        buffer_put_text(out, "# EOF\n");
}

void metrics_encode(struct api_call *call)
{
    static const char *const offers[] = {"text/plain", "application/openmetrics-text"};
    const bool is_openmetrics = accept_choose(call->accept, offers, 2) == 1;
    struct api_metrics metrics;

    call->service->read_metrics(call->service->metrics_context, &metrics);
    call->reply.status = 200;
    call->reply.content_type = is_openmetrics
                                   ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                   : "text/plain; version=0.0.4; charset=utf-8";
    metrics_put(&metrics, is_openmetrics, &call->reply.body);
    api_call_add_header(call, "Vary", "Accept");
    cache_forbid(call);
}
