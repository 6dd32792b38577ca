/* JSONTestSuite over HTTP: each file is a body by itself, and the value of a member that nobody
 * asked for beside a valid puzzle. What is no JSON is 400, what is JSON is 422: none is a puzzle,
 * and no such member is known. */
#include "client.h"
#include "json_suite.h"
#include "support.h"

#define BEFORE "{\"puzzle\":\"" EASY "\",\"extra\":"
#define BEHIND "}"

/* All go over one connection, so each answer must leave it in order for the next request. */
struct talk {
    int fd;
    const struct suite_decisions *decisions;
};

/* Posts a body that may hold NULs, in parts. */
static struct client_reply post(int fd, const struct suite_text *before,
                                const struct suite_text *text, const struct suite_text *behind)
{
    struct client_reply reply;
    char head[256];
    const int length =
        snprintf(head, sizeof head,
                 "POST /solve HTTP/1.1\r\nHost: test\r\n" CLIENT_JSON "Content-Length: %zu\r\n\r\n",
                 before->length + text->length + behind->length);

    client_send_bytes(fd, head, (size_t)length);
    client_send_bytes(fd, before->bytes, before->length);
    client_send_bytes(fd, text->bytes, text->length);
    client_send_bytes(fd, behind->bytes, behind->length);
    ck_assert(client_read_reply(fd, true, &reply));
    return reply;
}

static struct client_reply post_alone(int fd, const struct suite_text *text)
{
    const struct suite_text nothing = {NULL, 0};

    return post(fd, &nothing, text, &nothing);
}

static struct client_reply post_as_member(int fd, const struct suite_text *text)
{
    char before[] = BEFORE;
    char behind[] = BEHIND;

    return post(fd, &(struct suite_text){before, sizeof before - 1}, text,
                &(struct suite_text){behind, sizeof behind - 1});
}

/* Wants a status and some words, and clears the reply. */
static void expect(struct client_reply *reply, const char *name, unsigned status, const char *words)
{
    ck_assert_msg(reply->status == status, "%s: wanted %u, got %u: %s", name, status, reply->status,
                  reply->body);
    ck_assert_str_eq(client_header(reply, "Content-Type"), "application/problem+json");
    ck_assert_msg(strstr(reply->body, words) != NULL, "%s: no \"%s\" in %s", name, words,
                  reply->body);
    client_reply_clear(reply);
}

/* Sends all files whose names begin with the prefix to a server; gives their number. */
static unsigned send_all(const char *prefix, suite_visit *visit,
                         const struct suite_decisions *decisions)
{
    struct server *server = client_start_server(NULL);
    struct talk talk = {.fd = client_connect(server), .decisions = decisions};
    const unsigned count = suite_for_each(prefix, visit, &talk);

    close(talk.fd);
    server_stop(server, NULL, NULL);
    return count;
}

static void must_be_refused(const char *name, const struct suite_text *text, void *context)
{
    const struct talk *talk = context;
    struct client_reply alone = post_alone(talk->fd, text);
    struct client_reply as_member = post_as_member(talk->fd, text);

    expect(&alone, name, 400, "/problems/malformed-json");
    expect(&as_member, name, 400, "/problems/malformed-json");
}

START_TEST(all_188_texts_that_are_no_json_are_400)
{
    ck_assert_uint_eq(send_all("n_", must_be_refused, NULL), 188);
}
END_TEST

/* A name or string with an escaped NUL is refused for itself, before the members are looked at. */
static void must_be_understood(const char *name, const struct suite_text *text, void *context)
{
    const struct talk *talk = context;
    struct client_reply alone = post_alone(talk->fd, text);
    struct client_reply as_member = post_as_member(talk->fd, text);
    const bool has_nul = strcmp(name, "y_object_escaped_null_in_key.json") == 0 ||
                         strcmp(name, "y_string_null_escape.json") == 0;

    expect(&alone, name, 422, has_nul ? "an escaped NUL" : "/problems/invalid-request");
    expect(&as_member, name, 422, has_nul ? "an escaped NUL" : "/extra is not known here");
}

START_TEST(all_95_texts_that_are_json_are_understood_and_422)
{
    ck_assert_uint_eq(send_all("y_", must_be_understood, NULL), 95);
}
END_TEST

static void must_be_decided(const char *name, const struct suite_text *text, void *context)
{
    const struct talk *talk = context;
    const struct suite_decision *decision = suite_decision_of(talk->decisions, name);
    struct client_reply alone = post_alone(talk->fd, text);
    struct client_reply as_member = post_as_member(talk->fd, text);
    const bool is_json = decision->alone == 422;

    expect(&alone, name, decision->alone, is_json ? "/problems/invalid-request" : decision->why);
    expect(&as_member, name, decision->as_member,
           is_json ? "/extra is not known here" : "/problems/malformed-json");
}

START_TEST(what_the_standard_leaves_open_is_answered_as_decided)
{
    struct suite_decisions decisions;

    suite_load_decisions(&decisions);
    ck_assert_uint_eq(send_all("i_", must_be_decided, &decisions), decisions.count);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("json_suite", &tests);

    tcase_add_test(tests, all_188_texts_that_are_no_json_are_400);
    tcase_add_test(tests, all_95_texts_that_are_json_are_understood_and_422);
    tcase_add_test(tests, what_the_standard_leaves_open_is_answered_as_decided);
    return run_suite(suite);
}
