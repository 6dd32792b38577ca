/* Holds idle connections: opens many, has one small request answered on each, prints "held N", and
 * keeps them open and silent until it is killed, or two minutes have passed.
 *
 * usage: hold PORT CONNECTIONS. Loopback only. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LIFE_S = 120 };

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "hold: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* The files a process may open by default are fewer than the connections asked for. */
static void allow_files(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        die("getrlimit");
    files.rlim_cur = files.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &files) != 0)
        die("setrlimit");
}

static void hold_one(uint16_t port)
{
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    char reply[4096];
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
        die("connect");
    if (send(fd, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t)sizeof request - 1)
        die("send");
    const ssize_t got = recv(fd, reply, sizeof reply, 0);
    if (got < 12 || memcmp(reply, "HTTP/1.1 200", 12) != 0)
        die("the answer");
}

int main(int argc, char *argv[])
{
    if (argc != 3) {
        fprintf(stderr, "usage: hold PORT CONNECTIONS\n");
        return 2;
    }
    const uint16_t port = (uint16_t)strtoul(argv[1], NULL, 10);
    const unsigned long count = strtoul(argv[2], NULL, 10);

    allow_files();
    for (unsigned long i = 0; i < count; i++)
        hold_one(port);
    printf("held %lu\n", count);
    if (fflush(stdout) != 0)
        die("stdout");
    sleep(LIFE_S);
    return 0;
}
