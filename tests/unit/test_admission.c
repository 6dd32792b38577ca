#include <pthread.h>
#include <stdlib.h>

#include "server/admission.h"
#include "suite.h"

START_TEST(there_are_so_many_places)
{
    struct admission *admission = admission_create(2, 0);

    ck_assert(admission_has_place(admission));
    ck_assert(admission_take_place(admission));
    ck_assert(admission_take_place(admission));
    ck_assert(!admission_has_place(admission));
    ck_assert(!admission_take_place(admission));
    admission_give_back(admission);
    ck_assert(admission_take_place(admission));
    ck_assert(admission_enter(admission, 1));
    admission_leave(admission, 1);
    ck_assert(admission_has_place(admission));
    admission_destroy(admission);
}
END_TEST

START_TEST(an_address_has_its_share)
{
    struct admission *admission = admission_create(10, 2);

    for (unsigned i = 0; i < 2; i++) {
        ck_assert(admission_take_place(admission));
        ck_assert(admission_enter(admission, 7));
    }
    /* Its place is free again, for another. */
    ck_assert(admission_take_place(admission));
    ck_assert(!admission_enter(admission, 7));
    for (unsigned i = 2; i < 10; i++) {
        ck_assert(admission_take_place(admission));
        ck_assert(admission_enter(admission, 100 + i));
    }
    ck_assert(!admission_take_place(admission));
    admission_leave(admission, 7);
    ck_assert(admission_take_place(admission));
    ck_assert(admission_enter(admission, 7));
    admission_destroy(admission);
}
END_TEST

/* Addresses come and go in any order, and many share the first place in the table: what it says of
 * each must be what a plain count does. */
START_TEST(addresses_are_counted_right)
{
    enum { CLIENTS = 200, ADDRESSES = 150, SHARE = 3, ROUNDS = 200000 };
    struct admission *admission = admission_create(CLIENTS, SHARE);
    unsigned of_address[ADDRESSES] = {0};
    unsigned all = 0;

    srandom(1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const size_t i = (size_t)random() % ADDRESSES;
        const uint64_t address = (uint64_t)i << (i % 2 * 32);
        if (random() % 2 == 0 && of_address[i] > 0) {
            admission_leave(admission, address);
            of_address[i]--;
            all--;
            continue;
        }
        ck_assert(admission_take_place(admission) == (all < CLIENTS));
        if (all == CLIENTS)
            continue;
        ck_assert(admission_enter(admission, address) == (of_address[i] < SHARE));
        if (of_address[i] < SHARE) {
            of_address[i]++;
            all++;
        }
    }
    ck_assert_uint_gt(all, 0);
    admission_destroy(admission);
}
END_TEST

static void *come_and_go(void *argument)
{
    struct admission *admission = argument;
    size_t entered = 0;

    for (uint64_t i = 0; i < 20000; i++) {
        if (!admission_take_place(admission) || !admission_enter(admission, i % 5))
            continue;
        entered++;
        admission_leave(admission, i % 5);
    }
    return (void *)entered;
}

START_TEST(threads_share_it)
{
    enum { THREADS = 4, PLACES = 3 };
    struct admission *admission = admission_create(PLACES, 1);
    pthread_t threads[THREADS];

    for (size_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, come_and_go, admission), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *entered;
        pthread_join(threads[i], &entered);
        ck_assert_ptr_nonnull(entered);
    }
    /* None is lost, none is there twice. */
    for (uint64_t i = 0; i < PLACES; i++) {
        ck_assert(admission_take_place(admission));
        ck_assert(admission_enter(admission, i));
    }
    ck_assert(!admission_has_place(admission));
    admission_destroy(admission);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("admission", &tests);

    tcase_add_test(tests, there_are_so_many_places);
    tcase_add_test(tests, an_address_has_its_share);
    tcase_add_test(tests, addresses_are_counted_right);
    tcase_add_test(tests, threads_share_it);
    return run_suite(suite);
}
