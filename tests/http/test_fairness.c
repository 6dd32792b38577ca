/* One client's many long searches beside another's few, and more of them than there is time for. */
#include <poll.h>

#include "client.h"
#include "support.h"

#define GREEDY "127.0.0.2"
#define OTHER  "127.0.0.1"

/* Seconds of work for the plainest engine. */
static const char endless[] =
    "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":1000000,\"max_steps\":1000000000}";

/* Some tens of slices of it, so that it has to wait its turn among the others again and again. */
static const char some[] =
    "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":1000000,\"max_steps\":5000}";

enum { MANY = 40 };

struct crowd {
    int fd[MANY];
};

static struct crowd send_many_with(const struct server *server, const char *from,
                                   const char *headers)
{
    struct crowd crowd;

    for (size_t i = 0; i < MANY; i++) {
        crowd.fd[i] = client_connect_from(server, from);
        client_send(crowd.fd[i], "POST", "/solve", headers, endless);
    }
    return crowd;
}

static struct crowd send_many(const struct server *server, const char *from)
{
    return send_many_with(server, from, CLIENT_JSON);
}

/* Takes an answer. Returns whether it refuses at once. */
static bool is_refused(int fd)
{
    struct client_reply reply;

    ck_assert(client_read_reply(fd, true, &reply));
    ck_assert_uint_eq(reply.status, 503);
    const bool is_refused = strstr(reply.body, "/problems/overloaded") != NULL;
    ck_assert(is_refused || strstr(reply.body, "/problems/deadline-exceeded") != NULL);
    client_reply_clear(&reply);
    return is_refused;
}

/* Takes so many answers, whichever come first. Returns how many of them refuse at once. */
static size_t count_refused(struct crowd *crowd, size_t answers)
{
    size_t refused = 0;

    while (answers > 0) {
        struct pollfd polled[MANY];
        for (size_t i = 0; i < MANY; i++)
            polled[i] = (struct pollfd){.fd = crowd->fd[i], .events = POLLIN};
        ck_assert_int_gt(poll(polled, MANY, 60000), 0);
        for (size_t i = 0; i < MANY && answers > 0; i++) {
            if (polled[i].revents == 0)
                continue;
            refused += is_refused(crowd->fd[i]);
            answers--;
            close(crowd->fd[i]);
            crowd->fd[i] = -1;
        }
    }
    return refused;
}

static void leave(struct crowd *crowd)
{
    for (size_t i = 0; i < MANY; i++) {
        if (crowd->fd[i] >= 0)
            close(crowd->fd[i]);
    }
}

static unsigned ask_from_with(const struct server *server, const char *from, const char *headers,
                              const char *body)
{
    struct client_reply reply;
    const int fd = client_connect_from(server, from);

    client_send(fd, "POST", "/solve", headers, body);
    ck_assert(client_read_reply(fd, true, &reply));
    const unsigned status = reply.status;
    if (status == 503) {
        ck_assert_str_eq(client_header(&reply, "Retry-After"), "1");
        ck_assert_ptr_nonnull(strstr(reply.body, "/problems/overloaded"));
    }
    client_reply_clear(&reply);
    close(fd);
    return status;
}

static unsigned ask_from(const struct server *server, const char *from, const char *body)
{
    return ask_from_with(server, from, CLIENT_JSON, body);
}

/* One worker, 16 places, and searches that do not end by themselves. */
static char *const endless_flags[] = {"--queue=16",
                                      "--workers=1",
                                      "--deadline=60m",
                                      "--max-wait=60m",
                                      "--isa=reference",
                                      "--max-steps=1000000000",
                                      NULL};

/* Of 16 places the greedy have 12 and no more, and another is served among them. */
START_TEST(a_client_that_takes_all_it_can_get_leaves_room_and_turns_for_another)
{
    struct server *server = client_start_server(endless_flags);
    struct crowd crowd = send_many(server, GREEDY);

    ck_assert_uint_eq(count_refused(&crowd, MANY - 12), MANY - 12);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_eq(ask_from(server, GREEDY, endless), 503);
        ck_assert_uint_eq(ask_from(server, OTHER, some), 200);
    }
    leave(&crowd);
    server_stop(server, NULL, NULL);
}
END_TEST

#define BEHIND(clients) CLIENT_JSON "X-Forwarded-For: " clients "\r\n"

