/* Forms, taken apart. */
#include "api/fields.h"
#include "puzzles.h"

/* A form in memory of exactly its size, so that a sanitizer sees one byte too many. */
static char *copy_of(const char *form)
{
    char *copy = malloc(strlen(form) + 1);

    ck_assert_ptr_nonnull(copy);
    return strcpy(copy, form);
}

START_TEST(names_and_values_are_found_and_unescaped)
{
    static const struct {
        const char *form;
        size_t count;
        struct {
            const char *name, *value; /* NULL: no = */
        } field[3];
    } rows[] = {
        {"", 0, {{0}}},
        {"&&&", 0, {{0}}},
        {"a=1", 1, {{"a", "1"}}},
        {"a=1&b=2&c=3", 3, {{"a", "1"}, {"b", "2"}, {"c", "3"}}},
        {"&a=1&&b=2&", 2, {{"a", "1"}, {"b", "2"}}},
        {"a&b=&=c", 3, {{"a", NULL}, {"b", ""}, {"", "c"}}},
        {"a=1&a=1", 2, {{"a", "1"}, {"a", "1"}}},
        {"a=b=c", 1, {{"a", "b=c"}}},
        {"a=1+2++3", 1, {{"a", "1 2  3"}}},
        {"a=%31%32%0a%0D%2b%26%3d%25", 1, {{"a", "12\n\r+&=%"}}},
        {"%61+%62=1", 1, {{"a b", "1"}}},
        {"a=%C3%bc", 1, {{"a", "\xc3\xbc"}}},
        {"puzzle=53..7\r\n6..195", 1, {{"puzzle", "53..7\r\n6..195"}}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct api_fields fields = {0};
        char *form = copy_of(rows[i].form);
        ck_assert_msg(fields_read_form(form, strlen(form), &fields), "%s", rows[i].form);
        ck_assert_uint_eq(fields.count, rows[i].count);
        for (size_t k = 0; k < fields.count; k++) {
            ck_assert_str_eq(fields.field[k].name, rows[i].field[k].name);
            ck_assert_pstr_eq(fields.field[k].value, rows[i].field[k].value);
            if (fields.field[k].value != NULL)
                ck_assert_uint_eq(fields.field[k].value_length, strlen(rows[i].field[k].value));
        }
        free(form);
    }
}
END_TEST

START_TEST(broken_escapes_and_nuls_are_refused)
{
    static const char *const forms[] = {
        "a=%",   "a=%3",  "a=%3&b=1", "a=%3g",  "a=%g3", "a=%%31",  "%=1",   "%4=1",
        "a=1&%", "a=%00", "%00=1",    "a=1%00", "a%00",  "a=%-1&b", "a=% 1",
    };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct api_fields fields = {0};
        char *form = copy_of(forms[i]);
        ck_assert_msg(!fields_read_form(form, strlen(form), &fields), "%s", forms[i]);
        free(form);
    }
}
END_TEST

/* A NUL as it is, which no client has reason to send. */
START_TEST(a_raw_nul_is_refused)
{
    struct api_fields fields = {0};
    char form[] = "a=1\0&b=2";

    ck_assert(!fields_read_form(form, sizeof form - 1, &fields));
}
END_TEST

START_TEST(fields_past_the_last_that_is_kept_are_counted)
{
    struct api_fields fields = {0};
    char form[] = "a=1&a=2&a=3&a=4&a=5&a=6&a=7&a=8&a=9&a=10&a=11&a=12&a=13&a=14&a=15&a=16&a=17&b";

    ck_assert(fields_read_form(form, sizeof form - 1, &fields));
    ck_assert_uint_eq(fields.count, 18);
    ck_assert_str_eq(fields.field[API_MAX_FIELDS - 1].value, "16");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        names_and_values_are_found_and_unescaped,
        broken_escapes_and_nuls_are_refused,
        a_raw_nul_is_refused,
        fields_past_the_last_that_is_kept_are_counted,
    };

    return puzzles_run_suite("fields", tests, sizeof tests / sizeof tests[0]);
}
