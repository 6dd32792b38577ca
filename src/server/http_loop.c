#include "http_loop.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "admission.h"
#include "clock.h"
#include "config.h"
#include "http_guard.h"
#include "http_head.h"
#include "http_request.h"
#include "peer.h"

/* Clients that one loop accepts before it serves those it has; what there is to see at once. */
enum { MAX_ACCEPTED = 16, MAX_SEEN = 64 };

/* How often the library is told of those that have closed their side. */
enum { TELL_MS = 20 };

enum { CACHE_LINE = 64 };

/* How long nobody is accepted after it has failed, for want of files or memory. */
enum { PAUSE_MS = 100 };

/* A client that was accepted for a loop by another thread. */
struct arrival {
    struct arrival *next;
    int fd;
    socklen_t size;
    struct sockaddr_storage address;
};

struct http_loop {
    _Alignas(CACHE_LINE) struct http *http;
    struct MHD_Daemon *daemon;
    struct http_thread own;
    int events; /* epoll: the daemon's own, `wake`, the listener, and peers that end */
    int wake;   /* eventfd */
    bool listens;
    uint64_t listens_from_us;
    uint64_t closed;           /* connections that have ended */
    struct http_peer *ended;   /* peers that have closed their side */
    uint64_t tells_at_us;      /* when the library is told of them, again */
    struct http_peer *chunked; /* peers that send a body in chunks */
    unsigned standstills;      /* runs that the library wanted and that did nothing */
    atomic_uint connections;   /* its own, and those on the way to it */
    atomic_bool is_stopping;
    pthread_mutex_t lock; /* of the arrivals */
    struct arrival *arrivals;
    pthread_t thread;
};

static void wake(const struct http_loop *loop)
{
    const uint64_t one = 1;

    /* It fails when the counter is full, and then the loop is awake. */
    (void)!write(loop->wake, &one, sizeof one);
}

void http_loop_resume(struct MHD_Connection *connection)
{
    const struct http_peer *peer =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    const struct http_loop *loop = peer->loop;

    MHD_resume_connection(connection);
    wake(loop);
}

/* ---- Clients that come ---- */

static void turn_away(struct http *http, int fd, const struct sockaddr *address)
{
    close(fd);
    admission_leave(http->admission, peer_number(address));
}

/* On the loop's own thread. */
static void add(struct http_loop *loop, int fd, const struct sockaddr *address, socklen_t size)
{
    const uint64_t closed = loop->closed;

    /* The socket is the library's, also where this fails. Whether the callback has been told of the
     * connection and its end by then depends on where. */
    if (MHD_add_connection(loop->daemon, fd, address, size) == MHD_YES || loop->closed != closed)
        return;
    atomic_fetch_sub(&loop->connections, 1);
    admission_leave(loop->http->admission, peer_number(address));
}

/* False: out of memory. */
static bool hand_over(struct http_loop *loop, int fd, const struct sockaddr_storage *address,
                      socklen_t size)
{
    struct arrival *arrival = malloc(sizeof *arrival);

    if (arrival == NULL)
        return false;
    *arrival = (struct arrival){.fd = fd, .size = size, .address = *address};
    pthread_mutex_lock(&loop->lock);
    arrival->next = loop->arrivals;
    loop->arrivals = arrival;
    pthread_mutex_unlock(&loop->lock);
    wake(loop);
    return true;
}

static struct arrival *take_arrivals(struct http_loop *loop)
{
    pthread_mutex_lock(&loop->lock);
    struct arrival *first = loop->arrivals;
    loop->arrivals = NULL;
    pthread_mutex_unlock(&loop->lock);
    return first;
}

static void add_arrivals(struct http_loop *loop)
{
    struct arrival *next;

    for (struct arrival *arrival = take_arrivals(loop); arrival != NULL; arrival = next) {
        next = arrival->next;
        add(loop, arrival->fd, (const struct sockaddr *)&arrival->address, arrival->size);
        free(arrival);
    }
}

/* The loop with the fewest connections; among equals the one whose thread this is. */
static struct http_loop *find_least(const struct http *http, struct http_loop *own)
{
    struct http_loop *least = own != NULL ? own : http->loops;

    for (unsigned i = 0; i < http->loop_count; i++) {
        if (atomic_load(&http->loops[i].connections) < atomic_load(&least->connections))
            least = &http->loops[i];
    }
    return least;
}

