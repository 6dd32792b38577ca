/* The access log: what a line tells, which requests get one, and that no request waits for it. */
#include <cjson/cJSON.h>

#include "metrics_client.h"
#include "support.h"
#include "support_json.h"
#include "support_stderr.h"

static int log_pipe = -1;

/* The next line of the log about a request; waits for it. The test's time limit ends a wait in
 * vain. */
static cJSON *next_request(void)
{
    static char text[65536];
    static size_t length;

    for (;;) {
        char *end = memchr(text, '\n', length);
        if (end == NULL) {
            const ssize_t got = read(log_pipe, text + length, sizeof text - length);
            length += got > 0 ? (size_t)got : 0;
            if (got <= 0)
                clock_sleep_ms(1);
            continue;
        }
        cJSON *line = json_of(text, (size_t)(end + 1 - text));
        length -= (size_t)(end + 1 - text);
        memmove(text, end + 1, length);
        if (strcmp(json_text(line, "event"), "request") == 0)
            return line;
        cJSON_Delete(line);
    }
}

/* Starts a server whose log goes to a pipe. */
static struct server *start(char *const flags[])
{
    log_pipe = pipe_stderr();
    return client_start_server(flags);
}

/* Stops it and tells how many more requests the log has. */
static unsigned stop_and_count(struct server *server)
{
    static char text[1 << 20];
    unsigned count = 0;

    server_stop(server, NULL, NULL);
    read_all(log_pipe, text, sizeof text);
    for (const char *at = text; (at = strstr(at, "\"event\":\"request\"")) != NULL; at++)
        count++;
    return count;
}

START_TEST(a_line_tells_all_of_a_request)
{
    char *const flags[] = {"--access-log", NULL};
    struct server *server = start(flags);
    const int fd = client_connect(server);

    client_exchange(fd, "POST", "/solve?max_solutions=2",
                    "X-Request-Id: my-id\r\nX-Forwarded-For: 203.0.113.9, \"x\"\r\n"
                    "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n"
                    "Content-Type: text/plain\r\n",
                    TWO, 200);
    cJSON *line = next_request();
    assert_names(line, "time level event id trace_id parent_id client forwarded_for method path "
                       "route status puzzles steps received sent duration_us queue_us solve_us ");
    ck_assert_str_eq(json_text(line, "level"), "info");
    ck_assert_str_eq(json_text(line, "id"), "my-id");
    ck_assert_str_eq(json_text(line, "trace_id"), "0af7651916cd43dd8448eb211c80319c");
    ck_assert_str_eq(json_text(line, "parent_id"), "b7ad6b7169203331");
    ck_assert_str_eq(json_text(line, "client"), "127.0.0.1");
    ck_assert_str_eq(json_text(line, "forwarded_for"), "203.0.113.9, \"x\"");
    ck_assert_str_eq(json_text(line, "method"), "POST");
    ck_assert_str_eq(json_text(line, "path"), "/solve");
    ck_assert_str_eq(json_text(line, "route"), "/solve");
    ck_assert(json_number(line, "status") == 200);
    ck_assert(json_number(line, "puzzles") == 1);
    ck_assert(json_number(line, "steps") == 1);
    ck_assert(json_number(line, "received") == 81);
    ck_assert(json_number(line, "sent") == 82);
    ck_assert(json_number(line, "duration_us") >= json_number(line, "solve_us"));
    ck_assert(json_number(line, "queue_us") == 0);
    cJSON_Delete(line);
    close(fd);
    ck_assert_uint_eq(stop_and_count(server), 0);
}
END_TEST

/* Anybody can write the header; the nearest proxy writes behind what was there. */
START_TEST(what_the_nearest_proxy_says_is_logged)
{
    enum { LONG = 1000, MOST = 126 };
    static const char header[] = "X-Forwarded-For: ";
    static const char last[] = "198.51.100.7, 203.0.113.9";
    char *const flags[] = {"--access-log", NULL};
    struct server *server = start(flags);
    const int fd = client_connect(server);
    const char fills[] = {'1', '"', '\\'};
    char headers[sizeof header + LONG + sizeof last + 64];

    snprintf(headers, sizeof headers, "%s10.0.0.1\r\nx-forwarded-for: %s\r\n", header, last);
    client_exchange(fd, "GET", "/livez", headers, NULL, 200);
    cJSON *line = next_request();
    ck_assert_str_eq(json_text(line, "forwarded_for"), last);
    cJSON_Delete(line);

    for (size_t i = 0; i < sizeof fills; i++) {
        char *at = headers + sprintf(headers, "%s", header);
        memset(at, fills[i], LONG);
        sprintf(at + LONG, "%s\r\n", last);
        client_exchange(fd, "GET", "/livez", headers, NULL, 200);
        line = next_request();
        const char *logged = json_text(line, "forwarded_for");
        const size_t length = strlen(logged);
        const size_t before = MOST - (sizeof last - 1); /* escaped, it takes more */
        ck_assert_uint_eq(length, sizeof last - 1 + (i == 0 ? before : before / 2));
        ck_assert_str_eq(logged + length - (sizeof last - 1), last);
        cJSON_Delete(line);
    }
    close(fd);
    ck_assert_uint_eq(stop_and_count(server), 0);
}
END_TEST

