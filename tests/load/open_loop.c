/* Sends one request again and again on a fixed schedule and prints how long the answers took.
 *
 * A request's time counts from when it was due, not from when it could be sent: where the server
 * stalls, those that were due meanwhile are counted with their waiting, as their clients would.
 *
 * usage: open_loop PORT RATE SECONDS CONNECTIONS PATH BODY-FILE [CONTENT-TYPE [PATIENCE-MS
 *     [FROM-ADDRESS]]]
 * An empty file makes it a GET. One that can't be sent within PATIENCE-MS of when it was due, as
 * all connections wait for an answer, is dropped: its client has gone. Loopback only; stops by
 * itself a few seconds after the last request was due. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CONNECTIONS = 4096, MAX_REQUEST = 64 * 1024, MAX_REPLY = 16 * 1024, GRACE_S = 10 };

struct connection {
    int fd;
    bool is_busy;
    uint64_t due_us;
    size_t received;
    char reply[MAX_REPLY];
};

struct run {
    uint16_t port;
    struct in_addr from; /* any, unless there was an argument */
    char request[MAX_REQUEST];
    size_t request_size;
    uint64_t *latency_us;
    size_t answered, failed, refused, dropped;
    uint64_t patience_us;
    uint64_t elapsed_us;
    struct connection *connections;
    unsigned connection_count;
};

static uint64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "open_loop: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void open_connection(const struct run *run, struct connection *connection)
{
    const int yes = 1;
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(run->port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };

    const struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr = run->from};

    connection->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connection->fd < 0 ||
        bind(connection->fd, (const struct sockaddr *)&own, sizeof own) != 0 ||
        connect(connection->fd, (const struct sockaddr *)&address, sizeof address) != 0)
        die("connect");
    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    connection->is_busy = false;
}

static void begin(struct run *run, struct connection *connection, uint64_t due_us)
{
    connection->is_busy = true;
    connection->due_us = due_us;
    connection->received = 0;
    if (send(connection->fd, run->request, run->request_size, MSG_NOSIGNAL) !=
        (ssize_t)run->request_size)
        die("send");
}

/* Whether the whole reply is there: its head and as many bytes as it announces. */
static bool is_whole(const struct connection *connection)
{
    const char *end = strstr(connection->reply, "\r\n\r\n");
    const char *length = strcasestr(connection->reply, "\r\nContent-Length:");

    return end != NULL && length != NULL && length < end &&
           connection->received >=
               (size_t)(end + 4 - connection->reply) + strtoul(length + 17, NULL, 10);
}

static void receive(struct run *run, struct connection *connection)
{
    const ssize_t got = recv(connection->fd, connection->reply + connection->received,
                             sizeof connection->reply - 1 - connection->received, 0);

    if (got <= 0) {
        run->failed += connection->is_busy;
        close(connection->fd);
        open_connection(run, connection);
        return;
    }
    connection->received += (size_t)got;
    connection->reply[connection->received] = '\0';
    if (!is_whole(connection))
        return;
    connection->is_busy = false;
    if (strncmp(connection->reply, "HTTP/1.1 200", 12) == 0)
        run->latency_us[run->answered++] = now_us() - connection->due_us;
    else
        run->refused++;
}

static struct connection *find_idle(struct run *run)
{
    for (unsigned i = 0; i < run->connection_count; i++) {
        if (!run->connections[i].is_busy)
            return &run->connections[i];
    }
    return NULL;
}

static void wait_for_replies(struct run *run, uint64_t until_us)
{
    struct pollfd polled[MAX_CONNECTIONS];
    const uint64_t now = now_us();
    const uint64_t wait_us = until_us > now ? until_us - now : 0;
    const struct timespec wait = {.tv_sec = (time_t)(wait_us / 1000000),
                                  .tv_nsec = (long)(wait_us % 1000000 * 1000)};

    for (unsigned i = 0; i < run->connection_count; i++)
        polled[i] = (struct pollfd){.fd = run->connections[i].fd, .events = POLLIN};
    if (ppoll(polled, run->connection_count, &wait, NULL) <= 0)
        return;
    for (unsigned i = 0; i < run->connection_count; i++) {
        if (polled[i].revents != 0)
            receive(run, &run->connections[i]);
    }
}