static void give(struct http *http, struct http_loop *own, int fd,
                 const struct sockaddr_storage *address, socklen_t size)
{
    const struct sockaddr *any = (const struct sockaddr *)address;
    struct http_loop *loop = find_least(http, own);

    atomic_fetch_add(&loop->connections, 1);
    if (loop == own) {
        add(loop, fd, any, size);
    } else if (!hand_over(loop, fd, address, size)) {
        atomic_fetch_sub(&loop->connections, 1);
        turn_away(http, fd, any);
    }
}

/* Whether it is the server that can't accept, and not one client that is gone or was cut off. */
static bool is_want(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

unsigned http_loops_accept(struct http *http, struct http_loop *loop, unsigned most)
{
    unsigned count = 0;

    while (count < most && admission_take_place(http->admission)) {
        struct sockaddr_storage address;
        socklen_t size = sizeof address;
        const int fd = accept4(http->listener, (struct sockaddr *)&address, &size,
                               SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) {
            admission_give_back(http->admission);
            if (is_want(errno) && loop != NULL)
                loop->listens_from_us = clock_now_us() + PAUSE_MS * 1000;
            break;
        }
        count++;
        if (admission_enter(http->admission, peer_number((struct sockaddr *)&address)))
            give(http, loop, fd, &address, size);
        else
            close(fd);
    }
    return count;
}

/* Watches the listener, or does not: one of the loops is woken for a client, where there is a place
 * for it. A loop that has no place looks again when it wakes; the one whose connection ends does.
 */
static void listen_or_not(struct http_loop *loop)
{
    const struct http *http = loop->http;
    struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE, .data.ptr = &loop->listens};

    if (loop->listens_from_us != 0 && clock_now_us() >= loop->listens_from_us)
        loop->listens_from_us = 0;
    const bool should = !atomic_load(&http->is_quiesced) && loop->listens_from_us == 0 &&
                        admission_has_place(http->admission);
    if (should == loop->listens)
        return;
    if (epoll_ctl(loop->events, should ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, http->listener, &event) ==
        0)
        loop->listens = should;
    else
        loop->listens_from_us = clock_now_us() + PAUSE_MS * 1000;
}

/* ---- Peers in lists ---- */

static struct http_peer_link *link_of(struct http_peer *peer, size_t offset)
{
    return (struct http_peer_link *)(void *)((char *)peer + offset);
}

/* `offset` is that of the link in a peer. */
static void put_first(struct http_peer **list, struct http_peer *peer, size_t offset)
{
    struct http_peer_link *link = link_of(peer, offset);

    link->next = *list;
    link->place = list;
    if (*list != NULL)
        link_of(*list, offset)->place = &link->next;
    *list = peer;
}

static void take_out(struct http_peer *peer, size_t offset)
{
    struct http_peer_link *link = link_of(peer, offset);

    if (link->place == NULL)
        return;
    *link->place = link->next;
    if (link->next != NULL)
        link_of(link->next, offset)->place = link->place;
    *link = (struct http_peer_link){0};
}

static void forget(struct http_peer *peer)
{
    take_out(peer, offsetof(struct http_peer, ended));
    take_out(peer, offsetof(struct http_peer, chunked));
}

/* ---- Clients that go ---- */

/* For MHD_OPTION_NOTIFY_CONNECTION, on the loop's own thread, or after its end. */
static void notify(void *context, struct MHD_Connection *connection, void **peer,
                   enum MHD_ConnectionNotificationCode what)
{
    struct http_loop *loop = context;

    loop->own.has_moved = true;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        const struct sockaddr *address =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
        if (*peer != NULL)
            forget(*peer);
        loop->closed++;
        atomic_fetch_sub(&loop->connections, 1);
        admission_leave(loop->http->admission, peer_number(address));
    }
    http_guard_connection(loop->http->guard, connection, peer, what);
    if (what == MHD_CONNECTION_NOTIFY_STARTED && *peer != NULL) {
        struct http_peer *started = *peer;
        struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = started};
        started->loop = loop;
        /* Where this fails the end is seen when the time for the next request is over. Closing the
         * descriptor takes it out again. */
        (void)epoll_ctl(loop->events, EPOLL_CTL_ADD, started->fd, &event);
    }
}

/* The library reads until it gets less than it has room for, and then waits for the socket to
 * change again; if the end came with the last bytes, it has changed for the last time. This changes
 * it once more, and takes nothing away of what is still to be read. Where that takes more than one
 * turn, or the library is not reading, the end is still to be seen then: so again, until it has
 * been. */
static void tell_ends(struct http_loop *loop)
{
    if (loop->ended == NULL || clock_now_us() < loop->tells_at_us)
        return;
    for (const struct http_peer *peer = loop->ended; peer != NULL; peer = peer->ended.next)
        (void)shutdown(peer->fd, SHUT_RD);
    loop->tells_at_us = clock_now_us() + TELL_MS * 1000;
}

