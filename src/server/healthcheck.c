#include "healthcheck.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"

/* "HTTP/1.1 200": all that is read of the answer. */
enum { STATUS_LINE = 12 };

struct probe {
    int fd;
    uint64_t end_us;
};

/* Waits until the socket can be read or written. False: the time is up, errno says so. */
static bool wait_for(const struct probe *probe, short events)
{
    struct pollfd polled = {.fd = probe->fd, .events = events};
    int ready;

    do {
        const uint64_t now_us = clock_now_us();
        const uint64_t left_us = probe->end_us > now_us ? probe->end_us - now_us : 0;
        ready = poll(&polled, 1, (int)((left_us + 999) / 1000));
    } while (ready < 0 && errno == EINTR);
    if (ready == 0)
        errno = ETIMEDOUT;
    return ready > 0;
}

static bool connect_to(const struct probe *probe, const struct addrinfo *address)
{
    int reason = 0;
    socklen_t size = sizeof reason;

    if (connect(probe->fd, address->ai_addr, address->ai_addrlen) == 0)
        return true;
    if (errno != EINPROGRESS || !wait_for(probe, POLLOUT) ||
        getsockopt(probe->fd, SOL_SOCKET, SO_ERROR, &reason, &size) != 0)
        return false;
    errno = reason;
    return reason == 0;
}

static bool ask(const struct probe *probe)
{
    static const char request[] = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n"
                                  "User-Agent: sudokud-healthcheck\r\nConnection: close\r\n\r\n";

    /* Fits an empty send buffer whole. */
    return send(probe->fd, request, sizeof request - 1, MSG_NOSIGNAL) ==
           (ssize_t)(sizeof request - 1);
}

static bool read_status(const struct probe *probe, char ret_line[STATUS_LINE + 1])
{
    size_t size = 0;

    while (size < STATUS_LINE) {
        if (!wait_for(probe, POLLIN))
            return false;
        const ssize_t got = recv(probe->fd, ret_line + size, STATUS_LINE - size, 0);
        if (got < 0)
            return false;
        if (got == 0) {
            errno = ECONNRESET;
            return false;
        }
        size += (size_t)got;
    }
    ret_line[size] = '\0';
    return true;
}

static bool probe_address(const struct addrinfo *address, uint64_t end_us,
                          char ret_line[STATUS_LINE + 1])
{
    const struct probe probe = {
        .fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
        .end_us = end_us,
    };

    if (probe.fd < 0)
        return false;
    const bool is_answered =
        connect_to(&probe, address) && ask(&probe) && read_status(&probe, ret_line);
    const int reason = errno;
    close(probe.fd);
    errno = reason;
    return is_answered;
}

/* Where a server that listens on `host` can be reached from here. */
static const char *address_of(const char *host)
{
    if (strcmp(host, "0.0.0.0") == 0)
        return "127.0.0.1";
    return strcmp(host, "::") == 0 ? "::1" : host;
}

bool healthcheck(const char *host, unsigned port, unsigned timeout_ms, char *ret_error,
                 size_t error_size)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    const uint64_t end_us = clock_now_us() + (uint64_t)timeout_ms * 1000;
    const char *reached = address_of(host);
    struct addrinfo *addresses;
    char line[STATUS_LINE + 1] = "";
    char service[16];
    bool is_answered = false;
    int reason = 0;

    snprintf(service, sizeof service, "%u", port);
    const int code = getaddrinfo(reached, service, &hints, &addresses);
    if (code != 0) {
        snprintf(ret_error, error_size, "cannot resolve \"%.100s\": %s", reached,
                 gai_strerror(code));
        return false;
    }
    for (const struct addrinfo *a = addresses; a != NULL && !is_answered; a = a->ai_next) {
        is_answered = probe_address(a, end_us, line);
        reason = errno;
    }
    freeaddrinfo(addresses);
    if (!is_answered)
        snprintf(ret_error, error_size, "%.100s port %u does not answer: %s", reached, port,
                 strerror(reason)); /* NOLINT(concurrency-mt-unsafe): glibc's is safe */
    else if (strcmp(line, "HTTP/1.1 200") != 0)
        snprintf(ret_error, error_size, "%.100s port %u is not ready: %s", reached, port,
                 strncmp(line, "HTTP/1.1 ", 9) == 0 ? line + 9 : "no HTTP");
    return is_answered && strcmp(line, "HTTP/1.1 200") == 0;
}