static size_t count_settled(const struct run *run)
{
    return run->answered + run->refused + run->failed + run->dropped;
}

static void drive(struct run *run, unsigned rate, size_t count)
{
    const uint64_t start_us = now_us();
    const uint64_t end_us = start_us + count * 1000000 / rate + GRACE_S * UINT64_C(1000000);
    size_t begun = 0;

    while (count_settled(run) < count && now_us() < end_us) {
        const uint64_t due_us = start_us + begun * 1000000 / rate;
        if (begun < count && now_us() > due_us + run->patience_us) {
            run->dropped++;
            begun++;
            continue;
        }
        struct connection *idle = begun < count && now_us() >= due_us ? find_idle(run) : NULL;
        if (idle != NULL) {
            begin(run, idle, due_us);
            begun++;
            continue;
        }
        const bool is_waiting_for_time = begun < count && find_idle(run) != NULL;
        wait_for_replies(run, is_waiting_for_time ? due_us : now_us() + 1000);
    }
    run->elapsed_us = now_us() - start_us;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void print(struct run *run, size_t count)
{
    const double at[] = {0.5, 0.9, 0.99, 0.999, 1};
    const char *const names[] = {"p50", "p90", "p99", "p99.9", "max"};

    qsort(run->latency_us, run->answered, sizeof *run->latency_us, compare);
    printf(
        "due %zu answered %zu refused %zu failed %zu dropped %zu unanswered %zu answered/s %.0f us",
        count, run->answered, run->refused, run->failed, run->dropped, count - count_settled(run),
        (double)run->answered * 1000000 / (double)run->elapsed_us);
    for (size_t i = 0; i < sizeof at / sizeof at[0] && run->answered > 0; i++)
        printf(" %s %llu", names[i],
               (unsigned long long)run->latency_us[(size_t)((double)(run->answered - 1) * at[i])]);
    printf("\n");
}

static void load_request(struct run *run, const char *path, const char *file, const char *type)
{
    static char body[MAX_REQUEST / 2];
    FILE *in = fopen(file, "r");

    if (in == NULL)
        die(file);
    const size_t size = fread(body, 1, sizeof body, in);
    fclose(in);
    if (size == 0) {
        run->request_size = (size_t)snprintf(run->request, sizeof run->request,
                                             "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
        return;
    }
    run->request_size = (size_t)snprintf(run->request, sizeof run->request,
                                         "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                                         "%s\r\nContent-Length: %zu\r\n\r\n%.*s",
                                         path, type, size, (int)size, body);
}

int main(int argc, char *argv[])
{
    static struct run run;

    if (argc < 7) {
        fprintf(stderr, "usage: open_loop PORT RATE SECONDS CONNECTIONS PATH BODY-FILE "
                        "[TYPE [PATIENCE-MS [FROM-ADDRESS]]]\n");
        return 2;
    }
    const unsigned rate = (unsigned)strtoul(argv[2], NULL, 10);
    const size_t count = rate * strtoul(argv[3], NULL, 10);
    run.port = (uint16_t)strtoul(argv[1], NULL, 10);
    run.connection_count = (unsigned)strtoul(argv[4], NULL, 10);
    if (count == 0 || run.connection_count == 0 || run.connection_count > MAX_CONNECTIONS) {
        fprintf(stderr, "open_loop: rate, seconds and connections (to %d) must be positive\n",
                MAX_CONNECTIONS);
        return 2;
    }
    run.patience_us = argc > 8 ? strtoul(argv[8], NULL, 10) * 1000 : UINT32_MAX;
    if (argc > 9 && inet_pton(AF_INET, argv[9], &run.from) != 1)
        die(argv[9]);
    load_request(&run, argv[5], argv[6], argc > 7 ? argv[7] : "application/json");
    run.latency_us = calloc(count, sizeof *run.latency_us);
    run.connections = calloc(run.connection_count, sizeof *run.connections);
    if (run.latency_us == NULL || run.connections == NULL)
        die("memory");
    for (unsigned i = 0; i < run.connection_count; i++)
        open_connection(&run, &run.connections[i]);
    drive(&run, rate, count);
    print(&run, count);
    return 0;
}
