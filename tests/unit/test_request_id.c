/* Names for requests. */
#include "server/request_id.h"

#include <pthread.h>
#include <stdio.h>

#include "support.h"

#define TEN   "abcdefghij"
#define SIXTY TEN TEN TEN TEN TEN TEN

static void assert_made(const char *id)
{
    ck_assert_uint_eq(strlen(id), 16);
    ck_assert_uint_eq(strspn(id, "0123456789abcdef"), 16);
}

START_TEST(a_sane_offer_is_taken_as_it_is)
{
    static const char *const offers[] = {
        "a",
        "Z",
        "0",
        ".",
        "_",
        "-",
        "..",
        "7f1c2a90-63b1-4d2e-9d5e-0242ac120002",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "abcdefghijklmnopqrstuvwxyz.0123456789_-",
        SIXTY "1234",
    };
    struct request_ids ids;

    request_ids_init(&ids);
    for (size_t i = 0; i < sizeof offers / sizeof offers[0]; i++) {
        char id[REQUEST_ID_MAX];
        request_id_take(&ids, offers[i], id);
        ck_assert_str_eq(id, offers[i]);
    }
}
END_TEST

START_TEST(any_other_offer_is_replaced)
{
    static const char *const offers[] = {
        NULL,          "",
        SIXTY "12345", SIXTY SIXTY SIXTY,
        " ",           "a b",
        " a",          "a ",
        "a\n",         "a\r\nX: y",
        "a\"b",        "a\\b",
        "a/b",         "a,b",
        "a;b",         "{a}",
        "a\tb",        "caf\xC3\xA9",
        "\xFF",        "\x7f",
        "a%20b",       "a:b",
        "a@b",         "a=b",
        "a+b",         "<script>",
    };
    struct request_ids ids;

    request_ids_init(&ids);
    for (size_t i = 0; i < sizeof offers / sizeof offers[0]; i++) {
        char id[REQUEST_ID_MAX];
        request_id_take(&ids, offers[i], id);
        assert_made(id);
    }
}
END_TEST

START_TEST(of_all_bytes_only_the_sane_ones_are_taken)
{
    struct request_ids ids;

    request_ids_init(&ids);
    for (int byte = 1; byte < 256; byte++) {
        const char offer[] = {(char)byte, '\0'};
        const bool is_sane = byte < 0x80 && strchr("abcdefghijklmnopqrstuvwxyz"
                                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
                                                   byte) != NULL;
        char id[REQUEST_ID_MAX];
        request_id_take(&ids, offer, id);
        ck_assert_int_eq(strcmp(id, offer) == 0, is_sane);
    }
}
END_TEST

static int compare_ids(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void assert_distinct(char (*ids)[REQUEST_ID_MAX], size_t count)
{
    qsort(ids, count, sizeof ids[0], compare_ids);
    for (size_t i = 1; i < count; i++)
        ck_assert_str_ne(ids[i - 1], ids[i]);
}

enum { TAKERS = 4, TAKEN = 5000 };

static struct request_ids shared;
static char taken[TAKERS * TAKEN][REQUEST_ID_MAX];

static void *take_many(void *first)
{
    char(*mine)[REQUEST_ID_MAX] = first;

    for (size_t i = 0; i < TAKEN; i++)
        request_id_take(&shared, NULL, mine[i]);
    return NULL;
}

START_TEST(made_ids_differ_between_threads_too)
{
    pthread_t threads[TAKERS];

    request_ids_init(&shared);
    for (size_t i = 0; i < TAKERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, take_many, &taken[i * TAKEN]), 0);
    for (size_t i = 0; i < TAKERS; i++)
        pthread_join(threads[i], NULL);
    assert_distinct(taken, TAKERS * TAKEN);
}
END_TEST

START_TEST(made_ids_do_not_count_up)
{
    struct request_ids ids;
    char first[REQUEST_ID_MAX];
    char second[REQUEST_ID_MAX];

    request_ids_init(&ids);
    request_id_take(&ids, NULL, first);
    request_id_take(&ids, NULL, second);
    const unsigned long long a = strtoull(first, NULL, 16);
    const unsigned long long b = strtoull(second, NULL, 16);
    ck_assert_uint_ne(b - a, 1);
    ck_assert_uint_ne(a - b, 1);
}
END_TEST

START_TEST(two_servers_make_different_ids)
{
    struct request_ids one;
    struct request_ids other;
    char first[REQUEST_ID_MAX];
    char second[REQUEST_ID_MAX];

    request_ids_init(&one);
    request_ids_init(&other);
    request_id_take(&one, NULL, first);
    request_id_take(&other, NULL, second);
    ck_assert_str_ne(first, second);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("request_id", &tests);

    tcase_add_test(tests, a_sane_offer_is_taken_as_it_is);
    tcase_add_test(tests, any_other_offer_is_replaced);
    tcase_add_test(tests, of_all_bytes_only_the_sane_ones_are_taken);
    tcase_add_test(tests, made_ids_differ_between_threads_too);
    tcase_add_test(tests, made_ids_do_not_count_up);
    tcase_add_test(tests, two_servers_make_different_ids);
    return run_suite(suite);
}
