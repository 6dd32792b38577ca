/* Many puzzles in one request, as a client meets them. */
#include <cjson/cJSON.h>

#include "api/problem.h"
#include "api/utf8.h"
#include "client.h"
#include "puzzles.h"
#include "support.h"

#define CLIENT_NDJSON "Content-Type: application/x-ndjson\r\n"

enum { PUZZLES = 500, LINE = 128 };

/* Puzzles of all kinds, in a certain order; every tenth is broken when asked for. */
static struct puzzles *some_puzzles(void)
{
    const char *const files[] = {"17_clue_sample.txt", "multi_solution_sample.txt",
                                 "hardest_sample.txt", "cases.tsv"};
    struct puzzles *all = calloc(1, sizeof *all);

    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        struct puzzles *some = puzzles_load(files[f]);
        for (size_t i = 0; i < some->count && all->count < PUZZLES; i++)
            all->puzzle[all->count++] = some->puzzle[i];
        free(some);
    }
    ck_assert_uint_eq(all->count, PUZZLES);
    return all;
}

/* What the server says to a puzzle alone, in JSON, without the newline. */
static char *ask_alone(const struct server *server, int fd, const struct sudoku_grid *grid)
{
    struct client_reply reply;
    char text[82];
    char body[LINE];

    (void)server;
    sprintf(body, "{\"puzzle\":\"%s\",\"max_solutions\":5}", puzzles_text(grid, text));
    client_send(fd, "POST", "/solve", CLIENT_JSON, body);
    ck_assert(client_read_reply(fd, true, &reply));
    reply.body[strcspn(reply.body, "\n")] = '\0';
    return reply.body;
}

/* Problems name their request, which differs; everything else must be equal. */
static void assert_same_answer(const char *got, const char *expected)
{
    const char *instance = strstr(expected, ",\"instance\"");
    const size_t length = instance == NULL ? strlen(expected) : (size_t)(instance - expected);

    ck_assert_msg(strncmp(got, expected, length) == 0, "%s\nis not\n%s", got, expected);
}

