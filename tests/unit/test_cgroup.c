/* Cgroups: quotas of CPU and limits of memory, from folders that look like those of a system. */
#include "server/cgroup.h"

#include <limits.h>
#include <stdio.h>

#include "support.h"

#define MIB UINT64_C(1048576)

static const struct {
    const char *folder;
    unsigned cpus;
    uint64_t memory;
} limits[] = {
    {"v2/limited", 2, 256 * MIB}, /* 1.5, rounded up */
    {"v2/max", 0, 0},
    {"v2/exact", 2, 0},
    {"v2/one_more", 3, 0},
    {"v2/tiny", 1, 0},
    {"v2/odd_period", 3, 0},
    {"v2/many", UINT_MAX, 0},
    {"v2/huge", UINT_MAX, 0},
    {"v2/no_period", 0, 0},
    {"v2/zero_period", 0, 0},
    {"v2/garbage", 0, 0},
    {"v2/empty", 0, 0},
    {"v1/limited", 2, 128 * MIB},
    {"v1/none", 0, 0},
    {"v1/exact", 4, 0},
    {"v1/tiny", 1, 0},
    {"v1/no_period", 0, 0},
    {"v1/zero_period", 0, 0},
    {"v1/huge", UINT_MAX, 0},
    {"both", 3, 64 * MIB},        /* v2 is what counts */
    {"unit", 2, 512 * MIB},       /* a systemd unit, and a limit of the slice above it */
    {"nested", 2, 500000000},     /* the lowest on the way up */
    {"v1_unit", 3, 256 * MIB},    /* each controller has its own tree */
    {"v1_outside", 1, 128 * MIB}, /* a container that sees its path outside, but not that folder */
    {"garbled", 1, MIB},          /* no telling which it is in: the root counts */
    {"no_quota", 0, 0},
    {"there_is_no_such_folder", 0, 0},
};

START_TEST(the_lowest_limit_counts)
{
    char root[512];
    char self[600];

    snprintf(root, sizeof root, "%s/cgroup/%s", TEST_DATA_DIR, limits[_i].folder);
    snprintf(self, sizeof self, "%s/self", root);
    const unsigned cpus = cgroup_cpus(root, self);
    const uint64_t memory = cgroup_memory(root, self);
    ck_assert_msg(cpus == limits[_i].cpus, "%s: %u, not %u CPUs", limits[_i].folder, cpus,
                  limits[_i].cpus);
    ck_assert_msg(memory == limits[_i].memory, "%s: %llu, not %llu bytes", limits[_i].folder,
                  (unsigned long long)memory, (unsigned long long)limits[_i].memory);
}
END_TEST

START_TEST(a_path_too_long_to_be_one_has_no_limit)
{
    char root[2000];

    memset(root, 'x', sizeof root - 1);
    root[sizeof root - 1] = '\0';
    ck_assert_uint_eq(cgroup_cpus(root, root), 0);
    ck_assert_uint_eq(cgroup_memory(root, root), 0);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("cgroup", &tests);

    tcase_add_loop_test(tests, the_lowest_limit_counts, 0, sizeof limits / sizeof limits[0]);
    tcase_add_test(tests, a_path_too_long_to_be_one_has_no_limit);
    return run_suite(suite);
}
