/* Counters: nothing is lost, whoever counts, and nothing is counted twice. */
#include "server/counters.h"

#include <pthread.h>
#include <stdio.h>

#include "server/process.h"
#include "support.h"

static struct counters *counters;
static struct metrics_counters sum;

static void set_up(void)
{
    counters = counters_create();
    ck_assert_ptr_nonnull(counters);
}

static void tear_down(void)
{
    counters_destroy(counters);
}

START_TEST(all_begin_at_zero)
{
    static const struct metrics_counters zeros;

    counters_sum(counters, &sum);
    ck_assert_mem_eq(&sum, &zeros, sizeof sum);
}
END_TEST

static const struct api_tally one_puzzle = {
    .answers = {[SUDOKU_MULTIPLE] = 1}, .exhausted = 1, .steps = 17};

START_TEST(a_request_moves_what_it_is_about_and_nothing_else)
{
    const struct counters_request request = {
        .path = "/solve",
        .method = "POST",
        .status = 200,
        .is_solved = true,
        .is_queued = true,
        .took_us = 300,
        .worked_us = 200,
        .queued_us = 90,
        .received = 81,
        .sent = 82,
        .tally = &one_puzzle,
    };
    static struct metrics_counters expected;
    const size_t place = metrics_place("/solve");

    counters_add_request(counters, &request);
    counters_sum(counters, &sum);
    expected.requests[place][metrics_method("POST")][metrics_status(200)] = 1;
    expected.request_duration[place].bucket[metrics_bucket(300)] = 1;
    expected.request_duration[place].sum_us = 300;
    expected.solve_duration.bucket[metrics_bucket(200)] = 1;
    expected.solve_duration.sum_us = 200;
    expected.queue_duration.bucket[metrics_bucket(90)] = 1;
    expected.queue_duration.sum_us = 90;
    expected.puzzles[METRICS_SINGLE] = one_puzzle;
    expected.received_bytes = 81;
    expected.sent_bytes = 82;
    ck_assert_mem_eq(&sum, &expected, sizeof sum);
}
END_TEST

START_TEST(a_request_that_solves_nothing_counts_no_puzzle)
{
    const struct counters_request request = {
        .path = "/a path that nobody knows",
        .method = "GET",
        .status = 404,
        .problem = 1 + PROBLEM_NOT_FOUND,
        .took_us = 5,
        .tally = &one_puzzle,
    };
    static struct metrics_counters expected;
    const size_t place = metrics_place("/nothing");

    counters_add_request(counters, &request);
    counters_sum(counters, &sum);
    expected.requests[place][metrics_method("GET")][metrics_status(404)] = 1;
    expected.request_duration[place].bucket[0] = 1;
    expected.request_duration[place].sum_us = 5;
    expected.problems[PROBLEM_NOT_FOUND] = 1;
    ck_assert_mem_eq(&sum, &expected, sizeof sum);
}
END_TEST

START_TEST(puzzles_of_a_batch_are_counted_apart)
{
    const struct api_tally tally = {
        .answers = {3, 2, 1, 4, 5}, .problems = 6, .exhausted = 7, .steps = 800};

    counters_add_puzzles(counters, METRICS_BATCH, &tally);
    counters_add_puzzles(counters, METRICS_BATCH, &one_puzzle);
    counters_sum(counters, &sum);
    const struct api_tally *batch = &sum.puzzles[METRICS_BATCH];
    ck_assert_uint_eq(batch->answers[SUDOKU_UNIQUE], 3);
    ck_assert_uint_eq(batch->answers[SUDOKU_MULTIPLE], 3);
    ck_assert_uint_eq(batch->problems, 6);
    ck_assert_uint_eq(batch->exhausted, 8);
    ck_assert_uint_eq(batch->steps, 817);
    ck_assert_uint_eq(tally_puzzles(batch), 22);
    ck_assert_uint_eq(tally_puzzles(&sum.puzzles[METRICS_SINGLE]), 0);
}
END_TEST

START_TEST(a_tally_that_is_moved_is_empty)
{
    struct api_tally from = one_puzzle;
    struct api_tally to = one_puzzle;

    tally_move(&to, &from);
    ck_assert_uint_eq(to.answers[SUDOKU_MULTIPLE], 2);
    ck_assert_uint_eq(to.steps, 34);
    ck_assert_uint_eq(to.exhausted, 2);
    ck_assert_uint_eq(tally_puzzles(&from), 0);
    ck_assert_uint_eq(from.steps, 0);
}
END_TEST

enum { THREADS = 8, ROUNDS = 20000 };

static void *count(void *argument)
{
    const struct counters_request request = {
        .path = "/livez", .method = "GET", .status = 200, .took_us = 1, .tally = &one_puzzle};

    (void)argument;
    for (unsigned i = 0; i < ROUNDS; i++) {
        counters_add_request(counters, &request);
        counters_add(&counters_lane(counters)->connections_opened, 1);
    }
    return NULL;
}

/* More threads than there are CPUs, so that they share lanes and are moved between them. */
START_TEST(many_threads_lose_nothing_and_sums_never_go_down)
{
    const size_t place = metrics_place("/livez");
    pthread_t threads[THREADS];
    uint64_t before = 0;

    for (size_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, count, NULL), 0);
    for (unsigned i = 0; i < 100; i++) {
        counters_sum(counters, &sum);
        ck_assert_uint_ge(sum.connections_opened, before);
        before = sum.connections_opened;
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    counters_sum(counters, &sum);
    ck_assert_uint_eq(sum.requests[place][metrics_method("GET")][metrics_status(200)],
                      THREADS * ROUNDS);
    ck_assert_uint_eq(sum.request_duration[place].bucket[0], THREADS * ROUNDS);
    ck_assert_uint_eq(sum.request_duration[place].sum_us, THREADS * ROUNDS);
    ck_assert_uint_eq(sum.connections_opened, THREADS * ROUNDS);
}
END_TEST

START_TEST(the_process_uses_time_memory_and_files)
{
    struct metrics_state before = {0};
    struct metrics_state after = {0};
    FILE *file;

    process_look(&before);
    ck_assert_uint_gt(before.resident_bytes, 4096);
    ck_assert_uint_lt(before.resident_bytes, before.virtual_bytes);
    ck_assert_uint_ge(before.open_files, 1);
    ck_assert_uint_le(before.open_files, before.max_files);
    file = tmpfile();
    ck_assert_ptr_nonnull(file);
    for (unsigned i = 0; i < 50; i++)
        process_look(&after);
    ck_assert_uint_eq(after.open_files, before.open_files + 1);
    ck_assert_uint_gt(after.cpu_us, before.cpu_us);
    fclose(file);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("counters", &tests);

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, all_begin_at_zero);
    tcase_add_test(tests, a_request_moves_what_it_is_about_and_nothing_else);
    tcase_add_test(tests, a_request_that_solves_nothing_counts_no_puzzle);
    tcase_add_test(tests, puzzles_of_a_batch_are_counted_apart);
    tcase_add_test(tests, a_tally_that_is_moved_is_empty);
    tcase_add_test(tests, many_threads_lose_nothing_and_sums_never_go_down);
    tcase_add_test(tests, the_process_uses_time_memory_and_files);
    return run_suite(suite);
}