START_TEST(json_and_ndjson_batches_answer_each_puzzle_as_if_it_were_alone)
{
    struct server *server = client_start_server(NULL);
    struct puzzles *puzzles = some_puzzles();
    const int fd = client_connect(server);
    char *json = calloc(PUZZLES + 2, LINE);
    char *ndjson = calloc(PUZZLES + 2, LINE);
    char *json_end = json;
    char *ndjson_end = ndjson;
    struct client_reply reply;
    char text[82];

    json_end += sprintf(json_end, "{\"max_solutions\":5,\"puzzles\":[");
    for (size_t i = 0; i < PUZZLES; i++) {
        puzzles_text(&puzzles->puzzle[i].grid, text);
        json_end += sprintf(json_end, "%s\"%s\"", i == 0 ? "" : " , ", text);
        ndjson_end += sprintf(ndjson_end, "{\"puzzle\":\"%s\",\"max_solutions\":5}\n", text);
    }
    sprintf(json_end, "]}");

    client_send(fd, "POST", "/solve", CLIENT_JSON, json);
    ck_assert(client_read_reply(fd, true, &reply));
    ck_assert_uint_eq(reply.status, 200);
    ck_assert_str_eq(client_header(&reply, "Content-Type"), "application/json");
    cJSON *root = cJSON_ParseWithLength(reply.body, reply.body_length);
    ck_assert_ptr_nonnull(root);
    ck_assert_int_eq(cJSON_GetArraySize(root->child), PUZZLES);
    cJSON_Delete(root);
    const char *at = strchr(reply.body, '[') + 1;

    struct client_reply lines;
    client_send(fd, "POST", "/solve", CLIENT_NDJSON, ndjson);
    ck_assert(client_read_reply(fd, true, &lines));
    ck_assert_str_eq(client_header(&lines, "Content-Type"), "application/x-ndjson");
    const char *line = lines.body;
    for (size_t i = 0; i < PUZZLES; i++) {
        char *expected = ask_alone(server, fd, &puzzles->puzzle[i].grid);
        assert_same_answer(at, expected);
        assert_same_answer(line, expected);
        const char *next = strstr(at + 1, ",{\"status\":");
        const char *problem = strstr(at + 1, ",{\"type\":");
        at = next == NULL || (problem != NULL && problem < next) ? problem : next;
        at = at == NULL ? "" : at + 1;
        line = strchr(line, '\n') + 1;
        free(expected);
    }
    ck_assert_str_eq(line, "");
    client_reply_clear(&lines);
    client_reply_clear(&reply);
    close(fd);
    free(json);
    free(ndjson);
    free(puzzles);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(lines_of_text_are_answered_in_order_and_broken_ones_in_their_place)
{
    struct server *server = client_start_server(NULL);
    struct puzzles *puzzles = some_puzzles();
    const char *const broken[] = {"short", "1", "k", "..."};
    char *body = calloc(PUZZLES + 1, LINE);
    char *end = body;
    char text[82];
    unsigned errors = 0;

    for (size_t i = 0; i < PUZZLES; i++) {
        puzzles_text(&puzzles->puzzle[i].grid, text);
        if (i % 10 == 9)
            memcpy(text + i % 70, broken[i / 10 % 4], strlen(broken[i / 10 % 4]));
        if (i % 40 == 39)
            text[80] = '\0';
        end += sprintf(end, "%s # %zu\n", text, i);
    }
    struct client_reply reply = client_ask(server, "POST", "/solve", "", body);
    ck_assert_uint_eq(reply.status, 200);
    ck_assert_str_eq(client_header(&reply, "Content-Type"), "text/plain; charset=utf-8");
    char *line = reply.body;
    for (size_t i = 0; i < PUZZLES; i++) {
        const struct puzzle *puzzle = &puzzles->puzzle[i];
        char *next = strchr(line, '\n');
        ck_assert_ptr_nonnull(next);
        *next = '\0';
        const bool is_error = strncmp(line, "error\t-\t", 8) == 0;
        errors += is_error;
        if (i % 10 != 9) {
            const char *tab = strrchr(line, '\t');
            ck_assert_msg(is_error == puzzle->is_conflicting, "%zu: %s", i, line);
            if (!is_error && strcmp(tab, "\t-") != 0) {
                const struct sudoku_grid solution = puzzles_grid(tab + 1);
                puzzles_assert_solves(&puzzle->grid, &solution);
            }
        }
        line = next + 1;
    }
    ck_assert_str_eq(line, "");
    ck_assert_uint_gt(errors, PUZZLES / 20);
    client_reply_clear(&reply);
    free(body);
    free(puzzles);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(each_broken_puzzle_of_a_json_batch_is_explained_at_its_place)
{
    const char body[] = "{\"puzzles\":[\"" EMPTY "\",[[1,2],\"x\"],\"12\",5,null,{},\"11" /* then */
                        "0000000000000000000000000000000000000000000000000000000000000000000000000"
                        "000000\",\"" EMPTY "\"]}";
    const char *const types[] = {NULL,
                                 "/problems/invalid-request",
                                 "/problems/invalid-request",
                                 "/problems/invalid-request",
                                 "/problems/invalid-request",
                                 "/problems/invalid-request",
                                 "/problems/conflicting-clues",
                                 NULL};
    struct server *server = client_start_server(NULL);
    struct client_reply reply = client_post_json(server, "/solve", body);
    cJSON *root = cJSON_ParseWithLength(reply.body, reply.body_length);
    size_t i = 0;

    ck_assert_uint_eq(reply.status, 200);
    ck_assert_ptr_nonnull(root);
    for (const cJSON *item = root->child->child; item != NULL; item = item->next, i++) {
        const cJSON *type = cJSON_GetObjectItemCaseSensitive(item, "type");
        const cJSON *errors = cJSON_GetObjectItemCaseSensitive(item, "errors");
        ck_assert_uint_lt(i, 8);
        ck_assert((types[i] == NULL) == (type == NULL));
        if (type != NULL)
            ck_assert_str_eq(cJSON_GetStringValue(type), types[i]);
        if (errors != NULL) {
            char place[16];
            sprintf(place, "/puzzles/%zu", i);
            const cJSON *pointer = cJSON_GetObjectItemCaseSensitive(errors->child, "pointer");
            ck_assert_int_eq(strncmp(cJSON_GetStringValue(pointer), place, strlen(place)), 0);
        }
    }
    ck_assert_uint_eq(i, 8);
    cJSON_Delete(root);
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(puzzles_may_be_written_with_escapes)
{
    struct server *server = client_start_server(NULL);
    struct client_reply reply =
        client_post_json(server, "/validate", "{\"p\\u0075zzle\\u0073\":[\"" EMPTY "\"]}");

    ck_assert_uint_eq(reply.status, 200);
    ck_assert_int_eq(strncmp(reply.body, "{\"results\":[{\"valid\":true,", 25), 0);
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

/* One puzzle that is answered at once, and behind it what takes the one worker until the end: the
 * first answer does not wait for the rest, or the client would wait for ever. */
START_TEST(what_is_answered_is_sent_before_the_rest_is)
{
    char *flags[] = {"--workers=1", "--deadline=60m", "--max-steps=1000000000", "--isa=reference",
                     NULL};
    struct server *server = client_start_server(flags);
    const char first[] = "{\"puzzle\":\"11" /* a clash */
                         "000000000000000000000000000000000000000000000000000000000000000000000000"
                         "0000000\"}\n";
    const char slow[] =
        "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":1000000,\"max_steps\":1000000000}\n";
    char body[4096] = "";
    const int fd = client_connect(server);
    char byte;
    unsigned lines = 0;

    strcat(body, first);
    for (unsigned i = 0; i < 12; i++)
        strcat(body, slow);
    client_send(fd, "POST", "/solve", CLIENT_NDJSON, body);
    while (lines < 1) { /* of NDJSON: each begins with a bracket */
        ck_assert_int_eq(recv(fd, &byte, 1, 0), 1);
        lines += byte == '{';
    }
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Answers of 10 MB a block are made and read in parts. */
START_TEST(long_lists_of_solutions_are_whole_and_in_order)
{
    enum { COUNT = 60, LISTED = 1000 };
    struct server *server = client_start_server(NULL);
    char *body = calloc(COUNT + 2, LINE);
    char *end =
        body + sprintf(body, "{\"max_solutions\":%d,\"solutions\":true,\"puzzles\":[", LISTED);
    size_t found = 0;

    for (unsigned i = 0; i < COUNT; i++)
        end += sprintf(end, "%s\"" EMPTY "\"", i == 0 ? "" : ",");
    sprintf(end, "]}");
    struct client_reply reply = client_post_json(server, "/solve", body);
    cJSON *root = cJSON_ParseWithLength(reply.body, reply.body_length);
    ck_assert_ptr_nonnull(root);
    for (const cJSON *item = root->child->child; item != NULL; item = item->next) {
        const cJSON *solutions = cJSON_GetObjectItemCaseSensitive(item, "solutions");
        ck_assert_int_eq(cJSON_GetArraySize(solutions), LISTED);
        ck_assert_int_eq(strncmp(solutions->child->valuestring, "123456789456789123", 18), 0);
        found++;
    }
    ck_assert_uint_eq(found, COUNT);
    cJSON_Delete(root);
    client_reply_clear(&reply);
    free(body);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(accept_chooses_what_a_batch_is_answered_in)
{
    struct server *server = client_start_server(NULL);
    const char body[] = EMPTY "\n" EMPTY "\n";
    struct client_reply reply =
        client_ask(server, "POST", "/validate", CLIENT_TEXT "Accept: application/json\r\n", body);

    ck_assert_int_eq(strncmp(reply.body, "{\"results\":[{\"valid\":true,", 25), 0);
    client_reply_clear(&reply);
    reply = client_ask(server, "POST", "/validate", CLIENT_TEXT "Accept: application/x-ndjson\r\n",
                       body);
    ck_assert_int_eq(strncmp(reply.body, "{\"valid\":true,", 13), 0);
    client_reply_clear(&reply);
    reply = client_ask(server, "POST", "/validate",
                       CLIENT_NDJSON "Accept: text/plain;q=0.5, image/png\r\n",
                       "{\"puzzle\":\"" EMPTY "\"}\n[]\n");
    ck_assert_int_eq(strncmp(reply.body, "multiple\t2\t-\nerror\t-\t", 21), 0);
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Whoever reads it: a fault at its end is found, and its puzzles are answered. */
START_TEST(a_large_body_is_read_by_a_worker)
{
    enum { MANY = 4000 };
    struct server *server = client_start_server(NULL);
    char *body = calloc(MANY + 2, LINE);
    char *end = body + sprintf(body, "{\"puzzles\":[");
    char offset[32];

    for (unsigned i = 0; i < MANY; i++)
        end += sprintf(end, "%s\"" EMPTY "\"", i == 0 ? "" : ",");
    sprintf(end, "],}");
    struct client_reply reply = client_post_json(server, "/validate", body);
    ck_assert_uint_eq(reply.status, 400);
    sprintf(offset, "\"offset\":%zu}", (size_t)(end + 2 - body));
    ck_assert_msg(strstr(reply.body, offset) != NULL, "%s", reply.body);
    client_reply_clear(&reply);
    sprintf(end, "]}");
    reply = client_post_json(server, "/validate", body);
    ck_assert_uint_eq(reply.status, 200);
    cJSON *root = cJSON_ParseWithLength(reply.body, reply.body_length);
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(root, "results")), MANY);
    cJSON_Delete(root);
    client_reply_clear(&reply);
    free(body);
    /* Both waited for a worker. */
    reply = client_ask(server, "GET", "/metrics", "", NULL);
    ck_assert_ptr_nonnull(strstr(reply.body, "\nsudokud_queue_duration_seconds_count 2\n"));
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Some of the parts that a text is cut into hold no puzzle. */
START_TEST(remarks_however_long_leave_no_comma_without_an_answer)
{
    enum { REMARKS = 700, LENGTH = 64, PARTS = 3 };
    struct server *server = client_start_server(NULL);
    char *body = calloc(1, (REMARKS * LENGTH + LINE) * PARTS + 1);
    char *end = body;

    for (unsigned part = 0; part < PARTS; part++) {
        for (unsigned i = 0; i < REMARKS; i++)
            end += sprintf(end, "%s\n", i % 2 ? "# nothing but a remark" : "---------+---------");
        end += sprintf(end, EMPTY "\n");
    }
    struct client_reply reply =
        client_ask(server, "POST", "/solve", CLIENT_TEXT "Accept: application/json\r\n", body);
    ck_assert_uint_eq(reply.status, 200);
    cJSON *root = cJSON_ParseWithLength(reply.body, reply.body_length);
    ck_assert_ptr_nonnull(root);
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(root, "results")), PARTS);
    cJSON_Delete(root);
    client_reply_clear(&reply);
    free(body);
    server_stop(server, NULL, NULL);
}
END_TEST

/* What the client named goes into the answer, but must not end its line. */
START_TEST(a_broken_puzzle_takes_one_line_of_text_whatever_is_in_it)
{
    struct server *server = client_start_server(NULL);
    struct client_reply reply =
        client_ask(server, "POST", "/solve", CLIENT_NDJSON "Accept: text/plain\r\n",
                   "{\"a\\nb\\tc\\rd\":1,\"puzzle\":\"" EMPTY "\"}\n{\"puzzle\":\"" EMPTY "\"}\n");

    ck_assert_uint_eq(reply.status, 200);
    ck_assert_int_eq(strncmp(reply.body, "error\t-\t/a b c d is not known here; ", 36), 0);
    ck_assert_int_eq(strncmp(strchr(reply.body, '\n') + 1, "multiple\t2\t123456789", 20), 0);
    client_reply_clear(&reply);

    /* A name is cut where the room for it ends, which may be in the middle of a character. */
    char name[2 + 2 * PROBLEM_MAX_POINTER] = "";
    for (unsigned shift = 0; shift < 2; shift++) {
        struct buffer body = {0};
        buffer_put_text(&body, "{\"");
        memset(name, 'a', shift);
        for (size_t i = shift; i + 2 < sizeof name; i += 2)
            memcpy(name + i, "\xC3\xA9", 3);
        buffer_put_text(&body, name);
        buffer_put_text(&body, "\":1}");
        buffer_put(&body, "", 1);
        reply =
            client_ask(server, "POST", "/solve", CLIENT_NDJSON "Accept: text/plain\r\n", body.data);
        ck_assert_uint_eq(reply.status, 200);
        ck_assert_int_eq(strncmp(reply.body, "error\t-\t/", 9), 0);
        for (const char *at = reply.body; *at != '\0'; at += utf8_length(at, strlen(at)))
            ck_assert_msg(utf8_length(at, strlen(at)) > 0, "not UTF-8: %s", reply.body);
        ck_assert_ptr_nonnull(strstr(reply.body, " is not known here; "));
        client_reply_clear(&reply);
        buffer_clear(&body);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

/* A line has no room for a list of faults, and the text of /validate none for a list of clashes. */
START_TEST(a_line_of_text_tells_the_first_fault_and_how_many_there_are)
{
    static const struct {
        const char *path, *type, *body, *answer;
    } rows[] = {
        {"/solve", CLIENT_JSON, "{\"puzzles\":[[[77,88,99],[],[],[],[],[],[],[],[]]]}",
         "error\t-\t/puzzles/0/0/0 must be a whole number 0 to 9 or null, is 77; one of 12 "
         "faults.\n"},
        {"/validate", CLIENT_TEXT, BROKEN "\n" EMPTY "\n",
         "error\t-\tThe first row has the value 5 twice; one of 3 conflicts.\n"},
        {"/validate", CLIENT_TEXT, BROKEN,
         "error\t-\tThe first row has the value 5 twice; one of 3 conflicts.\n"},
    };
    struct server *server = client_start_server(NULL);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char headers[128];
        snprintf(headers, sizeof headers, "%sAccept: text/plain\r\n", rows[i].type);
        struct client_reply reply = client_ask(server, "POST", rows[i].path, headers, rows[i].body);
        ck_assert_uint_eq(reply.status, 200);
        ck_assert_msg(strncmp(reply.body, rows[i].answer, strlen(rows[i].answer)) == 0, "%s",
                      reply.body);
        client_reply_clear(&reply);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_batch_of_no_puzzles_is_refused_with_the_place)
{
    static const struct {
        const char *type, *body, *place;
    } rows[] = {
        {CLIENT_JSON, "{\"puzzles\":[]}", "\"pointer\":\"/puzzles\""},
        {CLIENT_NDJSON, " \n\n", "\"pointer\":\"\""},
    };
    struct server *server = client_start_server(NULL);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct client_reply reply =
            client_ask(server, "POST", "/solve", rows[i].type, rows[i].body);
        ck_assert_uint_eq(reply.status, 422);
        ck_assert_msg(strstr(reply.body, rows[i].place) != NULL, "%s", reply.body);
        client_reply_clear(&reply);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(more_puzzles_than_allowed_are_refused)
{
    char *flags[] = {"--max-batch=2", NULL};
    struct server *server = client_start_server(flags);
    struct client_reply reply =
        client_ask(server, "POST", "/solve", CLIENT_TEXT, EMPTY "\n" EMPTY "\n" EMPTY "\n");

    ck_assert_uint_eq(reply.status, 413);
    ck_assert_ptr_nonnull(strstr(reply.body, "at most 2 puzzles"));
    client_reply_clear(&reply);
    ck_assert_uint_eq(client_status(server, "POST", "/solve", CLIENT_TEXT, EMPTY "\n" EMPTY "\n"),
                      200);
    server_stop(server, NULL, NULL);
}
END_TEST

/* A batch that would take hours. */
static char *endless_batch(void)
{
    char *body = calloc(PUZZLES + 2, LINE);
    char *end = body + sprintf(body, "{\"max_solutions\":1000000,\"max_steps\":1000000000,"
                                     "\"puzzles\":[\"" EMPTY "\"");

    for (unsigned i = 1; i < PUZZLES; i++)
        end += sprintf(end, ",\"" EMPTY "\"");
    sprintf(end, "]}");
    return body;
}

/* One worker: while the batch has it, another batch gets its turn; and when the client leaves, the
 * work ends, or the stop would wait for hours. */
START_TEST(a_batch_lets_others_in_and_ends_when_its_client_leaves)
{
    char *flags[] = {"--workers=1", "--deadline=60m", "--max-steps=1000000000", NULL};
    struct server *server = client_start_server(flags);
    char *body = endless_batch();
    const int fd = client_connect(server);

    client_send(fd, "POST", "/solve", CLIENT_JSON, body);
    struct client_reply reply =
        client_ask(server, "POST", "/solve", CLIENT_TEXT, EMPTY "\n" EMPTY "\n");
    ck_assert_uint_eq(reply.status, 200);
    ck_assert_int_eq(strncmp(reply.body, "multiple\t2\t123456789", 20), 0);
    client_reply_clear(&reply);
    close(fd);
    free(body);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_puzzle_past_its_deadline_is_a_problem_in_its_place)
{
    char *flags[] = {"--deadline=50ms", "--isa=reference", "--max-steps=1000000000", NULL};
    struct server *server = client_start_server(flags);
    struct client_reply reply = client_post_json(
        server, "/solve",
        "{\"max_solutions\":1000000,\"max_steps\":1000000000,\"puzzles\":[\"" EMPTY "\",[]]}");

    ck_assert_uint_eq(reply.status, 200);
    ck_assert_ptr_nonnull(
        strstr(reply.body, "{\"results\":[{\"type\":\"/problems/deadline-exceeded\""));
    ck_assert_ptr_nonnull(strstr(reply.body, "},{\"type\":\"/problems/invalid-request\""));
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

static bool give_up(unsigned ms, void *context)
{
    (void)context;
    usleep(ms * 1000);
    return true;
}

START_TEST(a_hurried_stop_cuts_a_batch_so_that_the_client_can_tell)
{
    char *flags[] = {"--deadline=60m", "--max-steps=1000000000", NULL};
    struct server *server = client_start_server(flags);
    char *body = endless_batch();
    const int fd = client_connect(server);
    struct client_reply reply;

    client_send(fd, "POST", "/solve", CLIENT_JSON, body);
    reply = client_ask(server, "GET", "/livez", "", NULL);
    client_reply_clear(&reply);
    server_stop(server, give_up, NULL);
    ck_assert(!client_read_reply(fd, true, &reply));
    close(fd);
    free(body);
}
END_TEST

START_TEST(a_client_that_does_not_read_holds_up_nobody_else)
{
    struct server *server = client_start_server(NULL);
    const int small = 4096;
    char *body = calloc(20000, LINE);
    char *end = body;

    for (unsigned i = 0; i < 20000; i++)
        end += sprintf(end, "%.81s\n", EMPTY);
    const int fd = client_connect(server);
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    client_send(fd, "POST", "/validate", CLIENT_TEXT, body);
    for (unsigned i = 0; i < 20; i++) {
        struct client_reply reply =
            client_ask(server, "POST", "/validate", CLIENT_TEXT, EMPTY "\n" EMPTY "\n");
        ck_assert_str_eq(reply.body, "multiple\t2\t-\nmultiple\t2\t-\n");
        client_reply_clear(&reply);
    }
    close(fd);
    free(body);
    server_stop(server, NULL, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        json_and_ndjson_batches_answer_each_puzzle_as_if_it_were_alone,
        lines_of_text_are_answered_in_order_and_broken_ones_in_their_place,
        each_broken_puzzle_of_a_json_batch_is_explained_at_its_place,
        puzzles_may_be_written_with_escapes,
        what_is_answered_is_sent_before_the_rest_is,
        long_lists_of_solutions_are_whole_and_in_order,
        accept_chooses_what_a_batch_is_answered_in,
        a_large_body_is_read_by_a_worker,
        remarks_however_long_leave_no_comma_without_an_answer,
        a_broken_puzzle_takes_one_line_of_text_whatever_is_in_it,
        a_line_of_text_tells_the_first_fault_and_how_many_there_are,
        a_batch_of_no_puzzles_is_refused_with_the_place,
        more_puzzles_than_allowed_are_refused,
        a_batch_lets_others_in_and_ends_when_its_client_leaves,
        a_puzzle_past_its_deadline_is_a_problem_in_its_place,
        a_hurried_stop_cuts_a_batch_so_that_the_client_can_tell,
        a_client_that_does_not_read_holds_up_nobody_else,
    };

    return puzzles_run_suite("batch", tests, sizeof tests / sizeof tests[0]);
}
