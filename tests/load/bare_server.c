/* A server of libmicrohttpd that reads each request and gives one constant answer: what the library
 * and the kernel alone cost, and so the ceiling for sudokud on the same machine.
 *
 * The answer is a file as `curl -i` writes it, so it has the headers and the length of a real one;
 * what the library adds by itself (Date, Content-Length) is left out. The daemon is set up as in
 * src/server/http_loop.c, but for what the options choose:
 *
 * --mode poll   the library's own threads with poll()
 * --mode epoll  the same with epoll
 * --mode loop   our own threads, a daemon each, with epoll outside, as sudokud has them; the main
 *               thread accepts for all
 * --threads N, --memory BYTES of a connection, --connections N
 * --fresh       a new response for each request, with its headers, instead of one for all
 *
 * Loopback only, on a free port that it prints. Runs until it is killed. */
#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

enum { MAX_ANSWER = 64 * 1024, MAX_HEADERS = 32, BACKLOG = 4096, TIMEOUT_S = 120 };

enum mode {
    MODE_POLL,
    MODE_EPOLL,
    MODE_LOOP,
};

struct options {
    const char *answer;
    enum mode mode;
    unsigned threads;
    unsigned memory;
    unsigned connections;
    bool is_fresh;
};

struct answer {
    char text[MAX_ANSWER];
    struct {
        const char *name, *value;
    } headers[MAX_HEADERS];
    size_t header_count;
    char *body;
    size_t body_size;
    bool is_fresh;
    struct MHD_Response *shared;
};

/* A thread of --mode loop; the accepted sockets come through a pipe. */
struct loop {
    struct MHD_Daemon *daemon;
    int accepted[2];
};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bare_server: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- The answer ---- */

static bool is_added_by_library(const char *name)
{
    return strcasecmp(name, "Date") == 0 || strcasecmp(name, "Content-Length") == 0 ||
           strcasecmp(name, "Connection") == 0;
}

static void take_header(struct answer *answer, char *line)
{
    char *value = strchr(line, ':');

    if (value == NULL || answer->header_count == MAX_HEADERS)
        die("a header of the answer");
    *value++ = '\0';
    if (is_added_by_library(line))
        return;
    answer->headers[answer->header_count].name = line;
    answer->headers[answer->header_count].value = value + strspn(value, " ");
    answer->header_count++;
}

static void load_answer(struct answer *answer, const char *file)
{
    FILE *in = fopen(file, "r");

    if (in == NULL)
        die(file);
    const size_t size = fread(answer->text, 1, sizeof answer->text - 1, in);
    fclose(in);
    answer->text[size] = '\0';
    char *line = strstr(answer->text, "\r\n");
    answer->body = strstr(answer->text, "\r\n\r\n");
    if (line == NULL || answer->body == NULL)
        die("the answer has no head");
    answer->body += 4;
    answer->body_size = size - (size_t)(answer->body - answer->text);
    for (line += 2; line + 2 < answer->body;) {
        char *end = strstr(line, "\r\n");
        *end = '\0';
        take_header(answer, line);
        line = end + 2;
    }
}

static struct MHD_Response *make_response(const struct answer *answer,
                                          enum MHD_ResponseMemoryMode mode)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(answer->body_size, answer->body, mode);

    for (size_t i = 0; response != NULL && i < answer->header_count; i++) {
        if (MHD_add_response_header(response, answer->headers[i].name, answer->headers[i].value) !=
            MHD_YES)
            die("a header of the response");
    }
    return response;
}

/* Called when the head is read, for each piece of the body, and when the body is whole. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **request)
{
    struct answer *answer = context;

    (void)path, (void)method, (void)version, (void)upload;
    if (*request == NULL) {
        *request = answer;
        return MHD_YES;
    }
    if (*upload_size > 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    if (!answer->is_fresh)
        return MHD_queue_response(connection, MHD_HTTP_OK, answer->shared);
    struct MHD_Response *response = make_response(answer, MHD_RESPMEM_MUST_COPY);
    if (response == NULL)
        return MHD_NO;
    const enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

/* ---- The daemon ---- */

static int listen_on_loopback(unsigned *ret_port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(fd, BACKLOG) != 0 || getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        die("listen");
    *ret_port = ntohs(address.sin_port);
    return fd;
}

