/* Any bytes at all on a connection, to a server in this process. What must hold whatever they are:
 *
 *   - the server lets go of the connection soon after the client has closed its side;
 *   - what it sends is whole answers, one behind the other, each a 1xx to 5xx with a body as long
 * as is announced; but the last may be broken off;
 *   - where the first head has a NUL, a folded line or a line that does not end in CR and LF, it is
 *     not answered 2xx: another program might read it otherwise;
 *   - others are answered all the same.
 *
 * The first byte chooses in how many pieces the rest is sent, and whether the client closes its
 * side at once, or first waits for what comes. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/config.h"
#include "server/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MAX_ANSWER = 1 << 20,
    SILENCE_MS = 5,     /* after which a client that waits closes its side */
    PATIENCE_MS = 60000 /* for the server to let go, which takes it a second or two at most */
};

#define CHECK(claim) ((claim) ? (void)0 : fail(#claim, __LINE__))

static void fail(const char *claim, int line)
{
    (void)fprintf(stderr, "line %d: not true: %s\n", line, claim);
    abort();
}

/* Started with the first input, and stopped with the process. */
static struct server *server;

static void stop(void)
{
    server_stop(server, NULL, NULL);
}

static void start(void)
{
    char *arguments[] = {"fuzz",
                         "--port=0",
                         "--threads=1",
                         "--workers=1",
                         "--head-timeout=500ms",
                         "--body-timeout=500ms",
                         "--answer-timeout=5s",
                         "--deadline=1s",
                         "--max-steps=2000",
                         "--default-steps=500",
                         "--max-body=64k",
                         "--max-batch=200",
                         "--log-level=error"};
    struct config config;
    char error[CONFIG_MAX_ERROR];

    CHECK(config_load(sizeof arguments / sizeof arguments[0], arguments, &config, error) ==
          CONFIG_OK);
    server = server_start(&config, error, sizeof error);
    CHECK(server != NULL);
    CHECK(atexit(stop) == 0);
}

static int connect_to_server(void)
{
    const int yes = 1;
    const struct linger reset = {.l_onoff = 1}; /* or the ports are soon used up */
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)server_port(server)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    CHECK(fd >= 0);
    CHECK(connect(fd, (const struct sockaddr *)&address, sizeof address) == 0);
    CHECK(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) == 0);
    CHECK(setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset) == 0);
    return fd;
}

/* The server may end the connection before all is sent. */
static void send_pieces(int fd, const uint8_t *data, size_t size, unsigned pieces)
{
    const size_t piece = size / pieces + 1;

    for (size_t sent = 0; sent < size; sent += piece) {
        const size_t left = size - sent;
        if (send(fd, data + sent, left < piece ? left : piece, MSG_NOSIGNAL) < 0)
            return;
    }
}

/* Reads to the end, and closes the client's side when nothing comes for a while. */
static size_t receive_all(int fd, char *answer, bool has_closed)
{
    size_t length = 0;

    for (;;) {
        struct pollfd polled = {.fd = fd, .events = POLLIN};
        const int ready = poll(&polled, 1, has_closed ? PATIENCE_MS : SILENCE_MS);
        if (ready < 0 && errno == EINTR) /* by the fuzzer's alarm */
            continue;
        CHECK(ready > 0 || !has_closed);
        if (ready == 0) {
            (void)shutdown(fd, SHUT_WR);
            has_closed = true;
            continue;
        }
        const ssize_t got = recv(fd, answer + length, MAX_ANSWER - length, MSG_DONTWAIT);
        if (got <= 0)
            return length;
        length += (size_t)got;
        CHECK(length < MAX_ANSWER);
    }
}

/* ---- What is sent ---- */

/* Whether a head has something in it that is read in more than one way. Bytes before the first line
 * are let through by the library, so those that begin with no method say nothing. NUL and LF at the
 * end of a line it takes for CR and LF, and leaves nothing to tell them apart by; nor LF and NUL at
 * the end of the last. */