START_TEST(an_error_is_named_and_an_unknown_path_is_no_route)
{
    char *const flags[] = {"--access-log", NULL};
    struct server *server = start(flags);
    const int fd = client_connect(server);

    client_exchange(fd, "GET", "/so%22vle", "traceparent: 00-zz-1-01\r\n", NULL, 404);
    cJSON *line = next_request();
    assert_names(line, "time level event id client method path route status problem received sent "
                       "duration_us queue_us solve_us ");
    ck_assert_str_eq(json_text(line, "path"), "/so\"vle");
    ck_assert_str_eq(json_text(line, "route"), "other");
    ck_assert_str_eq(json_text(line, "problem"), "not-found");
    cJSON_Delete(line);
    close(fd);
    ck_assert_uint_eq(stop_and_count(server), 0);
}
END_TEST

START_TEST(a_batch_has_a_line_with_all_its_puzzles_and_bytes)
{
    char *const flags[] = {"--access-log", NULL};
    struct server *server = start(flags);
    const int fd = client_connect(server);
    struct client_reply reply;

    client_send(fd, "POST", "/solve", "Content-Type: text/plain\r\n",
                TWO "\n" EASY "\n1\n" TWO "\n");
    ck_assert(client_read_reply(fd, true, &reply));
    cJSON *line = next_request();
    ck_assert(json_number(line, "puzzles") == 4);
    ck_assert(json_number(line, "steps") == 2);
    ck_assert(json_number(line, "received") == 3 * 82 + 2);
    ck_assert(json_number(line, "sent") == (double)reply.body_length);
    ck_assert(!json_has(line, "aborted"));
    cJSON_Delete(line);
    client_reply_clear(&reply);
    close(fd);
    ck_assert_uint_eq(stop_and_count(server), 0);
}
END_TEST

START_TEST(a_client_that_leaves_has_a_line_too)
{
    char *const flags[] = {"--access-log", "--isa=reference", "--max-steps=1000000000", NULL};
    struct server *server = start(flags);
    const int fd = client_connect(server);

    client_send(fd, "POST", "/solve", CLIENT_JSON,
                "{\"puzzle\":\"" SLOW "\",\"max_steps\":1000000000}");
    clock_sleep_ms(50);
    close(fd);
    cJSON *line = next_request();
    ck_assert(json_number(line, "status") == 0);
    ck_assert(json_has(line, "aborted"));
    ck_assert(json_number(line, "sent") == 0);
    cJSON_Delete(line);
    ck_assert_uint_eq(stop_and_count(server), 0);
}
END_TEST

START_TEST(without_the_setting_there_is_no_line)
{
    struct server *server = start(NULL);
    const int fd = client_connect(server);

    client_exchange(fd, "GET", "/livez", "", NULL, 200);
    client_exchange(fd, "POST", "/solve", "Expect: wonders\r\n", "", 417);
    close(fd);
    ck_assert_uint_eq(stop_and_count(server), 0);
}
END_TEST

/* Of the others exactly every tenth, those included that ask for what no server has. */
START_TEST(a_sample_has_one_request_in_so_many_and_all_that_failed)
{
    char *const flags[] = {"--access-log", "--access-log-sample=10", NULL};
    struct server *server = start(flags);
    const int fd = client_connect(server);

    for (unsigned i = 0; i < 40; i++)
        client_exchange(fd, "GET", i % 2 == 0 ? "/livez" : "/nothing", "", NULL,
                        i % 2 == 0 ? 200 : 404);
    close(fd);
    for (unsigned i = 0; i < 20; i++)
        ck_assert_uint_eq(client_status(server, "BREW", "/livez", "", NULL), 501);
    server_drain(server);
    for (unsigned i = 0; i < 5; i++)
        ck_assert_uint_eq(client_status(server, "GET", "/readyz", "", NULL), 503);
    ck_assert_uint_eq(stop_and_count(server), (40 + 20) / 10 + 5);
}
END_TEST

