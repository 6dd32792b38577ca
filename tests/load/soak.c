/* A mixed load of moderate rate against a running server, every byte of every answer checked: easy
 * and hard puzzles, batches, what is to be refused, clients that leave in the middle of their body,
 * of the search or of the answer, slow readers and slow writers.
 *
 * usage: soak PORT PID SECONDS PUZZLE-FILE...
 * Prints a line a minute: requests, what went wrong, and memory, files and threads of the server.
 * Fails when an answer is wrong, when one is missing, when the server has grown since the second
 * minute, or holds more files or threads at the end than at the beginning. Loopback only. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "soak.h"

enum {
    CONNECTIONS = 48,
    REQUESTS_A_SECOND = 250,
    TICK_MS = 5,
    PATIENCE_MS = 60000,    /* for an answer */
    MAX_WRONG = 100,        /* then there is no use in going on */
    MAX_GROWTH_KIB = 4096,  /* of resident memory, from the second minute on */
    MAX_REFUSED_PERCENT = 1 /* 503, for want of a CPU */
};

/* How a client behaves. */
enum manner {
    ASKS,
    WRITES_SLOWLY,
    READS_SLOWLY,
    LEAVES_IN_BODY,
    LEAVES, /* while it is being answered: anywhere from the first look at the head to the end */
};

enum part { HEAD, BODY, CHUNK_SIZE, CHUNK, CHUNK_END, LAST_LINE, WHOLE };

struct client {
    int fd;                        /* -1: none */
    const struct soak_case *asked; /* NULL: idle */
    enum manner manner;
    uint64_t next_ms; /* idle: when to ask; else: when to go on reading, writing or leave */
    uint64_t began_ms;
    size_t sent, to_send;
    unsigned requests_left; /* on this connection */

    enum part part;
    char line[2048]; /* the head, or the line of a chunk */
    size_t line_size;
    size_t left;     /* bytes of the body or chunk */
    size_t received; /* bytes of the body */
    bool is_refused, closes, is_wrong;
};

struct soak {
    uint16_t port;
    unsigned pid;
    struct soak_cases cases;
    struct client clients[CONNECTIONS];
    uint64_t random;
    bool is_ending; /* nothing more is asked */
    size_t asked, answered, left, refused, wrong, failed;
};

/* What /proc says of the server. */
struct look {
    unsigned long rss_kib, files, threads;
};

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "soak: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* From 0 to n - 1. */
static unsigned pick(struct soak *soak, unsigned n)
{
    soak->random ^= soak->random << 13;
    soak->random ^= soak->random >> 7;
    soak->random ^= soak->random << 17;
    return (unsigned)(soak->random >> 16) % n;
}

/* ---- The server, from outside ---- */

static struct look look(unsigned pid)
{
    struct look look = {0};
    char path[64];
    char line[256];

    snprintf(path, sizeof path, "/proc/%u/status", pid);
    FILE *status = fopen(path, "r");
    if (status == NULL)
        die(path);
    while (fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0)
            look.rss_kib = strtoul(line + 6, NULL, 10);
        if (strncmp(line, "Threads:", 8) == 0)
            look.threads = strtoul(line + 8, NULL, 10);
    }
    fclose(status);
    snprintf(path, sizeof path, "/proc/%u/fd", pid);
    DIR *files = opendir(path);
    if (files == NULL)
        die(path);
    for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files))
        look.files += file->d_name[0] != '.';
    closedir(files);
    return look;
}

static void print_look(const struct soak *soak, const char *when, const struct look *seen)
{
    printf("%-9s | %8zu %8zu %6zu %7zu %6zu %6zu | %8lu %5lu %7lu\n", when, soak->asked,
           soak->answered, soak->left, soak->refused, soak->wrong, soak->failed, seen->rss_kib,
           seen->files, seen->threads);
    if (fflush(stdout) != 0)
        die("stdout");
}

/* ---- Clients ---- */