static bool is_ambiguous(const uint8_t *data, size_t size)
{
    size_t begin = 0; /* of the line */

    if (size == 0 || data[0] < 'A' || data[0] > 'Z')
        return false;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '\0' && i + 1 < size && data[i + 1] != '\n')
            return true;
        if (data[i] != '\n')
            continue;
        if (i > begin && data[i - 1] != '\r' && size - i > 3 &&
            memcmp(data + i, "\n\0\r\n", 4) == 0)
            return false;
        if (i == begin || (data[i - 1] != '\r' && data[i - 1] != '\0'))
            return true;
        if (i == begin + 1)
            return false; /* an empty line, the end of the head */
        begin = i + 1;
        if (begin < size && (data[begin] == ' ' || data[begin] == '\t'))
            return true;
    }
    return false;
}

/* ---- What comes back ---- */

/* The end of a body in chunks; NULL: it is broken off. */
static const char *skip_chunks(const char *at, const char *end)
{
    for (;;) {
        char *line_end;
        const unsigned long size = strtoul(at, &line_end, 16);
        if (line_end + 2 > end)
            return NULL;
        CHECK(line_end > at && memcmp(line_end, "\r\n", 2) == 0);
        if ((size_t)(end - line_end) < size + 4)
            return NULL;
        at = line_end + 2 + size;
        CHECK(memcmp(at, "\r\n", 2) == 0);
        at += 2;
        if (size == 0)
            return at;
    }
}

/* Checks the answer at `at`, and returns where the next begins; NULL: it is broken off. An answer
 * to HEAD, and the library's own that has its head twice, announce a body that is not there. */
static const char *check_answer(const char *at, const char *end, unsigned *ret_status)
{
    const char *body = strstr(at, "\r\n\r\n");

    if (body == NULL)
        return NULL;
    body += 4;
    CHECK(sscanf(at, "HTTP/1.%*1[01] %3u ", ret_status) == 1);
    CHECK(*ret_status >= 100 && *ret_status < 600);
    const char *length = strcasestr(at, "\r\nContent-Length: ");
    const char *chunks = strcasestr(at, "\r\nTransfer-Encoding: chunked");
    if (*ret_status < 200 || *ret_status == 204 || *ret_status == 304 || body == end ||
        strncmp(body, "HTTP/1.", 7) == 0)
        return body;
    if (chunks != NULL && chunks < body)
        return skip_chunks(body, end);
    if (length == NULL || length >= body) { /* a batch, to a client of HTTP/1.0 */
        const char *close_header = strcasestr(at, "\r\nConnection: close\r\n");
        CHECK(close_header != NULL && close_header < body);
        return end;
    }
    const size_t size = strtoul(length + 18, NULL, 10);
    return size <= (size_t)(end - body) ? body + size : NULL;
}

/* Returns the status of the first answer, 0 for none. */
static unsigned check_answers(const char *answer, size_t length)
{
    unsigned first = 0;

    for (const char *at = answer; at != NULL && at < answer + length;) {
        unsigned status = 0;
        at = check_answer(at, answer + length, &status);
        if (first == 0)
            first = status;
    }
    return first;
}

static void check_others_are_answered(void)
{
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: f\r\nConnection: close\r\n\r\n";
    static char answer[MAX_ANSWER];
    const int fd = connect_to_server();

    send_pieces(fd, (const uint8_t *)request, sizeof request - 1, 1);
    answer[receive_all(fd, answer, true)] = '\0';
    CHECK(check_answers(answer, strlen(answer)) == 200);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char answer[MAX_ANSWER + 1];
    static unsigned runs;

    if (server == NULL)
        start();
    if (size == 0)
        return 0;
    const bool closes = data[0] % 2 == 0;
    const int fd = connect_to_server();
    send_pieces(fd, data + 1, size - 1, 1 + data[0] / 2U % 8U);
    if (closes)
        (void)shutdown(fd, SHUT_WR);
    const size_t length = receive_all(fd, answer, closes);
    answer[length] = '\0';
    close(fd);

    const unsigned status = check_answers(answer, length);
    CHECK(!is_ambiguous(data + 1, size - 1) || status < 200 || status >= 400);
    if (++runs % 64 == 0)
        check_others_are_answered();
    return 0;
}
