/* Answers that share the memory of others before them (http_responses.h): each has its own headers
 * and bytes, whatever was sent before, and by whom. */
#include "client.h"
#include "suite.h"

#define EASY "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
#define MANY "530070000600195000098000060800060003400803001700020006060000280000000000000000000"

/* One kind of request, and what its answer must have. */
struct kind {
    const char *method;
    const char *path;
    const char *body; /* NULL: none */
    unsigned status;
    const char *header; /* a line of the head, or part of one; NULL: none */
    const char *says;   /* in the body */
    const char *lacks;  /* what only others have in their heads */
};

static const struct kind kinds[] = {
    {"POST", "/solve", "{\"puzzle\":\"" EASY "\"}", 200, "Sudoku-Status: unique\r\n", "\"unique\"",
     "\nETag:"},
    {"POST", "/solve", "{\"puzzle\":\"" MANY "\",\"max_solutions\":7}", 200,
     "Sudoku-Solution-Count: 7\r\n", "\"solution_count\":7", "\nETag:"},
    {"POST", "/solve", "{\"puzzle\":\"" MANY "\",\"max_solutions\":12}", 200,
     "Sudoku-Solution-Count: 12\r\n", "\"solution_count\":12", "\nETag:"},
    {"POST", "/solve", "{\"puzzle\":5}", 422, "application/problem+json\r\n", "invalid",
     "\nSudoku-"},
    {"POST", "/solve", "{", 400, "no-store\r\n", "malformed", "\nSudoku-"},
    {"POST", "/validate", "{\"puzzle\":\"" EASY "\"}", 200, "Sudoku-Status: unique\r\n",
     "\"valid\":true", "\nSudoku-Solution-Is-First"},
    {"GET", "/solve?puzzle=" EASY, NULL, 200, "ETag: \"", "\"unique\"", "no-store"},
    {"GET", "/solve?puzzle=" MANY, NULL, 200, "Sudoku-Status: multiple\r\n", "\"multiple\"",
     "Status: unique"},
    {"HEAD", "/solve?puzzle=" MANY, NULL, 200, "Sudoku-Status: multiple\r\n", "", "Status: unique"},
    {"GET", "/livez", NULL, 200, "no-store\r\n", "", "\nServer-Timing"},
    {"GET", "/nowhere", NULL, 404, "no-store\r\n", "no /nowhere", "\nServer-Timing"},
    {"GET", "/openapi.yaml", NULL, 200, "yaml", "openapi: 3.1", "\nServer-Timing"},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

/* Sends a request with an id of its own, of this length. */
static void ask(int fd, const struct kind *kind, unsigned number, unsigned length)
{
    char headers[160];

    snprintf(headers, sizeof headers, CLIENT_JSON "X-Request-Id: %0*u\r\n", (int)length, number);
    client_send(fd, kind->method, kind->path, headers, kind->body);
}

static void expect(int fd, const struct kind *kind, unsigned number, unsigned length)
{
    struct client_reply reply;
    char id[160];

    ck_assert(client_read_reply(fd, strcmp(kind->method, "HEAD") != 0, &reply));
    snprintf(id, sizeof id, "X-Request-Id: %0*u\r\n", (int)length, number);
    ck_assert_msg(reply.status == kind->status, "%s", reply.head);
    ck_assert_msg(strstr(reply.head, id) != NULL, "wanted %s, got %s", id, reply.head);
    ck_assert_msg(strstr(reply.head, kind->header) != NULL, "%s", reply.head);
    ck_assert_msg(strstr(reply.head, kind->lacks) == NULL, "%s", reply.head);
    ck_assert_msg(reply.body == NULL || strstr(reply.body, kind->says) != NULL, "%s", reply.body);
    ck_assert_uint_eq(count_of(reply.head, "\r\nX-Request-Id: "), 1);
    ck_assert_uint_eq(count_of(reply.head, "\r\nDate: "), 1);
    ck_assert_uint_le(count_of(reply.head, "\r\nServer-Timing: "), 1);
    ck_assert_uint_le(count_of(reply.head, "\r\nETag: "), 1);
    ck_assert_uint_eq(count_of(reply.head, "\r\nContent-Length: "), 1);
    client_reply_clear(&reply);
}

START_TEST(each_answer_has_its_own_headers)
{
    enum { REQUESTS = 3000, CONNECTIONS = 5 };
    char *flags[] = {"--threads=1", NULL};
    struct server *server = client_start_server(flags);
    int fds[CONNECTIONS];

    srandom(7);
    for (size_t i = 0; i < CONNECTIONS; i++)
        fds[i] = client_connect(server);
    for (unsigned number = 1; number <= REQUESTS; number++) {
        const struct kind *kind = &kinds[random() % KINDS];
        const int fd = fds[random() % CONNECTIONS];
        const unsigned length = 4 + (unsigned)random() % 60;
        ask(fd, kind, number, length);
        expect(fd, kind, number, length);
    }
    for (size_t i = 0; i < CONNECTIONS; i++)
        close(fds[i]);
    server_stop(server, NULL, NULL);
}
END_TEST

/* The answer of one that leaves in its middle is free for the next one too. */
START_TEST(answers_that_are_broken_off_do_no_harm)
{
    enum { ROUNDS = 300 };
    char *flags[] = {"--threads=1", NULL};
    struct server *server = client_start_server(flags);
    const int stays = client_connect(server);

    for (unsigned number = 1; number <= ROUNDS; number++) {
        const struct kind *kind = &kinds[number % KINDS];
        const struct linger at_once = {.l_onoff = 1};
        const int leaves = client_connect(server);
        ck_assert_int_eq(setsockopt(leaves, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
        for (unsigned i = 0; i < 3; i++)
            ask(leaves, kind, 9000000 + number, 16);
        close(leaves);
        ask(stays, kind, number, 16);
        expect(stays, kind, number, 16);
    }
    close(stays);
    server_stop(server, NULL, NULL);
}
END_TEST

/* One date, also where the server closes the connection, whose header the library keeps first. */
START_TEST(answers_that_close_have_one_date)
{
    struct server *server = client_start_server(NULL);

    for (unsigned i = 0; i < 5; i++) {
        const int fd = client_connect(server);
        struct client_reply reply;
        client_send(fd, "POST", "/solve", CLIENT_TEXT "Transfer-Encoding: chunked\r\n", NULL);
        client_send_bytes(
            fd, i % 2 == 0 ? "51\r\n" EASY "\r\n0\r\n\r\n" : "52\r\n" EASY "\n\r\n0\r\n\r\n",
            i % 2 == 0 ? 92 : 93);
        ck_assert(client_read_reply(fd, true, &reply));
        ck_assert_uint_eq(reply.status, 200);
        ck_assert_uint_eq(count_of(reply.head, "\r\nDate: "), 1);
        ck_assert_uint_eq(count_of(reply.head, "\r\nConnection: close"), 1);
        client_reply_clear(&reply);
        close(fd);
        if (i == 2)
            server_drain(server);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("replies", &tests);

    tcase_add_test(tests, each_answer_has_its_own_headers);
    tcase_add_test(tests, answers_that_are_broken_off_do_no_harm);
    tcase_add_test(tests, answers_that_close_have_one_date);
    return run_suite(suite);
}
