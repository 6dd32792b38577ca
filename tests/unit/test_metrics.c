/* The text of /metrics: what is told, under which name, in both formats. */
#include "api/metrics.h"

#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "api/endpoints.h"
#include "support.h"

static struct api_metrics metrics;

static void clear(void)
{
    memset(&metrics, 0, sizeof metrics);
    metrics.version = "1.2.3";
    metrics.engine = "scalar";
    metrics.library = "0.9.75";
}

/* The text, to be freed. */
static char *text_of(bool is_openmetrics)
{
    struct buffer out = {0};

    metrics_put(&metrics, is_openmetrics, &out);
    buffer_put(&out, "", 1);
    ck_assert(!out.failed);
    return out.data;
}

static bool has_line(const char *text, const char *line)
{
    const size_t length = strlen(line);

    for (const char *at = text; (at = strstr(at, line)) != NULL; at++) {
        if ((at == text || at[-1] == '\n') && at[length] == '\n')
            return true;
    }
    return false;
}

static void assert_line(const char *text, const char *line)
{
    ck_assert_msg(has_line(text, line), "no line %s in:\n%s", line, text);
}

START_TEST(a_path_of_the_table_has_a_place_and_all_others_one_together)
{
    static const char *const others[] = {"", "*", "/sovle", "/solve/", "/Solve", "other", "/x\"y"};
    const size_t none = metrics_place("/there is no such path");

    ck_assert_str_eq(metrics_place_name(none), "other");
    ck_assert_uint_lt(none, METRICS_PLACES);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        ck_assert_uint_eq(metrics_place(others[i]), none);
    for (size_t i = 0; api_route_at(i) != NULL; i++) {
        const size_t place = metrics_place(api_route_at(i)->path);
        ck_assert_uint_lt(place, none);
        ck_assert_str_eq(metrics_place_name(place), api_route_at(i)->path);
    }
}
END_TEST

START_TEST(every_status_of_a_problem_is_counted_by_itself)
{
    const size_t other = metrics_status(418);

    ck_assert_uint_lt(other, METRICS_STATUSES);
    for (unsigned i = 0; i < PROBLEM_TYPE_COUNT; i++) {
        const size_t status = metrics_status(problem_status(i));
        ck_assert_uint_lt(status, other);
        ck_assert_uint_ne(status, metrics_status(200));
    }
    ck_assert_uint_ne(metrics_status(0), other);
    ck_assert_uint_ne(metrics_status(204), metrics_status(304));
    ck_assert_uint_eq(metrics_status(999), other);
}
END_TEST

START_TEST(methods_that_no_path_takes_are_counted_together)
{
    const size_t other = metrics_method("BREW");

    ck_assert_uint_eq(other, METRICS_METHODS - 1);
    ck_assert_uint_eq(metrics_method("get"), other);
    ck_assert_uint_eq(metrics_method(""), other);
    ck_assert_uint_ne(metrics_method("GET"), metrics_method("HEAD"));
    ck_assert_uint_lt(metrics_method("PATCH"), other);
}
END_TEST

/* The boundary: a duration of exactly the bound is within it. */
START_TEST(a_duration_goes_to_the_first_bucket_that_it_fits_in)
{
    ck_assert_uint_eq(metrics_bucket(0), 0);
    ck_assert_uint_eq(metrics_bucket(10), 0);
    ck_assert_uint_eq(metrics_bucket(11), 1);
    ck_assert_uint_eq(metrics_bucket(25), 1);
    ck_assert_uint_eq(metrics_bucket(60000000), METRICS_BUCKETS - 2);
    ck_assert_uint_eq(metrics_bucket(60000001), METRICS_BUCKETS - 1);
    ck_assert_uint_eq(metrics_bucket(UINT64_MAX), METRICS_BUCKETS - 1);
    for (uint64_t us = 1; us < 100000000; us += us / 7 + 1)
        ck_assert_uint_ge(metrics_bucket(us), metrics_bucket(us - 1));
}
END_TEST

START_TEST(a_histogram_counts_upward_and_ends_with_all)
{
    struct metrics_histogram *histogram =
        &metrics.counted.request_duration[metrics_place("/solve")];

    histogram->bucket[0] = 3;
    histogram->bucket[2] = 4;
    histogram->bucket[METRICS_BUCKETS - 1] = 1;
    histogram->sum_us = 61000123;
    char *text = text_of(false);
    assert_line(text, "# TYPE sudokud_http_request_duration_seconds histogram");
#define NAME "sudokud_http_request_duration_seconds"
    assert_line(text, NAME "_bucket{route=\"/solve\",le=\"1e-05\"} 3");
    assert_line(text, NAME "_bucket{route=\"/solve\",le=\"2.5e-05\"} 3");
    assert_line(text, NAME "_bucket{route=\"/solve\",le=\"5e-05\"} 7");
    assert_line(text, NAME "_bucket{route=\"/solve\",le=\"0.0001\"} 7");
    assert_line(text, NAME "_bucket{route=\"/solve\",le=\"60\"} 7");
    assert_line(text, NAME "_bucket{route=\"/solve\",le=\"+Inf\"} 8");
    assert_line(text, NAME "_sum{route=\"/solve\"} 61.000123");
    assert_line(text, NAME "_count{route=\"/solve\"} 8");
    assert_line(text, "sudokud_queue_duration_seconds_bucket{le=\"+Inf\"} 0");
    assert_line(text, "sudokud_queue_duration_seconds_sum 0.000000");
    assert_line(text, "sudokud_solve_duration_seconds_count 0");
    free(text);
}
END_TEST

