/* Heads that could be read in two ways. Each is taken apart in memory as version 0.9.75 of the
 * library does it, and judged. */
#include "server/http_head.h"

#include "api/problem.h"
#include "puzzles.h"
#include "server/http_target.h"

enum { GOOD = PROBLEM_TYPE_COUNT };

/* Ends a text at a character in it; returns what is behind. */
static char *cut(char *text, char at)
{
    char *end = strchr(text, at);

    ck_assert_ptr_nonnull(end);
    *end = '\0';
    return end + 1;
}

/* Ends a line at CR LF or LF; returns the next one. */
static char *cut_line(char *line)
{
    char *next = cut(line, '\n');

    if (next - 2 >= line && next[-2] == '\r')
        next[-2] = '\0';
    return next;
}

/* The verdict on a head in which each | stands for a NUL. `known`: it may be looked at how it lies
 * in memory. */
static int judge(const char *text, bool known, struct problem *ret)
{
    char *copy = strdup(text);
    ck_assert_ptr_nonnull(copy);
    const size_t size = strlen(copy);
    char *uri = cut(copy, ' ');
    char *version = cut(uri, ' ');
    char *line = cut_line(version);
    struct http_target target;

    http_target_read(uri, &target);
    struct http_head head = {.method = copy,
                             .target = &target,
                             .version = version,
                             .size = known ? size : 0,
                             .problem = ret};
    http_head_begin(&head);
    while (*line != '\r' && *line != '\n') {
        char *next = cut_line(line);
        char *value = cut(line, ':');
        value += strspn(value, " \t");
        for (char *c = line; c < next; c++)
            *c = (char)(*c == '|' ? '\0' : *c);
        http_head_add(&head, line, value);
        line = next;
    }
    const int verdict = http_head_judge(&head) ? (int)ret->type : GOOD;
    free(copy);
    return verdict;
}

struct row {
    const char *head;
    int verdict;
    const char *detail; /* begins with this */
};

static void check_rows(const struct row *rows, size_t count, bool known)
{
    for (size_t i = 0; i < count; i++) {
        struct problem problem = {.detail = ""};
        const int verdict = judge(rows[i].head, known, &problem);
        ck_assert_msg(verdict == rows[i].verdict, "%s gives %d: %s", rows[i].head, verdict,
                      problem.detail);
        const char *detail = rows[i].detail == NULL ? "" : rows[i].detail;
        ck_assert_msg(strncmp(problem.detail, detail, strlen(detail)) == 0, "%s: %s", rows[i].head,
                      problem.detail);
    }
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof(rows)[0], true)

#define GET(headers)  "GET / HTTP/1.1\r\n" headers "\r\n"
#define POST(headers) "POST / HTTP/1.1\r\nHost: x\r\n" headers "\r\n"
#define BAD           PROBLEM_MALFORMED_REQUEST

