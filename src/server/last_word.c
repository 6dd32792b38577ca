#include "last_word.h"

#include <stdio.h>
#include <sys/socket.h>

#include "api/buffer.h"
#include "api/problem.h"
#include "date.h"

/* Of those there are; what stands here is for people. */
static const char *reason_of(unsigned status)
{
    return status == 400   ? "Bad Request"
           : status == 408 ? "Request Timeout"
           : status == 413 ? "Content Too Large"
                           : "Request Header Fields Too Large";
}

static void send_parts(int fd, const struct problem *problem, const char *id,
                       const struct buffer *body)
{
    char head[512];
    struct date date = {0};
    const unsigned status = problem_status(problem->type);
    const int length = snprintf(
        head, sizeof head,
        "HTTP/1.1 %u %s\r\nDate: %s\r\nConnection: close\r\nContent-Type: application/problem+json"
        "\r\nX-Request-Id: %s\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store"
        "\r\nContent-Length: %zu\r\n\r\n",
        status, reason_of(status), date_now(&date), id, body->length);
    struct iovec parts[] = {
        {.iov_base = head, .iov_len = (size_t)length},
        {.iov_base = body->data, .iov_len = body->length},
    };
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};

    (void)sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void last_word_send(int fd, const struct problem *problem, const char *id)
{
    struct buffer body = {0};

    problem_put(problem, id, &body);
    buffer_put(&body, "\n", 1);
    if (!body.failed)
        send_parts(fd, problem, id, &body);
    buffer_clear(&body);
    (void)shutdown(fd, SHUT_RDWR);
}
