#include "http_guard.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "api/api.h"
#include "config.h"
#include "counters.h"
#include "last_word.h"
#include "reaper.h"
#include "request_id.h"

/* RFC 9112 asks for 8,000 bytes of target. Each argument of a query takes memory of the connection;
 * when that ends in the middle of a query, the library neither answers nor closes. */
enum { MAX_URI = 8000, MAX_ARGUMENTS = 64 };

/* What a client is doing, for the reaper. */
enum doing {
    SENDING_FIRST_HEAD, /* or nothing yet */
    SENDING_HEAD,
    SENDING_BODY,
    READING_ANSWER,
};

/* What a character may be part of: RFC 9110 section 5.6.2, RFC 3986. */
enum kind {
    TOKEN = 1,  /* a name or a method */
    VALUE = 2,  /* a header's value */
    TARGET = 4, /* the target of a request, but for what a % needs behind it */
    HOST = 8, /* a host name or an IPv4 address. Without the comma: two hosts may be joined by it */
    HEX = 16, /* a hexadecimal number */
};

struct http_guard {
    const struct config *config;
    struct counters *counters;
    struct reaper *reaper;
    struct request_ids ids; /* for heads that never became a request */
    bool knows_layout;      /* the library is the one whose ways with a head in memory are known */
    uint8_t kinds[256];     /* of each character */
};

/* A connection. Only its own thread uses it; for `fd` and `id` see end(). */
struct guarded {
    struct reaper_seat seat;
    int fd;
    const char *id; /* of the request whose body is being read */

    /* Of the present request. */
    const char *uri; /* as it was sent; the library decodes it in place */
    size_t uri_length;
    const char *uri_fault; /* NULL: none */
    bool is_uri_too_long;
    size_t origin_length; /* of a scheme and a host before the path */
};

static struct guarded *guarded_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void set_kinds(struct http_guard *guard)
{
    for (unsigned c = 1; c < 256; c++) {
        const bool is_digit = c >= '0' && c <= '9';
        const bool is_letter = (c | 0x20U) >= 'a' && (c | 0x20U) <= 'z';
        unsigned kind = 0;

        if (is_digit || is_letter || strchr("!#$%&'*+-.^_`|~", (int)c) != NULL)
            kind |= TOKEN;
        if (is_digit || is_letter || strchr("-._~%!$&'()*+;=", (int)c) != NULL)
            kind |= HOST;
        if (is_digit || ((c | 0x20U) >= 'a' && (c | 0x20U) <= 'f'))
            kind |= HEX;
        if (c > ' ' && c != 0x7f && c != '#')
            kind |= TARGET;
        if (c == '\t' || (c >= ' ' && c != 0x7f))
            kind |= VALUE;
        guard->kinds[c] = (uint8_t)kind;
    }
}

/* How many characters of this kind a text begins with. */
static size_t span(const struct http_guard *guard, const char *text, enum kind kind)
{
    size_t length = 0;

    while ((guard->kinds[(unsigned char)text[length]] & kind) != 0)
        length++;
    return length;
}

/* How many bytes of a value are left without the blanks at its end. */
static size_t trimmed(const char *value, size_t length)
{
    while (length > 0 && (value[length - 1] == ' ' || value[length - 1] == '\t'))
        length--;
    return length;
}

/* Whether a text of some length is a word, in lower or upper case. */
static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

/* ---- The target ---- */

/* The length of the host and port that a text begins with; 0 for none, or one that is not valid. */
static size_t host_length(const struct http_guard *guard, const char *text)
{
    size_t length = 0;

    if (text[0] == '[') {
        const size_t inside = strspn(text + 1, "0123456789abcdefABCDEFv.:");
        if (inside < 2 || text[1 + inside] != ']')
            return 0;
        length = inside + 2;
    } else {
        length = span(guard, text, HOST);
    }
    if (length > 0 && text[length] == ':')
        length += 1 + strspn(text + length + 1, "0123456789");
    return length;
}

