#include "http_head.h"

#include <string.h>
#include <strings.h>

#include "api/problem.h"
#include "http_chars.h"
#include "http_target.h"

#define FAIL(head, type, ...)                                                                      \
    do {                                                                                           \
        if (!(head)->has_problem)                                                                  \
            problem_init((head)->problem, (type), __VA_ARGS__);                                    \
        (head)->has_problem = true;                                                                \
    } while (0)

/* ---- Headers ---- */

struct name {
    const char *text;
    size_t length;
};

#define NAME(text)                                                                                 \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

static const struct name names[HTTP_HEADERS] = {
    [HTTP_ACCEPT] = NAME("Accept"),
    [HTTP_ACCEPT_ENCODING] = NAME("Accept-Encoding"),
    [HTTP_CONTENT_LENGTH] = NAME("Content-Length"),
    [HTTP_CONTENT_TYPE] = NAME("Content-Type"),
    [HTTP_COOKIE] = NAME("Cookie"),
    [HTTP_EXPECT] = NAME("Expect"),
    [HTTP_HOST] = NAME("Host"),
    [HTTP_IF_NONE_MATCH] = NAME("If-None-Match"),
    [HTTP_ORIGIN] = NAME("Origin"),
    [HTTP_PREFLIGHT_METHOD] = NAME("Access-Control-Request-Method"),
    [HTTP_REQUEST_ID] = NAME("X-Request-Id"),
    [HTTP_TRACEPARENT] = NAME("traceparent"),
    [HTTP_TRANSFER_ENCODING] = NAME("Transfer-Encoding"),
};

/* HTTP_HEADERS when it is none of them. */
static enum http_header find_header(const char *name, size_t length)
{
    unsigned i = 0;

    while (i < HTTP_HEADERS && (names[i].length != length || strcasecmp(names[i].text, name) != 0))
        i++;
    return (enum http_header)i;
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

static void see_host(struct http_head *head, const char *value, size_t length)
{
    head->hosts++;
    if (http_target_host_length(value) != length)
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "The Host header is no host and port.");
}

static void see_coding(struct http_head *head, const char *value, size_t length)
{
    const char *last = value + length;

    head->codings++;
    while (last > value && strchr(", \t", last[-1]) == NULL)
        last--;
    head->is_chunked = strcasecmp(value, "chunked") == 0;
    head->is_chunked_last = is_word(last, length - (size_t)(last - value), "chunked");
}

static void see_expectation(struct http_head *head, const char *value, size_t length)
{
    if (!is_word(value, length, "100-continue"))
        FAIL(head, PROBLEM_EXPECTATION_FAILED, "Only 100-continue may be expected, not \"%.60s\".",
             value);
}

void http_head_begin(struct http_head *head)
{
    head->end = head->version + strlen(head->version) + 2;
}

void http_head_add(struct http_head *head, const char *name, const char *value)
{
    const size_t name_length = http_chars_span(name, HTTP_CHAR_TOKEN);

    if (name_length == 0 || name[name_length] != '\0')
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "\"%.60s\" is not the name of a header.", name);
    head->entries++;
    if (value == NULL)
        value = "";
    const size_t length = http_chars_span(value, HTTP_CHAR_VALUE);
    if (value[length] != '\0')
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "The header %.60s has a control character in it.",
             name);
    /* The library puts a NUL in place of the colon and of each end of a line, and copies a name
     * when it glues a folded line to it. So a line that was folded, has a NUL in it or ends without
     * a CR shows as a gap. */
    if (name != head->end || value <= name + name_length)
        head->has_gap = true;
    head->end = value + length + 2;

    const enum http_header header = find_header(name, name_length);
    if (header == HTTP_HEADERS)
        return;
    if (head->value[header] == NULL)
        head->value[header] = value;
    switch (header) {
    case HTTP_HOST:
        see_host(head, value, trimmed(value, length));
        break;
    case HTTP_EXPECT:
        see_expectation(head, value, trimmed(value, length));
        break;
    case HTTP_COOKIE:
        head->cookies += length;
        break;
    case HTTP_CONTENT_LENGTH:
        head->lengths++;
        break;
    case HTTP_TRANSFER_ENCODING:
        see_coding(head, value, trimmed(value, length));
        break;
    default:
        break;
    }
}

void http_head_add_other(struct http_head *head)
{
    head->entries++;
}

/* ---- The whole ---- */

/* Goes before other problems, as there is no room for the answer to these either. */
static void judge_room(struct http_head *head)
{
    enum { ENTRY = 64 };
    const size_t memory = head->size + head->cookies + (size_t)head->entries * ENTRY;

    if (memory <= HTTP_HEAD_MAX)
        return;
    problem_init(head->problem, PROBLEM_HEAD_TOO_LARGE,
                 "The head of a request may take %d bytes of memory: its own, those of cookies "
                 "again, and %d for each header, cookie and argument of the query.",
                 HTTP_HEAD_MAX, ENTRY);
    head->has_problem = true;
}

/* CR and LF, or the NULs that the library writes over them. It takes any line that begins with NUL
 * for the last one. */
static bool is_empty_line(const char *at)
{
    return (at[0] == '\0' || at[0] == '\r') && (at[1] == '\0' || at[1] == '\n');
}

/* Whether the head lies in memory as it does when each line is whole, ends in CRLF, and is the
 * library's as it was sent: method, target, version, headers and the empty line, with nothing
 * between them. */
static bool lies_well(const struct http_head *head)
{
    const struct http_target *target = head->target;

    return !head->has_gap && target->text == head->method + strlen(head->method) + 1 &&
           head->version == target->text + target->length + 1 &&
           head->end + 2 == head->method + head->size && is_empty_line(head->end);
}

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

static void judge_line(struct http_head *head)
{
    const char *method = head->method;
    const size_t length = http_chars_span(method, HTTP_CHAR_TOKEN);

    if (length == 0 || method[length] != '\0')
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "\"%.40s\" is not the name of a method.", method);
    if (!is_known(method))
        FAIL(head, PROBLEM_NOT_IMPLEMENTED, "No path takes the method %.40s.", method);
    if (head->target->is_too_long)
        FAIL(head, PROBLEM_URI_TOO_LONG,
             "The target of a request may have at most %d bytes, and its query %d arguments.",
             HTTP_TARGET_MAX, HTTP_TARGET_MAX_ARGUMENTS);
    if (head->target->fault != NULL)
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "The target of the request is not valid: %s.",
             head->target->fault);
    if (head->target->text[0] == '*' && strcmp(method, "OPTIONS") != 0)
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "The target * is for OPTIONS only.");
}

/* How the body's end is told. RFC 9112 section 6. */
static void judge_framing(struct http_head *head, bool is_1_0)
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

bool http_head_judge(struct http_head *head)
{
    const bool is_1_0 = strcmp(head->version, "HTTP/1.0") == 0;

    if (head->size != 0 && !lies_well(head))
        FAIL(head, PROBLEM_MALFORMED_REQUEST,
             "A line of the head is folded, ends without CR and LF, or has a NUL or a blank too "
             "many in it.");
    judge_line(head);
    judge_framing(head, is_1_0);
    if (head->hosts > 1 || (head->hosts == 0 && !is_1_0))
        FAIL(head, PROBLEM_MALFORMED_REQUEST, "There must be one Host header, there are %u.",
             head->hosts);
    if (head->size != 0)
        judge_room(head);
    return head->has_problem;
}