static void open_client(struct soak *soak, struct client *client)
{
    const int yes = 1;
    const int little = 4096;
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(soak->port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };

    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (client->fd < 0)
        die("socket");
    if (client->manner == READS_SLOWLY)
        setsockopt(client->fd, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    if (connect(client->fd, (const struct sockaddr *)&address, sizeof address) != 0)
        die("connect");
    setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (fcntl(client->fd, F_SETFL, O_NONBLOCK) != 0)
        die("fcntl");
    client->requests_left = 1 + pick(soak, 200);
}

/* One that leaves may do so by a reset. */
static void close_client(struct client *client, bool with_reset)
{
    const struct linger reset = {.l_onoff = 1};

    if (with_reset)
        setsockopt(client->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(client->fd);
    client->fd = -1;
}

static void rest(struct soak *soak, struct client *client)
{
    client->asked = NULL;
    if (soak->is_ending && client->fd >= 0)
        close_client(client, false);
    client->next_ms = now_ms() + pick(soak, (unsigned)(2 * 1000 * CONNECTIONS / REQUESTS_A_SECOND));
}

static const struct soak_case *pick_case(struct soak *soak)
{
    unsigned place = pick(soak, soak->cases.weight);
    size_t i = 0;

    while (place >= soak->cases.at[i].weight)
        place -= soak->cases.at[i++].weight;
    return &soak->cases.at[i];
}

static enum manner pick_manner(struct soak *soak)
{
    const unsigned percent = pick(soak, 100);

    return percent < 3    ? LEAVES_IN_BODY
           : percent < 8  ? LEAVES
           : percent < 9  ? READS_SLOWLY
           : percent < 10 ? WRITES_SLOWLY
                          : ASKS;
}

static void begin(struct soak *soak, struct client *client)
{
    client->asked = pick_case(soak);
    client->manner = pick_manner(soak);
    client->began_ms = now_ms();
    client->next_ms = client->began_ms + (client->manner == LEAVES ? pick(soak, 40) : 0);
    client->sent = 0;
    client->to_send = client->asked->request_size;
    if (client->manner == LEAVES_IN_BODY)
        client->to_send = 1 + pick(soak, (unsigned)client->to_send - 1);
    client->part = HEAD;
    client->line_size = 0;
    client->received = 0;
    client->is_refused = client->closes = client->is_wrong = false;
    if (client->fd >= 0 && client->manner == READS_SLOWLY) /* needs a socket of its own kind */
        close_client(client, false);
    if (client->fd < 0)
        open_client(soak, client);
    soak->asked++;
}

/* ---- Answers ---- */

static void complain(struct soak *soak, struct client *client, const char *what)
{
    if (!client->is_wrong && soak->wrong + soak->failed < 20)
        fprintf(stderr, "soak: %s: %s; at byte %zu of the body\n", client->asked->name, what,
                client->received);
    client->is_wrong = true;
}

static void read_head(struct soak *soak, struct client *client)
{
    const char *length = strcasestr(client->line, "\r\nContent-Length:");
    unsigned status = 0;

    if (sscanf(client->line, "HTTP/1.1 %u", &status) != 1)
        complain(soak, client, "no head");
    client->is_refused = status == 503;
    if (!client->is_refused && status != client->asked->status)
        complain(soak, client, "another status");
    client->closes = strcasestr(client->line, "\r\nConnection: close") != NULL;
    client->left = length != NULL ? strtoul(length + 17, NULL, 10) : 0;
    if (strcasestr(client->line, "\r\nTransfer-Encoding: chunked") != NULL)
        client->part = CHUNK_SIZE;
    else
        client->part = client->left > 0 ? BODY : WHOLE;
    if (length == NULL && client->part == WHOLE)
        complain(soak, client, "no length");
    client->line_size = 0;
}

static void take(struct soak *soak, struct client *client, char byte)
{
    const struct soak_case *asked = client->asked;
    const bool is_past = client->received >= asked->body_size;

    if (!client->is_refused &&
        (is_past ? !asked->is_beginning : asked->body[client->received] != byte))
        complain(soak, client, "another body");
    client->received++;
    client->left--;
}

static void read_byte(struct soak *soak, struct client *client, char byte)
{
    if (client->part == BODY || client->part == CHUNK) {
        take(soak, client, byte);
        if (client->left == 0)
            client->part = client->part == BODY ? WHOLE : CHUNK_END;
        return;
    }
    if (client->line_size + 1 >= sizeof client->line) {
        complain(soak, client, "a line too long");
        client->part = WHOLE;
        client->closes = true;
        return;
    }
    client->line[client->line_size++] = byte;
    client->line[client->line_size] = '\0';
    if (client->part == HEAD && strstr(client->line, "\r\n\r\n") != NULL) {
        read_head(soak, client);
    } else if (client->part == CHUNK_SIZE && byte == '\n') {
        client->left = strtoul(client->line, NULL, 16);
        client->part = client->left > 0 ? CHUNK : LAST_LINE;
        client->line_size = 0;
    } else if ((client->part == CHUNK_END || client->part == LAST_LINE) && byte == '\n') {
        if (strcmp(client->line, "\r\n") != 0)
            complain(soak, client, "a bad chunk");
        client->part = client->part == LAST_LINE ? WHOLE : CHUNK_SIZE;
        client->line_size = 0;
    }
}

/* The answer is whole, or there is no more of it. */
static void settle(struct soak *soak, struct client *client, const char *fault)
{
    if (client->part == WHOLE && !client->is_refused && client->received < client->asked->body_size)
        complain(soak, client, "a short body");
    if (client->is_wrong) {
        soak->wrong++;
    } else if (fault != NULL) {
        complain(soak, client, fault);
        soak->failed++;
    } else if (client->is_refused) {
        soak->refused++;
    } else {
        soak->answered++;
    }
    if (fault != NULL || client->closes || client->is_wrong || client->manner == READS_SLOWLY ||
        --client->requests_left == 0)
        close_client(client, false);
    rest(soak, client);
}

/* ---- Going on ---- */

static void leave(struct soak *soak, struct client *client)
{
    if (client->is_wrong)
        soak->wrong++;
    else
        soak->left++;
    close_client(client, pick(soak, 2) == 0);
    rest(soak, client);
}

static void write_some(struct soak *soak, struct client *client)
{
    size_t size = client->to_send - client->sent;

    if (client->manner == WRITES_SLOWLY) {
        const size_t piece = client->to_send / 64 + 1;
        size = size < piece ? size : piece;
        client->next_ms = now_ms() + 20;
    }
    const ssize_t sent =
        send(client->fd, client->asked->request + client->sent, size, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) {
        settle(soak, client, strerror(errno));
        return;
    }
    client->sent += sent > 0 ? (size_t)sent : 0;
    if (client->sent == client->to_send && client->manner == LEAVES_IN_BODY)
        leave(soak, client);
}

static void read_some(struct soak *soak, struct client *client)
{
    char bytes[16384];
    const size_t size = client->manner == READS_SLOWLY ? 2048 : sizeof bytes;
    const ssize_t got = recv(client->fd, bytes, size, 0);

    if (got < 0 && errno == EAGAIN)
        return;
    if (got <= 0) {
        settle(soak, client, got == 0 ? "closed" : strerror(errno));
        return;
    }
    for (ssize_t i = 0; i < got && client->part != WHOLE; i++)
        read_byte(soak, client, bytes[i]);
    if (client->manner == READS_SLOWLY)
        client->next_ms = now_ms() + 2 * TICK_MS;
    if (client->part == WHOLE)
        settle(soak, client, NULL);
}

static void go_on(struct soak *soak, struct client *client, short events)
{
    const uint64_t now = now_ms();

    if (client->asked == NULL) {
        if (now >= client->next_ms && !soak->is_ending)
            begin(soak, client);
        return;
    }
    if (now > client->began_ms + PATIENCE_MS) {
        settle(soak, client, "no answer");
        return;
    }
    if (client->manner == LEAVES && now >= client->next_ms) {
        leave(soak, client);
        return;
    }
    const bool waits = client->manner != LEAVES && now < client->next_ms;
    if (!waits && client->sent < client->to_send && (events & POLLOUT) != 0)
        write_some(soak, client);
    else if (!waits && (events & (POLLIN | POLLHUP | POLLERR)) != 0)
        read_some(soak, client);
}

static void turn(struct soak *soak)
{
    struct pollfd polled[CONNECTIONS];
    const uint64_t now = now_ms();

    for (unsigned i = 0; i < CONNECTIONS; i++) {
        const struct client *client = &soak->clients[i];
        const bool waits =
            client->asked == NULL || (client->manner != LEAVES && now < client->next_ms);
        polled[i] = (struct pollfd){
            .fd = waits ? -1 : client->fd,
            .events = client->sent < client->to_send ? POLLOUT : POLLIN,
        };
    }
    if (poll(polled, CONNECTIONS, TICK_MS) < 0)
        die("poll");
    for (unsigned i = 0; i < CONNECTIONS; i++)
        go_on(soak, &soak->clients[i], polled[i].revents);
}

/* All answers come in, all connections end, and the server lets go of them. */
static struct look finish(struct soak *soak, const struct look *before)
{
    const uint64_t end_ms = now_ms() + 2 * PATIENCE_MS;

    soak->is_ending = true;
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        struct client *client = &soak->clients[i];
        while (client->asked != NULL && soak->wrong < MAX_WRONG)
            turn(soak);
        if (client->fd >= 0)
            close_client(client, false);
    }
    struct look after = look(soak->pid);
    while (after.files > before->files && soak->wrong < MAX_WRONG && now_ms() < end_ms) {
        poll(NULL, 0, 100);
        after = look(soak->pid);
    }
    return after;
}

static bool judge(const struct soak *soak, const struct look *before, const struct look *second,
                  const struct look *after)
{
    bool is_good = true;

    if (soak->wrong > 0 || soak->failed > 0)
        is_good = false;
    if (soak->answered == 0 || soak->refused * 100 > soak->asked * MAX_REFUSED_PERCENT) {
        fprintf(stderr, "soak: too many refused\n");
        is_good = false;
    }
    if (after->files > before->files || after->threads > before->threads) {
        fprintf(stderr, "soak: files or threads are left over\n");
        is_good = false;
    }
    if (second->rss_kib > 0 && after->rss_kib > second->rss_kib + MAX_GROWTH_KIB) {
        fprintf(stderr, "soak: memory has grown by %lu KiB\n", after->rss_kib - second->rss_kib);
        is_good = false;
    }
    return is_good;
}

int main(int argc, char *argv[])
{
    static struct soak soak = {.random = 88172645463325252};
    struct look second = {0};

    if (argc < 5) {
        fprintf(stderr, "usage: soak PORT PID SECONDS PUZZLE-FILE...\n");
        return 2;
    }
    soak.port = (uint16_t)strtoul(argv[1], NULL, 10);
    soak.pid = (unsigned)strtoul(argv[2], NULL, 10);
    const uint64_t end_ms = now_ms() + strtoul(argv[3], NULL, 10) * 1000;
    soak_cases_make(&soak.cases, argv + 4, (size_t)argc - 4);

    const struct look before = look(soak.pid);
    printf("%-9s | %8s %8s %6s %7s %6s %6s | %8s %5s %7s\n", "minute", "asked", "answered", "left",
           "refused", "wrong", "failed", "RSS KiB", "files", "threads");
    print_look(&soak, "start", &before);
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        soak.clients[i].fd = -1;
        rest(&soak, &soak.clients[i]);
    }
    uint64_t minute_ms = now_ms() + 60000;
    for (unsigned minute = 1; now_ms() < end_ms && soak.wrong < MAX_WRONG; turn(&soak)) {
        if (now_ms() < minute_ms)
            continue;
        const struct look seen = look(soak.pid);
        char when[16];
        snprintf(when, sizeof when, "%u", minute);
        print_look(&soak, when, &seen);
        if (minute == 2)
            second = seen;
        minute++;
        minute_ms += 60000;
    }
    const struct look after = finish(&soak, &before);
    print_look(&soak, "end", &after);
    return judge(&soak, &before, &second, &after) ? 0 : 1;
}
