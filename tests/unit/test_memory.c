/* Memory: how what there is, is shared out. */
#include "server/memory.h"

#include <unistd.h>

#include "support.h"

#define MIB UINT64_C(1048576)

static const struct {
    uint64_t memory, connections, bodies;
} shares[] = {
    {UINT64_MAX, 4000, 256 * MIB},
    {4096 * MIB, 4000, 256 * MIB},
    {1024 * MIB, 4000, 256 * MIB},
    {512 * MIB, 3276, 128 * MIB},
    {256 * MIB, 1638, 64 * MIB},
    {64 * MIB, 409, 16 * MIB},
    {8 * MIB, 64, 2 * MIB},
    {2 * MIB, 64, MIB},
    {0, 64, MIB},
};

START_TEST(a_quarter_each_goes_to_connections_and_bodies)
{
    ck_assert_uint_eq(memory_connections(shares[_i].memory), shares[_i].connections);
    ck_assert_uint_eq(memory_bodies(shares[_i].memory), shares[_i].bodies);
}
END_TEST

START_TEST(there_is_some_and_no_more_than_the_machine_has)
{
    const uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

    ck_assert_uint_gt(memory_available(), 0);
    ck_assert_uint_le(memory_available(), machine);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("memory", &tests);

    tcase_add_loop_test(tests, a_quarter_each_goes_to_connections_and_bodies, 0,
                        sizeof shares / sizeof shares[0]);
    tcase_add_test(tests, there_is_some_and_no_more_than_the_machine_has);
    return run_suite(suite);
}