START_TEST(at_a_higher_level_only_failures_of_the_server_are_logged)
{
    char *const flags[] = {"--access-log", "--log-level=warning", NULL};
    struct server *server = start(flags);
    const int fd = client_connect(server);

    client_exchange(fd, "GET", "/livez", "", NULL, 200);
    client_exchange(fd, "GET", "/nothing", "", NULL, 404);
    close(fd);
    ck_assert_uint_eq(client_status(server, "BREW", "/livez", "", NULL), 501);
    server_drain(server);
    ck_assert_uint_eq(client_status(server, "GET", "/readyz", "", NULL), 503);
    cJSON *line = next_request();
    ck_assert_str_eq(json_text(line, "level"), "warning");
    ck_assert(json_number(line, "status") == 503);
    ck_assert_str_eq(json_text(line, "problem"), "shutting-down");
    cJSON_Delete(line);
    ck_assert_uint_eq(stop_and_count(server), 0);
}
END_TEST

START_TEST(for_people_it_is_a_text)
{
    char *const flags[] = {"--access-log", "--log-format=text", NULL};
    struct server *server = start(flags);
    const int fd = client_connect(server);
    static char text[65536];

    client_exchange(fd, "GET", "/livez",
                    "X-Request-Id: my-id\r\nX-Forwarded-For: 1.2.3.4, 5.6.7.8\r\n", NULL, 200);
    close(fd);
    server_stop(server, NULL, NULL);
    read_all(log_pipe, text, sizeof text);
    const char *line = strstr(text, "Z info request id=my-id client=127.0.0.1 "
                                    "forwarded_for=\"1.2.3.4, 5.6.7.8\" method=GET path=/livez "
                                    "route=/livez status=200 received=0 sent=18 duration_us=");
    ck_assert_msg(line != NULL, "%s", text);
    ck_assert_ptr_null(memchr(text, '{', strlen(text)));
}
END_TEST

/* That all are answered is the test: a write to a full pipe would wait for ever. */
static void assert_served_without_a_log(struct server *server)
{
    enum { REQUESTS = 300 };
    const int fd = client_connect(server);
    static struct metrics_scrape scrape;

    metrics_take(fd, &scrape);
    const double before = metrics_value(&scrape, "sudokud_log_lines_lost_total");
    for (unsigned i = 0; i < REQUESTS; i++)
        client_exchange(fd, "POST", "/solve", "Content-Type: text/plain\r\n", EASY, 200);
    metrics_take(fd, &scrape);
    /* And the line of the first scrape. */
    ck_assert(metrics_value(&scrape, "sudokud_log_lines_lost_total") == before + REQUESTS + 1);
    close(fd);
    server_stop(server, NULL, NULL);
}

START_TEST(no_request_waits_for_a_log_that_nobody_reads)
{
    char *const flags[] = {"--access-log", NULL};
    struct server *server = start(flags);

    fill_stderr();
    assert_served_without_a_log(server);
}
END_TEST

START_TEST(no_request_needs_a_log)
{
    char *const flags[] = {"--access-log", "--log-format=text", NULL};
    struct server *server = start(flags);

    close(log_pipe);
    assert_served_without_a_log(server);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("access log", &tests);

    tcase_add_checked_fixture(tests, keep_stderr, give_stderr_back);
    tcase_add_test(tests, a_line_tells_all_of_a_request);
    tcase_add_test(tests, what_the_nearest_proxy_says_is_logged);
    tcase_add_test(tests, an_error_is_named_and_an_unknown_path_is_no_route);
    tcase_add_test(tests, a_batch_has_a_line_with_all_its_puzzles_and_bytes);
    tcase_add_test(tests, a_client_that_leaves_has_a_line_too);
    tcase_add_test(tests, without_the_setting_there_is_no_line);
    tcase_add_test(tests, a_sample_has_one_request_in_so_many_and_all_that_failed);
    tcase_add_test(tests, at_a_higher_level_only_failures_of_the_server_are_logged);
    tcase_add_test(tests, for_people_it_is_a_text);
    tcase_add_test(tests, no_request_waits_for_a_log_that_nobody_reads);
    tcase_add_test(tests, no_request_needs_a_log);
    return run_suite(suite);
}
