/* The machine fails: no memory, no threads, no files, a clock that jumps. The service goes on, and
 * no request gets a wrong answer.
 *
 * The functions that fail stand here in place of the C library's, so they reach libmicrohttpd and
 * cJSON too. Sanitizers have a malloc of their own; there --wrap puts these before our own code. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include "client.h"
#include "support.h"

/* ---- Memory ---- */

/* The test's own thread is not to fail, but for where it starts a server. */
static _Thread_local bool is_spared;
static atomic_long allocations_left = -1; /* until one fails; -1: none does */
static atomic_long failures_left;
static atomic_bool has_failed;

static bool may_allocate(void)
{
    if (is_spared || atomic_load(&allocations_left) < 0)
        return true;
    if (atomic_load(&allocations_left) > 0) {
        atomic_fetch_sub(&allocations_left, 1);
        return true;
    }
    if (atomic_fetch_sub(&failures_left, 1) <= 0)
        return true;
    atomic_store(&has_failed, true);
    errno = ENOMEM;
    return false;
}

#ifdef WRAPS_MALLOC
#define REPLACED(name) __wrap_##name
#define ORIGINAL(name) __real_##name
#else
#define REPLACED(name)       name
#define ORIGINAL(name)       __libc_##name
#define __libc_aligned_alloc __libc_memalign
#endif
void *ORIGINAL(malloc)(size_t size);
void *ORIGINAL(calloc)(size_t count, size_t size);
void *ORIGINAL(realloc)(void *block, size_t size);
void *ORIGINAL(aligned_alloc)(size_t alignment, size_t size);
void *REPLACED(malloc)(size_t size);
void *REPLACED(calloc)(size_t count, size_t size);
void *REPLACED(realloc)(void *block, size_t size);
void *REPLACED(aligned_alloc)(size_t alignment, size_t size);

void *REPLACED(malloc)(size_t size)
{
    return may_allocate() ? ORIGINAL(malloc)(size) : NULL;
}

void *REPLACED(calloc)(size_t count, size_t size)
{
    return may_allocate() ? ORIGINAL(calloc)(count, size) : NULL;
}

void *REPLACED(realloc)(void *block, size_t size)
{
    return may_allocate() ? ORIGINAL(realloc)(block, size) : NULL;
}

void *REPLACED(aligned_alloc)(size_t alignment, size_t size)
{
    return may_allocate() ? ORIGINAL(aligned_alloc)(alignment, size) : NULL;
}

/* From now on the n-th allocation fails, and all after it until so many have. */
static void fail_allocations(long n, long count)
{
    atomic_store(&has_failed, false);
    atomic_store(&failures_left, count);
    atomic_store(&allocations_left, n);
}

static void fail_no_allocation(void)
{
    atomic_store(&allocations_left, -1);
}

/* ---- Threads ---- */

typedef int create_thread(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

static atomic_int threads_left = -1; /* until one can't be made; -1: all can */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    union {
        void *symbol;
        create_thread *function;
    } original = {.symbol = dlsym(RTLD_NEXT, "pthread_create")};

    if (atomic_load(&threads_left) == 0)
        return EAGAIN;
    if (atomic_load(&threads_left) > 0)
        atomic_fetch_sub(&threads_left, 1);
    return original.function(thread, attributes, start, argument);
}

/* ---- Time of day ---- */

static _Atomic time_t clock_is_off; /* seconds */

int clock_gettime(clockid_t clock, struct timespec *ret)
{
    const int result = (int)syscall(SYS_clock_gettime, clock, ret);

    if (clock == CLOCK_REALTIME)
        ret->tv_sec += atomic_load(&clock_is_off);
    return result;
}

time_t time(time_t *ret)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (ret != NULL)
        *ret = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict ret, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *ret = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

/* ---- What a process holds ---- */