/* ---- Bodies in chunks ---- */

void http_loop_body_begins(struct http_peer *peer)
{
    peer->stalls = 0;
    if (peer->chunked.place == NULL)
        put_first(&peer->loop->chunked, peer, offsetof(struct http_peer, chunked));
}

void http_loop_body_moves(struct http_peer *peer)
{
    peer->stalls = 0;
}

void http_loop_body_ends(struct http_peer *peer)
{
    take_out(peer, offsetof(struct http_peer, chunked));
}

/* A chunk may begin with a line that is larger than the memory of its connection. The library's own
 * threads answer that; called from outside, it wants to run again at once, for nothing, as long as
 * the connection lasts. So whoever's body has not moved in so many runs that did not wait, more
 * than it takes to fill that memory by its steps of 128 bytes, and has sent what the library does
 * not take, is ended. Twice, as something may just have come. */
static void end_stuck(struct http_loop *loop)
{
    enum { STALLS = HTTP_HEAD_MEMORY / 128 + 32 };
    struct http_peer *next;

    for (struct http_peer *peer = loop->chunked; peer != NULL; peer = next) {
        next = peer->chunked.next;
        if (++peer->stalls < STALLS)
            continue;
        if (!http_guard_is_stuck(peer))
            peer->stalls = 0;
        else if (peer->stalls > STALLS)
            http_guard_end_stuck(loop->http->guard, peer);
    }
}

/* ---- The thread ---- */

static bool wants_to_run(const struct http_loop *loop)
{
    MHD_UNSIGNED_LONG_LONG timeout_ms;

    return MHD_get_timeout(loop->daemon, &timeout_ms) == MHD_YES && timeout_ms == 0;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* How long there is nothing to do, unless something comes. Where the library wants to run again and
 * again without anything to do, it may not without end; a head makes it run a few dozen times. */
static int timeout_of(struct http_loop *loop)
{
    enum { STANDSTILLS = 256, REST_MS = 2 };
    MHD_UNSIGNED_LONG_LONG library_ms;
    int longest_ms = loop->listens_from_us != 0 ? PAUSE_MS : INT32_MAX;

    if (loop->ended != NULL)
        longest_ms = smaller(longest_ms, TELL_MS);
    if (MHD_get_timeout(loop->daemon, &library_ms) != MHD_YES)
        return longest_ms == INT32_MAX ? -1 : longest_ms;
    if (library_ms > 0)
        loop->standstills = 0;
    else if (!loop->own.has_moved && ++loop->standstills > STANDSTILLS)
        return REST_MS;
    return library_ms > INT32_MAX ? longest_ms : smaller(longest_ms, (int)library_ms);
}

static void see_end(struct http_loop *loop, struct http_peer *peer)
{
    if (peer->ended.place == NULL)
        put_first(&loop->ended, peer, offsetof(struct http_peer, ended));
    loop->tells_at_us = 0;
}

/* Waits until there is something to do for the library, and does the rest. Pointers to peers are
 * good until the library runs. */
static void wait_and_see(struct http_loop *loop)
{
    struct epoll_event seen[MAX_SEEN];
    bool is_woken = false;
    bool has_client = false;
    const int count = epoll_wait(loop->events, seen, MAX_SEEN, timeout_of(loop));

    for (int i = 0; i < count; i++) {
        void *what = seen[i].data.ptr;
        if (what == &loop->wake)
            is_woken = true;
        else if (what == &loop->listens)
            has_client = true;
        else if (what != &loop->daemon)
            see_end(loop, what);
    }
    if (is_woken) {
        uint64_t times;
        (void)!read(loop->wake, &times, sizeof times);
        add_arrivals(loop);
    }
    if (has_client && !atomic_load(&loop->http->is_quiesced))
        (void)http_loops_accept(loop->http, loop, MAX_ACCEPTED);
}

static void *serve(void *argument)
{
    struct http_loop *loop = argument;

    /* Until all threads are there, and none serves if one is not. */
    pthread_mutex_lock(&loop->http->gate);
    pthread_mutex_unlock(&loop->http->gate);
    while (!atomic_load(&loop->is_stopping)) {
        listen_or_not(loop);
        wait_and_see(loop);
        loop->own.has_moved = false;
        MHD_run(loop->daemon);
        tell_ends(loop);
        if (loop->chunked != NULL && wants_to_run(loop))
            end_stuck(loop);
    }
    return NULL;
}

/* ---- Life ---- */

/* For MHD_start_daemon. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **request)
{
    struct http_loop *loop = context;

    return http_handle(loop->http, &loop->own, connection, path, method, version, upload,
                       upload_size, request);
}

/* For MHD_OPTION_NOTIFY_COMPLETED. */
static void complete(void *context, struct MHD_Connection *connection, void **request,
                     enum MHD_RequestTerminationCode why)
{
    struct http_loop *loop = context;

    http_complete(loop->http, connection, request, why);
}

static struct MHD_Daemon *start_daemon(struct http_loop *loop)
{
    struct http *http = loop->http;
    const struct config *config = http->config;
    const unsigned flags =
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    struct MHD_OptionItem options[] = {
        {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)http_log_library, http},
        {MHD_OPTION_CONNECTION_LIMIT, (intptr_t)config->max_connections, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, HTTP_HEAD_MEMORY, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, (intptr_t)((config->timeout_ms + 999) / 1000), NULL},
        /* What -1 and 1 refuse, they refuse in HTML or in silence; the guard refuses it too. */
        {MHD_OPTION_STRICT_FOR_CLIENT, 0, NULL},
        {MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)notify, loop},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)http_guard_uri, http->guard},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)complete, loop},
        {MHD_OPTION_END, 0, NULL},
    };

    return MHD_start_daemon(flags, 0, NULL, NULL, handle, loop, MHD_OPTION_ARRAY, options,
                            MHD_OPTION_END);
}

