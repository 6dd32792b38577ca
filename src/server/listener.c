#include "listener.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Clients that may wait to be accepted; the kernel cuts it to its own limit. */
enum { BACKLOG = 4096 };

unsigned listener_port(int fd)
{
    union {
        struct sockaddr_storage any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {0};
    socklen_t size = sizeof address;

    if (getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        return 0;
    return ntohs(address.any.ss_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
}

static int listen_on(const struct addrinfo *address)
{
    const int yes = 1;
    const int no = 0;
    const int fd =
        socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return -1;
    /* A restart must not wait for the old connections' TIME_WAIT; "::" serves IPv4 too. */
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (address->ai_family == AF_INET6)
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    const int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

int listener_open(const char *host, unsigned port, unsigned *ret_port, char *ret_error,
                  size_t error_size)
{
    const struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *addresses;
    char service[16];
    int fd = -1;
    int reason = 0;

    snprintf(service, sizeof service, "%u", port);
    const int code = getaddrinfo(host, service, &hints, &addresses);
    if (code != 0) {
        snprintf(ret_error, error_size, "--host: cannot resolve \"%.100s\": %s", host,
                 gai_strerror(code));
        return -1;
    }
    for (const struct addrinfo *a = addresses; a != NULL && fd < 0; a = a->ai_next) {
        fd = listen_on(a);
        reason = errno;
    }
    freeaddrinfo(addresses);
    if (fd < 0) {
        snprintf(ret_error, error_size, "cannot listen on %.100s port %u: %s", host, port,
                 strerror(reason)); /* NOLINT(concurrency-mt-unsafe): glibc's is safe */
        return -1;
    }
    *ret_port = listener_port(fd);
    return fd;
}
