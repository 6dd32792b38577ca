/* /metrics against what clients did: each counter has moved by exactly that, and no other has. */
#include "metrics_client.h"
#include "support.h"

static struct metrics_scrape before;
static struct metrics_scrape after;

struct change {
    const char *series;
    double by;
};

/* Counters that depend on time, or on the size of a scrape. */
static bool is_spared(const char *name)
{
    return strstr(name, "_sum") != NULL || strstr(name, "_bucket") != NULL ||
           strncmp(name, "process_", 8) == 0 || strstr(name, "sent_bytes") != NULL;
}

static bool is_counter(const char *name)
{
    const size_t length = strcspn(name, "{");

    return (length > 6 && strncmp(name + length - 6, "_total", 6) == 0) ||
           (length > 6 && strncmp(name + length - 6, "_count", 6) == 0);
}

static double expected_of(const struct change changes[], const char *name)
{
    for (size_t i = 0; changes[i].series != NULL; i++) {
        if (strcmp(changes[i].series, name) == 0)
            return changes[i].by;
    }
    return 0;
}

/* Every counter there is has moved by what is listed, or not at all. */
static void assert_changes(const struct change changes[])
{
    for (size_t i = 0; i < after.count; i++) {
        const char *name = after.series[i].name;
        if (!is_counter(name) || is_spared(name))
            continue;
        const double moved = after.series[i].value - metrics_value(&before, name);
        ck_assert_msg(moved == expected_of(changes, name), "%s moved by %.0f, not %.0f", name,
                      moved, expected_of(changes, name));
    }
    for (size_t i = 0; changes[i].series != NULL; i++)
        ck_assert_msg(metrics_value(&after, changes[i].series) > 0, "no %s", changes[i].series);
}

#define REQUESTS(route, method, status)                                                            \
    "sudokud_http_requests_total{route=\"" route "\",method=\"" method "\",status=\"" status "\"}"
#define DURATIONS(route)     "sudokud_http_request_duration_seconds_count{route=\"" route "\"}"
#define PROBLEMS(type)       "sudokud_http_problems_total{type=\"" type "\"}"
#define ANSWERS(status)      "sudokud_answers_total{status=\"" status "\"}"
#define IN_BATCHES(status)   "sudokud_batch_puzzles_total{status=\"" status "\"}"
#define CANCELLED(work, why) "sudokud_cancelled_total{work=\"" work "\",reason=\"" why "\"}"

/* The scrape before is counted in the one after. */
#define THE_SCRAPE                                                                                 \
    {REQUESTS("/metrics", "GET", "200"), 1},                                                       \
    {                                                                                              \
        DURATIONS("/metrics"), 1                                                                   \
    }