static bool watch(const struct http_loop *loop, int fd, void *what)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};

    return epoll_ctl(loop->events, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Its thread has ended, or has never run. */
static void clear(struct http_loop *loop)
{
    struct arrival *next;

    for (struct arrival *arrival = loop->arrivals; arrival != NULL; arrival = next) {
        next = arrival->next;
        turn_away(loop->http, arrival->fd, (const struct sockaddr *)&arrival->address);
        free(arrival);
    }
    if (loop->daemon != NULL)
        MHD_stop_daemon(loop->daemon);
    http_thread_clear(&loop->own);
    if (loop->wake >= 0)
        close(loop->wake);
    if (loop->events >= 0)
        close(loop->events);
    pthread_mutex_destroy(&loop->lock);
}

/* False: no memory or no files. */
static bool init(struct http_loop *loop, struct http *http)
{
    *loop = (struct http_loop){.http = http};
    pthread_mutex_init(&loop->lock, NULL);
    loop->events = epoll_create1(EPOLL_CLOEXEC);
    loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    loop->daemon = start_daemon(loop);
    if (loop->events >= 0 && loop->wake >= 0 && loop->daemon != NULL &&
        watch(loop, loop->wake, &loop->wake) &&
        watch(loop, MHD_get_daemon_info(loop->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
              &loop->daemon))
        return true;
    clear(loop);
    return false;
}

/* The thread has SIGPIPE blocked, which the library leaves to us where the thread is ours. */
static bool start_thread(struct http_loop *loop)
{
    sigset_t pipe;
    sigset_t before;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    const bool is_started = pthread_create(&loop->thread, NULL, serve, loop) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

/* All are there before the first runs, as each may give clients to any other. */
bool http_loops_start(struct http *http)
{
    const unsigned count = (unsigned)http->config->threads;

    http->loops = aligned_alloc(CACHE_LINE, count * sizeof *http->loops);
    if (http->loops == NULL)
        return false;
    while (http->loop_count < count && init(&http->loops[http->loop_count], http))
        http->loop_count++;
    pthread_mutex_lock(&http->gate);
    while (http->loop_count == count && http->running_loops < count &&
           start_thread(&http->loops[http->running_loops]))
        http->running_loops++;
    const bool is_whole = http->running_loops == count;
    for (unsigned i = 0; i < http->running_loops && !is_whole; i++)
        atomic_store(&http->loops[i].is_stopping, true);
    pthread_mutex_unlock(&http->gate);
    if (!is_whole)
        http_loops_stop(http);
    return is_whole;
}

void http_loops_quiesce(struct http *http)
{
    atomic_store(&http->is_quiesced, true);
    for (unsigned i = 0; i < http->loop_count; i++)
        wake(&http->loops[i]);
}

void http_loops_stop(struct http *http)
{
    for (unsigned i = 0; i < http->running_loops; i++) {
        atomic_store(&http->loops[i].is_stopping, true);
        wake(&http->loops[i]);
    }
    for (unsigned i = 0; i < http->running_loops; i++)
        pthread_join(http->loops[i].thread, NULL);
    for (unsigned i = 0; i < http->loop_count; i++)
        clear(&http->loops[i]);
    free(http->loops);
}
