/* Starts a server and tells how many microseconds pass until it has answered GET /livez with 200,
 * from before the program is executed. Ends it then.
 *
 * usage: first_answer SUDOKUD [FLAG...]. The port is a free one of loopback, given by --port. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_US = 10 * 1000 * 1000, TICK_NS = 50 * 1000, MAX_ARGUMENTS = 32 };

static uint64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "first_answer: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* A port that is free now; the server sets SO_REUSEADDR and gets it a moment later. */
static struct sockaddr_in find_free_address(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        die("a free port");
    close(fd);
    return address;
}

static pid_t start(char *const command[], int count, unsigned port)
{
    char *arguments[MAX_ARGUMENTS + 3] = {0};
    char number[8];

    snprintf(number, sizeof number, "%u", port);
    memcpy(arguments, command, (size_t)count * sizeof *command);
    arguments[count] = "--port";
    arguments[count + 1] = number;
    const pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) != NULL)
            execv(arguments[0], arguments);
        _exit(127);
    }
    return child;
}

static bool is_answered(const struct sockaddr_in *address)
{
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    char reply[12];

    if (fd < 0)
        die("socket");
    const bool is_there =
        connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 &&
        send(fd, request, sizeof request - 1, MSG_NOSIGNAL) == (ssize_t)sizeof request - 1 &&
        recv(fd, reply, sizeof reply, MSG_WAITALL) == (ssize_t)sizeof reply &&
        memcmp(reply, "HTTP/1.1 200", sizeof reply) == 0;
    close(fd);
    return is_there;
}

int main(int argc, char *argv[])
{
    const struct timespec tick = {.tv_nsec = TICK_NS};

    if (argc < 2 || argc > MAX_ARGUMENTS) {
        fprintf(stderr, "usage: first_answer SUDOKUD [FLAG...]\n");
        return 2;
    }
    const struct sockaddr_in address = find_free_address();
    const uint64_t began_us = now_us();
    const pid_t child = start(argv + 1, argc - 1, ntohs(address.sin_port));
    bool is_there = false;
    while (!is_there && now_us() < began_us + PATIENCE_US && waitpid(child, NULL, WNOHANG) == 0) {
        is_there = is_answered(&address);
        if (!is_there)
            nanosleep(&tick, NULL);
    }
    const uint64_t took_us = now_us() - began_us;
    if (is_there)
        printf("%llu\n", (unsigned long long)took_us);
    else
        fprintf(stderr, "first_answer: %s gave no answer\n", argv[1]);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return is_there ? 0 : 1;
}