/* The length of what an absolute target has before its path, 0 when it is not valid. */
static size_t origin_length(const struct http_guard *guard, const char *uri)
{
    size_t length = 0;

    if (strncasecmp(uri, "http://", 7) == 0)
        length = 7;
    else if (strncasecmp(uri, "https://", 8) == 0)
        length = 8;
    else
        return 0;
    const size_t host = host_length(guard, uri + length);
    /* An escape in the host would move what is behind it once it is decoded. */
    if (host == 0 || memchr(uri + length, '%', host) != NULL)
        return 0;
    length += host;
    return uri[length] == '/' || uri[length] == '?' || uri[length] == '\0' ? length : 0;
}

/* What is wrong with the characters of a target, NULL when nothing is. */
static const char *find_uri_fault(const struct http_guard *guard, const char *uri)
{
    const char *end = uri + span(guard, uri, TARGET);

    for (const char *at = uri; (at = memchr(at, '%', (size_t)(end - at))) != NULL; at++) {
        if (span(guard, at + 1, HEX) < 2)
            return "a % in it has no two hexadecimal digits behind it";
        if (at[1] == '0' && at[2] == '0')
            return "it has a NUL in it";
    }
    return *end == '\0'  ? NULL
           : *end == '#' ? "it has a # in it"
                         : "it has a blank or a control character in it";
}

/* How many arguments a target has. */
static unsigned count_arguments(const char *uri)
{
    unsigned count = 0;

    for (const char *at = strchr(uri, '?'); at != NULL; at = strchr(at + 1, '&'))
        count++;
    return count;
}

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
    guarded->uri = uri;
    guarded->uri_length = strlen(uri);
    guarded->uri_fault = find_uri_fault(guard, uri);
    guarded->origin_length = uri[0] == '/' ? 0 : origin_length(guard, uri);
    if (guarded->uri_fault == NULL && uri[0] != '/' && guarded->origin_length == 0 &&
        strcmp(uri, "*") != 0)
        guarded->uri_fault = "it is neither a path nor an http or https address";
    guarded->is_uri_too_long =
        guarded->uri_length > MAX_URI || count_arguments(uri) > MAX_ARGUMENTS;
    if (guarded->is_uri_too_long)
        cut_query(uri);
    (void)reaper_shorten(guard->reaper, &guarded->seat, guard->config->head_timeout_ms,
                         SENDING_HEAD);
    return NULL;
}

/* ---- The headers ---- */

/* What the headers of a request are found to be. */
struct head {
    const struct http_guard *guard;
    struct problem *problem; /* the first one */
    bool has_problem;
    const char *end;    /* of the line before: where the next one must begin */
    bool is_contiguous; /* each line began there */
    unsigned hosts;
    unsigned lengths;
    unsigned codings;
    bool is_chunked;      /* exactly, the way the library reads it */
    bool is_chunked_last; /* after other codings */
};

#define FAIL(head, type, ...)                                                                      \
    do {                                                                                           \
        if (!(head)->has_problem)                                                                  \
            problem_init((head)->problem, (type), __VA_ARGS__);                                    \
        (head)->has_problem = true;                                                                \
    } while (0)

static void see_host(struct head *head, const char *value, size_t length)
{
    head->hosts++;
    if (host_length(head->guard, value) != length)
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "The Host header is no host and port.");
}

static void see_coding(struct head *head, const char *value, size_t length)
{
    const char *last = value + length;

    head->codings++;
    while (last > value && strchr(", \t", last[-1]) == NULL)
        last--;
    head->is_chunked = strcasecmp(value, "chunked") == 0;
    head->is_chunked_last = is_word(last, length - (size_t)(last - value), "chunked");
}

static void see_expectation(struct head *head, const char *value, size_t length)
{
    if (!is_word(value, length, "100-continue"))
        FAIL(head, PROBLEM_EXPECTATION_FAILED, "Only 100-continue may be expected, not \"%.60s\".",
             value);
}

