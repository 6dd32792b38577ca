/* The program as systemd starts it: a socket that is given, and what is told of its state. */
#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { GIVEN = 3 }; /* the descriptor that systemd hands over */

struct stage {
    int listener, told;
    unsigned port;
    struct sockaddr_un address; /* where it is told */
    socklen_t address_size;
    char name[128]; /* the same as the environment has it */
};

static const struct timeval patience = {.tv_sec = 30};

static struct sockaddr_in loopback(unsigned port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* A socket to be given, and one to be told on, with a name in a folder or without one. */
static void set_up(struct stage *stage, bool is_abstract)
{
    struct sockaddr_in at = loopback(0);
    socklen_t size = sizeof at;

    stage->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(stage->listener, (struct sockaddr *)&at, size), 0);
    ck_assert_int_eq(listen(stage->listener, 100), 0);
    ck_assert_int_eq(getsockname(stage->listener, (struct sockaddr *)&at, &size), 0);
    stage->port = ntohs(at.sin_port);

    snprintf(stage->name, sizeof stage->name, "%s/sudokud-test-%d", is_abstract ? "@" : "/tmp",
             (int)getpid());
    stage->address.sun_family = AF_UNIX;
    strcpy(stage->address.sun_path, stage->name);
    stage->address_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(stage->name));
    if (is_abstract)
        stage->address.sun_path[0] = '\0';
    else
        unlink(stage->name);
    stage->told = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(setsockopt(stage->told, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience),
                     0);
    ck_assert_int_eq(bind(stage->told, (struct sockaddr *)&stage->address, stage->address_size), 0);
}

static void tear_down(struct stage *stage)
{
    close(stage->listener);
    close(stage->told);
    if (stage->name[0] == '/')
        unlink(stage->name);
}

/* Starts it with `given` as its third descriptor. `pid`: whom the socket is said to be for, NULL:
 * for it. Its log goes to `log`. */
static pid_t start(const struct stage *stage, int given, const char *count, const char *pid,
                   int log)
{
    const pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    char own[16];
    snprintf(own, sizeof own, "%d", (int)getpid());
    setenv("LISTEN_PID", pid == NULL ? own : pid, 1);
    setenv("LISTEN_FDS", count, 1);
    setenv("NOTIFY_SOCKET", stage->name, 1);
    dup2(log, STDERR_FILENO);
    dup2(dup(given), GIVEN); /* a copy, as one that is not closed by exec */
    execl(SUDOKUD, SUDOKUD, "--port=0", "--isa=reference", (char *)NULL);
    _exit(98);
}

static void assert_is_told(const struct stage *stage, const char *expected)
{
    char state[64] = "";

    ck_assert_int_gt(recv(stage->told, state, sizeof state - 1, 0), 0);
    ck_assert_str_eq(state, expected);
}

static void assert_ends(pid_t child, int code)
{
    int status;

    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), code);
}

static int send_to(unsigned port, const char *request)
{
    const struct sockaddr_in at = loopback(port);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const ssize_t size = (ssize_t)strlen(request);

    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&at, sizeof at), 0);
    ck_assert_int_eq(send(fd, request, (size_t)size, MSG_NOSIGNAL), size);
    return fd;
}

