/* A server in this process, and clients that speak to it through real sockets. */
#ifndef SUDOKU_TESTS_CLIENT_H
#define SUDOKU_TESTS_CLIENT_H

#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/config.h"
#include "server/server.h"

/* Starts a server on a free port, with further flags as main would get them; the last is NULL. */
static inline struct server *client_start_server(char *const flags[])
{
    struct config config;
    char error[CONFIG_MAX_ERROR];
    char *arguments[32] = {"test", "--port=0", "--timeout=20s"};
    int count = 3;

    while (flags != NULL && flags[count - 3] != NULL) {
        arguments[count] = flags[count - 3];
        count++;
    }
    ck_assert_msg(config_load(count, arguments, &config, error) == CONFIG_OK, "%s", error);
    struct server *server = server_start(&config, error, sizeof error);
    ck_assert_msg(server != NULL, "%s", error);
    return server;
}

/* Connects from an address of this machine, such as 127.0.0.2. */
static inline int client_connect_from(const struct server *server, const char *from)
{
    const struct timeval patience = {.tv_sec = 60};
    const int yes = 1;
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)server_port(server)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    struct sockaddr_in own = {.sin_family = AF_INET};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(inet_pton(AF_INET, from, &own.sin_addr), 1);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&own, sizeof own), 0);
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    ck_assert_int_eq(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes), 0);
    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static inline void client_send_bytes(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
        ck_assert_int_gt(sent, 0);
        bytes += sent;
        size -= (size_t)sent;
    }
}

static inline int client_connect(const struct server *server)
{
    return client_connect_from(server, "127.0.0.1");
}

/* Sends a request; a NULL body: none, and no Content-Length. */
static inline void client_send(int fd, const char *method, const char *path,
                               const char *more_headers, const char *body)
{
    char head[2048];
    int length = snprintf(head, sizeof head, "%s %s HTTP/1.1\r\nHost: test\r\n%s", method, path,
                          more_headers);

    if (body != NULL)
        length += snprintf(head + length, sizeof head - (size_t)length, "Content-Length: %zu\r\n",
                           strlen(body));
    length += snprintf(head + length, sizeof head - (size_t)length, "\r\n");
    client_send_bytes(fd, head, (size_t)length);
    if (body != NULL)
        client_send_bytes(fd, body, strlen(body));
}

struct client_reply {
    unsigned status;
    char head[4096];
    char *body; /* has a NUL behind it; freed by client_reply_clear */
    size_t body_length;
};

static inline void client_reply_clear(struct client_reply *reply)
{
    free(reply->body);
    memset(reply, 0, sizeof *reply);
}

/* The value of a header of the reply in a static buffer, NULL when there is none. */
static inline const char *client_header(const struct client_reply *reply, const char *name)
{
    static char value[512];
    const size_t length = strlen(name);

    for (const char *line = strstr(reply->head, "\r\n"); line != NULL;
         line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
            snprintf(value, sizeof value, "%.*s", (int)strcspn(line + length + 2, "\r"),
                     line + length + 2);
            return value;
        }
    }
    return NULL;
}

static inline bool client_receive(int fd, char *bytes, size_t size)
{
    for (size_t got = 0; got < size;) {
        const ssize_t more = recv(fd, bytes + got, size - got, 0);
        if (more <= 0)
            return false;
        got += (size_t)more;
    }
    return true;
}

/* Reads the size of a chunk and the line end behind it. */
static inline bool client_read_chunk_size(int fd, size_t *ret)
{
    char line[32] = "";

    for (size_t i = 0; strstr(line, "\r\n") == NULL; i++) {
        ck_assert_uint_lt(i, sizeof line - 1);
        if (!client_receive(fd, line + i, 1))
            return false;
    }
    *ret = strtoul(line, NULL, 16);
    return true;
}

/* Reads a body in chunks, to its end. */
static inline bool client_read_chunks(int fd, struct client_reply *reply)
{
    size_t size = 1;
    char line_end[2];

    while (size > 0) {
        if (!client_read_chunk_size(fd, &size))
            return false;
        reply->body = realloc(reply->body, reply->body_length + size + 1);
        ck_assert_ptr_nonnull(reply->body);
        if (!client_receive(fd, reply->body + reply->body_length, size) ||
            !client_receive(fd, line_end, 2))
            return false;
        reply->body_length += size;
        reply->body[reply->body_length] = '\0';
    }
    return true;
}

/* Reads one reply. False: the connection ended, or nothing came for a minute. */
static inline bool client_read_reply(int fd, bool with_body, struct client_reply *ret)
{
    size_t length = 0;

    memset(ret, 0, sizeof *ret);
    while (strstr(ret->head, "\r\n\r\n") == NULL) {
        ck_assert_uint_lt(length, sizeof ret->head - 1);
        if (recv(fd, ret->head + length, 1, 0) != 1)
            return false;
        length++;
    }
    ck_assert_int_eq(sscanf(ret->head, "HTTP/1.1 %u", &ret->status), 1);
    const char *size = client_header(ret, "Content-Length");
    bool is_read = true;
    if (client_header(ret, "Transfer-Encoding") != NULL && with_body) {
        is_read = client_read_chunks(fd, ret);
    } else {
        ret->body_length = size == NULL || !with_body ? 0 : strtoul(size, NULL, 10);
        ret->body = calloc(1, ret->body_length + 1);
        ck_assert_ptr_nonnull(ret->body);
        is_read = client_receive(fd, ret->body, ret->body_length);
    }
    if (!is_read)
        client_reply_clear(ret);
    return is_read;
}

/* Reads a reply with that status and, if not NULL, that text in its body. */
static inline void client_expect(int fd, unsigned status, const char *says)
{
    struct client_reply reply;

    ck_assert(client_read_reply(fd, true, &reply));
    ck_assert_uint_eq(reply.status, status);
    ck_assert_msg(says == NULL || strstr(reply.body, says) != NULL, "%s", reply.body);
    client_reply_clear(&reply);
}

/* One request on a connection that stays open; its answer has that status. */
static inline void client_exchange(int fd, const char *method, const char *path,
                                   const char *more_headers, const char *body, unsigned status)
{
    struct client_reply reply;

    client_send(fd, method, path, more_headers, body);
    ck_assert(client_read_reply(fd, strcmp(method, "HEAD") != 0 && status != 304, &reply));
    ck_assert_uint_eq(reply.status, status);
    client_reply_clear(&reply);
}

/* One request on a connection of its own. */
static inline struct client_reply client_ask(const struct server *server, const char *method,
                                             const char *path, const char *more_headers,
                                             const char *body)
{
    struct client_reply reply;
    const int fd = client_connect(server);

    client_send(fd, method, path, more_headers, body);
    ck_assert(client_read_reply(fd, strcmp(method, "HEAD") != 0, &reply));
    close(fd);
    return reply;
}

/* Of one request on a connection of its own, how it was answered. */
static inline unsigned client_status(const struct server *server, const char *method,
                                     const char *path, const char *more_headers, const char *body)
{
    struct client_reply reply = client_ask(server, method, path, more_headers, body);
    const unsigned status = reply.status;

    client_reply_clear(&reply);
    return status;
}

#define CLIENT_JSON "Content-Type: application/json\r\n"
#define CLIENT_FORM "Content-Type: application/x-www-form-urlencoded\r\n"
#define CLIENT_TEXT "Content-Type: text/plain\r\n"

static inline struct client_reply client_post_json(const struct server *server, const char *path,
                                                   const char *body)
{
    return client_ask(server, "POST", path, CLIENT_JSON, body);
}

#endif