static enum MHD_Result see_header(void *context, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    struct head *head = context;
    const size_t name_length = span(head->guard, name, TOKEN);

    (void)kind;
    if (name_length == 0 || name[name_length] != '\0')
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "\"%.60s\" is not the name of a header.", name);
    if (value == NULL)
        value = "";
    const size_t length = span(head->guard, value, VALUE);
    if (value[length] != '\0')
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "The header %.60s has a control character in it.",
             name);
    /* The library puts a NUL in place of the colon and of each end of a line, and copies a name
     * when it glues a folded line to it. So a line that was folded, has a NUL in it or ends without
     * a CR shows as a gap. */
    if (name != head->end || value <= name + name_length)
        head->is_contiguous = false;
    head->end = value + length + 2;

    const size_t inside = trimmed(value, length);
    switch (name_length) {
    case sizeof "Host" - 1:
        if (strcasecmp(name, "Host") == 0)
            see_host(head, value, inside);
        break;
    case sizeof "Expect" - 1:
        if (strcasecmp(name, "Expect") == 0)
            see_expectation(head, value, inside);
        break;
    case sizeof "Content-Length" - 1:
        if (strcasecmp(name, "Content-Length") == 0)
            head->lengths++;
        break;
    case sizeof "Transfer-Encoding" - 1:
        if (strcasecmp(name, "Transfer-Encoding") == 0)
            see_coding(head, value, inside);
        break;
    default:
        break;
    }
    return MHD_YES;
}

/* How the body's end is told. RFC 9112 section 6. */
static void judge_framing(struct head *head, bool is_1_0)
{
    if (head->lengths > 1)
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "There are %u Content-Length headers.",
             head->lengths);
    if (head->codings == 0)
        return;
    if (head->lengths > 0)
        FAIL(head, PROBLEM_MALFORMED_REQUEST,
             "There are both a Content-Length and a Transfer-Encoding header.");
    if (head->codings > 1)
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "There are %u Transfer-Encoding headers.",
             head->codings);
    if (is_1_0)
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "HTTP/1.0 has no Transfer-Encoding.");
    if (head->is_chunked)
        return;
    if (head->is_chunked_last)
        FAIL(head, PROBLEM_NOT_IMPLEMENTED, "The only Transfer-Encoding taken is chunked alone.");
    FAIL(head, PROBLEM_MALFORMED_REQUEST, "The last Transfer-Encoding is not chunked.");
}

/* ---- The request line ---- */

/* Methods that some path may take or not; the others no path does. */
static bool is_known(const char *method)
{
    static const char *const known[] = {"GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(method, known[i]) == 0)
            return true;
    }
    return false;
}

static void judge_line(struct head *head, const struct guarded *guarded, const char *method)
{
    const size_t length = span(head->guard, method, TOKEN);

    if (length == 0 || method[length] != '\0')
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "\"%.40s\" is not the name of a method.", method);
    if (!is_known(method))
        FAIL(head, PROBLEM_NOT_IMPLEMENTED, "No path takes the method %.40s.", method);
    if (guarded->is_uri_too_long)
        FAIL(head, PROBLEM_URI_TOO_LONG,
             "The target of a request may have at most %d bytes, and its query %d arguments.",
             MAX_URI, MAX_ARGUMENTS);
    if (guarded->uri_fault != NULL)
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "The target of the request is not valid: %s.",
             guarded->uri_fault);
    if (guarded->uri[0] == '*' && strcmp(method, "OPTIONS") != 0)
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "The target * is for OPTIONS only.");
}

/* Whether the head lies in memory as it does when each line is whole, ends in CRLF, and is the
 * library's as it was sent: method, target, version, headers and the empty line, with nothing
 * between them. */
static bool lies_well(const struct head *head, const struct guarded *guarded,
                      struct MHD_Connection *connection, const char *method, const char *version)
{
    const union MHD_ConnectionInfo *size =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);

    if (!head->guard->knows_layout || size == NULL)
        return true;
    return head->is_contiguous && guarded->uri == method + strlen(method) + 1 &&
           version == guarded->uri + guarded->uri_length + 1 &&
           head->end + 2 == method + size->header_size;
}

