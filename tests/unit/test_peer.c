/* Which addresses count as one client. */
#include "server/peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include "support.h"

static uint64_t number_of(const char *text)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(80)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(80)};

    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
        return peer_number((const struct sockaddr *)&v4);
    ck_assert_int_eq(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
    return peer_number((const struct sockaddr *)&v6);
}

START_TEST(knows_one_client_by_its_addresses)
{
    static const struct {
        const char *one, *other;
        bool are_the_same;
    } rows[] = {
        {"127.0.0.1", "127.0.0.1", true},
        {"127.0.0.1", "127.0.0.2", false},
        {"1.0.0.0", "0.0.0.1", false},
        {"0.0.0.0", "::", false},
        /* An IPv4 client of a socket that serves both. */
        {"192.0.2.7", "::ffff:192.0.2.7", true},
        {"192.0.2.7", "::ffff:192.0.2.8", false},
        /* IPv6: by the first 64 bits. */
        {"2001:db8:1:2::1", "2001:db8:1:2::2", true},
        {"2001:db8:1:2::", "2001:db8:1:2:ffff:ffff:ffff:ffff", true},
        {"2001:db8:1:2::1", "2001:db8:1:3::1", false},
        {"2001:db8:1:2::1", "2001:db9:1:2::1", false},
        {"::1", "127.0.0.1", false},
        {"fe80::1", "fe80::2", true},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg((number_of(rows[i].one) == number_of(rows[i].other)) == rows[i].are_the_same,
                      "%s, %s", rows[i].one, rows[i].other);
}
END_TEST

START_TEST(counts_all_that_have_no_address_as_one)
{
    const struct sockaddr_un local = {.sun_family = AF_UNIX};

    ck_assert_uint_eq(peer_number(NULL), peer_number((const struct sockaddr *)&local));
    ck_assert_uint_ne(peer_number(NULL), number_of("255.255.255.255"));
    ck_assert_uint_ne(peer_number(NULL), number_of("ffff:ffff:ffff:fffe::"));
}
END_TEST

START_TEST(reads_the_last_of_a_list)
{
    static const struct {
        const char *list, *address; /* NULL: it is none */
    } rows[] = {
        {"192.0.2.7", "192.0.2.7"},
        {" 192.0.2.7 ", "192.0.2.7"},
        {"192.0.2.7:8080", "192.0.2.7"},
        {"10.0.0.1, 192.0.2.7", "192.0.2.7"},
        {"nonsense,192.0.2.7", "192.0.2.7"},
        {"2001:db8:1:2::1", "2001:db8:1:2::9"},
        {"[2001:db8:1:2::1]", "2001:db8:1:2::9"},
        {"10.0.0.1,\t[2001:db8:1:2::1]:443", "2001:db8:1:2::9"},
        {"::ffff:192.0.2.7", "192.0.2.7"},
        {"", NULL},
        {" ", NULL},
        {"192.0.2.7,", NULL},
        {"192.0.2", NULL},
        {"192.0.2.7.1", NULL},
        {"192.0.2.256", NULL},
        {"unknown", NULL},
        {"_secret", NULL},
        {"[", NULL},
        {"[]", NULL},
        {"[192.0.2.7]", NULL},
        {"[2001:db8::1", NULL},
        {"2001:db8::1]", NULL},
        {":80", NULL},
        {"0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000", NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t number = 0;
        ck_assert_msg(peer_read_last(rows[i].list, &number) == (rows[i].address != NULL), "%s",
                      rows[i].list);
        if (rows[i].address != NULL)
            ck_assert_msg(number == number_of(rows[i].address), "%s", rows[i].list);
    }
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("peer", &tests);

    tcase_add_test(tests, knows_one_client_by_its_addresses);
    tcase_add_test(tests, counts_all_that_have_no_address_as_one);
    tcase_add_test(tests, reads_the_last_of_a_list);
    return run_suite(suite);
}
