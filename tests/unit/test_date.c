#include "server/date.h"

#include <string.h>

#include "suite.h"

START_TEST(dates_are_as_http_has_them)
{
    static const struct {
        time_t second;
        const char *text;
    } rows[] = {
        {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
        {784111777, "Sun, 06 Nov 1994 08:49:37 GMT"}, /* the example of RFC 9110, 5.6.7 */
        {951782400, "Tue, 29 Feb 2000 00:00:00 GMT"},
        {4102444799, "Thu, 31 Dec 2099 23:59:59 GMT"},
    };
    char text[DATE_SIZE];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        date_print(rows[i].second, text);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

START_TEST(a_date_is_made_anew_when_it_is_another_second)
{
    struct date date = {0};
    const time_t before = time(NULL);
    const char *text = date_now(&date);
    const time_t after = time(NULL);
    char expected[DATE_SIZE];

    ck_assert(before <= date.second && date.second <= after);
    date_print(date.second, expected);
    ck_assert_str_eq(text, expected);
    /* What was kept from another second is not what it is now. */
    date.second = before - 100;
    strcpy(date.text, "long ago");
    ck_assert_uint_eq(strlen(date_now(&date)), DATE_SIZE - 1);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("date", &tests);

    tcase_add_test(tests, dates_are_as_http_has_them);
    tcase_add_test(tests, a_date_is_made_anew_when_it_is_another_second);
    return run_suite(suite);
}