/* Behind a proxy that is trusted a client is whom it names last; else all are the proxy. */
START_TEST(clients_behind_a_proxy_are_told_apart_where_it_is_trusted)
{
    char *flags[] = {"--queue=16",        "--workers=1",
                     "--deadline=60m",    "--max-wait=60m",
                     "--isa=reference",   "--max-steps=1000000000",
                     "--trust-forwarded", NULL};
    struct server *server = client_start_server(flags);
    struct crowd crowd = send_many_with(server, OTHER, BEHIND("192.0.2.9, 192.0.2.1"));

    ck_assert_uint_eq(count_refused(&crowd, MANY - 12), MANY - 12);
    ck_assert_uint_eq(ask_from_with(server, OTHER, BEHIND("192.0.2.9,192.0.2.2"), some), 200);
    ck_assert_uint_eq(ask_from(server, OTHER, some), 200);
    ck_assert_uint_eq(ask_from_with(server, OTHER, BEHIND("nobody"), some), 200);
    ck_assert_uint_eq(ask_from_with(server, GREEDY, BEHIND("192.0.2.2, 192.0.2.1"), endless), 503);
    leave(&crowd);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(what_a_client_says_of_itself_is_not_trusted)
{
    struct server *server = client_start_server(endless_flags);
    struct crowd crowd = send_many_with(server, OTHER, BEHIND("192.0.2.1"));

    ck_assert_uint_eq(count_refused(&crowd, MANY - 12), MANY - 12);
    ck_assert_uint_eq(ask_from_with(server, OTHER, BEHIND("192.0.2.2"), endless), 503);
    leave(&crowd);
    server_stop(server, NULL, NULL);
}
END_TEST

/* When their clients have left, searches make room without being run to their end. */
START_TEST(what_nobody_waits_for_any_more_is_given_up)
{
    struct server *server = client_start_server(endless_flags);
    struct crowd crowd = send_many(server, GREEDY);

    ck_assert_uint_eq(count_refused(&crowd, MANY - 12), MANY - 12);
    leave(&crowd);
    while (ask_from(server, GREEDY, some) == 503)
        ;
    server_stop(server, NULL, NULL);
}
END_TEST

/* Each is answered: when its deadline has passed, while it ran or waited; and at once when it is
 * known by then that there is no time for it. */
START_TEST(every_search_is_answered_by_its_deadline)
{
    char *flags[] = {"--queue=1000",
                     "--workers=2",
                     "--deadline=200ms",
                     "--max-wait=60m",
                     "--isa=reference",
                     "--max-steps=1000000000",
                     NULL};
    struct server *server = client_start_server(flags);
    size_t refused = 0;

    for (unsigned wave = 0; wave < 3; wave++) {
        struct crowd crowd = send_many(server, GREEDY);
        refused = count_refused(&crowd, MANY);
    }
    ck_assert_uint_gt(refused, 0);
    ck_assert_uint_le(refused, MANY - 4);
    server_stop(server, NULL, NULL);
}
END_TEST

/* What a search takes is known once there has been one; with four for each worker the next would
 * take longer than it may. */
START_TEST(a_search_that_would_take_too_long_is_refused_at_once)
{
    char *flags[] = {"--workers=1",     "--deadline=60m",         "--max-wait=1ms",
                     "--isa=reference", "--max-steps=1000000000", NULL};
    struct server *server = client_start_server(flags);

    ck_assert_uint_eq(ask_from(server, GREEDY, some), 200);
    struct crowd crowd = send_many(server, GREEDY);
    ck_assert_uint_eq(count_refused(&crowd, MANY - 4), MANY - 4);
    ck_assert_uint_eq(ask_from(server, GREEDY, some), 503);
    ck_assert_uint_eq(ask_from(server, OTHER, some), 200);
    leave(&crowd);
    server_stop(server, NULL, NULL);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("fairness", &tests);

    tcase_add_test(tests, a_client_that_takes_all_it_can_get_leaves_room_and_turns_for_another);
    tcase_add_test(tests, what_nobody_waits_for_any_more_is_given_up);
    tcase_add_test(tests, clients_behind_a_proxy_are_told_apart_where_it_is_trusted);
    tcase_add_test(tests, what_a_client_says_of_itself_is_not_trusted);
    tcase_add_test(tests, every_search_is_answered_by_its_deadline);
    tcase_add_test(tests, a_search_that_would_take_too_long_is_refused_at_once);
    return run_suite(suite);
}
