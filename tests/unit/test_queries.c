/* Memory for queries, kept from one request to the next. */
#include "api/queries.h"

#include <pthread.h>

#include "puzzles.h"

START_TEST(what_is_given_back_is_taken_again)
{
    static struct queries queries;
    struct sudoku_query *query = queries_take(&queries);

    ck_assert_ptr_nonnull(query);
    ck_assert_uint_eq((uintptr_t)query % _Alignof(struct sudoku_query), 0);
    queries_give(&queries, query);
    ck_assert_ptr_eq(queries_take(&queries), query);
    queries_give(&queries, query);
    queries_give(&queries, NULL);
    queries_clear(&queries);
    for (unsigned i = 0; i < QUERIES_KEPT; i++)
        ck_assert_ptr_null(atomic_load(&queries.kept[i]));
}
END_TEST

/* The address sanitizer sees those that are not kept being freed, and that none is lost. */
START_TEST(no_more_than_a_few_are_kept)
{
    enum { MANY = QUERIES_KEPT + 3 };
    static struct queries queries;
    struct sudoku_query *taken[MANY];

    for (unsigned i = 0; i < MANY; i++) {
        taken[i] = queries_take(&queries);
        ck_assert_ptr_nonnull(taken[i]);
        for (unsigned j = 0; j < i; j++)
            ck_assert_ptr_ne(taken[i], taken[j]);
    }
    for (unsigned i = 0; i < MANY; i++)
        queries_give(&queries, taken[i]);
    for (unsigned i = 0; i < QUERIES_KEPT; i++)
        ck_assert_ptr_nonnull(atomic_load(&queries.kept[i]));
    queries_clear(&queries);
}
END_TEST

START_TEST(without_a_place_to_keep_them_they_come_from_the_heap)
{
    struct sudoku_query *query = queries_take(NULL);

    ck_assert_ptr_nonnull(query);
    queries_give(NULL, query);
}
END_TEST

enum { ROUNDS = 20000 };

static void *take_and_give(void *argument)
{
    struct queries *queries = argument;

    for (unsigned i = 0; i < ROUNDS; i++) {
        struct sudoku_query *query = queries_take(queries);
        if (query == NULL)
            return NULL;
        /* Nobody else has it: a race would be seen here. */
        query->listed = i;
        if (query->listed != i)
            return NULL;
        queries_give(queries, query);
    }
    return queries;
}

START_TEST(no_two_threads_have_the_same)
{
    static struct queries queries;
    pthread_t threads[4];

    for (unsigned i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, take_and_give, &queries), 0);
    for (unsigned i = 0; i < 4; i++) {
        void *ended;
        pthread_join(threads[i], &ended);
        ck_assert_ptr_eq(ended, &queries);
    }
    queries_clear(&queries);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_given_back_is_taken_again,
        no_more_than_a_few_are_kept,
        without_a_place_to_keep_them_they_come_from_the_heap,
        no_two_threads_have_the_same,
    };

    return puzzles_run_suite("queries", tests, sizeof tests / sizeof tests[0]);
}