START_TEST(requests_are_counted_by_route_method_and_status)
{
    struct server *server = client_start_server(NULL);
    const int fd = client_connect(server);
    char get[256];

    metrics_take(fd, &before);
    for (unsigned i = 0; i < 3; i++)
        client_exchange(fd, "POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" EASY "\"}", 200);
    client_exchange(fd, "POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" TWO "\"}", 200);
    client_exchange(fd, "POST", "/solve", "Content-Type: text/plain\r\n", NONE, 200);
    client_exchange(fd, "POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" BROKEN "\"}", 422);
    client_exchange(fd, "POST", "/solve", CLIENT_JSON, "{", 400);
    snprintf(get, sizeof get, "/validate?puzzle=%s", EASY);
    client_exchange(fd, "GET", get, "", NULL, 200);
    client_exchange(fd, "GET", get, "If-None-Match: *\r\n", NULL, 304);
    client_exchange(fd, "HEAD", "/livez", "", NULL, 200);
    client_exchange(fd, "OPTIONS", "/solve", "", NULL, 204);
    client_exchange(fd, "PUT", "/solve", "", "", 405);
    client_exchange(fd, "GET", "/sovle", "", NULL, 404);
    client_exchange(fd, "GET", "/style.css", "", NULL, 200);
    metrics_take(fd, &after);
    assert_changes((const struct change[]){
        THE_SCRAPE,
        {REQUESTS("/solve", "POST", "200"), 5},
        {REQUESTS("/solve", "POST", "422"), 1},
        {REQUESTS("/solve", "POST", "400"), 1},
        {REQUESTS("/validate", "GET", "200"), 1},
        {REQUESTS("/validate", "GET", "304"), 1},
        {REQUESTS("/livez", "HEAD", "200"), 1},
        {REQUESTS("/solve", "OPTIONS", "204"), 1},
        {REQUESTS("/solve", "PUT", "405"), 1},
        {REQUESTS("other", "GET", "404"), 1},
        {REQUESTS("/style.css", "GET", "200"), 1},
        {DURATIONS("/solve"), 9},
        {DURATIONS("/validate"), 2},
        {DURATIONS("/livez"), 1},
        {DURATIONS("other"), 1},
        {DURATIONS("/style.css"), 1},
        {"sudokud_solve_duration_seconds_count", 7},
        {ANSWERS("unique"), 5},
        {ANSWERS("multiple"), 1},
        {ANSWERS("none"), 1},
        {"sudokud_steps_total{work=\"single\"}", 1},
        {PROBLEMS("conflicting-clues"), 1},
        {PROBLEMS("malformed-json"), 1},
        {PROBLEMS("method-not-allowed"), 1},
        {PROBLEMS("not-found"), 1},
        {"sudokud_http_received_bytes_total", 5 * 94 + 81 + 1},
        {NULL, 0},
    });
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

/* However many paths and methods clients make up, there are no more series for it. */
START_TEST(clients_cannot_make_series)
{
    static const char *const methods[] = {"PUT", "DELETE", "PATCH", "BREW", "SHOUT"};
    struct server *server = client_start_server(NULL);
    const int fd = client_connect(server);

    client_exchange(fd, "GET", "/nothing", "", NULL, 404);
    metrics_take(fd, &before);
    metrics_take(fd, &before); /* which has that of the first in it */
    for (unsigned i = 0; i < 500; i++) {
        char path[64];
        snprintf(path, sizeof path, "/nothing-%u/\"x{}", i);
        client_exchange(fd, "GET", path, "", NULL, 404);
    }
    metrics_take(fd, &after);
    ck_assert_uint_eq(after.count, before.count);
    ck_assert(metrics_value(&after, REQUESTS("other", "GET", "404")) == 501);
    close(fd);
    for (unsigned i = 0; i < 5; i++) {
        struct client_reply reply = client_ask(server, methods[i], "/x", "", NULL);
        client_reply_clear(&reply);
    }
    const int other = client_connect(server);
    metrics_await(other, REQUESTS("other", "other", "501"), 2);
    close(other);
    server_stop(server, NULL, NULL);
}
END_TEST

/* A target with a scheme and a host is that of its path, refused or not. */
START_TEST(a_whole_address_is_counted_by_its_path)
{
    struct server *server = client_start_server(NULL);
    const int fd = client_connect(server);

    metrics_take(fd, &before);
    client_exchange(fd, "GET", "http://test/livez", "", NULL, 200);
    client_exchange(fd, "POST", "http://test/livez", "", "", 405);
    metrics_take(fd, &after);
    assert_changes((const struct change[]){
        THE_SCRAPE,
        {REQUESTS("/livez", "GET", "200"), 1},
        {REQUESTS("/livez", "POST", "405"), 1},
        {DURATIONS("/livez"), 2},
        {PROBLEMS("method-not-allowed"), 1},
        {NULL, 0},
    });
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(steps_and_budgets_are_counted)
{
    struct server *server = client_start_server(NULL);
    const int fd = client_connect(server);

    metrics_take(fd, &before);
    for (unsigned i = 0; i < 3; i++)
        client_exchange(fd, "POST", "/validate", CLIENT_JSON,
                        "{\"puzzle\":\"" SLOW "\",\"max_steps\":50}", 200);
    metrics_take(fd, &after);
    assert_changes((const struct change[]){
        THE_SCRAPE,
        {REQUESTS("/validate", "POST", "200"), 3},
        {DURATIONS("/validate"), 3},
        {"sudokud_solve_duration_seconds_count", 3},
        {ANSWERS("undetermined"), 3},
        {"sudokud_steps_total{work=\"single\"}", 150},
        {"sudokud_budgets_exhausted_total{work=\"single\"}", 3},
        {"sudokud_http_received_bytes_total", 3 * 109},
        {NULL, 0},
    });
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(puzzles_of_batches_are_counted_apart)
{
    struct server *server = client_start_server(NULL);
    const int fd = client_connect(server);
    char body[200 * 82 + 1] = "";

    for (unsigned i = 0; i < 200; i++)
        strcat(body, i % 4 == 0 ? TWO "\n" : i % 4 == 1 ? NONE "\n" : EASY "\n");
    metrics_take(fd, &before);
    client_exchange(fd, "POST", "/solve", "Content-Type: text/plain\r\n", body, 200);
    client_exchange(fd, "POST", "/solve", CLIENT_JSON,
                    "{\"puzzles\":[\"" EASY "\",\"1\",\"" BROKEN "\"]}", 200);
    metrics_take(fd, &after);
    assert_changes((const struct change[]){
        THE_SCRAPE,
        {REQUESTS("/solve", "POST", "200"), 2},
        {DURATIONS("/solve"), 2},
        {"sudokud_batches_total", 2},
        {IN_BATCHES("unique"), 101},
        {IN_BATCHES("multiple"), 50},
        {IN_BATCHES("none"), 50},
        {IN_BATCHES("error"), 2},
        {"sudokud_steps_total{work=\"batch\"}", 50},
        {"sudokud_http_received_bytes_total", 200 * 82 + 185},
        {NULL, 0},
    });
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Takes as long as the deadline, or the client, lets it. */
static const char slow_request[] = "{\"puzzle\":\"" SLOW "\",\"max_steps\":1000000000}";

START_TEST(long_searches_are_seen_at_work_waiting_rejected_and_cancelled)
{
    char *const flags[] = {"--isa=reference", "--max-steps=1000000000", "--workers=1",
                           "--queue=2",       "--deadline=60s",         NULL};
    struct server *server = client_start_server(flags);
    const int fd = client_connect(server);
    const int first = client_connect(server);
    const int second = client_connect(server);

    metrics_await(fd, "sudokud_connections_open", 3);
    metrics_take(fd, &before);
    client_send(first, "POST", "/solve", CLIENT_JSON, slow_request);
    metrics_await(fd, "sudokud_workers_busy", 1);
    client_send(second, "POST", "/solve", CLIENT_JSON, slow_request);
    metrics_await(fd, "sudokud_queue_depth{work=\"single\"}", 1);
    client_exchange(fd, "POST", "/solve", CLIENT_JSON, slow_request, 503);
    metrics_take(fd, &after);
    ck_assert(metrics_value(&after, PROBLEMS("overloaded")) == 1);
    ck_assert(metrics_value(&after, "sudokud_http_requests_in_flight") == 3);
    ck_assert(metrics_value(&after, "sudokud_queue_limit") == 2);
    ck_assert(metrics_value(&after, "sudokud_workers") == 1);
    close(first);
    close(second);
    metrics_await(fd, CANCELLED("single", "client_left"), 2);
    metrics_await(fd, "sudokud_connections_open", 1);
    metrics_take(fd, &after);
    ck_assert(metrics_value(&after, REQUESTS("/solve", "POST", "none")) == 2);
    ck_assert(metrics_value(&after, REQUESTS("/solve", "POST", "503")) == 1);
    ck_assert(metrics_value(&after, "sudokud_queue_duration_seconds_count") == 2);
    ck_assert(metrics_value(&after, "sudokud_solve_duration_seconds_count") == 0);
    ck_assert(metrics_value(&after, "sudokud_workers_busy") == 0);
    ck_assert(metrics_value(&after, "sudokud_queue_depth{work=\"single\"}") == 0);
    ck_assert(metrics_value(&after, "sudokud_http_requests_in_flight") == 1);
    ck_assert(metrics_value(&after, "sudokud_connections_total") == 3);
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(searches_and_puzzles_that_pass_the_deadline_are_counted)
{
    char *const flags[] = {"--isa=reference", "--max-steps=1000000000", "--deadline=50ms", NULL};
    struct server *server = client_start_server(flags);
    const int fd = client_connect(server);

    metrics_take(fd, &before);
    client_exchange(fd, "POST", "/solve", CLIENT_JSON, slow_request, 503);
    client_exchange(fd, "POST", "/solve?max_steps=1000000000", "Content-Type: text/plain\r\n",
                    SLOW "\n" EASY "\n", 200);
    metrics_take(fd, &after);
    assert_changes((const struct change[]){
        THE_SCRAPE,
        {REQUESTS("/solve", "POST", "503"), 1},
        {REQUESTS("/solve", "POST", "200"), 1},
        {DURATIONS("/solve"), 2},
        {"sudokud_queue_duration_seconds_count", 1},
        {PROBLEMS("deadline-exceeded"), 1},
        {CANCELLED("single", "deadline"), 1},
        {"sudokud_batches_total", 1},
        {IN_BATCHES("unique"), 1},
        {IN_BATCHES("error"), 1},
        {"sudokud_http_received_bytes_total", (double)sizeof slow_request - 1 + 164},
        {NULL, 0},
    });
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_batch_whose_client_leaves_is_cancelled)
{
    char *const flags[] = {"--isa=reference", "--max-steps=1000000000", NULL};
    struct server *server = client_start_server(flags);
    const int fd = client_connect(server);
    const int other = client_connect(server);

    client_send(other, "POST", "/solve?max_steps=1000000000", "Content-Type: text/plain\r\n",
                SLOW "\n" SLOW "\n");
    metrics_await(fd, "sudokud_batches_total", 1);
    close(other);
    metrics_await(fd, CANCELLED("batch", "client_left"), 1);
    metrics_await(fd, "sudokud_connections_open", 1);
    metrics_await(fd, "sudokud_workers_busy", 0);
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(clients_that_are_too_slow_are_counted_by_what_with)
{
    char *const flags[] = {"--head-timeout=100ms", "--body-timeout=100ms", NULL};
    struct server *server = client_start_server(flags);
    const int head = client_connect(server);
    const int body = client_connect(server);

    client_send_bytes(head, "GET / HT", 8);
    client_send(body, "POST", "/solve", "Content-Length: 81\r\n", NULL);
    for (int i = 0; i < 2; i++)
        client_expect(i == 0 ? head : body, 408, NULL);
    const int fd = client_connect(server);
    metrics_await(fd, "sudokud_slow_clients_total{phase=\"head\"}", 1);
    metrics_await(fd, "sudokud_slow_clients_total{phase=\"body\"}", 1);
    metrics_await(fd, REQUESTS("/solve", "POST", "408"), 1);
    metrics_await(fd, PROBLEMS("upload-too-slow"), 1);
    close(head);
    close(body);
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Draining is told, and does not end the telling. */
START_TEST(a_server_that_drains_says_so)
{
    struct server *server = client_start_server(NULL);
    const int fd = client_connect(server);

    metrics_take(fd, &before);
    ck_assert(metrics_value(&before, "sudokud_ready") == 1);
    server_drain(server);
    metrics_take(fd, &after);
    ck_assert(metrics_value(&after, "sudokud_ready") == 0);
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("metrics over HTTP", &tests);

    tcase_add_test(tests, requests_are_counted_by_route_method_and_status);
    tcase_add_test(tests, clients_cannot_make_series);
    tcase_add_test(tests, a_whole_address_is_counted_by_its_path);
    tcase_add_test(tests, steps_and_budgets_are_counted);
    tcase_add_test(tests, puzzles_of_batches_are_counted_apart);
    tcase_add_test(tests, long_searches_are_seen_at_work_waiting_rejected_and_cancelled);
    tcase_add_test(tests, searches_and_puzzles_that_pass_the_deadline_are_counted);
    tcase_add_test(tests, a_batch_whose_client_leaves_is_cancelled);
    tcase_add_test(tests, clients_that_are_too_slow_are_counted_by_what_with);
    tcase_add_test(tests, a_server_that_drains_says_so);
    return run_suite(suite);
}
