/* The threads that serve connections: who is accepted, by which of them, and when it is let go. */
#include <pthread.h>

#include "client.h"
#include "suite.h"

static const char easy[] =
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

/* Whether nothing comes for a moment. */
static bool is_silent(int fd)
{
    const struct timeval moment = {.tv_usec = 100000};
    char byte;

    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof moment), 0);
    return recv(fd, &byte, 1, 0) < 0;
}

/* Its last request and its end arrive together or nearly so, which an edge of epoll shows once.
 * Each is answered and then closed, not when the time for another request is over. */
START_TEST(half_closed_clients_are_answered_and_let_go)
{
    enum { CLIENTS = 300 };
    char *flags[] = {"--threads=2", NULL};
    struct server *server = client_start_server(flags);
    int fds[CLIENTS];
    char byte;

    for (unsigned i = 0; i < CLIENTS; i++) {
        fds[i] = client_connect(server);
        client_send(fds[i], "POST", "/solve", CLIENT_TEXT, i % 3 == 0 ? "nothing" : easy);
        if (i % 2 == 0)
            client_send(fds[i], "GET", "/livez", "", NULL);
        shutdown(fds[i], SHUT_WR);
    }
    for (unsigned i = 0; i < CLIENTS; i++) {
        client_expect(fds[i], i % 3 == 0 ? 400 : 200, NULL);
        if (i % 2 == 0)
            client_expect(fds[i], 200, NULL);
        ck_assert_int_eq(recv(fds[i], &byte, 1, 0), 0);
        close(fds[i]);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

/* One that had nothing to say at all. */
START_TEST(silent_clients_are_let_go)
{
    struct server *server = client_start_server(NULL);
    char byte;

    for (unsigned i = 0; i < 20; i++) {
        const int fd = client_connect(server);
        shutdown(fd, SHUT_WR);
        ck_assert_int_eq(recv(fd, &byte, 1, 0), 0);
        close(fd);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(clients_past_the_limit_wait_for_a_place)
{
    enum { PLACES = 3, WAITING = 4 };
    char *flags[] = {"--max-connections=3", "--threads=2", NULL};
    struct server *server = client_start_server(flags);
    int fds[PLACES + WAITING];

    for (unsigned i = 0; i < PLACES; i++) {
        fds[i] = client_connect(server);
        client_exchange(fds[i], "GET", "/livez", "", NULL, 200);
    }
    for (unsigned i = PLACES; i < PLACES + WAITING; i++) {
        fds[i] = client_connect(server);
        client_send(fds[i], "GET", "/livez", "", NULL);
    }
    ck_assert(is_silent(fds[PLACES]));
    /* Each that goes makes room for one, in the order they came. */
    for (unsigned i = 0; i < WAITING; i++) {
        close(fds[i]);
        client_expect(fds[PLACES + i], 200, NULL);
    }
    for (unsigned i = WAITING; i < PLACES + WAITING; i++)
        close(fds[i]);
    server_stop(server, NULL, NULL);
}
END_TEST

/* More threads than there are CPUs, each with some of the connections. */
START_TEST(many_threads_serve_many_clients)
{
    enum { CLIENTS = 64 };
    char *flags[] = {"--threads=7", NULL};
    struct server *server = client_start_server(flags);
    int fds[CLIENTS];

    for (unsigned i = 0; i < CLIENTS; i++)
        fds[i] = client_connect(server);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < CLIENTS; i++)
            client_send(fds[i], "POST", "/solve", CLIENT_TEXT, easy);
        for (unsigned i = 0; i < CLIENTS; i++)
            client_expect(fds[i], 200, NULL);
    }
    for (unsigned i = 0; i < CLIENTS; i++)
        close(fds[i]);
    server_stop(server, NULL, NULL);
}
END_TEST

/* More requests than the library reads at once, and then the end. */
START_TEST(the_end_behind_many_requests_is_seen)
{
    static const unsigned counts[] = {1, 40, 100, 300, 1000};
    struct server *server = client_start_server(NULL);
    char byte;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const int fd = client_connect(server);
        for (unsigned k = 0; k < counts[i]; k++)
            client_send(fd, "POST", "/solve", CLIENT_TEXT, easy);
        shutdown(fd, SHUT_WR);
        for (unsigned k = 0; k < counts[i]; k++)
            client_expect(fd, 200, NULL);
        ck_assert_int_eq(recv(fd, &byte, 1, 0), 0);
        close(fd);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

/* Those that go with half a head have no place any more, long before the time for a head is over.
 */
START_TEST(the_end_behind_a_part_of_a_head_is_seen)
{
    enum { PLACES = 3 };
    char *flags[] = {"--max-connections=3", "--head-timeout=10m", "--timeout=10m", NULL};
    struct server *server = client_start_server(flags);
    char part[10000];

    memset(part, 'a', sizeof part);
    memcpy(part, "GET /livez HTTP/1.1\r\nX: ", 24);
    for (size_t size = 24; size <= sizeof part; size += 300) {
        const int fd = client_connect(server);
        client_send_bytes(fd, part, size);
        close(fd);
    }
    for (unsigned i = 0; i < PLACES; i++)
        ck_assert_uint_eq(client_status(server, "GET", "/livez", "", NULL), 200);
    server_stop(server, NULL, NULL);
}
END_TEST

/* The library wants to run on with a line that is larger than the memory of its connection, for as
 * long as the connection lasts; so it does not last. In pieces of any size, whether there is more
 * to come or not, and beside others who are served. */
START_TEST(a_line_of_a_chunk_that_never_ends)
{
    static const size_t sizes[] = {6000, 9000, 11000, 12000, 12288, 14000, 20000, 200000};
    char *flags[] = {"--threads=1", "--body-timeout=10m", NULL};
    struct server *server = client_start_server(flags);
    char line[1000];

    memset(line, '0', sizeof line);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const int fd = client_connect(server);
        client_send(fd, "POST", "/solve", CLIENT_TEXT "Transfer-Encoding: chunked\r\n", NULL);
        client_send_bytes(fd, i % 2 == 0 ? "51;" : "0", i % 2 == 0 ? 3 : 1);
        for (size_t sent = 0; sent < sizes[i]; sent += sizeof line)
            (void)send(fd, line, sizeof line, MSG_NOSIGNAL);
        for (unsigned k = 0; k < 20; k++)
            ck_assert_uint_eq(client_status(server, "POST", "/solve", CLIENT_TEXT, easy), 200);
        /* What fits into the memory may be the beginning of a line that does end. */
        if (sizes[i] > 12288)
            client_expect(fd, 400, "A line of the chunks or trailers of the body is too long.");
        close(fd);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

/* One that sends its body slowly, in many chunks with small extensions, is not taken for that. */
START_TEST(a_slow_body_in_chunks_is_read)
{
    char *flags[] = {"--threads=1", NULL};
    struct server *server = client_start_server(flags);
    const int fd = client_connect(server);
    const int busy = client_connect(server);

    client_send(fd, "POST", "/solve", CLIENT_TEXT "Transfer-Encoding: chunked\r\n", NULL);
    for (size_t i = 0; i < sizeof easy - 1; i++) {
        char chunk[64];
        snprintf(chunk, sizeof chunk, "1;name=value\r\n%c\r\n", easy[i]);
        client_send_bytes(fd, chunk, 5);
        client_exchange(busy, "GET", "/openapi.yaml", "", NULL, 200);
        client_send_bytes(fd, chunk + 5, strlen(chunk) - 5);
    }
    client_send_bytes(fd, "0\r\n\r\n", 5);
    client_expect(fd, 200, NULL);
    close(busy);
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Check's assertions are for one thread, so this one counts what it is answered. */
struct visitor {
    const struct server *server;
    unsigned answers;
    pthread_t thread;
};

static bool is_answered(int fd)
{
    char answer[64] = "";

    return recv(fd, answer, sizeof answer - 1, 0) > 0 && strncmp(answer, "HTTP/1.1 200", 12) == 0;
}

static void *come_and_go(void *argument)
{
    static const char whole[] = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
    struct visitor *visitor = argument;
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)server_port(visitor->server)),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    for (unsigned i = 0; i < 400; i++) {
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0 && i % 4 > 0) {
            (void)send(fd, whole, i % 4 == 1 ? 9 : sizeof whole - 1, MSG_NOSIGNAL);
            if (i % 4 == 2)
                shutdown(fd, SHUT_WR);
            visitor->answers += i % 4 > 1 && is_answered(fd);
        }
        close(fd);
    }
    return NULL;
}

/* Clients of all kinds come and go on all threads at once: for the sanitizers, and for places that
 * are not given back. */
START_TEST(clients_come_and_go)
{
    enum { VISITORS = 4 };
    char *flags[] = {"--threads=3", "--max-connections=8", NULL};
    struct server *server = client_start_server(flags);
    struct visitor visitors[VISITORS];

    for (size_t i = 0; i < VISITORS; i++) {
        visitors[i] = (struct visitor){.server = server};
        ck_assert_int_eq(pthread_create(&visitors[i].thread, NULL, come_and_go, &visitors[i]), 0);
    }
    for (size_t i = 0; i < VISITORS; i++) {
        pthread_join(visitors[i].thread, NULL);
        ck_assert_uint_eq(visitors[i].answers, 200);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

int main(void)
{
    const TTest *const all[] = {
        half_closed_clients_are_answered_and_let_go,
        silent_clients_are_let_go,
        the_end_behind_many_requests_is_seen,
        the_end_behind_a_part_of_a_head_is_seen,
        clients_past_the_limit_wait_for_a_place,
        many_threads_serve_many_clients,
        a_line_of_a_chunk_that_never_ends,
        a_slow_body_in_chunks_is_read,
        clients_come_and_go,
    };
    TCase *tests;
    Suite *suite = suite_of("loop", &tests);

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        tcase_add_test(tests, all[i]);
    return run_suite(suite);
}
