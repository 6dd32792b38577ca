/* CPUs: what this process has. */
#include "server/cpus.h"

#include <sched.h>

#include "support.h"

START_TEST(at_least_one_and_no_more_than_affinity_allows)
{
    cpu_set_t set;

    ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
    ck_assert_uint_ge(cpus_available(), 1);
    ck_assert_uint_le(cpus_available(), (unsigned)CPU_COUNT(&set));
}
END_TEST

START_TEST(a_process_tied_to_one_cpu_has_one)
{
    cpu_set_t set;
    size_t cpu = 0;

    ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
    while (!CPU_ISSET(cpu, &set))
        cpu++;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    ck_assert_int_eq(sched_setaffinity(0, sizeof set, &set), 0);
    ck_assert_uint_eq(cpus_available(), 1);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("cpus", &tests);

    tcase_add_test(tests, at_least_one_and_no_more_than_affinity_allows);
    tcase_add_test(tests, a_process_tied_to_one_cpu_has_one);
    return run_suite(suite);
}