static bool find_problem(struct http_guard *guard, struct guarded *guarded,
                         struct MHD_Connection *connection, const char *method, const char *version,
                         struct problem *problem, bool *ret_closes)
{
    struct head head = {.guard = guard,
                        .problem = problem,
                        .end = version + strlen(version) + 2,
                        .is_contiguous = true};
    const bool is_1_0 = strcmp(version, "HTTP/1.0") == 0;

    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, see_header, &head);
    if (!lies_well(&head, guarded, connection, method, version))
        FAIL(&head, PROBLEM_MALFORMED_REQUEST,
             "A line of the head is folded, ends without CR and LF, or has a NUL or a blank too "
             "many in it.");
    judge_line(&head, guarded, method);
    judge_framing(&head, is_1_0);
    if (head.hosts > 1 || (head.hosts == 0 && !is_1_0))
        FAIL(&head, PROBLEM_MALFORMED_REQUEST, "There must be one Host header, there are %u.",
             head.hosts);
    /* The library takes chunks that others do not, so what is behind them may be no request. */
    *ret_closes = head.codings > 0;
    return head.has_problem;
}

/* OPTIONS *: whether the server is there, and what it takes anywhere. */
static void answer_options(struct api_call *call)
{
    char allow[64] = "OPTIONS";
    size_t length = strlen(allow);
    const struct api_route *route;

    for (size_t i = 0; (route = api_route_at(i)) != NULL; i++) {
        if (strstr(allow, route->method) == NULL && length < sizeof allow - 16)
            length +=
                (size_t)snprintf(allow + length, sizeof allow - length, ", %s",
                                 strcmp(route->method, "GET") == 0 ? "GET, HEAD" : route->method);
    }
    call->reply.status = 204;
    api_call_add_made_header(call, "Allow", allow);
}

enum http_guard_verdict http_guard_judge(struct http_guard *guard,
                                         struct MHD_Connection *connection, const char *method,
                                         const char *version, const char **path,
                                         struct api_call *call, bool *ret_closes)
{
    struct guarded *guarded = guarded_of(connection);
    struct problem problem;

    if (guarded == NULL) {
        api_call_refuse_with(call, PROBLEM_OUT_OF_MEMORY, "No memory for the connection.");
        return HTTP_GUARD_ANSWERED;
    }
    guarded->id = call->id;
    if (!reaper_set(guard->reaper, &guarded->seat, guard->config->body_timeout_ms, SENDING_BODY))
        return HTTP_GUARD_ENDED;
    if (find_problem(guard, guarded, connection, method, version, &problem, ret_closes)) {
        api_call_refuse(call, &problem);
        return HTTP_GUARD_ANSWERED;
    }
    *path += guarded->origin_length;
    if ((*path)[0] == '\0')
        *path = strcmp(method, "OPTIONS") == 0 ? "*" : "/";
    if ((*path)[0] != '*')
        return HTTP_GUARD_PASSES;
    answer_options(call);
    return HTTP_GUARD_ANSWERED;
}

/* ---- Time ---- */

/* A connection that the client opened and has not used: there is nothing to answer. */
static bool is_unused(const struct guarded *guarded)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof info;

    return getsockopt(guarded->fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
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
    struct guarded *guarded = (struct guarded *)(void *)seat;
    struct problem problem;
    char id[REQUEST_ID_MAX];

    counters_add(&counters_lane(guard->counters)->slow_clients[phases[tag]], 1);
    if (tag == READING_ANSWER || (tag == SENDING_FIRST_HEAD && is_unused(guarded))) {
        (void)shutdown(guarded->fd, SHUT_RDWR);
        return;
    }
    const bool is_body = tag == SENDING_BODY;
    problem_init(&problem, PROBLEM_UPLOAD_TOO_SLOW,
                 "The %s of a request must be here within %llu ms.", is_body ? "body" : "head",
                 (unsigned long long)(is_body ? guard->config->body_timeout_ms
                                              : guard->config->head_timeout_ms));
    if (!is_body)
        request_id_take(&guard->ids, NULL, id);
    last_word_send(guarded->fd, &problem, is_body ? guarded->id : id);
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
        guarded->fd =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        guarded->uri = "";
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
    /* The next head may begin when the library's own limit of silence is about to end. */
    if (reaper_set(guard->reaper, &guarded->seat,
                   guard->config->timeout_ms + guard->config->head_timeout_ms, SENDING_HEAD))
        return 0;
    reaper_wait(guard->reaper);
    return problem_status(PROBLEM_UPLOAD_TOO_SLOW);
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
    set_kinds(guard);
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
