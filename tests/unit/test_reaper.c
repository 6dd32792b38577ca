#include "puzzles.h"
#include "server/clock.h"
#include "server/reaper.h"

enum { SEATS = 3 };

struct ends {
    atomic_uint count;
    unsigned tag[SEATS]; /* plus one; 0: not ended */
    struct reaper_seat seats[SEATS];
};

static void end(struct reaper_seat *seat, unsigned tag, void *context)
{
    struct ends *ends = context;

    ends->tag[seat - ends->seats] = tag + 1;
    atomic_fetch_add(&ends->count, 1);
}

static void wait_for(struct ends *ends, unsigned count)
{
    while (atomic_load(&ends->count) < count)
        clock_sleep_ms(1);
}

START_TEST(ends_what_is_late_and_nothing_else)
{
    struct ends ends = {0};
    struct reaper *reaper = reaper_create(5, end, &ends);

    ck_assert_ptr_nonnull(reaper);
    reaper_add(reaper, &ends.seats[0], 20, 1);
    reaper_add(reaper, &ends.seats[1], REAPER_NEVER, 2);
    reaper_add(reaper, &ends.seats[2], 600000, 3);
    wait_for(&ends, 1);
    clock_sleep_ms(50);
    ck_assert_uint_eq(atomic_load(&ends.count), 1);
    ck_assert_uint_eq(ends.tag[0], 2);

    ck_assert(!reaper_set(reaper, &ends.seats[0], REAPER_NEVER, 0));
    ck_assert(!reaper_shorten(reaper, &ends.seats[0], 1, 0));
    ck_assert(reaper_set(reaper, &ends.seats[1], 20, 0));
    wait_for(&ends, 2);
    ck_assert_uint_eq(ends.tag[1], 1);
    ck_assert(reaper_shorten(reaper, &ends.seats[2], 20, 2));
    ck_assert(reaper_shorten(reaper, &ends.seats[2], 600000, 1));
    wait_for(&ends, 3);
    ck_assert_uint_eq(ends.tag[2], 3);
    for (unsigned i = 0; i < SEATS; i++)
        reaper_remove(reaper, &ends.seats[i]);
    reaper_destroy(reaper);
}
END_TEST

/* The owner sets times as fast as it can while the reaper looks: it either hears that it was too
 * late, or the seat is not ended. */
START_TEST(either_the_owner_or_the_reaper_wins)
{
    for (unsigned round = 0; round < 50; round++) {
        struct ends ends = {0};
        struct reaper *reaper = reaper_create(1, end, &ends);
        bool is_in_time = true;

        ck_assert_ptr_nonnull(reaper);
        reaper_add(reaper, &ends.seats[0], 2, 0);
        const uint64_t stop_us = clock_now_us() + 2000 + round * 50;
        while (clock_now_us() < stop_us)
            is_in_time = is_in_time && reaper_shorten(reaper, &ends.seats[0], 1, 0);
        is_in_time = is_in_time && reaper_set(reaper, &ends.seats[0], REAPER_NEVER, 0);
        reaper_remove(reaper, &ends.seats[0]);
        ck_assert(is_in_time == (ends.tag[0] == 0));
        reaper_destroy(reaper);
    }
}
END_TEST

START_TEST(a_seat_that_was_removed_is_left_alone)
{
    struct ends ends = {0};
    struct reaper *reaper = reaper_create(1, end, &ends);

    ck_assert_ptr_nonnull(reaper);
    for (unsigned i = 0; i < SEATS; i++)
        reaper_add(reaper, &ends.seats[i], 10, i);
    reaper_remove(reaper, &ends.seats[1]);
    wait_for(&ends, 2);
    reaper_remove(reaper, &ends.seats[0]);
    reaper_remove(reaper, &ends.seats[2]);
    clock_sleep_ms(20);
    ck_assert_uint_eq(ends.tag[1], 0);
    reaper_destroy(reaper);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        ends_what_is_late_and_nothing_else,
        either_the_owner_or_the_reaper_wins,
        a_seat_that_was_removed_is_left_alone,
    };

    return puzzles_run_suite("reaper", tests, sizeof tests / sizeof tests[0]);
}
