/* CPUs: the quota of a cgroup, from folders that look like one, and what this process has. */
#include "server/cpus.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>

#include "support.h"

static const struct {
    const char *folder;
    unsigned cpus;
} quotas[] = {
    {"v2/limited", 2}, /* 1.5, rounded up */
    {"v2/max", 0},         {"v2/exact", 2},
    {"v2/one_more", 3},    {"v2/tiny", 1},
    {"v2/odd_period", 3},  {"v2/many", UINT_MAX},
    {"v2/huge", UINT_MAX}, {"v2/no_period", 0},
    {"v2/zero_period", 0}, {"v2/garbage", 0},
    {"v2/empty", 0},       {"v1/limited", 2},
    {"v1/none", 0},        {"v1/exact", 4},
    {"v1/tiny", 1},        {"v1/no_period", 0},
    {"v1/zero_period", 0}, {"v1/huge", UINT_MAX},
    {"both", 3}, /* v2 is what counts */
    {"no_quota", 0},       {"there_is_no_such_folder", 0},
};

START_TEST(a_quota_is_rounded_up_to_whole_cpus)
{
    char root[512];

    snprintf(root, sizeof root, "%s/cgroup/%s", TEST_DATA_DIR, quotas[_i].folder);
    ck_assert_msg(cpus_of_quota(root) == quotas[_i].cpus, "%s: %u, not %u", quotas[_i].folder,
                  cpus_of_quota(root), quotas[_i].cpus);
}
END_TEST

START_TEST(a_path_too_long_to_be_one_has_no_quota)
{
    char root[2000];

    memset(root, 'x', sizeof root - 1);
    root[sizeof root - 1] = '\0';
    ck_assert_uint_eq(cpus_of_quota(root), 0);
}
END_TEST

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

    tcase_add_loop_test(tests, a_quota_is_rounded_up_to_whole_cpus, 0,
                        sizeof quotas / sizeof quotas[0]);
    tcase_add_test(tests, a_path_too_long_to_be_one_has_no_quota);
    tcase_add_test(tests, at_least_one_and_no_more_than_affinity_allows);
    tcase_add_test(tests, a_process_tied_to_one_cpu_has_one);
    return run_suite(suite);
}
