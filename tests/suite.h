/* Running the tests of one program. */
#ifndef SUDOKU_TESTS_SUITE_H
#define SUDOKU_TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Runs a suite and gives what main returns. */
static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);

    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A suite of one case; more tests go to the case. A test that hangs is ended after a minute. */
static inline Suite *suite_of(const char *name, TCase **ret_tests)
{
    Suite *suite = suite_create(name);

    *ret_tests = tcase_create(name);
    tcase_set_timeout(*ret_tests, 60);
    suite_add_tcase(suite, *ret_tests);
    return suite;
}

#endif
