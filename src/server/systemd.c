#include "systemd.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "listener.h"

/* NOLINTBEGIN(concurrency-mt-unsafe): nothing sets the environment */

/* Where the sockets that are handed over begin. */
enum { FIRST_SOCKET = 3 };

int systemd_open(void)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t length = path == NULL ? 0 : strlen(path);

    if (length == 0 || length >= sizeof address.sun_path)
        return -1;
    memcpy(address.sun_path, path, length);
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    if (path[0] == '@') /* a name that is in no folder */
        address.sun_path[0] = '\0';

    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, size) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

void systemd_notify(int systemd, const char *state)
{
    if (systemd >= 0)
        (void)send(systemd, state, strlen(state), MSG_NOSIGNAL);
}

bool systemd_has_socket(void)
{
    const char *pid = getenv("LISTEN_PID");

    return pid != NULL && getenv("LISTEN_FDS") != NULL && strtol(pid, NULL, 10) == getpid();
}

static int option_of(int fd, int option)
{
    int value = -1;
    socklen_t size = sizeof value;

    return getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

int systemd_take_socket(unsigned *ret_port, char *ret_error, size_t error_size)
{
    const char *count = getenv("LISTEN_FDS");
    const int family = option_of(FIRST_SOCKET, SO_DOMAIN);

    if (count == NULL || strcmp(count, "1") != 0) {
        snprintf(ret_error, error_size, "LISTEN_FDS: \"%.20s\" is not allowed; allowed is 1",
                 count == NULL ? "" : count);
        return -1;
    }
    if ((family != AF_INET && family != AF_INET6) || option_of(FIRST_SOCKET, SO_ACCEPTCONN) != 1 ||
        fcntl(FIRST_SOCKET, F_SETFD, FD_CLOEXEC) != 0 ||
        fcntl(FIRST_SOCKET, F_SETFL, O_NONBLOCK) != 0) {
        snprintf(ret_error, error_size, "LISTEN_FDS: what was given is no listening TCP socket");
        return -1;
    }
    *ret_port = listener_port(FIRST_SOCKET);
    return FIRST_SOCKET;
}

/* NOLINTEND(concurrency-mt-unsafe) */
