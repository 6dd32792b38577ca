#include "http_guard.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "api/api.h"
#include "config.h"
#include "counters.h"
#include "http_head.h"
#include "http_loop.h"
#include "http_target.h"
#include "last_word.h"
#include "reaper.h"
#include "request_id.h"

/* What a client is doing, for the reaper. */
enum doing {
    SENDING_FIRST_HEAD, /* or nothing yet */
    SENDING_HEAD,
    SENDING_BODY,
    READING_ANSWER,
};

struct http_guard {
    const struct config *config;
    struct counters *counters;
    struct reaper *reaper;
    struct request_ids ids; /* for heads that never became a request */
    bool knows_layout;      /* the library is the one whose ways with a head in memory are known */
};

/* A connection. Only its own thread uses it; for its descriptor and `id` see end(). */
struct guarded {
    struct http_peer peer; /* first: the loop finds it there */
    struct reaper_seat seat;
    const char *id;            /* of the request whose body is being read */
    unsigned problem;          /* that it was ended with for being stuck, as in struct api_reply */
    uint64_t taken;            /* bytes that it has sent and the library has taken, about */
    struct http_target target; /* of the present request */
};

static struct guarded *guarded_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* ---- Heads ---- */

/* Before the library splits a query into arguments: one that is too long for that is cut, so that
 * it gets as far as to be refused. The text is the library's own buffer, which it is about to write
 * to. */
static void cut_query(const char *uri)
{
    const char *query = strchr(uri, '?');

    if (query != NULL)
        ((char *)(uintptr_t)query)[1] = '\0';
}

void *http_guard_uri(void *context, const char *uri, struct MHD_Connection *connection)
{
    struct http_guard *guard = context;
    struct guarded *guarded = guarded_of(connection);

    if (guarded == NULL)
        return NULL;
    if (uri == NULL)
        uri = "";
    http_target_read(uri, &guarded->target);
    if (guarded->target.is_too_long)
        cut_query(uri);
    (void)reaper_shorten(guard->reaper, &guarded->seat, guard->config->head_timeout_ms,
                         SENDING_HEAD);
    return NULL;
}

/* Adds a header; cookies and arguments are only counted. */
static enum MHD_Result add_entry(void *head, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
    if (kind == MHD_HEADER_KIND)
        http_head_add(head, name, value);
    else
        http_head_add_other(head);
    return MHD_YES;
}

/* The library takes a line without a name, which begins with a colon, for the empty line that ends
 * a head. A colon and LF alone are as long as CR and LF, and it writes NULs over both; what is left
 * to tell them apart is that it remembers where the line with the colon is, in one of the pointers
 * that a connection begins with (the 21st, as Debian builds 0.9.75). Nothing else points there. */
static bool ends_without_name(const struct MHD_Connection *connection, const char *end)
{
    enum { POINTERS = 32 }; /* a connection is more than twice as large */
    const char *pointers[POINTERS];

    memcpy(pointers, connection, sizeof pointers);
    for (size_t i = 0; i < POINTERS; i++) {
        if (pointers[i] == end)
            return true;
    }
    return false;
}

void http_guard_take_head(struct http_guard *guard, struct MHD_Connection *connection,
                          const char *method, const char *version, struct problem *problem,
                          struct http_head *ret_head)
{
    struct guarded *guarded = guarded_of(connection);
    const union MHD_ConnectionInfo *size =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    struct http_head *head = ret_head;

    *head = (struct http_head){.method = method,
                               .target = guarded == NULL ? NULL : &guarded->target,
                               .version = version,
                               .size = guard->knows_layout && size != NULL ? size->header_size : 0,
                               .problem = problem};
    if (guarded != NULL && size != NULL)
        guarded->taken += size->header_size;
    http_head_begin(head);
    (void)MHD_get_connection_values(
        connection, MHD_HEADER_KIND | MHD_COOKIE_KIND | MHD_GET_ARGUMENT_KIND, add_entry, head);
    head->has_gap = head->has_gap || (head->size != 0 && ends_without_name(connection, head->end));
}