static unsigned count_entries(const char *path)
{
    DIR *folder = opendir(path);
    unsigned count = 0;

    ck_assert_ptr_nonnull(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static unsigned open_files(void)
{
    return count_entries("/proc/self/fd");
}

static unsigned threads_alive(void)
{
    return count_entries("/proc/self/task");
}

/* ---- Requests ---- */

#define CLOSE         "Connection: close\r\nX-Request-Id: fault\r\n"
#define CLIENT_NDJSON "Content-Type: application/x-ndjson\r\n"

/* A request of each kind, and between what the parts of its answer stand: where one of many puzzles
 * found no memory, the others are answered. */
static const struct request {
    const char *method;
    const char *path;
    const char *headers;
    const char *body;      /* NULL: none */
    const char *separator; /* NULL: the answer is one */
} requests[] = {
    {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" EASY "\"}", NULL},
    {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" TWO "\",\"solutions\":true}", NULL},
    {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":9000}", NULL},
    {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" BROKEN "\"}", NULL},
    {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":", NULL},
    {"POST", "/solve", CLIENT_TEXT, EASY, NULL},
    {"POST", "/solve", CLIENT_FORM, "puzzle=" EASY "&max_solutions=3", NULL},
    {"POST", "/validate", CLIENT_JSON, "{\"puzzle\":\"" BROKEN "\"}", NULL},
    {"POST", "/solve", CLIENT_JSON,
     "{\"puzzles\":[\"" EASY "\",\"" NONE "\",7,\"" EMPTY "\",\"" TWO "\",\"" EASY "\"]}", "},{"},
    {"POST", "/solve", CLIENT_NDJSON,
     "{\"puzzle\":\"" EASY "\"}\n{\"puzzle\":\"" TWO
     "\",\"solutions\":true}\n{}\n{\"puzzle\":\"" NONE "\"}\n",
     "\n"},
    {"POST", "/solve", CLIENT_TEXT, EASY "\n" BROKEN "\n" NONE "\n5\n" TWO "\n", "\n"},
    {"GET", "/solve?puzzle=" EASY, "", NULL, NULL},
    {"GET", "/validate?puzzle=" TWO, "", NULL, NULL},
    {"GET", "/", "", NULL, NULL},
    {"GET", "/openapi.yaml", "Accept-Encoding: gzip\r\n", NULL, NULL},
    {"GET", "/readyz", "", NULL, NULL},
    {"OPTIONS", "/solve", "Access-Control-Request-Method: POST\r\n", NULL, NULL},
    {"PUT", "/solve", "", "", NULL},
};
enum { REQUESTS = sizeof requests / sizeof requests[0] };

/* Sends all in one piece, for which the server may have no memory and close the connection. False:
 * that ended before the end of the answer. */
static bool ask(const struct server *server, const struct request *request,
                struct client_reply *ret)
{
    char text[2048];
    const char *body = request->body == NULL ? "" : request->body;
    const int fd = client_connect(server);
    int length = snprintf(text, sizeof text, "%s %s HTTP/1.1\r\nHost: x\r\n" CLOSE "%s",
                          request->method, request->path, request->headers);

    length += snprintf(text + length, sizeof text - (size_t)length, "Content-Length: %zu\r\n\r\n%s",
                       strlen(body), body);
    ck_assert_int_lt(length, (int)sizeof text);
    (void)send(fd, text, (size_t)length, MSG_NOSIGNAL);
    const bool is_whole = client_read_reply(fd, true, ret);
    close(fd);
    return is_whole;
}

static size_t part_length(const char *text, const char *separator)
{
    const char *end = separator == NULL ? NULL : strstr(text, separator);

    return end == NULL ? strlen(text) : (size_t)(end - text);
}

/* Whether each part of an answer is the right one, or says that there was no memory for it. */
static bool is_right_or_says_why_not(const char *got, const char *right, const char *separator)
{
    for (;;) {
        const size_t got_length = part_length(got, separator);
        const size_t right_length = part_length(right, separator);
        const char *why = strstr(got, "No memory");
        const bool is_equal = got_length == right_length && strncmp(got, right, right_length) == 0;

        if (!is_equal && (why == NULL || (size_t)(why - got) > got_length))
            return false;
        got += got_length;
        right += right_length;
        if (*got == '\0' || *right == '\0')
            return *got == *right;
        got += strlen(separator);
        right += strlen(separator);
    }
}

static void assert_not_wrong(const struct client_reply *got, const struct client_reply *right,
                             const char *separator)
{
    if (got->status == right->status) {
        ck_assert_msg(is_right_or_says_why_not(got->body, right->body, separator), "%s\nis not\n%s",
                      got->body, right->body);
        return;
    }
    /* libmicrohttpd answers in HTML where it can't read a head. */
    ck_assert_msg(got->status >= 500 || got->status == 431 || got->status == 413, "%u %s",
                  got->status, got->body);
    if (got->status == 503)
        ck_assert_ptr_nonnull(strstr(got->body, "/problems/out-of-memory"));
}

static struct server *start_server(void)
{
    /* A request that is not counted off would hold up the stop for an hour. Where the library has
     * no memory to wait for its sockets it may lose that a search is done, and closes later. */
    static char *const flags[] = {"--threads=2", "--workers=2", "--deadline=60m", "--timeout=1s",
                                  NULL};

    is_spared = true;
    return client_start_server(flags);
}

static void assert_serves(const struct server *server)
{
    struct client_reply reply = client_post_json(server, "/solve", "{\"puzzle\":\"" EASY "\"}");

    ck_assert_uint_eq(reply.status, 200);
    ck_assert_ptr_nonnull(strstr(reply.body, EASY_SOLVED));
    client_reply_clear(&reply);
}

/* Lets allocations for a request fail from the n-th on. False: it has not so many. */
static bool meets_end_of_memory(const struct server *server, const struct request *request, long n,
                                long count, const struct client_reply *right)
{
    struct client_reply got;

    fail_allocations(n, count);
    const bool is_whole = ask(server, request, &got);
    fail_no_allocation();
    if (is_whole)
        assert_not_wrong(&got, right, request->separator);
    if (!atomic_load(&has_failed))
        ck_assert(is_whole && got.status == right->status);
    client_reply_clear(&got);
    return atomic_load(&has_failed);
}

/* Once, and for longer than a request has allocations, which is when the library tries the same
 * again and again. */
START_TEST(a_request_meets_the_end_of_memory_at_each_allocation)
{
    static const long counts[] = {1, 100};
    const struct request *request = &requests[_i / 2];
    struct server *server = start_server();
    struct client_reply right;
    long n = 0;

    ck_assert(ask(server, request, &right));
    while (meets_end_of_memory(server, request, n, counts[_i % 2], &right))
        n++;
    ck_assert_int_gt(n, 0);
    assert_serves(server);
    client_reply_clear(&right);
    server_stop(server, NULL, NULL);
}
END_TEST

/* ---- Starting ---- */

/* Tries to start. NULL: it said why in one line, and left no thread and no file. */
static struct server *try_to_start(void)
{
    char *arguments[] = {"test", "--port=0", "--threads=2", "--workers=2"};
    const unsigned files = open_files();
    char error[CONFIG_MAX_ERROR] = "";
    struct config config;

    ck_assert_int_eq(config_load(4, arguments, &config, error), CONFIG_OK);
    is_spared = false;
    struct server *server = server_start(&config, error, sizeof error);
    is_spared = true;
    if (server == NULL) {
        ck_assert_str_ne(error, "");
        ck_assert_ptr_null(strchr(error, '\n'));
        ck_assert_uint_eq(open_files(), files);
    }
    return server;
}

START_TEST(a_start_meets_the_end_of_memory_at_each_allocation)
{
    bool is_met = true;

    is_spared = true;
    server_stop(try_to_start(), NULL, NULL); /* a sanitizer may make a thread of its own */
    const unsigned threads = threads_alive();
    for (long n = 0; is_met; n++) {
        fail_allocations(n, 1);
        struct server *server = try_to_start();
        fail_no_allocation();
        is_met = atomic_load(&has_failed);
        ck_assert(server != NULL || is_met);
        if (server != NULL) {
            assert_serves(server);
            server_stop(server, NULL, NULL);
        }
        while (threads_alive() > threads) /* one that has been joined may be seen for a moment */
            usleep(1000);
    }
}
END_TEST

START_TEST(a_start_without_a_thread_is_refused)
{
    /* Two for connections, two workers, one that ends slow clients, one that starts the others. */
    enum { THREADS = 6 };

    is_spared = true;
    for (int n = 0; n < THREADS; n++) {
        atomic_store(&threads_left, n);
        ck_assert_msg(try_to_start() == NULL, "started without thread %d", n);
    }
    atomic_store(&threads_left, THREADS);
    struct server *server = try_to_start();
    ck_assert_ptr_nonnull(server);
    assert_serves(server);
    server_stop(server, NULL, NULL);
}
END_TEST

/* ---- Files ---- */

enum { WAITING = 8 };

/* Takes all files that this process may open but a few; returns how many it took. */
static size_t take_files(int *ret_taken, size_t but)
{
    const struct rlimit limit = {.rlim_cur = 200, .rlim_max = 200};
    size_t count = 0;

    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    while ((ret_taken[count] = dup(STDERR_FILENO)) >= 0)
        count++;
    ck_assert_int_eq(errno, EMFILE);
    while (but-- > 0)
        close(ret_taken[--count]);
    return count;
}

/* Clients that connect when there is no file left, with sockets from before. */
static void connect_and_send(const struct server *server, const int sockets[WAITING])
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)server_port(server)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };

    for (size_t i = 0; i < WAITING; i++) {
        ck_assert_int_eq(connect(sockets[i], (const struct sockaddr *)&address, sizeof address), 0);
        client_send(sockets[i], "POST", "/solve", CLIENT_JSON CLOSE, "{\"puzzle\":\"" EASY "\"}");
    }
}

