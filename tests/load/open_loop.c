/* Sends requests on a fixed schedule and prints how long the answers took.
 *
 * A request's time counts from when it was due, not from when it could be sent: where the server
 * stalls, those that were due meanwhile are counted with their waiting, as their clients would.
 *
 * usage: open_loop PORT RATE SECONDS CONNECTIONS PATH BODY-FILE
 *                  [CONTENT-TYPE [PATIENCE-MS [FROM-ADDRESS [ANSWER-FILE]]]]
 * The file is the body of every request; an empty one makes it a GET. A request that can't be sent
 * within PATIENCE-MS of when it was due, as all connections wait for an answer, is dropped: its
 * client has gone. With an answer file, each line of the body file is a body, sent in turn, and the
 * same line of the other what it must be answered; any other answer is wrong. Loopback only; stops
 * by itself a few seconds after the last request was due. */
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
    size_t asked; /* which of the requests */
    char reply[MAX_REPLY];
};

struct text {
    const char *bytes;
    size_t size;
};

struct run {
    uint16_t port;
    struct in_addr from; /* any, unless there was an argument */
    struct text *bodies, *requests;
    struct text *expected; /* NULL when any answer will do */
    size_t request_count;
    uint64_t *latency_us;
    size_t answered, wrong, failed, refused, dropped;
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

static void reopen(const struct run *run, struct connection *connection)
{
    close(connection->fd);
    open_connection(run, connection);
}

static bool send_request(const struct run *run, const struct connection *connection)
{
    const struct text *request = &run->requests[connection->asked];

    return send(connection->fd, request->bytes, request->size, MSG_NOSIGNAL) ==
           (ssize_t)request->size;
}

static void begin(struct run *run, struct connection *connection, size_t number, uint64_t due_us)
{
    connection->due_us = due_us;
    connection->received = 0;
    connection->asked = number % run->request_count;
    /* One that was closed while nothing was asked on it is opened anew, as every client does. */
    if (!send_request(run, connection)) {
        reopen(run, connection);
        if (!send_request(run, connection))
            die("send");
    }
    connection->is_busy = true;
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

/* Whether the server closes the connection behind this reply. */
static bool is_last(const struct connection *connection)
{
    const char *end = strstr(connection->reply, "\r\n\r\n");
    const char *close = strcasestr(connection->reply, "\r\nConnection: close\r\n");

    return close != NULL && close < end;
}

static bool is_expected(const struct run *run, const struct connection *connection)
{
    if (run->expected == NULL)
        return true;
    const struct text *expected = &run->expected[connection->asked];
    const char *body = strstr(connection->reply, "\r\n\r\n") + 4;
    size_t size = connection->received - (size_t)(body - connection->reply);

    if (size > 0 && body[size - 1] == '\n')
        size--;
    return size == expected->size && memcmp(body, expected->bytes, size) == 0;
}

static void receive(struct run *run, struct connection *connection)
{
    const ssize_t got = recv(connection->fd, connection->reply + connection->received,
                             sizeof connection->reply - 1 - connection->received, 0);

    /* Where nothing was asked, a proxy says that it closes the connection. */
    if (got <= 0 || !connection->is_busy) {
        run->failed += connection->is_busy;
        reopen(run, connection);
        return;
    }
    connection->received += (size_t)got;
    connection->reply[connection->received] = '\0';
    if (!is_whole(connection))
        return;
    connection->is_busy = false;
    if (strncmp(connection->reply, "HTTP/1.1 200", 12) != 0)
        run->refused++;
    else if (!is_expected(run, connection))
        run->wrong++;
    else
        run->latency_us[run->answered++] = now_us() - connection->due_us;
    if (is_last(connection))
        reopen(run, connection);
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
    return run->answered + run->wrong + run->refused + run->failed + run->dropped;
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
            begin(run, idle, begun, due_us);
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
    printf("due %zu answered %zu wrong %zu refused %zu failed %zu dropped %zu unanswered %zu "
           "answered/s %.0f us",
           count, run->answered, run->wrong, run->refused, run->failed, run->dropped,
           count - count_settled(run), (double)run->answered * 1000000 / (double)run->elapsed_us);
    for (size_t i = 0; i < sizeof at / sizeof at[0] && run->answered > 0; i++)
        printf(" %s %llu", names[i],
               (unsigned long long)run->latency_us[(size_t)((double)(run->answered - 1) * at[i])]);
    printf("\n");
}

/* A whole file, which stays for as long as the program runs. */
static struct text read_file(const char *name)
{
    FILE *in = fopen(name, "r");
    char *bytes = malloc(MAX_REQUEST / 2);

    if (in == NULL || bytes == NULL)
        die(name);
    const size_t size = fread(bytes, 1, MAX_REQUEST / 2, in);
    fclose(in);
    return (struct text){.bytes = bytes, .size = size};
}

static struct text *split_lines(struct text file, size_t *ret_count)
{
    struct text *lines = calloc(file.size + 1, sizeof *lines);

    if (lines == NULL)
        die("memory");
    *ret_count = 0;
    while (file.size > 0) {
        const char *newline = memchr(file.bytes, '\n', file.size);
        const size_t size = newline == NULL ? file.size : (size_t)(newline - file.bytes);
        const size_t taken = newline == NULL ? size : size + 1;
        lines[(*ret_count)++] = (struct text){.bytes = file.bytes, .size = size};
        file.bytes += taken;
        file.size -= taken;
    }
    return lines;
}

static struct text request_of(const char *path, const char *type, struct text body)
{
    char *request = NULL;
    const int size = body.size == 0
                         ? asprintf(&request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path)
                         : asprintf(&request,
                                    "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n"
                                    "Content-Length: %zu\r\n\r\n%.*s",
                                    path, type, body.size, (int)body.size, body.bytes);

    if (size < 0)
        die("memory");
    return (struct text){.bytes = request, .size = (size_t)size};
}

static void load_requests(struct run *run, const char *path, const char *type, const char *bodies,
                          const char *answers)
{
    static struct text whole;
    size_t answer_count;

    whole = read_file(bodies);
    run->bodies = &whole;
    run->request_count = 1;
    if (answers != NULL) {
        run->bodies = split_lines(whole, &run->request_count);
        run->expected = split_lines(read_file(answers), &answer_count);
        if (run->request_count == 0 || run->request_count != answer_count) {
            fprintf(stderr, "open_loop: %zu bodies, but %zu answers\n", run->request_count,
                    answer_count);
            exit(2);
        }
    }
    run->requests = calloc(run->request_count, sizeof *run->requests);
    if (run->requests == NULL)
        die("memory");
    for (size_t i = 0; i < run->request_count; i++)
        run->requests[i] = request_of(path, type, run->bodies[i]);
}

int main(int argc, char *argv[])
{
    static struct run run;

    if (argc < 7) {
        fprintf(stderr, "usage: open_loop PORT RATE SECONDS CONNECTIONS PATH BODY-FILE "
                        "[TYPE [PATIENCE-MS [FROM-ADDRESS [ANSWER-FILE]]]]\n");
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
    load_requests(&run, argv[5], argc > 7 ? argv[7] : "application/json", argv[6],
                  argc > 10 ? argv[10] : NULL);
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
