#include "server/http_responses.h"

#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "suite.h"

static const struct api_header plain[] = {{"Content-Type", "text/plain"}, {"X-Request-Id", "1"}};

static const char *value_of(const struct http_response *response, const char *name)
{
    return MHD_get_response_header(http_response_get(response), name);
}

START_TEST(a_response_is_used_again_for_one_that_is_alike)
{
    static const struct api_header other[] = {{"Content-Type", "text/css"},
                                              {"X-Request-Id", "a much longer one than before"}};
    struct http_responses responses = {0};
    struct http_response *first = http_responses_take(&responses, plain, 2, "abc", 3);
    struct MHD_Response *library = http_response_get(first);

    ck_assert_str_eq(value_of(first, "X-Request-Id"), "1");
    http_responses_put_back(&responses, first);
    struct http_response *second = http_responses_take(&responses, other, 2, "xyz", 3);
    ck_assert_ptr_eq(http_response_get(second), library);
    ck_assert_str_eq(value_of(second, "Content-Type"), "text/css");
    ck_assert_str_eq(value_of(second, "X-Request-Id"), "a much longer one than before");
    ck_assert_int_eq(MHD_get_response_headers(library, NULL, NULL), 2);
    http_responses_put_back(&responses, second);
    http_responses_clear(&responses);
}
END_TEST

START_TEST(one_that_is_not_is_another)
{
    static const struct {
        struct api_header headers[3];
        unsigned count;
        const char *body;
    } rows[] = {
        {{{"Content-Type", "text/plain"}, {"X-Request-Id", "1"}}, 2, "abcd"},
        {{{"Content-Type", "text/plain"}, {"X-Request-Id", "1"}}, 2, ""},
        {{{"Content-Type", "text/plain"}}, 1, "abc"},
        {{{"Content-Type", "text/plain"}, {"Retry-After", "1"}}, 2, "abc"},
        {{{"X-Request-Id", "1"}, {"Content-Type", "text/plain"}}, 2, "abc"},
        {{{"Content-Type", "text/plain"}, {"X-Request-Id", "1"}, {"ETag", "x"}}, 3, "abc"},
    };
    struct http_responses responses = {0};
    struct http_response *first = http_responses_take(&responses, plain, 2, "abc", 3);

    http_responses_put_back(&responses, first);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct http_response *other = http_responses_take(
            &responses, rows[i].headers, rows[i].count, rows[i].body, strlen(rows[i].body));
        ck_assert_ptr_nonnull(other);
        ck_assert_ptr_ne(other, first);
        ck_assert_int_eq(MHD_get_response_headers(http_response_get(other), NULL, NULL),
                         (int)rows[i].count);
        http_responses_put_back(&responses, other);
    }
    ck_assert_ptr_eq(http_responses_take(&responses, plain, 2, "abc", 3), first);
    http_responses_put_back(&responses, first);
    http_responses_clear(&responses);
}
END_TEST

/* A value that was long may be short and long again; one for which there was never room is that of
 * another response. */
START_TEST(values_change_their_length)
{
    static const char *const ids[] = {"1", "22", "a value of forty-eight bytes, which is the most",
                                      "", "3"};
    char long_id[300];
    struct http_responses responses = {0};

    memset(long_id, 'x', sizeof long_id - 1);
    long_id[sizeof long_id - 1] = '\0';
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
            const bool is_long = ids[i][0] == '\0';
            const struct api_header header = {"X-Request-Id", is_long ? long_id : ids[i]};
            struct http_response *response = http_responses_take(&responses, &header, 1, "", 0);
            ck_assert_str_eq(value_of(response, "X-Request-Id"), header.value);
            http_responses_put_back(&responses, response);
        }
    }
    http_responses_clear(&responses);
}
END_TEST

/* Two headers with one name keep their order of values. */
START_TEST(names_may_be_there_twice)
{
    static const struct api_header first[] = {{"Vary", "Accept"}, {"Vary", "Origin"}};
    static const struct api_header second[] = {{"Vary", "Origin"}, {"Vary", "Accept"}};
    struct http_responses responses = {0};

    for (unsigned round = 0; round < 4; round++) {
        struct http_response *response =
            http_responses_take(&responses, round % 2 == 0 ? first : second, 2, "", 0);
        ck_assert_ptr_nonnull(response);
        ck_assert_int_eq(MHD_get_response_headers(http_response_get(response), NULL, NULL), 2);
        http_responses_put_back(&responses, response);
    }
    http_responses_clear(&responses);
}
END_TEST

/* As many as are being sent at once, which may be more than are kept. */
START_TEST(what_is_being_sent_is_not_used_again)
{
    enum { MANY = 100 };
    struct http_responses responses = {0};
    struct http_response *sent[MANY];

    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < MANY; i++) {
            char id[16];
            snprintf(id, sizeof id, "%u", i + round);
            const struct api_header header = {"X-Request-Id", id};
            sent[i] = http_responses_take(&responses, &header, 1, id, 1);
        }
        ck_assert_uint_eq(responses.count, 0);
        for (unsigned i = 0; i < MANY; i++) {
            char id[16];
            snprintf(id, sizeof id, "%u", i + round);
            ck_assert_str_eq(value_of(sent[i], "X-Request-Id"), id);
            http_responses_put_back(&responses, sent[i]);
        }
        ck_assert_uint_gt(responses.count, 0);
        ck_assert_uint_lt(responses.count, MANY);
    }
    http_responses_clear(&responses);
    ck_assert_uint_eq(responses.count, 0);
}
END_TEST

START_TEST(what_the_library_does_not_take_is_refused)
{
    static const struct api_header bad = {"X-Request-Id", "a\nb"};
    static const struct api_header good = {"X-Request-Id", "c"};
    struct http_responses responses = {0};

    ck_assert_ptr_null(http_responses_take(&responses, &bad, 1, "", 0));
    struct http_response *response = http_responses_take(&responses, &good, 1, "", 0);
    ck_assert_ptr_nonnull(response);
    http_responses_put_back(&responses, response);
    ck_assert_ptr_null(http_responses_take(&responses, &bad, 1, "", 0));
    ck_assert_uint_eq(responses.count, 0);
    http_responses_clear(&responses);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("http_responses", &tests);

    tcase_add_test(tests, a_response_is_used_again_for_one_that_is_alike);
    tcase_add_test(tests, one_that_is_not_is_another);
    tcase_add_test(tests, values_change_their_length);
    tcase_add_test(tests, names_may_be_there_twice);
    tcase_add_test(tests, what_is_being_sent_is_not_used_again);
    tcase_add_test(tests, what_the_library_does_not_take_is_refused);
    return run_suite(suite);
}
