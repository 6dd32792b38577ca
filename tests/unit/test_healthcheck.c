/* The health check, asked of servers that answer this or that. */
#include "server/healthcheck.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support.h"

enum { SHORT_MS = 200, LONG_MS = 30000 };

struct fake {
    int listener;
    unsigned port;
    const char *answer; /* NULL: reads the request and stays silent */
    const char *more;   /* sent on its own, a moment later */
    char request[1024];
    pthread_t thread;
};

static void *serve(void *context)
{
    struct fake *fake = context;
    const int fd = accept(fake->listener, NULL, NULL);
    if (fd < 0) /* nobody came */
        return NULL;
    const ssize_t got = recv(fd, fake->request, sizeof fake->request - 1, 0);

    fake->request[got > 0 ? got : 0] = '\0';
    if (fake->answer == NULL) {
        char rest;
        (void)!recv(fd, &rest, 1, 0); /* until the client has given up */
    } else {
        (void)send(fd, fake->answer, strlen(fake->answer), MSG_NOSIGNAL);
    }
    if (fake->more != NULL) {
        usleep(20000);
        (void)send(fd, fake->more, strlen(fake->more), MSG_NOSIGNAL);
    }
    close(fd);
    return NULL;
}

static void listen_on(struct fake *fake, uint32_t address)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    socklen_t size = sizeof at;

    fake->listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_ge(fake->listener, 0);
    ck_assert_int_eq(bind(fake->listener, (struct sockaddr *)&at, size), 0);
    ck_assert_int_eq(listen(fake->listener, 1), 0);
    ck_assert_int_eq(getsockname(fake->listener, (struct sockaddr *)&at, &size), 0);
    fake->port = ntohs(at.sin_port);
}

static bool check_fake(struct fake *fake, const char *host, unsigned timeout_ms, char error[256])
{
    listen_on(fake, INADDR_LOOPBACK);
    ck_assert_int_eq(pthread_create(&fake->thread, NULL, serve, fake), 0);
    const bool is_well = healthcheck(host, fake->port, timeout_ms, error, 256);
    shutdown(fake->listener, SHUT_RDWR);
    ck_assert_int_eq(pthread_join(fake->thread, NULL), 0);
    close(fake->listener);
    return is_well;
}

START_TEST(a_server_that_says_200_is_well)
{
    static const char *const hosts[] = {"127.0.0.1", "0.0.0.0", "localhost"};

    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        if (strcmp(hosts[i], "localhost") == 0 && access("/etc/hosts", R_OK) != 0)
            continue; /* a system so bare that it does not know the name */
        struct fake fake = {.answer = "HTTP/1.1 200 OK\r\n\r\n"};
        char error[256] = "";
        ck_assert_msg(check_fake(&fake, hosts[i], LONG_MS, error), "%s: %s", hosts[i], error);
        ck_assert_ptr_eq(strstr(fake.request, "GET /readyz HTTP/1.1\r\nHost: "), fake.request);
        ck_assert_ptr_nonnull(strstr(fake.request, "\r\nConnection: close\r\n"));
        ck_assert_str_eq(fake.request + strlen(fake.request) - 4, "\r\n\r\n");
    }
}
END_TEST

START_TEST(an_answer_may_come_in_pieces)
{
    struct fake fake = {.answer = "HTTP/1.", .more = "1 200 OK\r\n\r\n"};
    char error[256] = "";

    ck_assert_msg(check_fake(&fake, "127.0.0.1", LONG_MS, error), "%s", error);
}
END_TEST

static const struct {
    const char *answer, *says;
    unsigned timeout_ms;
} ills[] = {
    {"HTTP/1.1 503 Service Unavailable\r\n\r\n", "is not ready: 503", LONG_MS},
    {"HTTP/1.1 404 Not Found\r\n\r\n", "is not ready: 404", LONG_MS},
    {"HTTP/1.0 200 OK\r\n\r\n", "is not ready: no HTTP", LONG_MS},
    {"SSH-2.0-something else", "is not ready: no HTTP", LONG_MS},
    {"HTTP/1.1 20", "does not answer: Connection reset by peer", LONG_MS},
    {"", "does not answer: Connection reset by peer", LONG_MS},
    {NULL, "does not answer: Connection timed out", SHORT_MS},
};

START_TEST(any_other_is_not)
{
    struct fake fake = {.answer = ills[_i].answer};
    char error[256] = "";

    ck_assert(!check_fake(&fake, "127.0.0.1", ills[_i].timeout_ms, error));
    ck_assert_msg(strstr(error, ills[_i].says) != NULL, "%s", error);
}
END_TEST

START_TEST(nobody_there_is_not_well)
{
    struct fake fake = {0};
    char error[256] = "";

    listen_on(&fake, INADDR_LOOPBACK);
    close(fake.listener);
    ck_assert(!healthcheck("127.0.0.1", fake.port, LONG_MS, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "does not answer: Connection refused"));
    ck_assert(!healthcheck("no such host", 80, LONG_MS, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "cannot resolve \"no such host\""));
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("healthcheck", &tests);

    tcase_add_test(tests, a_server_that_says_200_is_well);
    tcase_add_test(tests, an_answer_may_come_in_pieces);
    tcase_add_loop_test(tests, any_other_is_not, 0, sizeof ills / sizeof ills[0]);
    tcase_add_test(tests, nobody_there_is_not_well);
    return run_suite(suite);
}
