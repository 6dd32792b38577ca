/* Accept, as clients really send it. */
#include "api/accept.h"
#include "puzzles.h"

/* In the order a request for many puzzles in JSON offers them. */
static const char *const offers[] = {"application/json", "text/plain", "application/x-ndjson"};

enum { JSON, TEXT, NDJSON, NOTHING = -1 };

struct row {
    const char *header;
    int choice;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(accept_choose(rows[i].header, offers, 3) == rows[i].choice, "\"%s\" gives %d",
                      rows[i].header, accept_choose(rows[i].header, offers, 3));
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof(rows)[0])

START_TEST(without_a_preference_the_first_offer_is_taken)
{
    static const struct row rows[] = {
        {"", JSON},
        {" \t", JSON},
        {" , ,", JSON},
        {"*/*", JSON},
        {"text/html, */*;q=0.8", JSON},
        {"text/plain, application/json", JSON},
        {"text/plain;q=0.5, application/json;q=0.5", JSON},
    };

    ck_assert_int_eq(accept_choose(NULL, offers, 3), JSON);
    CHECK_ROWS(rows);
}
END_TEST

START_TEST(the_heaviest_offer_is_taken)
{
    static const struct row rows[] = {
        {"text/plain", TEXT},
        {"application/x-ndjson", NDJSON},
        {"text/plain;q=0.4, application/x-ndjson;q=0.6", NDJSON},
        {"application/json;q=0.9, text/plain", TEXT},
        {"application/json;q=0.001, text/plain;q=0.002", TEXT},
        {"*/*;q=0.1, text/plain", TEXT},
        {"text/*, application/json;q=0.9", TEXT},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(the_range_that_names_a_type_most_closely_counts)
{
    static const struct row rows[] = {
        {"application/json;q=0, */*", TEXT},
        {"*/*, application/json;q=0", TEXT},
        {"application/*;q=0, */*", TEXT},
        {"application/*;q=0, application/x-ndjson;q=0.1", NDJSON},
        {"application/*;q=0.2, application/json;q=0.1, text/*;q=0.1", NDJSON},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(a_client_that_takes_none_gets_none)
{
    static const struct row rows[] = {
        {"image/png", NOTHING},
        {"*/*;q=0", NOTHING},
        {"text/plain;q=0", NOTHING},
        {"text/plain;q=0.0", NOTHING},
        {"text/plain;q=0.000", NOTHING},
        {"application", NOTHING},
        {"text/plai", NOTHING},
        {"text/plainer", NOTHING},
        {"*/plain", NOTHING},
        {";q=1", NOTHING},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(letter_case_blanks_and_parameters_do_not_matter)
{
    static const struct row rows[] = {
        {"TEXT/Plain", TEXT},
        {"  text/plain  ;  Q=1.0 ", TEXT},
        {"text/plain; charset=utf-8", TEXT},
        {"text/plain;format=flowed;q=0.5, application/json;q=0.4", TEXT},
        {"text/plain;q=0.5;ext=1,application/json;q=0.6", JSON},
        {"text/plain\t,\timage/png", TEXT},
    };

    CHECK_ROWS(rows);
}
END_TEST

START_TEST(a_weight_that_is_none_counts_as_1)
{
    static const struct row rows[] = {
        {"application/json;q=0.9, text/plain;q=", TEXT},
        {"application/json;q=0.9, text/plain;q=high", TEXT},
        {"application/json;q=0.9, text/plain;q=2", TEXT},
        {"application/json;q=0.9, text/plain;q=.5", TEXT},
        {"application/json;q=0.9, text/plain;quality=0", TEXT},
    };

    CHECK_ROWS(rows);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        without_a_preference_the_first_offer_is_taken,   the_heaviest_offer_is_taken,
        the_range_that_names_a_type_most_closely_counts, a_client_that_takes_none_gets_none,
        letter_case_blanks_and_parameters_do_not_matter, a_weight_that_is_none_counts_as_1,
    };

    return puzzles_run_suite("accept", tests, sizeof tests / sizeof tests[0]);
}
