/* What is told of a request when it has ended: counters, and a line in the access log. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "config.h"
#include "counters.h"
#include "http_request.h"

/* ---- Counters ---- */

static void count_cancelled(const struct http_request *request, bool is_whole)
{
    static const enum metrics_reason reasons[] = {
        [HTTP_CLIENT_LEFT] = METRICS_CLIENT_LEFT,
        [HTTP_DEADLINE_PASSED] = METRICS_DEADLINE,
        [HTTP_HURRIED] = METRICS_SHUTDOWN,
    };
    struct counters *counters = request->http->counters;

    if (request->interruption != HTTP_NOT_INTERRUPTED)
        counters_add(
            &counters_lane(counters)->cancelled[METRICS_SINGLE][reasons[request->interruption]], 1);
    if (request->is_batch && !is_whole)
        counters_add(&counters_lane(counters)
                          ->cancelled[METRICS_BATCH][atomic_load(&request->http->is_hurried)
                                                         ? METRICS_SHUTDOWN
                                                         : METRICS_CLIENT_LEFT],
                     1);
}

static const char *path_of(const struct http_request *request)
{
    return request->call.route != NULL ? request->call.route->path : request->path;
}

static void count(const struct http_request *request, uint64_t took_us, bool is_whole)
{
    const struct api_call *call = &request->call;
    const bool is_solved = !request->is_batch && tally_puzzles(&call->tally) > 0;
    const struct counters_request counted = {
        .path = path_of(request),
        .method = request->method,
        .status = call->reply.status,
        .problem = call->reply.problem,
        .is_solved = is_solved,
        .is_queued =
            request->is_submitted && call->reply.problem != 1 + (unsigned)PROBLEM_OVERLOADED,
        .took_us = took_us,
        .worked_us = request->worked_us,
        .queued_us = request->queued_us,
        .received = request->received,
        .sent = request->sent,
        .tally = &call->tally,
    };

    counters_add_request(request->http->counters, &counted);
    if (request->interruption != HTTP_NOT_INTERRUPTED || (request->is_batch && !is_whole))
        count_cancelled(request, is_whole);
}

/* ---- The access log ---- */

/* The address of the other end, without its port. */
static const char *client_of(struct MHD_Connection *connection, char ret[INET6_ADDRSTRLEN])
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {0};

    ret[0] = '\0';
    if (info == NULL || info->client_addr == NULL)
        return ret;
    memcpy(&address.any, info->client_addr, sizeof address.any);
    if (address.any.sa_family == AF_INET) {
        memcpy(&address.v4, info->client_addr, sizeof address.v4);
        (void)inet_ntop(AF_INET, &address.v4.sin_addr, ret, INET6_ADDRSTRLEN);
    } else if (address.any.sa_family == AF_INET6) {
        memcpy(&address.v6, info->client_addr, sizeof address.v6);
        (void)inet_ntop(AF_INET6, &address.v6.sin6_addr, ret, INET6_ADDRSTRLEN);
    }
    /* What a socket for both families makes of an IPv4 address. */
    return strncmp(ret, "::ffff:", 7) == 0 && strchr(ret, '.') != NULL ? ret + 7 : ret;
}

/* The trace and the caller's span in it; see trace_take for what a traceparent looks like. */
static const char *put_trace(const char *trace, char *ret, size_t size)
{
    ret[0] = '\0';
    if (trace[0] != '\0')
        snprintf(ret, size, ",\"trace_id\":\"%.32s\",\"parent_id\":\"%.16s\"", trace + 3,
                 trace + 36);
    return ret;
}

/* The longest end of a text that takes so many bytes when it is escaped. */
static const char *end_of(const char *text, size_t size)
{
    const char *at = text + strlen(text);

    while (at > text) {
        const size_t needed = at[-1] == '"' || at[-1] == '\\' ? 2 : 1;
        if (needed > size)
            break;
        size -= needed;
        at--;
    }
    return at;
}

/* What a proxy in front says of the client, the end of it when there is too much. */
static const char *put_forwarded(struct MHD_Connection *connection, char *ret, size_t size)
{
    enum { MOST = 126 };
    const char *forwarded = http_forwarded(connection);
    char escaped[MOST + 2]; /* what log_escape needs for it */

    ret[0] = '\0';
    if (forwarded != NULL)
        snprintf(ret, size, ",\"forwarded_for\":\"%s\"",
                 log_escape(end_of(forwarded, MOST), escaped, sizeof escaped));
    return ret;
}

/* What came of its puzzles. */
static const char *put_outcome(const struct http_request *request, char *ret, size_t size)
{
    const struct api_call *call = &request->call;
    const uint64_t puzzles = tally_puzzles(&call->tally);

    ret[0] = '\0';
    if (puzzles > 0)
        snprintf(ret, size, ",\"puzzles\":%llu,\"steps\":%llu", (unsigned long long)puzzles,
                 (unsigned long long)call->tally.steps);
    else if (call->reply.problem != 0)
        snprintf(ret, size, ",\"problem\":\"%s\"",
                 problem_name((enum problem_type)(call->reply.problem - 1)));
    return ret;
}

/* 501 is not: a client gets it for a method that no server has, as often as it likes. */
static bool is_at_fault(unsigned status)
{
    return status >= 500 && status != 501;
}

/* Whether this one is among those that are logged. Where the server is at fault, it is. */
static bool is_sampled(const struct http_request *request)
{
    struct http *http = request->http;
    const uint64_t sample = http->config->access_log_sample;

    if (!http->config->access_log)
        return false;
    return is_at_fault(request->call.reply.status) || sample <= 1 ||
           atomic_fetch_add_explicit(&http->sampled, 1, memory_order_relaxed) % sample == 0;
}

static void log_access(const struct http_request *request, uint64_t took_us, bool is_whole)
{
    const unsigned status = request->call.reply.status;
    char client[INET6_ADDRSTRLEN];
    char method[32];
    char path[128];
    char trace[96];
    char forwarded[160];
    char outcome[96];

    log_event(is_at_fault(status) ? LOG_WARNING : LOG_INFO, "request",
              ",\"id\":\"%s\"%s,\"client\":\"%s\"%s,\"method\":\"%s\",\"path\":\"%s\","
              "\"route\":\"%s\",\"status\":%u%s,\"received\":%llu,\"sent\":%llu,"
              "\"duration_us\":%llu,\"queue_us\":%llu,\"solve_us\":%llu%s",
              request->id, put_trace(request->trace, trace, sizeof trace),
              client_of(request->connection, client),
              put_forwarded(request->connection, forwarded, sizeof forwarded),
              log_escape(request->method, method, sizeof method),
              log_escape(request->path, path, sizeof path),
              metrics_place_name(metrics_place(path_of(request))), status,
              put_outcome(request, outcome, sizeof outcome), (unsigned long long)request->received,
              (unsigned long long)request->sent, (unsigned long long)took_us,
              (unsigned long long)request->queued_us, (unsigned long long)request->worked_us,
              is_whole ? "" : ",\"aborted\":true");
}

void http_done(struct http_request *request, bool is_whole)
{
    const uint64_t now_us = clock_now_us();
    const uint64_t took_us = now_us - request->began_us;

    /* A batch is worked on to the end of its answer. */
    if (request->is_batch)
        request->worked_us = now_us - request->whole_us;
    count(request, took_us, is_whole);
    if (is_sampled(request))
        log_access(request, took_us, is_whole);
}