/* A path that nobody asked for takes no space, but those that solve are always there. */
START_TEST(what_may_be_asked_for_is_told_from_the_beginning_and_the_rest_when_it_happens)
{
    const size_t other = metrics_place("/nothing");
    char *text = text_of(false);

    assert_line(text,
                "sudokud_http_requests_total{route=\"/solve\",method=\"POST\",status=\"200\"} 0");
    assert_line(text,
                "sudokud_http_requests_total{route=\"/solve\",method=\"GET\",status=\"200\"} 0");
    assert_line(text,
                "sudokud_http_requests_total{route=\"/livez\",method=\"GET\",status=\"200\"} 0");
    assert_line(text, NAME "_count{route=\"/validate\"} 0");
    ck_assert_ptr_null(strstr(text, "\"other\""));
    ck_assert_ptr_null(strstr(text, "_count{route=\"/livez\"}"));
    free(text);

    metrics.counted.requests[other][metrics_method("BREW")][metrics_status(501)] = 7;
    metrics.counted.requests[other][metrics_method("GET")][metrics_status(0)] = 8;
    metrics.counted.requests[other][metrics_method("GET")][metrics_status(299)] = 9;
    metrics.counted.request_duration[other].bucket[5] = 24;
    text = text_of(false);
    assert_line(text,
                "sudokud_http_requests_total{route=\"other\",method=\"other\",status=\"501\"} 7");
    assert_line(text,
                "sudokud_http_requests_total{route=\"other\",method=\"GET\",status=\"none\"} 8");
    assert_line(text,
                "sudokud_http_requests_total{route=\"other\",method=\"GET\",status=\"other\"} 9");
    assert_line(text, NAME "_count{route=\"other\"} 24");
    free(text);
}
END_TEST

START_TEST(every_counter_has_a_line_of_its_own)
{
    struct metrics_counters *counted = &metrics.counted;
    struct metrics_state *state = &metrics.state;

    for (unsigned i = 0; i < TALLY_STATUSES; i++) {
        counted->puzzles[METRICS_SINGLE].answers[i] = 100 + i;
        counted->puzzles[METRICS_BATCH].answers[i] = 110 + i;
    }
    counted->puzzles[METRICS_SINGLE].steps = 120;
    counted->puzzles[METRICS_BATCH].steps = 121;
    counted->puzzles[METRICS_SINGLE].exhausted = 122;
    counted->puzzles[METRICS_BATCH].exhausted = 123;
    counted->puzzles[METRICS_BATCH].problems = 124;
    counted->batches = 125;
    counted->problems[PROBLEM_OVERLOADED] = 126;
    counted->cancelled[METRICS_SINGLE][METRICS_DEADLINE] = 127;
    counted->cancelled[METRICS_BATCH][METRICS_CLIENT_LEFT] = 128;
    counted->received_bytes = 129;
    counted->sent_bytes = 130;
    counted->connections_opened = 131;
    counted->slow_clients[METRICS_ANSWER] = 132;
    counted->log_lines_lost = 133;
    state->is_ready = 1;
    state->connections = 134;
    state->requests_in_flight = 135;
    state->queued[METRICS_SINGLE] = 136;
    state->queued[METRICS_BATCH] = 137;
    state->busy_workers = 138;
    state->cpu_us = 1500000;
    state->start_us = UINT64_C(1769860800000001);
    state->open_files = 139;
    char *text = text_of(false);
    assert_line(
        text, "sudokud_build_info{version=\"1.2.3\",engine=\"scalar\",libmicrohttpd=\"0.9.75\"} 1");
    assert_line(text, "sudokud_answers_total{status=\"unique\"} 100");
    assert_line(text, "sudokud_answers_total{status=\"undetermined\"} 104");
    assert_line(text, "sudokud_batch_puzzles_total{status=\"unique\"} 110");
    assert_line(text, "sudokud_batch_puzzles_total{status=\"multiple\"} 111");
    assert_line(text, "sudokud_batch_puzzles_total{status=\"error\"} 124");
    assert_line(text, "sudokud_steps_total{work=\"single\"} 120");
    assert_line(text, "sudokud_steps_total{work=\"batch\"} 121");
    assert_line(text, "sudokud_budgets_exhausted_total{work=\"single\"} 122");
    assert_line(text, "sudokud_budgets_exhausted_total{work=\"batch\"} 123");
    assert_line(text, "sudokud_batches_total 125");
    assert_line(text, "sudokud_http_problems_total{type=\"overloaded\"} 126");
    assert_line(text, "sudokud_cancelled_total{work=\"single\",reason=\"deadline\"} 127");
    assert_line(text, "sudokud_cancelled_total{work=\"batch\",reason=\"client_left\"} 128");
    assert_line(text, "sudokud_http_received_bytes_total 129");
    assert_line(text, "sudokud_http_sent_bytes_total 130");
    assert_line(text, "sudokud_connections_total 131");
    assert_line(text, "sudokud_slow_clients_total{phase=\"answer\"} 132");
    assert_line(text, "sudokud_log_lines_lost_total 133");
    assert_line(text, "sudokud_ready 1");
    assert_line(text, "sudokud_connections_open 134");
    assert_line(text, "sudokud_http_requests_in_flight 135");
    assert_line(text, "sudokud_queue_depth{work=\"single\"} 136");
    assert_line(text, "sudokud_queue_depth{work=\"batch\"} 137");
    assert_line(text, "sudokud_workers_busy 138");
    assert_line(text, "process_cpu_seconds_total 1.500000");
    assert_line(text, "process_start_time_seconds 1769860800.000001");
    assert_line(text, "process_open_fds 139");
    free(text);
}
END_TEST