enum http_guard_verdict http_guard_judge(struct http_guard *guard,
                                         struct MHD_Connection *connection, struct http_head *head,
                                         const char **path, struct api_call *call, bool *ret_closes)
{
    struct guarded *guarded = guarded_of(connection);

    if (guarded == NULL) {
        api_call_refuse_with(call, PROBLEM_OUT_OF_MEMORY, "No memory for the connection.");
        return HTTP_GUARD_REFUSED;
    }
    guarded->id = call->id;
    if (!reaper_set(guard->reaper, &guarded->seat, guard->config->body_timeout_ms, SENDING_BODY))
        return HTTP_GUARD_ENDED;
    /* The library takes chunks that others do not, so what is behind them may be no request. */
    *ret_closes = head->codings > 0;
    if (head->codings > 0)
        http_loop_body_begins(&guarded->peer);
    if (http_head_judge(head)) {
        api_call_refuse(call, head->problem);
        if (head->problem->type != PROBLEM_HEAD_TOO_LARGE)
            return HTTP_GUARD_REFUSED;
        (void)http_guard_cut(connection, head->problem, call->id);
        return HTTP_GUARD_ENDED;
    }
    *path += guarded->target.origin_length;
    if ((*path)[0] == '\0')
        *path = strcmp(head->method, "OPTIONS") == 0 ? "*" : "/";
    return HTTP_GUARD_PASSES;
}

/* ---- Bodies in chunks ---- */

/* What a chunk may have around it: its size, perhaps with an extension, and two line ends. */
enum { AROUND_CHUNK = 16 };

void http_guard_take_body(struct MHD_Connection *connection, size_t size)
{
    struct guarded *guarded = guarded_of(connection);

    if (guarded == NULL)
        return;
    guarded->taken += size + (guarded->peer.chunked.place != NULL ? AROUND_CHUNK : 0);
    http_loop_body_moves(&guarded->peer);
}

