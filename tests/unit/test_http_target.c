/* Targets of requests, as hostile and plain clients write them. */
#include "server/http_target.h"

#include "puzzles.h"

START_TEST(a_fault_is_told)
{
    static const char escape[] = "a % in it has no two hexadecimal digits behind it";
    static const char blank[] = "it has a blank or a control character in it";
    static const char none[] = "it is neither a path nor an http or https address";
    static const struct {
        const char *text, *fault;
    } rows[] = {
        {"/", NULL},
        {"/solve?puzzle=1&max_steps=2", NULL},
        {"//two", NULL},
        {"/a%20b%fF", NULL},
        {"/\xc3\xa9", NULL},
        {"*", NULL},
        {"http://x", NULL},
        /* escapes */
        {"/%", escape},
        {"/%4", escape},
        {"/%4g", escape},
        {"/%g4", escape},
        {"/a%%20", escape},
        {"/?a=%", escape},
        {"/%00", "it has a NUL in it"},
        {"/ok%41%00", "it has a NUL in it"},
        /* characters */
        {"/a#b", "it has a # in it"},
        {"/#%", "it has a # in it"},
        {"/a b", blank},
        {"/a\tb", blank},
        {"/a\x01", blank},
        {"/a\x7f", blank},
        /* the first of several */
        {"/% b", escape},
        /* what is no target */
        {"", none},
        {"solve", none},
        {"**", none},
        {"*?a", none},
        {"ftp://x/", none},
        {"example.org:80", none},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct http_target target;
        http_target_read(rows[i].text, &target);
        ck_assert_pstr_eq(target.fault, rows[i].fault);
        ck_assert_ptr_eq(target.text, rows[i].text);
        ck_assert_uint_eq(target.length, strlen(rows[i].text));
        ck_assert(!target.is_too_long);
    }
}
END_TEST

START_TEST(the_path_of_an_address_is_found)
{
    static const struct {
        const char *text;
        size_t origin_length; /* 0 with a fault: it is no address */
    } rows[] = {
        {"/http://x/", 0},        {"http://x/solve", 8},
        {"HTTP://x/solve", 8},    {"https://x:8080/solve", 14},
        {"http://x", 8},          {"http://x?a=1", 8},
        {"http://[::1]:80/", 15}, {"http:///solve", 0},
        {"http://a%2fb/", 0},     {"http://a,b/", 0},
        {"http://a@b/", 0},       {"http://x:8o/", 0},
        {"http:/x/", 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct http_target target;
        http_target_read(rows[i].text, &target);
        ck_assert_msg(target.origin_length == rows[i].origin_length, "%s: %zu", rows[i].text,
                      target.origin_length);
        const bool is_good = rows[i].text[0] == '/' || rows[i].origin_length != 0;
        ck_assert_int_eq(target.fault == NULL, is_good);
    }
}
END_TEST

START_TEST(a_host_is_measured_with_its_port)
{
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {
        {"", 0},
        {":80", 0},
        {"x", 1},
        {"example.org:8080", 16},
        {"example.org:", 12},
        {"x:80a", 4},
        {"a,b", 1},
        {"127.0.0.1/", 9},
        {"[::1]", 5},
        {"[::1]:443/", 9},
        {"[v1.f]", 6},
        {"[", 0},
        {"[]", 0},
        {"[:]", 0},
        {"[::1", 0},
        {"[::x]", 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(http_target_host_length(rows[i].text) == rows[i].length, "%s: %zu",
                      rows[i].text, http_target_host_length(rows[i].text));
}
END_TEST

static bool is_too_long(const char *text)
{
    struct http_target target;

    http_target_read(text, &target);
    ck_assert_ptr_null(target.fault);
    return target.is_too_long;
}

START_TEST(its_bytes_and_arguments_are_limited)
{
    char text[HTTP_TARGET_MAX + 2] = "/";

    memset(text + 1, 'a', sizeof text - 2);
    text[HTTP_TARGET_MAX + 1] = '\0';
    ck_assert(is_too_long(text));
    text[HTTP_TARGET_MAX] = '\0';
    ck_assert(!is_too_long(text));

    memset(text + 1, '&', HTTP_TARGET_MAX_ARGUMENTS + 1); /* before a query these are nothing */
    ck_assert(!is_too_long(text));
    text[1] = '?';
    ck_assert(is_too_long(text));
    text[HTTP_TARGET_MAX_ARGUMENTS + 1] = 'a';
    ck_assert(!is_too_long(text));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_fault_is_told,
        the_path_of_an_address_is_found,
        a_host_is_measured_with_its_port,
        its_bytes_and_arguments_are_limited,
    };

    return puzzles_run_suite("http_target", tests, sizeof tests / sizeof tests[0]);
}