static struct MHD_Daemon *start_daemon(const struct options *options, struct answer *answer,
                                       unsigned flags, const struct MHD_OptionItem *own)
{
    const struct MHD_OptionItem common[] = {
        {MHD_OPTION_CONNECTION_LIMIT, (intptr_t)options->connections, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)options->memory, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT_S, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_Daemon *daemon = MHD_start_daemon(
        flags | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, handle, answer,
        MHD_OPTION_ARRAY, common, MHD_OPTION_ARRAY, own, MHD_OPTION_END);

    if (daemon == NULL)
        die("the daemon");
    return daemon;
}

static void serve_with_threads_of_library(const struct options *options, struct answer *answer,
                                          int listener)
{
    const struct MHD_OptionItem own[] = {
        {MHD_OPTION_LISTEN_SOCKET, listener, NULL},
        {options->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END,
         (intptr_t)options->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    const unsigned polling = options->mode == MODE_POLL ? MHD_USE_POLL : MHD_USE_EPOLL;

    (void)start_daemon(options, answer, MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC | polling,
                       own);
    for (;;)
        pause();
}

/* Gives the accepted sockets that wait in the pipe to the daemon of this thread. */
static void add_accepted(const struct loop *loop)
{
    int fds[64];
    const ssize_t size = read(loop->accepted[0], fds, sizeof fds);

    for (size_t i = 0; size > 0 && i < (size_t)size / sizeof fds[0]; i++) {
        struct sockaddr_in address = {.sin_family = AF_INET};
        (void)MHD_add_connection(loop->daemon, fds[i], (struct sockaddr *)&address, sizeof address);
    }
}

static void *run_loop(void *context)
{
    const struct loop *loop = context;
    const union MHD_DaemonInfo *epoll = MHD_get_daemon_info(loop->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct pollfd polled[] = {{.fd = epoll->epoll_fd, .events = POLLIN},
                              {.fd = loop->accepted[0], .events = POLLIN}};

    for (;;) {
        MHD_UNSIGNED_LONG_LONG timeout_ms;
        const bool has_timeout = MHD_get_timeout(loop->daemon, &timeout_ms) == MHD_YES;
        poll(polled, 2, has_timeout ? (int)timeout_ms : -1);
        if (polled[1].revents != 0)
            add_accepted(loop);
        MHD_run(loop->daemon);
    }
    return NULL;
}

static void serve_with_own_loops(const struct options *options, struct answer *answer, int listener)
{
    const struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    struct loop *loops = calloc(options->threads, sizeof *loops);

    for (unsigned i = 0; i < options->threads; i++) {
        pthread_t thread;
        if (loops == NULL || pipe(loops[i].accepted) != 0)
            die("a loop");
        loops[i].daemon =
            start_daemon(options, answer, MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET, none);
        if (pthread_create(&thread, NULL, run_loop, &loops[i]) != 0)
            die("a thread");
    }
    for (unsigned next = 0;; next = (next + 1) % options->threads) {
        const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0 || write(loops[next].accepted[1], &fd, sizeof fd) != (ssize_t)sizeof fd)
            die("accept");
    }
}

/* ---- The command line ---- */

static bool parse_mode(const char *text, enum mode *ret_mode)
{
    static const char *const names[] = {
        [MODE_POLL] = "poll", [MODE_EPOLL] = "epoll", [MODE_LOOP] = "loop"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *ret_mode = (enum mode)i;
            return true;
        }
    }
    return false;
}

static bool parse_options(int argc, char *argv[], struct options *ret_options)
{
    static const struct option known[] = {
        {"answer", required_argument, NULL, 'a'},
        {"mode", required_argument, NULL, 'm'},
        {"threads", required_argument, NULL, 't'},
        {"memory", required_argument, NULL, 'l'},
        {"connections", required_argument, NULL, 'c'},
        {"fresh", no_argument, NULL, 'f'},
        {NULL, 0, NULL, 0},
    };
    struct options options = {.threads = 1, .memory = 12 * 1024, .connections = 4000};
    int option;

    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        const unsigned number = optarg == NULL ? 0 : (unsigned)strtoul(optarg, NULL, 10);
        switch (option) {
        case 'a':
            options.answer = optarg;
            break;
        case 'm':
            if (!parse_mode(optarg, &options.mode))
                return false;
            break;
        case 't':
            options.threads = number;
            break;
        case 'l':
            options.memory = number;
            break;
        case 'c':
            options.connections = number;
            break;
        case 'f':
            options.is_fresh = true;
            break;
        default:
            return false;
        }
    }
    *ret_options = options;
    return options.answer != NULL && options.threads > 0 && options.memory > 0 &&
           options.connections > 0;
}

int main(int argc, char *argv[])
{
    static struct answer answer;
    struct options options;
    unsigned port;

    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr, "usage: bare_server --answer FILE [--mode poll|epoll|loop] [--threads N] "
                        "[--memory BYTES] [--connections N] [--fresh]\n");
        return 2;
    }
    load_answer(&answer, options.answer);
    answer.is_fresh = options.is_fresh;
    answer.shared = make_response(&answer, MHD_RESPMEM_PERSISTENT);
    if (answer.shared == NULL)
        die("the response");
    const int listener = listen_on_loopback(&port);
    fprintf(stderr, "{\"event\":\"listening\",\"port\":%u}\n", port);
    if (options.mode == MODE_LOOP)
        serve_with_own_loops(&options, &answer, listener);
    else
        serve_with_threads_of_library(&options, &answer, listener);
}