bool http_guard_is_stuck(const struct http_peer *peer)
{
    /* Bytes that may have come of the next chunk's line, or be in the way we count. */
    enum { MOST = 1024 };
    const struct guarded *guarded = (const struct guarded *)(const void *)peer;
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    char byte;

    if (recv(peer->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0)
        return true;
    return getsockopt(peer->fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
           info.tcpi_bytes_received > guarded->taken + MOST;
}

void http_guard_end_stuck(struct http_guard *guard, struct http_peer *peer)
{
    struct guarded *guarded = (struct guarded *)(void *)peer;
    struct problem problem;

    if (guarded->problem != 0 ||
        !reaper_set(guard->reaper, &guarded->seat, REAPER_NEVER, SENDING_BODY))
        return;
    problem_init(&problem, PROBLEM_MALFORMED_REQUEST,
                 "A line of the chunks or trailers of the body is too long.");
    guarded->problem = 1 + (unsigned)problem.type;
    last_word_send(peer->fd, &problem, guarded->id);
}

/* ---- Time ---- */

/* A connection that the client opened and has not used: there is nothing to answer. */
static bool is_unused(const struct guarded *guarded)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof info;

    return getsockopt(guarded->peer.fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
           info.tcpi_bytes_received == 0;
}

static const enum metrics_phase phases[REAPER_TAGS] = {
    [SENDING_FIRST_HEAD] = METRICS_HEAD,
    [SENDING_HEAD] = METRICS_HEAD,
    [SENDING_BODY] = METRICS_BODY,
    [READING_ANSWER] = METRICS_ANSWER,
};

/* On the reaper's thread, which alone may write to the socket now: the library writes only once a
 * request is whole, and it is told then that the connection has been ended. `id` is set before
 * the time for which it is read here, and good until http_guard_complete, which waits for this. */
static void end(struct reaper_seat *seat, unsigned tag, void *context)
{
    struct http_guard *guard = context;
    struct guarded *guarded =
        (struct guarded *)(void *)((char *)seat - offsetof(struct guarded, seat));
    struct problem problem;
    char id[REQUEST_ID_MAX];

    counters_add(&counters_lane(guard->counters)->slow_clients[phases[tag]], 1);
    if (tag == READING_ANSWER || (tag == SENDING_FIRST_HEAD && is_unused(guarded))) {
        (void)shutdown(guarded->peer.fd, SHUT_RDWR);
        return;
    }
    const bool is_body = tag == SENDING_BODY;
    problem_init(&problem, PROBLEM_UPLOAD_TOO_SLOW,
                 "The %s of a request must be here within %llu ms.", is_body ? "body" : "head",
                 (unsigned long long)(is_body ? guard->config->body_timeout_ms
                                              : guard->config->head_timeout_ms));
    if (!is_body)
        request_id_take(&guard->ids, NULL, id);
    last_word_send(guarded->peer.fd, &problem, is_body ? guarded->id : id);
}

void http_guard_connection(void *context, struct MHD_Connection *connection, void **ret_guarded,
                           enum MHD_ConnectionNotificationCode what)
{
    struct http_guard *guard = context;
    struct guarded *guarded = *ret_guarded;

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        counters_add(&counters_lane(guard->counters)->connections_opened, 1);
        guarded = calloc(1, sizeof *guarded);
        *ret_guarded = guarded;
        if (guarded == NULL)
            return;
        http_peer_init(&guarded->peer, connection);
        guarded->target.text = "";
        reaper_add(guard->reaper, &guarded->seat, guard->config->head_timeout_ms,
                   SENDING_FIRST_HEAD);
        return;
    }
    counters_add(&counters_lane(guard->counters)->connections_closed, 1);
    if (guarded != NULL) {
        reaper_remove(guard->reaper, &guarded->seat);
        free(guarded);
        *ret_guarded = NULL;
    }
}

void http_guard_read(struct http_guard *guard, struct MHD_Connection *connection)
{
    struct guarded *guarded = guarded_of(connection);

    if (guarded != NULL)
        (void)reaper_set(guard->reaper, &guarded->seat, REAPER_NEVER, READING_ANSWER);
}

bool http_guard_answer(struct http_guard *guard, struct MHD_Connection *connection)
{
    struct guarded *guarded = guarded_of(connection);

    return guarded == NULL || reaper_set(guard->reaper, &guarded->seat,
                                         guard->config->answer_timeout_ms, READING_ANSWER);
}

unsigned http_guard_complete(struct http_guard *guard, struct MHD_Connection *connection)
{
    struct guarded *guarded = guarded_of(connection);

    if (guarded == NULL)
        return 0;
    http_loop_body_ends(&guarded->peer);
    /* The next head may begin when the library's own limit of silence is about to end. */
    if (reaper_set(guard->reaper, &guarded->seat,
                   guard->config->timeout_ms + guard->config->head_timeout_ms, SENDING_HEAD))
        return guarded->problem;
    reaper_wait(guard->reaper);
    return 1 + (unsigned)PROBLEM_UPLOAD_TOO_SLOW;
}

enum MHD_Result http_guard_cut(struct MHD_Connection *connection, const struct problem *problem,
                               const char *id)
{
    last_word_send(
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd, problem,
        id);
    return MHD_NO;
}

/* ---- Life ---- */

/* Often enough that no time is exceeded by much, seldom enough to cost nothing. */
static unsigned tick_of(const struct config *config)
{
    enum { SHORTEST_MS = 20, LONGEST_MS = 500, PARTS = 10 };
    uint64_t least = config->head_timeout_ms;

    if (config->body_timeout_ms < least)
        least = config->body_timeout_ms;
    if (config->answer_timeout_ms < least)
        least = config->answer_timeout_ms;
    least /= PARTS;
    return least < SHORTEST_MS ? SHORTEST_MS : least > LONGEST_MS ? LONGEST_MS : (unsigned)least;
}

struct http_guard *http_guard_create(const struct config *config, struct counters *counters)
{
    struct http_guard *guard = calloc(1, sizeof *guard);

    if (guard == NULL)
        return NULL;
    guard->config = config;
    guard->counters = counters;
    guard->knows_layout = strcmp(MHD_get_version(), "0.9.75") == 0;
    request_ids_init(&guard->ids);
    guard->reaper = reaper_create(tick_of(config), end, guard);
    if (guard->reaper == NULL) {
        free(guard);
        return NULL;
    }
    return guard;
}

void http_guard_destroy(struct http_guard *guard)
{
    reaper_destroy(guard->reaper);
    free(guard);
}
