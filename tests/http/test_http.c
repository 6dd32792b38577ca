/* The service as a client meets it. */
#include <cjson/cJSON.h>

#include "client.h"
#include "puzzles.h"
#include "support.h"

/* Takes seconds on any machine: there are more grids than can be counted. */
static const char slow_request[] =
    "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":1000000,\"max_steps\":10000000}";

static cJSON *parse(const struct client_reply *reply)
{
    cJSON *json = cJSON_ParseWithLength(reply->body, reply->body_length);

    ck_assert_msg(json != NULL, "not JSON: %s", reply->body);
    return json;
}

static const char *text_of(const cJSON *json, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, name));

    ck_assert_msg(text != NULL, "no %s", name);
    return text;
}

static double number_of(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);

    ck_assert_msg(cJSON_IsNumber(item), "no %s", name);
    return item->valuedouble;
}

static bool is_true(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);

    ck_assert_msg(cJSON_IsBool(item), "no %s", name);
    return cJSON_IsTrue(item);
}

START_TEST(a_puzzle_in_a_string_is_answered_in_a_string)
{
    struct server *server = client_start_server(NULL);
    struct client_reply reply = client_post_json(server, "/solve", "{\"puzzle\":\"" EASY "\"}");

    ck_assert_uint_eq(reply.status, 200);
    ck_assert_str_eq(client_header(&reply, "Content-Type"), "application/json");
    ck_assert_str_eq(reply.body, "{\"status\":\"unique\",\"solution\":\"" EASY_SOLVED
                                 "\",\"solution_is_first\":true,\"solution_count\":1,\"count_"
                                 "exact\":true,\"budget_exhausted\":false,\"steps\":0}\n");
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

/* A grid as nine JSON arrays. */
static void put_array(const char *digits, bool with_null, char *ret)
{
    ret += sprintf(ret, "[");
    for (unsigned cell = 0; cell < 81; cell++) {
        ret += sprintf(ret, "%s", cell % 9 == 0 ? (cell == 0 ? "[" : ",[") : ",");
        if (digits[cell] == '0' && with_null)
            ret += sprintf(ret, "null");
        else
            ret += sprintf(ret, "%c", digits[cell]);
        ret += sprintf(ret, "%s", cell % 9 == 8 ? "]" : "");
    }
    sprintf(ret, "]");
}

START_TEST(an_array_is_answered_in_an_array_bare_or_in_an_object_with_0_or_null)
{
    struct server *server = client_start_server(NULL);
    char solved[1024];
    char expected[1200];

    put_array(EASY_SOLVED, false, solved);
    sprintf(expected, "\"solution\":%s,", solved);
    for (unsigned i = 0; i < 4; i++) {
        char array[1024];
        char body[1200];
        put_array(EASY, i / 2 == 1, array);
        sprintf(body, i % 2 == 0 ? "%s" : "{\"puzzle\":%s}", array);
        struct client_reply reply = client_post_json(server, "/solve", body);
        ck_assert_uint_eq(reply.status, 200);
        ck_assert_msg(strstr(reply.body, expected) != NULL, "%s", reply.body);
        client_reply_clear(&reply);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(all_known_cases_are_answered_right)
{
    struct server *server = client_start_server(NULL);
    struct puzzles *cases = puzzles_load("cases.tsv");
    const int fd = client_connect(server);

    for (size_t i = 0; i < cases->count; i++) {
        const struct puzzle *puzzle = &cases->puzzle[i];
        char text[82];
        char body[256];
        struct client_reply reply;
        sprintf(body, "{\"puzzle\":\"%s\",\"max_solutions\":1001,\"max_steps\":10000000}",
                puzzles_text(&puzzle->grid, text));
        client_send(fd, "POST", "/solve", CLIENT_JSON, body);
        ck_assert(client_read_reply(fd, true, &reply));
        cJSON *json = parse(&reply);
        if (puzzle->is_conflicting) {
            ck_assert_uint_eq(reply.status, 422);
            ck_assert_str_eq(text_of(json, "type"), "/problems/conflicting-clues");
        } else {
            ck_assert_uint_eq(reply.status, 200);
            ck_assert_str_eq(text_of(json, "status"), puzzle->solutions == 0   ? "none"
                                                      : puzzle->solutions == 1 ? "unique"
                                                                               : "multiple");
            ck_assert_uint_eq((unsigned)number_of(json, "solution_count"), puzzle->solutions);
            ck_assert(is_true(json, "count_exact") == (puzzle->solutions < 1001));
        }
        if (!puzzle->is_conflicting && puzzle->solutions > 0) {
            const struct sudoku_grid solution = puzzles_grid(text_of(json, "solution"));
            puzzles_assert_solves(&puzzle->grid, &solution);
            ck_assert(is_true(json, "solution_is_first"));
        }
        cJSON_Delete(json);
        client_reply_clear(&reply);
    }
    close(fd);
    free(cases);
    server_stop(server, NULL, NULL);
}
END_TEST

/* The two inputs that break most answers to BOJ 2580, in its layout. */
START_TEST(spaced_text_is_answered_with_exactly_nine_spaced_lines)
{
    const struct {
        const char *puzzle, *answer, *status;
    } rows[] = {
        {"0 0 0 0 4 3 0 0 0\n0 0 0 0 0 0 1 0 0\n0 0 0 0 5 0 0 0 0\n"
         "0 8 0 7 0 0 0 2 0\n0 6 0 0 0 0 0 0 3\n0 0 0 0 0 0 0 4 0\n"
         "0 0 5 8 0 0 6 0 0\n4 0 0 1 0 0 0 0 0\n3 0 0 0 0 0 5 0 0\n",
         "6 7 1 9 4 3 2 5 8\n5 4 2 6 8 7 1 3 9\n8 3 9 2 5 1 4 6 7\n"
         "1 8 3 7 6 4 9 2 5\n9 6 4 5 2 8 7 1 3\n2 5 7 3 1 9 8 4 6\n"
         "7 1 5 8 3 2 6 9 4\n4 9 6 1 7 5 3 8 2\n3 2 8 4 9 6 5 7 1\n",
         "unique"},
        {"0 0 0 0 0 0 0 0 0\n7 8 2 1 3 5 6 4 9\n4 6 9 2 7 8 1 3 5\n"
         "3 2 1 5 4 6 8 9 7\n0 0 0 0 0 0 0 0 0\n5 9 6 8 2 7 4 1 3\n"
         "9 1 7 6 5 2 3 8 4\n6 4 3 7 8 1 9 5 2\n0 0 0 0 0 0 0 0 0\n",
         "1 3 5 4 6 9 2 7 8\n7 8 2 1 3 5 6 4 9\n4 6 9 2 7 8 1 3 5\n"
         "3 2 1 5 4 6 8 9 7\n8 7 4 9 1 3 5 2 6\n5 9 6 8 2 7 4 1 3\n"
         "9 1 7 6 5 2 3 8 4\n6 4 3 7 8 1 9 5 2\n2 5 8 3 9 4 7 6 1\n",
         "multiple"},
    };
    struct server *server = client_start_server(NULL);

    for (size_t i = 0; i < 2; i++) {
        struct client_reply reply =
            client_ask(server, "POST", "/solve", CLIENT_TEXT, rows[i].puzzle);
        ck_assert_uint_eq(reply.status, 200);
        ck_assert_str_eq(client_header(&reply, "Content-Type"), "text/plain; charset=utf-8");
        ck_assert_str_eq(client_header(&reply, "Sudoku-Status"), rows[i].status);
        ck_assert_str_eq(client_header(&reply, "Sudoku-Solution-Is-First"), "true");
        ck_assert_str_eq(reply.body, rows[i].answer);
        client_reply_clear(&reply);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(text_is_answered_in_the_layout_it_came_in)
{
    struct server *server = client_start_server(NULL);
    char rows[128];
    char solved_rows[128];

    for (unsigned row = 0; row < 9; row++) {
        sprintf(rows + row * 10, "%.9s\n", &EASY[row * 9]);
        sprintf(solved_rows + row * 10, "%.9s\n", &EASY_SOLVED[row * 9]);
    }
    struct client_reply reply = client_ask(server, "POST", "/solve", CLIENT_TEXT, rows);
    ck_assert_str_eq(reply.body, solved_rows);
    ck_assert_str_eq(client_header(&reply, "Sudoku-Solution-Count"), "1");
    client_reply_clear(&reply);

    reply = client_ask(server, "POST", "/solve", CLIENT_TEXT, EASY);
    ck_assert_str_eq(reply.body, EASY_SOLVED "\n");
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(text_without_a_solution_is_answered_with_one_word)
{
    char *flags[] = {"--default-steps=1", NULL};
    struct server *server = client_start_server(flags);
    struct puzzles *sample = puzzles_load("hardest_sample.txt");
    char text[82];
    /* The first cell must be 1, which its column has already. */
    const char none[] = "023456789000000000000000000100000000"
                        "000000000000000000000000000000000000000000000";
    struct client_reply reply = client_ask(server, "POST", "/solve", CLIENT_TEXT, none);

    ck_assert_str_eq(reply.body, "none\n");
    ck_assert_str_eq(client_header(&reply, "Sudoku-Status"), "none");
    ck_assert_str_eq(client_header(&reply, "Sudoku-Solution-Count"), "0");
    client_reply_clear(&reply);

    reply = client_ask(server, "POST", "/solve", CLIENT_TEXT,
                       puzzles_text(&sample->puzzle[0].grid, text));
    ck_assert_str_eq(reply.body, "undetermined\n");
    client_reply_clear(&reply);
    free(sample);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(the_empty_grid_has_a_thousand_first_solutions_in_order)
{
    struct server *server = client_start_server(NULL);
    struct client_reply reply = client_post_json(
        server, "/solve", "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":1000,\"solutions\":true}");
    cJSON *json = parse(&reply);
    const cJSON *solutions = cJSON_GetObjectItemCaseSensitive(json, "solutions");
    const char *last = "";

    ck_assert_uint_eq(reply.status, 200);
    ck_assert_str_eq(text_of(json, "status"), "multiple");
    ck_assert_int_eq(strncmp(text_of(json, "solution"), "123456789456789123789123456", 27), 0);
    ck_assert_int_eq(cJSON_GetArraySize(solutions), 1000);
    ck_assert_str_eq(cJSON_GetStringValue(solutions->child), text_of(json, "solution"));
    for (const cJSON *item = solutions->child; item != NULL; item = item->next) {
        ck_assert_int_lt(strcmp(last, cJSON_GetStringValue(item)), 0);
        last = cJSON_GetStringValue(item);
    }
    cJSON_Delete(json);
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(validate_tells_conflicts_apart_from_proper_puzzles)
{
    const struct {
        const char *puzzle, *answer;
    } rows[] = {
        {EASY, "{\"valid\":true,\"complete\":false,\"solved\":false,\"clues\":30,"
               "\"status\":\"unique\",\"solution_count\":1,\"count_exact\":true,"
               "\"budget_exhausted\":false,\"steps\":0,\"conflicts\":[]}\n"},
        {EASY_SOLVED, "{\"valid\":true,\"complete\":true,\"solved\":true,\"clues\":81,"
                      "\"status\":\"unique\",\"solution_count\":1,\"count_exact\":true,"
                      "\"budget_exhausted\":false,\"steps\":0,\"conflicts\":[]}\n"},
        {"500050000" /* the example of the contract */
         "000000000000000000000000000000000000000000000000000000000000000000000000",
         "{\"valid\":false,\"complete\":false,\"solved\":false,\"clues\":2,"
         "\"status\":\"none\",\"solution_count\":0,\"count_exact\":true,"
         "\"budget_exhausted\":false,\"steps\":0,\"conflicts\":[{\"unit\":\"row\",\"index\":0,"
         "\"value\":5,\"cells\":[[0,0],[0,4]]}]}\n"},
    };
    struct server *server = client_start_server(NULL);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[128];
        sprintf(body, "{\"puzzle\":\"%s\"}", rows[i].puzzle);
        struct client_reply reply = client_post_json(server, "/validate", body);
        ck_assert_uint_eq(reply.status, 200);
        ck_assert_str_eq(reply.body, rows[i].answer);
        client_reply_clear(&reply);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(every_kind_of_bad_request_gets_its_status_and_says_what_is_wrong)
{
    const struct {
        const char *method, *path, *headers, *body;
        unsigned status;
        const char *type, *says;
    } rows[] = {
        {"POST", "/solve", CLIENT_JSON, "", 400, "malformed-json", "column 1"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":", 400, "malformed-json", "column 11"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":[01]}", 400, "malformed-json", "column 12"},
        {"POST", "/solve", CLIENT_JSON, "{'puzzle':1}", 400, "malformed-json", "column 2"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":1} x", 400, "malformed-json", "column 14"},
        {"POST", "/solve", CLIENT_JSON, "\xef\xbb\xbf{}", 400, "malformed-json", "column 1"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"\xff\"}", 400, "malformed-json", "12"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" EASY "\",\"puzzle\":\"" EASY "\"}", 400,
         "malformed-json", "twice"},
        {"POST", "/solve", CLIENT_JSON, "null", 422, "invalid-request", "is null"},
        {"POST", "/solve", CLIENT_JSON, "{}", 422, "invalid-request", "/puzzle is missing"},
        {"POST", "/solve", CLIENT_JSON, "[]", 422, "invalid-request", "has 0"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" EASY "\",\"max_step\":5}", 422,
         "invalid-request", "/max_step is not known"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" EASY "\",\"max_steps\":0}", 422,
         "invalid-request", "/max_steps must be"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" EASY "\",\"max_steps\":10000001}", 422,
         "invalid-request", "1 to 10000000, is 10000001"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" EASY "\",\"max_solutions\":1.5}", 422,
         "invalid-request", "is 1.5"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" EASY "\",\"max_solutions\":1000001}", 422,
         "invalid-request", "1 to 1000000"},
        {"POST", "/solve", CLIENT_JSON,
         "{\"puzzle\":\"" EASY "\",\"max_solutions\":1001,\"solutions\":true}", 422,
         "invalid-request", "at most 1000"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"" EASY "\",\"solutions\":\"yes\"}", 422,
         "invalid-request", "true or false"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":\"12345\"}", 422, "invalid-request",
         "/puzzle is not a puzzle"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzle\":5}", 422, "invalid-request", "/puzzle must"},
        {"POST", "/validate", CLIENT_JSON, "{\"puzzle\":\"" EASY "\",\"max_solutions\":2}", 422,
         "invalid-request", "known are: puzzle, puzzles, max_steps"},
        {"POST", "/solve", CLIENT_TEXT, "12345", 400, "malformed-text", "5 cells"},
        {"POST", "/solve", CLIENT_TEXT, EASY "5", 400, "malformed-text", "line 1"},
        {"POST", "/solve", CLIENT_TEXT, "hello", 400, "malformed-text", "column 1"},
        {"POST", "/solve", CLIENT_TEXT, "", 400, "malformed-text", "cells"},
        {"POST", "/solve?max_steps=x", CLIENT_TEXT, EASY, 422, "invalid-request", "is \"x\""},
        {"POST", "/solve?puzzle=" EASY, CLIENT_TEXT, EASY, 422, "invalid-request",
         "/puzzle is not"},
        {"GET", "/solve?puzzle=" EASY "&puzzle=" EASY, "", NULL, 400, "malformed-request",
         "puzzle is given twice"},
        {"GET", "/solve", "", NULL, 422, "invalid-request", "/puzzle is missing"},
        {"GET", "/solve?puzzle=12", "", NULL, 422, "invalid-request", "2 cells"},
        {"GET", "/validate?max_solutions=2&puzzle=" EASY, "", NULL, 422, "invalid-request",
         "/max_solutions is not known"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzles\":[]}", 422, "invalid-request", "no puzzle"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzles\":[1],\"puzzle\":2}", 422, "invalid-request",
         "2 faults"},
        {"POST", "/solve", CLIENT_JSON, "{\"puzzles\":[1],\"puzzles\":[1]}", 400, "malformed-json",
         "twice"},
        {"POST", "/solve?solutions=true", CLIENT_TEXT, EMPTY "\n" EMPTY "\n", 422,
         "invalid-request", "no room"},
        {"POST", "/solve", CLIENT_FORM, "Puzzle=12", 422, "invalid-request", "2 faults"},
        {"POST", "/solve", CLIENT_FORM, "puzzle=%4", 400, "malformed-request", "hexadecimal"},
        {"POST", "/solve", CLIENT_FORM, "puzzle=12", 422, "invalid-request", "2 cells"},
        {"POST", "/solve", CLIENT_FORM, "{\"puzzle\":", 400, "malformed-json", "column 11"},
        {"POST", "/solve", CLIENT_FORM, "12", 400, "malformed-text", "2 cells"},
        {"POST", "/solve", CLIENT_JSON "Accept: image/png\r\n", "{\"puzzle\":\"" EASY "\"}", 406,
         "not-acceptable", "text/plain"},
        {"POST", "/solve", "Content-Type: image/png\r\n", EASY, 415, "unsupported-media-type",
         "image/png"},
        {"POST", "/solve", "Content-Type: application/jsonp\r\n", "{}", 415,
         "unsupported-media-type", "application/json"},
        {"POST", "/solver", CLIENT_JSON, "{}", 404, "not-found", "/solver"},
        {"GET", "/nothing", "", NULL, 404, "not-found", "openapi"},
        {"GET", "/solve/", "", NULL, 404, "not-found", "/solve/"},
        {"DELETE", "/solve", "", NULL, 405, "method-not-allowed", "POST"},
        {"PUT", "/validate", CLIENT_JSON, "{}", 405, "method-not-allowed", "POST"},
        {"POST", "/livez", CLIENT_JSON, "{}", 405, "method-not-allowed", "GET, HEAD"},
        {"POST", "/solve?solutions=maybe", CLIENT_TEXT, EASY, 422, "invalid-request",
         "/solutions must be true or false, is \"maybe\""},
        {"OPTIONS", "/nowhere", "", NULL, 404, "not-found", "/nowhere"},
    };
    struct server *server = client_start_server(NULL);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char type[64];
        struct client_reply reply =
            client_ask(server, rows[i].method, rows[i].path, rows[i].headers, rows[i].body);
        ck_assert_msg(reply.status == rows[i].status, "%zu: %u %s", i, reply.status, reply.body);
        ck_assert_str_eq(client_header(&reply, "Content-Type"), "application/problem+json");
        cJSON *json = parse(&reply);
        snprintf(type, sizeof type, "/problems/%s", rows[i].type);
        ck_assert_str_eq(text_of(json, "type"), type);
        ck_assert_uint_eq((unsigned)number_of(json, "status"), rows[i].status);
        ck_assert_uint_gt(strlen(text_of(json, "title")), 0);
        ck_assert_str_eq(text_of(json, "instance"), client_header(&reply, "X-Request-Id"));
        ck_assert_msg(strcasestr(text_of(json, "detail"), rows[i].says) != NULL, "%zu: %s", i,
                      reply.body);
        cJSON_Delete(json);
        if (rows[i].status == 405)
            ck_assert_ptr_nonnull(client_header(&reply, "Allow"));
        if (rows[i].status == 415)
            ck_assert_str_eq(client_header(&reply, "Accept-Post"),
                             "application/json, application/x-ndjson, text/plain, text/csv, "
                             "application/x-www-form-urlencoded");
        client_reply_clear(&reply);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(clashing_clues_are_refused_with_every_clash)
{
    struct server *server = client_start_server(NULL);
    char body[128] = "{\"puzzle\":\"" EASY "\"}";

    body[11] = '3'; /* 3 3 in the first row and box */
    struct client_reply reply = client_post_json(server, "/solve", body);
    ck_assert_uint_eq(reply.status, 422);
    ck_assert_ptr_nonnull(strstr(reply.body,
                                 "\"conflicts\":[{\"unit\":\"row\",\"index\":0,\"value\":3,"
                                 "\"cells\":[[0,0],[0,1]]},{\"unit\":\"box\",\"index\":0,"
                                 "\"value\":3,\"cells\":[[0,0],[0,1]]}]"));
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_connection_serves_many_requests_also_pipelined_and_byte_by_byte)
{
    struct server *server = client_start_server(NULL);
    const int fd = client_connect(server);
    const char body[] = "{\"puzzle\":\"" EASY "\"}";
    char raw[512];

    for (unsigned i = 0; i < 20; i++)
        client_send(fd, "POST", "/solve", CLIENT_JSON, body);
    for (unsigned i = 0; i < 20; i++)
        client_expect(fd, 200, NULL);
    const int length = sprintf(raw,
                               "POST /solve HTTP/1.1\r\nHost: x\r\nContent-Type: "
                               "application/json\r\nContent-Length: %zu\r\n\r\n%s",
                               strlen(body), body);
    for (int i = 0; i < length; i++)
        client_send_bytes(fd, raw + i, 1);
    client_expect(fd, 200, EASY_SOLVED);
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_body_in_chunks_is_read)
{
    struct server *server = client_start_server(NULL);
    const int fd = client_connect(server);
    struct client_reply reply;

    client_send(fd, "POST", "/solve", CLIENT_TEXT "Transfer-Encoding: chunked\r\n", NULL);
    for (unsigned i = 0; i < 81; i += 27) {
        char chunk[64];
        const int length = sprintf(chunk, "1b\r\n%.27s\r\n", &EASY[i]);
        client_send_bytes(fd, chunk, (size_t)length);
    }
    client_send_bytes(fd, "0\r\n\r\n", 5);
    ck_assert(client_read_reply(fd, true, &reply));
    ck_assert_str_eq(reply.body, EASY_SOLVED "\n");
    client_reply_clear(&reply);
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_body_announced_too_large_is_refused_before_it_is_sent)
{
    char *flags[] = {"--max-body=2k", NULL};
    struct server *server = client_start_server(flags);
    const char *const expects[] = {"", "Expect: 100-continue\r\n"};

    for (size_t i = 0; i < 2; i++) {
        const int fd = client_connect(server);
        char headers[128];
        sprintf(headers, "%sContent-Type: text/plain\r\nContent-Length: 2049\r\n", expects[i]);
        client_send(fd, "POST", "/solve", headers, NULL);
        client_expect(fd, 413, "at most 2048 bytes");
        close(fd);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_body_that_turns_out_too_large_is_refused_and_an_endless_one_is_cut)
{
    char *flags[] = {"--max-body=2k", NULL};
    struct server *server = client_start_server(flags);
    char chunk[1024 + 16];

    int length = sprintf(chunk, "400\r\n");
    memset(chunk + length, '.', 1024);
    length += 1024;
    length += sprintf(chunk + length, "\r\n");

    int fd = client_connect(server);
    client_send(fd, "POST", "/solve", CLIENT_TEXT "Transfer-Encoding: chunked\r\n", NULL);
    for (unsigned i = 0; i < 3; i++)
        client_send_bytes(fd, chunk, (size_t)length);
    client_send_bytes(fd, "0\r\n\r\n", 5);
    client_expect(fd, 413, NULL);
    close(fd);

    fd = client_connect(server);
    client_send(fd, "POST", "/solve", CLIENT_TEXT "Transfer-Encoding: chunked\r\n", NULL);
    unsigned sent = 0;
    while (sent < 100000 && send(fd, chunk, (size_t)length, MSG_NOSIGNAL) > 0)
        sent++;
    ck_assert_uint_lt(sent, 100000);
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

/* What cJSON would make a tree of hundreds of megabytes from is refused before. */
START_TEST(json_larger_than_any_puzzle_is_refused)
{
    struct server *server = client_start_server(NULL);
    enum { CELLS = 300000 };
    char *body = malloc(CELLS * 2 + 64);
    const char *const begins[] = {"{\"puzzle\":[", "["};
    const char *const ends[] = {"0]}", "0]"};

    for (size_t i = 0; i < 2; i++) {
        char *end = body + sprintf(body, "%s", begins[i]);
        for (unsigned cell = 0; cell < CELLS; cell++)
            end += sprintf(end, "0,");
        sprintf(end, "%s", ends[i]);
        struct client_reply reply = client_post_json(server, "/solve", body);
        ck_assert_uint_eq(reply.status, 413);
        ck_assert_ptr_nonnull(strstr(reply.body, "at most 65536 bytes of JSON"));
        client_reply_clear(&reply);
    }
    free(body);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Bodies that are being sent, or belong to what is being worked on, share a limit. */
START_TEST(bodies_together_have_a_limit)
{
    char *flags[] = {"--max-bodies=1m", "--max-body=800k", "--timeout=10m", "--body-timeout=10m",
                     NULL};
    struct server *server = client_start_server(flags);
    const size_t size = 700 * 1024;
    char *body = malloc(size + 1);
    struct client_reply reply;

    memset(body, ' ', size);
    body[size] = '\0';
    const int fd = client_connect(server);
    char head[] = "POST /solve HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
                  "Content-Length: 716801\r\n\r\n";
    client_send_bytes(fd, head, strlen(head));
    client_send_bytes(fd, body, size); /* all but the last byte */
    unsigned status = 400;
    while (status == 400) /* until the server has read enough of it */
        status = client_status(server, "POST", "/solve", CLIENT_TEXT, body);
    ck_assert_uint_eq(status, 503);
    client_send_bytes(fd, ".", 1);
    ck_assert(client_read_reply(fd, true, &reply));
    client_reply_clear(&reply);
    close(fd);
    status = 503;
    while (status == 503) /* until it has let go of it */
        status = client_status(server, "POST", "/solve", CLIENT_TEXT, body);
    ck_assert_uint_eq(status, 400);
    free(body);
    server_stop(server, NULL, NULL);
}
END_TEST

/* A client whose body was refused may stay as long as it likes: the memory is free again. */
START_TEST(a_refused_body_holds_nothing)
{
    char *flags[] = {"--max-bodies=1m", "--max-body=800k", NULL};
    struct server *server = client_start_server(flags);
    const size_t size = 900 * 1024;
    char *body = malloc(size + 1);
    unsigned status = 503;

    memset(body, ' ', size);
    body[size] = '\0';
    const int fd = client_connect(server);
    client_send(fd, "POST", "/solve", CLIENT_TEXT "Transfer-Encoding: chunked\r\n", NULL);
    client_send_bytes(fd, "fffff\r\n", 7);
    client_send_bytes(fd, body, size);
    body[700 * 1024] = '\0';
    while (status == 503) /* until the server has read enough to refuse it */
        status = client_status(server, "POST", "/solve", CLIENT_TEXT, body);
    ck_assert_uint_eq(status, 400);
    close(fd);
    free(body);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_request_id_is_kept_when_sane_and_made_when_not)
{
    struct server *server = client_start_server(NULL);
    struct client_reply reply =
        client_ask(server, "GET", "/livez", "X-Request-Id: a-1_b.C\r\n", NULL);

    ck_assert_str_eq(client_header(&reply, "X-Request-Id"), "a-1_b.C");
    client_reply_clear(&reply);
    reply = client_ask(server, "GET", "/livez", "X-Request-Id: a\"b\r\n", NULL);
    ck_assert_uint_eq(strspn(client_header(&reply, "X-Request-Id"), "0123456789abcdef"), 16);
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(head_is_get_without_a_body)
{
    struct server *server = client_start_server(NULL);
    struct client_reply get = client_ask(server, "GET", "/openapi.yaml", "", NULL);
    struct client_reply head = client_ask(server, "HEAD", "/openapi.yaml", "", NULL);

    ck_assert_uint_eq(get.status, 200);
    ck_assert_uint_eq(head.status, 200);
    ck_assert_int_eq(strncmp(get.body, "openapi: 3.1", 12), 0);
    ck_assert_uint_eq(strtoul(client_header(&head, "Content-Length"), NULL, 10), get.body_length);
    client_reply_clear(&get);
    client_reply_clear(&head);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Sends a slow request. Answers on connections made after it show that the server has it. */
static int start_slow(const struct server *server)
{
    const int fd = client_connect(server);

    client_send(fd, "POST", "/solve", CLIENT_JSON, slow_request);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_uint_eq(client_status(server, "GET", "/livez", "", NULL), 200);
    return fd;
}

START_TEST(easy_requests_are_answered_while_slow_ones_fill_every_thread)
{
    char *flags[] = {"--threads=2", "--workers=2", NULL};
    struct server *server = client_start_server(flags);
    int slow[4];

    for (size_t i = 0; i < 4; i++)
        slow[i] = start_slow(server);
    for (unsigned i = 0; i < 50; i++) {
        struct client_reply reply = client_post_json(server, "/solve", "{\"puzzle\":\"" EASY "\"}");
        ck_assert_uint_eq(reply.status, 200);
        client_reply_clear(&reply);
    }
    for (size_t i = 0; i < 4; i++)
        close(slow[i]);
    server_stop(server, NULL, NULL);
}
END_TEST

/* With room for one search, the second is refused; when the client of the first has gone, there is
 * room again. */
START_TEST(a_full_queue_is_503_until_a_client_leaves)
{
    char *flags[] = {"--queue=1", "--threads=1", "--workers=1", NULL};
    struct server *server = client_start_server(flags);
    const int fd = start_slow(server);
    struct client_reply reply = client_post_json(server, "/solve", slow_request);
    unsigned status = reply.status;

    ck_assert_uint_eq(status, 503);
    ck_assert_str_eq(client_header(&reply, "Retry-After"), "1");
    ck_assert_ptr_nonnull(strstr(reply.body, "/problems/overloaded"));
    client_reply_clear(&reply);
    close(fd);
    while (status == 503) {
        reply = client_post_json(server, "/solve", slow_request);
        status = reply.status;
        client_reply_clear(&reply);
    }
    ck_assert_uint_eq(status, 200);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_search_past_its_deadline_is_503_not_a_guess)
{
    char *flags[] = {"--deadline=30ms", "--isa=reference", "--max-steps=1000000000", NULL};
    struct server *server = client_start_server(flags);
    struct client_reply reply = client_post_json(
        server, "/solve",
        "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":1000000,\"max_steps\":1000000000}");

    ck_assert_uint_eq(reply.status, 503);
    ck_assert_ptr_nonnull(strstr(reply.body, "/problems/deadline-exceeded"));
    ck_assert_ptr_nonnull(strstr(reply.body, "30 ms"));
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(answers_do_not_depend_on_the_number_of_threads)
{
    char *few[] = {"--threads=1", "--workers=1", NULL};
    char *many[] = {"--threads=4", "--workers=4", NULL};
    struct server *servers[] = {client_start_server(few), client_start_server(many)};
    struct puzzles *killers = puzzles_load("killers.tsv");
    const unsigned budgets[] = {1000, 20000};

    for (size_t i = 0; i < killers->count; i++) {
        for (size_t b = 0; b < 2; b++) {
            char body[256];
            char text[82];
            sprintf(body, "{\"puzzle\":\"%s\",\"max_steps\":%u}",
                    puzzles_text(&killers->puzzle[i].grid, text), budgets[b]);
            struct client_reply first = client_post_json(servers[0], "/solve", body);
            for (unsigned k = 0; k < 3; k++) {
                struct client_reply again = client_post_json(servers[1], "/solve", body);
                ck_assert_str_eq(again.body, first.body);
                client_reply_clear(&again);
            }
            cJSON *json = parse(&first);
            ck_assert_uint_le((unsigned)number_of(json, "steps"), budgets[b]);
            ck_assert_str_ne(text_of(json, "status"), "unique");
            cJSON_Delete(json);
            client_reply_clear(&first);
        }
    }
    free(killers);
    server_stop(servers[0], NULL, NULL);
    server_stop(servers[1], NULL, NULL);
}
END_TEST

START_TEST(a_draining_server_says_so_and_goes_on_serving)
{
    struct server *server = client_start_server(NULL);

    ck_assert_uint_eq(client_status(server, "GET", "/readyz", "", NULL), 200);
    server_drain(server);
    struct client_reply reply = client_ask(server, "GET", "/readyz", "", NULL);
    ck_assert_uint_eq(reply.status, 503);
    ck_assert_ptr_nonnull(strstr(reply.body, "/problems/shutting-down"));
    client_reply_clear(&reply);
    ck_assert_uint_eq(client_status(server, "GET", "/livez", "", NULL), 200);
    reply = client_post_json(server, "/solve", "{\"puzzle\":\"" EASY "\"}");
    ck_assert_uint_eq(reply.status, 200);
    ck_assert_str_eq(client_header(&reply, "Connection"), "close");
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

/* What has begun is finished: searches in the pool, and a body that is still being sent. */
START_TEST(a_stop_loses_no_request_that_has_begun)
{
    struct server *server = client_start_server(NULL);
    int slow[8];
    struct client_reply reply;

    for (size_t i = 0; i < 8; i++) {
        slow[i] = client_connect(server);
        client_send(slow[i], "POST", "/solve", CLIENT_JSON,
                    "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":20000}");
    }
    const int idle = client_connect(server);
    /* An answer on a connection made after them shows that all are with the server. */
    reply = client_ask(server, "GET", "/livez", "", NULL);
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
    for (size_t i = 0; i < 8; i++) {
        ck_assert_msg(client_read_reply(slow[i], true, &reply), "request %zu was lost", i);
        ck_assert_uint_eq(reply.status, 200);
        ck_assert_ptr_nonnull(strstr(reply.body, "\"solution_count\":20000,"));
        client_reply_clear(&reply);
        close(slow[i]);
    }
    ck_assert(!client_read_reply(idle, true, &reply));
    close(idle);
}
END_TEST

static bool give_up(unsigned ms, void *context)
{
    (void)context;
    usleep(ms * 1000);
    return true;
}

START_TEST(a_hurried_stop_ends_searches_with_a_problem)
{
    char *flags[] = {"--isa=reference", "--max-steps=1000000000", NULL};
    struct server *server = client_start_server(flags);
    const int fd = client_connect(server);
    struct client_reply reply;

    client_send(fd, "POST", "/solve", CLIENT_JSON,
                "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":1000000,\"max_steps\":1000000000}");
    reply = client_ask(server, "GET", "/livez", "", NULL);
    client_reply_clear(&reply);
    server_stop(server, give_up, NULL);
    client_expect(fd, 503, "/problems/shutting-down");
    close(fd);
}
END_TEST

START_TEST(a_port_in_use_is_said_in_one_line)
{
    struct server *server = client_start_server(NULL);
    struct config config;
    char error[CONFIG_MAX_ERROR];
    char port[32];
    char *arguments[] = {"test", port};

    snprintf(port, sizeof port, "--port=%u", server_port(server));
    ck_assert_int_eq(config_load(2, arguments, &config, error), CONFIG_OK);
    ck_assert_ptr_null(server_start(&config, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "Address already in use"));
    ck_assert_ptr_null(strchr(error, '\n'));
    server_stop(server, NULL, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_puzzle_in_a_string_is_answered_in_a_string,
        an_array_is_answered_in_an_array_bare_or_in_an_object_with_0_or_null,
        all_known_cases_are_answered_right,
        spaced_text_is_answered_with_exactly_nine_spaced_lines,
        text_is_answered_in_the_layout_it_came_in,
        text_without_a_solution_is_answered_with_one_word,
        the_empty_grid_has_a_thousand_first_solutions_in_order,
        validate_tells_conflicts_apart_from_proper_puzzles,
        every_kind_of_bad_request_gets_its_status_and_says_what_is_wrong,
        clashing_clues_are_refused_with_every_clash,
        a_connection_serves_many_requests_also_pipelined_and_byte_by_byte,
        a_body_in_chunks_is_read,
        a_body_announced_too_large_is_refused_before_it_is_sent,
        a_body_that_turns_out_too_large_is_refused_and_an_endless_one_is_cut,
        json_larger_than_any_puzzle_is_refused,
        bodies_together_have_a_limit,
        a_refused_body_holds_nothing,
        a_request_id_is_kept_when_sane_and_made_when_not,
        head_is_get_without_a_body,
        easy_requests_are_answered_while_slow_ones_fill_every_thread,
        a_full_queue_is_503_until_a_client_leaves,
        a_search_past_its_deadline_is_503_not_a_guess,
        answers_do_not_depend_on_the_number_of_threads,
        a_draining_server_says_so_and_goes_on_serving,
        a_stop_loses_no_request_that_has_begun,
        a_hurried_stop_ends_searches_with_a_problem,
        a_port_in_use_is_said_in_one_line,
    };

    return puzzles_run_suite("http", tests, sizeof tests / sizeof tests[0]);
}