/* With `others` connected: 0 is another case for the library than 1. */
START_TEST(clients_wait_while_there_are_no_files)
{
    const bool has_other = _i != 0;
    static char *const flags[] = {"--threads=1", "--max-connections=100", NULL};
    int sockets[WAITING];
    int taken[200];

    is_spared = true;
    struct server *server = client_start_server(flags);
    const int other = has_other ? client_connect(server) : -1;
    for (size_t i = 0; i < WAITING; i++)
        sockets[i] = socket(AF_INET, SOCK_STREAM, 0);
    if (has_other) {
        client_send(other, "POST", "/solve", CLIENT_TEXT, EASY);
        client_expect(other, 200, EASY_SOLVED);
    }
    const size_t count = take_files(taken, 2);
    connect_and_send(server, sockets);

    /* Whoever is in is served on. */
    for (unsigned i = 0; has_other && i < 20; i++) {
        client_send(other, "POST", "/solve", CLIENT_TEXT, EASY);
        client_expect(other, 200, EASY_SOLVED);
    }
    for (size_t i = 0; i < count; i++)
        close(taken[i]);
    if (has_other)
        close(other); /* the library looks for new clients again when one has left */
    for (size_t i = 0; i < WAITING; i++) {
        client_expect(sockets[i], 200, EASY_SOLVED);
        close(sockets[i]);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

/* ---- Time of day ---- */

/* No deadline, timeout or duration knows of the time of day: a search that takes a while, a client
 * in the middle of a head and one that waits all outlast it, and a deadline still ends a search. */
START_TEST(a_clock_that_jumps_is_not_noticed)
{
    enum { DAY = 86400 };
    static const time_t jumps[] = {400 * DAY, -400 * DAY};
    static char *const flags[] = {"--threads=1", "--isa=reference", "--deadline=100ms",
                                  "--max-steps=1000000000", NULL};
    static char *const patient_flags[] = {"--threads=1", "--isa=reference", NULL};
    static const char search[] = "{\"puzzle\":\"" SLOW "\",\"max_steps\":1000000000}";
    static const char half[] = "GET /livez HTTP/1.1\r\nHost:";
    const time_t jump = jumps[_i];
    struct client_reply reply;

    is_spared = true;
    struct server *patient = client_start_server(patient_flags);
    const int silent = client_connect(patient);
    const int slow = client_connect(patient);
    const int searching = client_connect(patient);
    client_send(silent, "POST", "/solve", CLIENT_TEXT, EASY);
    client_expect(silent, 200, EASY_SOLVED);
    client_send_bytes(slow, half, sizeof half - 1);
    client_send(searching, "POST", "/solve", CLIENT_JSON,
                "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":20000}");
    atomic_store(&clock_is_off, jump);
    usleep(200000); /* a look of the reaper, a turn of the library's loop */
    client_send_bytes(slow, " x\r\n\r\n", 6);
    client_expect(slow, 200, NULL);
    client_send(silent, "POST", "/solve", CLIENT_TEXT, EASY);
    client_expect(silent, 200, EASY_SOLVED);
    ck_assert(client_read_reply(searching, true, &reply));
    ck_assert_msg(strstr(reply.body, "\"solution_count\":20000,") != NULL, "%s", reply.body);
    client_reply_clear(&reply);
    close(searching);
    close(silent);
    close(slow);
    server_stop(patient, NULL, NULL);

    struct server *server = client_start_server(flags);
    const int fd = client_connect(server);
    client_send(fd, "POST", "/solve", CLIENT_JSON, search);
    usleep(20000);
    atomic_store(&clock_is_off, -jump);
    client_expect(fd, 503, "/problems/deadline-exceeded");
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("faults", &tests);

    tcase_add_loop_test(tests, a_request_meets_the_end_of_memory_at_each_allocation, 0,
                        2 * REQUESTS);
    tcase_add_test(tests, a_start_meets_the_end_of_memory_at_each_allocation);
    tcase_add_test(tests, a_start_without_a_thread_is_refused);
    tcase_add_loop_test(tests, clients_wait_while_there_are_no_files, 0, 2);
    tcase_add_loop_test(tests, a_clock_that_jumps_is_not_noticed, 0, 2);
    return run_suite(suite);
}
