/* Which pages may read an answer. */
#include "server/cors.h"

#include "puzzles.h"

#define A "https://a.example"
#define B "https://b.example:8443"

START_TEST(an_origin_is_allowed_when_it_is_listed)
{
    static const struct {
        const char *allowed, *origin, *answer;
    } rows[] = {
        {"*", NULL, "*"},
        {"*", A, "*"},
        {"*", "null", "*"},
        {"none", NULL, NULL},
        {"none", A, NULL},
        {"none", "null", NULL},
        {A, NULL, NULL},
        {A, "", NULL},
        {A, A, A},
        {A, B, NULL},
        {A "," B, B, B},
        {" " A " , " B " ", A, A},
        {A " " B, B, B},
        {",,", "", NULL},
        /* nothing but the whole origin */
        {A, "https://a.example.org", NULL},
        {A, "https://a.exampl", NULL},
        {A, "http://a.example", NULL},
        {A, "a.example", NULL},
        {A, A ":443", NULL},
        {B, "https://b.example", NULL},
        {A "," B, A "," B, NULL},
        /* host names have no letter case; what is sent back is what came */
        {A, "HTTPS://A.Example", "HTTPS://A.Example"},
        /* a * that is not alone is no origin */
        {"*," A, B, NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *answer = cors_allow_origin(rows[i].allowed, rows[i].origin);
        ck_assert_msg((answer == NULL) == (rows[i].answer == NULL), "row %zu: %s", i,
                      answer == NULL ? "nothing" : answer);
        if (answer != NULL)
            ck_assert_str_eq(answer, rows[i].answer);
    }
}
END_TEST

/* Browsers split these at commas and compare without letter case. */
START_TEST(the_lists_name_what_pages_need)
{
    static const char *const exposed[] = {"ETag", "Retry-After", "Sudoku-Status", "X-Request-Id"};
    static const char *const allowed[] = {"Content-Type", "If-None-Match", "X-Request-Id"};

    for (size_t i = 0; i < sizeof exposed / sizeof exposed[0]; i++)
        ck_assert_ptr_nonnull(strstr(cors_exposed_headers, exposed[i]));
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        ck_assert_ptr_nonnull(strstr(cors_allowed_headers, allowed[i]));
    ck_assert_int_eq(atoi(cors_max_age), 7200);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_origin_is_allowed_when_it_is_listed,
        the_lists_name_what_pages_need,
    };

    return puzzles_run_suite("cors", tests, sizeof tests / sizeof tests[0]);
}