START_TEST(plain_heads_are_good)
{
    static const struct row rows[] = {
        {GET("Host: x\r\n"), GOOD, NULL},
        {GET("host:x\r\n"), GOOD, NULL},
        {GET("Host: example.org:8080 \t\r\nAccept: */*\r\nX-Empty:\r\n"), GOOD, NULL},
        {"GET / HTTP/1.0\r\n\r\n", GOOD, NULL},
        {"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", GOOD, NULL},
        {"GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", GOOD, NULL},
        {POST("Content-Length: 5\r\n"), GOOD, NULL},
        {POST("Transfer-Encoding: Chunked\r\n"), GOOD, NULL},
        {POST("Expect: 100-Continue\r\nContent-Length: 5\r\n"), GOOD, NULL},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(the_first_line_is_judged)
{
    static const struct row rows[] = {
        {"G@T / HTTP/1.1\r\nHost: x\r\n\r\n", BAD, "\"G@T\" is not the name of a method."},
        {"get / HTTP/1.1\r\nHost: x\r\n\r\n", PROBLEM_NOT_IMPLEMENTED, "No path takes"},
        {"TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", PROBLEM_NOT_IMPLEMENTED, "No path takes"},
        {"GET * HTTP/1.1\r\nHost: x\r\n\r\n", BAD, "The target * is for OPTIONS only."},
        {"GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", BAD, "The target of the request is not valid"},
        {"GET /?&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&& HTTP/1.1\r\n"
         "Host: x\r\n\r\n",
         PROBLEM_URI_TOO_LONG, "The target of a request may have at most 8000 bytes"},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(there_is_one_host)
{
    static const struct row rows[] = {
        {GET("Accept: */*\r\n"), BAD, "There must be one Host header, there are 0."},
        {GET("Host: x\r\nHost: x\r\n"), BAD, "There must be one Host header, there are 2."},
        {"GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n", BAD, "There must be one Host header"},
        {GET("Host: a,b\r\n"), BAD, "The Host header is no host and port."},
        {GET("Host: a b\r\n"), BAD, "The Host header is no host and port."},
        {GET("Host: a/b\r\n"), BAD, "The Host header is no host and port."},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(names_and_values_have_their_characters_only)
{
    static const struct row rows[] = {
        {GET("Host : x\r\n"), BAD, "\"Host \" is not the name of a header."},
        {GET(": x\r\nHost: x\r\n"), BAD, "\"\" is not the name of a header."},
        {GET("A(b): x\r\nHost: x\r\n"), BAD, "\"A(b)\" is not the name of a header."},
        {GET("A: x\x01\r\nHost: x\r\n"), BAD, "The header A has a control character in it."},
        {GET("A: x\ry\r\nHost: x\r\n"), BAD, "The header A has a control character in it."},
        {GET("A: x\x7f\r\nHost: x\r\n"), BAD, "The header A has a control character in it."},
        {GET("A: caf\xc3\xa9\tx\r\nHost: x\r\n"), GOOD, NULL},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(the_end_of_the_body_is_told_in_one_way)
{
    static const struct row rows[] = {
        {POST("Content-Length: 5\r\nContent-Length: 5\r\n"), BAD, "There are 2 Content-Length"},
        {POST("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), BAD, "There are both"},
        {POST("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), BAD,
         "There are 2 Transfer-Encoding headers."},
        {POST("Transfer-Encoding: gzip, chunked\r\n"), PROBLEM_NOT_IMPLEMENTED,
         "The only Transfer-Encoding taken is chunked alone."},
        {POST("Transfer-Encoding: chunked \r\n"), PROBLEM_NOT_IMPLEMENTED, "The only"},
        {POST("Transfer-Encoding: chunked, gzip\r\n"), BAD, "The last Transfer-Encoding is not"},
        {POST("Transfer-Encoding: xchunked\r\n"), BAD, "The last Transfer-Encoding is not"},
        {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", BAD,
         "HTTP/1.0 has no Transfer-Encoding."},
        {POST("Expect: 200-ok\r\n"), PROBLEM_EXPECTATION_FAILED,
         "Only 100-continue may be expected, not \"200-ok\"."},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(the_first_problem_is_the_one_that_is_told)
{
    static const struct row rows[] = {
        {"get /%00 HTTP/1.1\r\nHost: a,b\r\nA : x\r\n\r\n", BAD, "The Host header is no"},
        {"get /%00 HTTP/1.1\r\n\r\n", PROBLEM_NOT_IMPLEMENTED, "No path takes the method get."},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(gaps_between_lines_are_seen_where_the_memory_is_known)
{
    static const char gap[] = "A line of the head is folded, ends without CR and LF,";
    static const struct row rows[] = {
        {GET("Host: x\nA: b\r\n"), BAD, gap},
        {GET("Host: x\r\nA: b\n"), BAD, gap},
        {"GET / HTTP/1.1\nHost: x\r\n\r\n", BAD, gap},
        {"GET / HTTP/1.1\r\nHost: x\r\n\n", BAD, gap},
        {GET("Host: x|y\r\n"), BAD, gap},
        {GET("Host: x\r\nA: b|c\r\nB: d\r\n"), BAD, gap},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(where_it_is_not_known_they_are_not_looked_for)
{
    static const struct row rows[] = {
        {GET("Host: x\nA: b\r\n"), GOOD, NULL},
        {GET("Host: x|y\r\n"), GOOD, NULL},
        {GET("A: b\n"), BAD, "There must be one Host header"},
    };

    check_rows(rows, sizeof rows / sizeof rows[0], false);
}
END_TEST

START_TEST(a_header_without_a_value_has_an_empty_one)
{
    const struct http_target target = {.text = "/", .length = 1};
    struct problem problem;
    struct http_head head = {
        .method = "GET", .target = &target, .version = "HTTP/1.0", .problem = &problem};

    http_head_begin(&head);
    http_head_add(&head, "A", NULL);
    ck_assert(!http_head_judge(&head));
}
END_TEST

START_TEST(a_name_that_was_glued_together_elsewhere_is_seen)
{
    char memory[] = "GET\0/\0HTTP/1.1\0\nHost\0 x\0\nA\0 b\0\n\r\n";
    char elsewhere[] = "A folded";
    struct http_target target;
    struct problem problem;

    http_target_read(memory + 4, &target);
    for (int is_folded = 0; is_folded < 2; is_folded++) {
        struct http_head head = {.method = memory,
                                 .target = &target,
                                 .version = memory + 6,
                                 .size = sizeof memory - 1,
                                 .problem = &problem};
        http_head_begin(&head);
        http_head_add(&head, memory + 16, memory + 22);
        if (is_folded)
            elsewhere[1] = '\0';
        http_head_add(&head, is_folded ? elsewhere : memory + 25, memory + 28);
        ck_assert_int_eq(http_head_judge(&head), is_folded);
    }
}
END_TEST

/* A head of one header with a value of some length. */
static int judge_long(const char *name, size_t value, bool known, struct problem *ret)
{
    char text[HTTP_HEAD_MEMORY];

    sprintf(text, "GET / HTTP/1.1\r\nHost: x\r\n%s: %0*d\r\n\r\n", name, (int)value, 0);
    return judge(text, known, ret);
}

START_TEST(a_head_leaves_room_for_its_answer)
{
    enum { REST = 16 + 9 + 5 + 2 + 2 * 64, COOKIE = 16 + 9 + 10 + 2 + 2 * 64 };
    const size_t most = HTTP_HEAD_MAX - REST;
    const size_t most_of_cookie = (HTTP_HEAD_MAX - COOKIE) / 2;
    struct problem problem;

    ck_assert_int_eq(judge_long("A", most, true, &problem), GOOD);
    ck_assert_int_eq(judge_long("A", most + 1, true, &problem), PROBLEM_HEAD_TOO_LARGE);
    ck_assert_ptr_nonnull(strstr(problem.detail, "may take 11008 bytes of memory"));
    ck_assert_int_eq(judge_long("A", most + 1, false, &problem), GOOD);
    ck_assert_int_eq(judge_long("cookie", most_of_cookie, true, &problem), GOOD);
    ck_assert_int_eq(judge_long("cookie", most_of_cookie + 1, true, &problem),
                     PROBLEM_HEAD_TOO_LARGE);
    /* Before others, which there is no room to tell. */
    ck_assert_int_eq(judge_long("A ", most, true, &problem), PROBLEM_HEAD_TOO_LARGE);
}
END_TEST

START_TEST(what_is_listed_beside_headers_takes_room_too)
{
    static char text[] = "GET\0/\0HTTP/1.0\0\n\r\n";
    struct http_target target;
    struct problem problem;

    http_target_read(text + 4, &target);
    for (unsigned others = 171; others <= 172; others++) {
        struct http_head head = {.method = text,
                                 .target = &target,
                                 .version = text + 6,
                                 .size = sizeof text - 1,
                                 .problem = &problem};
        http_head_begin(&head);
        for (unsigned i = 0; i < others; i++)
            http_head_add_other(&head);
        ck_assert_int_eq(http_head_judge(&head), others == 172);
    }
    ck_assert_int_eq(problem.type, PROBLEM_HEAD_TOO_LARGE);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        plain_heads_are_good,
        the_first_line_is_judged,
        there_is_one_host,
        names_and_values_have_their_characters_only,
        the_end_of_the_body_is_told_in_one_way,
        the_first_problem_is_the_one_that_is_told,
        gaps_between_lines_are_seen_where_the_memory_is_known,
        where_it_is_not_known_they_are_not_looked_for,
        a_header_without_a_value_has_an_empty_one,
        a_name_that_was_glued_together_elsewhere_is_seen,
        a_head_leaves_room_for_its_answer,
        what_is_listed_beside_headers_takes_room_too,
    };

    return puzzles_run_suite("http_head", tests, sizeof tests / sizeof tests[0]);
}