static int ask(unsigned port)
{
    return send_to(port, "GET /readyz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
}

static void assert_is_answered(int fd)
{
    char line[13] = "";

    ck_assert_int_eq(recv(fd, line, 12, MSG_WAITALL), 12);
    ck_assert_str_eq(line, "HTTP/1.1 200");
    close(fd);
}

START_TEST(it_serves_the_socket_and_tells_when_it_is_ready_and_when_it_stops)
{
    struct stage stage = {0};

    set_up(&stage, _i == 1);
    const pid_t child = start(&stage, stage.listener, "1", NULL, STDERR_FILENO);
    assert_is_told(&stage, "READY=1");
    assert_is_answered(ask(stage.port));
    kill(child, SIGTERM);
    assert_is_told(&stage, "STOPPING=1");
    assert_ends(child, 0);
    tear_down(&stage);
}
END_TEST

START_TEST(a_client_that_comes_between_two_processes_is_answered_by_the_second)
{
    struct stage stage = {0};

    set_up(&stage, false);
    const pid_t first = start(&stage, stage.listener, "1", NULL, STDERR_FILENO);
    assert_is_told(&stage, "READY=1");
    kill(first, SIGTERM);
    assert_ends(first, 0);
    assert_is_told(&stage, "STOPPING=1");

    const int client = ask(stage.port);
    const pid_t second = start(&stage, stage.listener, "1", NULL, STDERR_FILENO);
    assert_is_answered(client);
    assert_is_told(&stage, "READY=1");
    kill(second, SIGTERM);
    assert_ends(second, 0);
    tear_down(&stage);
}
END_TEST

START_TEST(a_client_that_comes_while_the_first_still_stops_is_left_to_the_second)
{
    struct stage stage = {0};
    char byte;

    set_up(&stage, false);
    const pid_t first = start(&stage, stage.listener, "1", NULL, STDERR_FILENO);
    assert_is_told(&stage, "READY=1");
    const int slow = send_to(stage.port, "GET /solve?puzzle=" EMPTY "&max_solutions=1000000"
                                         "&max_steps=10000000 HTTP/1.1\r\nHost: test\r\n\r\n");
    usleep(200000);
    kill(first, SIGTERM);
    assert_is_told(&stage, "STOPPING=1");
    usleep(200000);
    const int client = ask(stage.port);
    usleep(200000);
    ck_assert_int_eq(recv(client, &byte, 1, MSG_DONTWAIT), -1);

    const pid_t second = start(&stage, stage.listener, "1", NULL, STDERR_FILENO);
    assert_is_answered(client);
    assert_is_told(&stage, "READY=1");
    ck_assert_int_eq(waitpid(first, NULL, WNOHANG), 0);
    kill(first, SIGTERM); /* in a hurry */
    assert_ends(first, 0);
    close(slow);
    kill(second, SIGTERM);
    assert_ends(second, 0);
    tear_down(&stage);
}
END_TEST

static void assert_refuses(const struct stage *stage, int given, const char *count,
                           const char *expected)
{
    int log[2];
    char text[512];

    ck_assert_int_eq(pipe(log), 0);
    const pid_t child = start(stage, given, count, NULL, log[1]);
    close(log[1]);
    const ssize_t size = read(log[0], text, sizeof text - 1);
    ck_assert_int_gt(size, 0);
    text[size] = '\0';
    close(log[0]);
    ck_assert_str_eq(text, expected);
    assert_ends(child, 1);
}

START_TEST(anything_but_one_listening_socket_is_refused)
{
    static const char none[] = "sudokud: LISTEN_FDS: what was given is no listening TCP socket\n";
    struct stage stage = {0};

    set_up(&stage, false);
    assert_refuses(&stage, stage.listener, "2",
                   "sudokud: LISTEN_FDS: \"2\" is not allowed; allowed is 1\n");
    assert_refuses(&stage, stage.told, "1", none);
    const int unconnected = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_refuses(&stage, unconnected, "1", none);
    close(unconnected);
    tear_down(&stage);
}
END_TEST

START_TEST(what_is_for_another_process_is_left_alone)
{
    struct stage stage = {0};

    set_up(&stage, false);
    const pid_t child = start(&stage, stage.listener, "1", "1", STDERR_FILENO);
    assert_is_told(&stage, "READY=1");
    const int client = ask(stage.port);
    char byte;
    ck_assert_int_eq(recv(client, &byte, 1, MSG_DONTWAIT), -1);
    kill(child, SIGTERM);
    assert_ends(child, 0);
    ck_assert_int_eq(recv(client, &byte, 1, MSG_DONTWAIT), -1);
    close(client);
    tear_down(&stage);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("systemd", &tests);

    tcase_add_loop_test(tests, it_serves_the_socket_and_tells_when_it_is_ready_and_when_it_stops, 0,
                        2);
    tcase_add_test(tests, a_client_that_comes_between_two_processes_is_answered_by_the_second);
    tcase_add_test(tests, a_client_that_comes_while_the_first_still_stops_is_left_to_the_second);
    tcase_add_test(tests, anything_but_one_listening_socket_is_refused);
    tcase_add_test(tests, what_is_for_another_process_is_left_alone);
    return run_suite(suite);
}
