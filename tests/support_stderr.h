/* A stderr that tests can read, fill and close. */
#ifndef SUDOKU_TESTS_SUPPORT_STDERR_H
#define SUDOKU_TESTS_SUPPORT_STDERR_H

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* Where stderr really goes; each test runs in a process of its own and gives it back, so that what
 * Check or a sanitizer has to say is seen. */
static int real_stderr = -1;

static inline void keep_stderr(void)
{
    real_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    ck_assert_int_ge(real_stderr, 0);
    /* As main does: a pipe without a reader is an error, not the end. */
    signal(SIGPIPE, SIG_IGN);
}

static inline void give_stderr_back(void)
{
    dup2(real_stderr, STDERR_FILENO);
    close(real_stderr);
}

static inline void set_stderr(int fd)
{
    ck_assert_int_eq(dup2(fd, STDERR_FILENO), STDERR_FILENO);
}

/* Makes stderr a pipe and gives the end to read from. Reading there does not wait. */
static inline int pipe_stderr(void)
{
    int ends[2];

    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    /* Where stderr was closed, one of them has its number. */
    const int reader = fcntl(ends[0], F_DUPFD_CLOEXEC, 10);
    const int writer = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
    ck_assert_int_ge(reader, 0);
    close(ends[0]);
    close(ends[1]);
    ck_assert_int_eq(fcntl(reader, F_SETFL, O_NONBLOCK), 0);
    set_stderr(writer);
    close(writer);
    return reader;
}

/* Reads all that stands in a pipe, up to `size` - 1 bytes. */
static inline size_t read_all(int fd, char *ret, size_t size)
{
    size_t length = 0;
    ssize_t got;

    while ((got = read(fd, ret + length, size - 1 - length)) > 0)
        length += (size_t)got;
    ret[length] = '\0';
    return length;
}

/* Fills a pipe to the last byte. */
static inline void fill_stderr(void)
{
    static const char bytes[4096] = {0};
    const int flags = fcntl(STDERR_FILENO, F_GETFL);

    fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK);
    for (size_t size = sizeof bytes; size > 0; size /= 2) {
        while (write(STDERR_FILENO, bytes, size) > 0)
            continue;
    }
    ck_assert_int_eq(errno, EAGAIN);
    fcntl(STDERR_FILENO, F_SETFL, flags);
}

#endif