START_TEST(what_is_not_known_is_not_told)
{
    metrics.state.open_files = METRICS_UNKNOWN;
    metrics.state.resident_bytes = METRICS_UNKNOWN;
    metrics.state.cpu_us = METRICS_UNKNOWN;
    char *text = text_of(false);
    ck_assert_ptr_null(strstr(text, "process_open_fds"));
    ck_assert_ptr_null(strstr(text, "process_resident_memory_bytes"));
    ck_assert_ptr_null(strstr(text, "process_cpu_seconds"));
    assert_line(text, "process_max_fds 0");
    free(text);
}
END_TEST

/* Each metric is announced once, before its values, which follow each other. */
static void assert_well_formed(const char *text, bool is_openmetrics)
{
    char family[128] = "";
    char seen[64][128];
    size_t families = 0;

    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        char name[128];
        char type[32];
        if (strncmp(line, "# EOF\n", 6) == 0)
            return;
        if (sscanf(line, "# HELP %127s", family) == 1) {
            for (size_t i = 0; i < families; i++)
                ck_assert_str_ne(seen[i], family);
            strcpy(seen[families++], family);
            ck_assert_uint_lt(families, 64);
            continue;
        }
        if (sscanf(line, "# TYPE %127s %31s", name, type) == 2) {
            const bool has_total = strcmp(name + strlen(name) - 6, "_total") == 0;
            ck_assert_str_eq(name, family);
            ck_assert(has_total == (strcmp(type, "counter") == 0 && !is_openmetrics));
            continue;
        }
        ck_assert_msg(strncmp(line, family, strlen(family)) == 0, "%s before %.60s", family, line);
    }
    ck_assert(!is_openmetrics);
}

START_TEST(each_metric_is_announced_once_before_its_values)
{
    for (int i = 0; i < 2; i++) {
        char *text = text_of(i == 1);
        assert_well_formed(text, i == 1);
        ck_assert_int_eq(has_line(text, "# EOF"), i == 1);
        free(text);
    }
}
END_TEST

static void read_nothing(void *context, struct api_metrics *ret)
{
    ck_assert_ptr_eq(context, &metrics);
    *ret = metrics;
}

START_TEST(accept_chooses_the_format)
{
    static const struct {
        const char *accept;
        bool is_openmetrics;
    } rows[] = {
        {NULL, false},
        {"*/*", false},
        {"image/png", false},
        {"text/plain", false},
        {"application/openmetrics-text", true},
        {"application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
         true},
        {"text/plain;q=1,application/openmetrics-text;q=0.5", false},
    };
    const struct api_service service = {.read_metrics = read_nothing, .metrics_context = &metrics};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct api_call call = {.service = &service, .accept = rows[i].accept};
        metrics_encode(&call);
        ck_assert_uint_eq(call.reply.status, 200);
        ck_assert_str_eq(call.reply.content_type,
                         rows[i].is_openmetrics
                             ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                             : "text/plain; version=0.0.4; charset=utf-8");
        buffer_put(&call.reply.body, "", 1);
        ck_assert_int_eq(has_line(call.reply.body.data, "# EOF"), rows[i].is_openmetrics);
        api_call_clear(&call);
    }
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("metrics", &tests);

    tcase_add_checked_fixture(tests, clear, NULL);
    tcase_add_test(tests, a_path_of_the_table_has_a_place_and_all_others_one_together);
    tcase_add_test(tests, every_status_of_a_problem_is_counted_by_itself);
    tcase_add_test(tests, methods_that_no_path_takes_are_counted_together);
    tcase_add_test(tests, a_duration_goes_to_the_first_bucket_that_it_fits_in);
    tcase_add_test(tests, a_histogram_counts_upward_and_ends_with_all);
    tcase_add_test(tests,
                   what_may_be_asked_for_is_told_from_the_beginning_and_the_rest_when_it_happens);
    tcase_add_test(tests, every_counter_has_a_line_of_its_own);
    tcase_add_test(tests, what_is_not_known_is_not_told);
    tcase_add_test(tests, each_metric_is_announced_once_before_its_values);
    tcase_add_test(tests, accept_chooses_the_format);
    return run_suite(suite);
}
