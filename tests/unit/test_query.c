#include "puzzles.h"

enum { MANY = 1001 };

static struct sudoku_query query;
static struct sudoku_grid list[MANY];
static struct sudoku_grid expected[MANY];

static const uint64_t plenty = 100000000;

/* Asks in slices of `effort`. */
static struct sudoku_answer ask(const struct sudoku_question *question, uint64_t effort)
{
    struct sudoku_answer answer;

    sudoku_query_start(&query, sudoku_engine_best(), question);
    while (sudoku_query_run(&query, effort) == SUDOKU_PAUSED)
        continue;
    sudoku_query_answer(&query, &answer);
    ck_assert_uint_le(answer.steps, question->max_steps);
    ck_assert_uint_le(answer.solution_count, question->max_solutions);
    if (answer.has_solution)
        puzzles_assert_solves(&question->puzzle, &answer.solution);
    return answer;
}

static enum sudoku_status status_of_count(unsigned solutions)
{
    return solutions == 0 ? SUDOKU_NONE : solutions == 1 ? SUDOKU_UNIQUE : SUDOKU_MULTIPLE;
}

START_TEST(the_known_cases_get_their_status_count_and_first_solution)
{
    struct puzzles *cases = puzzles_load("cases.tsv");
    unsigned compared = 0;

    for (size_t i = 0; i < cases->count; i++) {
        const struct puzzle *puzzle = &cases->puzzle[i];
        const struct sudoku_question question = {
            .puzzle = puzzle->grid, .max_solutions = 1001, .max_steps = plenty};
        const struct sudoku_answer answer = ask(&question, 1000);
        bool gave_up;

        ck_assert_msg(answer.status == status_of_count(puzzle->solutions), "%s", puzzle->name);
        ck_assert_uint_eq(answer.solution_count, puzzle->solutions);
        ck_assert(answer.count_exact == (puzzle->solutions < 1001));
        ck_assert(!answer.budget_exhausted);
        ck_assert(answer.has_solution == (puzzle->solutions > 0));
        ck_assert(answer.solution_is_first == answer.has_solution);
        if (puzzle->is_conflicting ||
            puzzles_naive(&puzzle->grid, expected, 1, 1000000, &gave_up) == 0)
            continue;
        ck_assert_mem_eq(&answer.solution, &expected[0], sizeof expected[0]);
        compared++;
    }
    ck_assert_uint_gt(compared, 40);
    free(cases);
}
END_TEST

START_TEST(lists_hold_all_solutions_ascending)
{
    struct puzzles *cases = puzzles_load("cases.tsv");
    unsigned compared = 0;

    for (size_t i = 0; i < cases->count; i++) {
        const struct puzzle *puzzle = &cases->puzzle[i];
        const struct sudoku_question question = {
            .puzzle = puzzle->grid, .max_solutions = 1000, .max_steps = plenty, .list = list};
        const struct sudoku_answer answer = ask(&question, 1000);
        const unsigned count = puzzle->solutions < 1000 ? puzzle->solutions : 1000;
        bool gave_up;

        ck_assert_uint_eq(answer.solution_count, count);
        ck_assert(answer.count_exact == (puzzle->solutions < 1000));
        ck_assert(count == 0 || memcmp(&list[0], &answer.solution, sizeof list[0]) == 0);
        for (unsigned k = 0; k < count; k++) {
            puzzles_assert_solves(&puzzle->grid, &list[k]);
            ck_assert(k == 0 || memcmp(&list[k - 1], &list[k], sizeof list[k]) < 0);
        }
        if (count == 0)
            continue;
        const size_t found = puzzles_naive(&puzzle->grid, expected, count, 200000, &gave_up);
        ck_assert_mem_eq(list, expected, found * sizeof list[0]);
        compared += found > 0;
    }
    ck_assert_uint_gt(compared, 25);
    free(cases);
}
END_TEST

START_TEST(a_count_that_stops_at_its_limit_is_not_called_exact)
{
    const struct {
        const char *name;
        uint32_t max_solutions;
        enum sudoku_status status;
        bool exact;
    } rows[] = {
        {"sp-valid-completed", 1, SUDOKU_SOLVABLE, false},
        {"sp-valid-completed", 2, SUDOKU_UNIQUE, true},
        {"sp-single-given", 1, SUDOKU_SOLVABLE, false},
        {"sp-single-given", 2, SUDOKU_MULTIPLE, false},
    };
    struct puzzles *cases = puzzles_load("cases.tsv");

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        bool is_found = false;
        for (size_t i = 0; i < cases->count; i++) {
            if (strcmp(cases->puzzle[i].name, rows[r].name) != 0)
                continue;
            const struct sudoku_question question = {.puzzle = cases->puzzle[i].grid,
                                                     .max_solutions = rows[r].max_solutions,
                                                     .max_steps = plenty};
            const struct sudoku_answer answer = ask(&question, 1000);
            ck_assert_int_eq(answer.status, rows[r].status);
            ck_assert(answer.count_exact == rows[r].exact);
            ck_assert(answer.solution_is_first);
            is_found = true;
        }
        ck_assert(is_found);
    }
    free(cases);
}
END_TEST

static void assert_same(const struct sudoku_answer *a, const struct sudoku_answer *b)
{
    ck_assert_int_eq(a->status, b->status);
    ck_assert(a->has_solution == b->has_solution);
    ck_assert(a->solution_is_first == b->solution_is_first);
    ck_assert_uint_eq(a->solution_count, b->solution_count);
    ck_assert(a->count_exact == b->count_exact);
    ck_assert(a->budget_exhausted == b->budget_exhausted);
    ck_assert_uint_eq(a->steps, b->steps);
    if (a->has_solution)
        ck_assert_mem_eq(&a->solution, &b->solution, sizeof a->solution);
}

/* A budget may end anywhere. Whatever is said then must be true, and not depend on the slices. */
static void assert_honest(const struct puzzle *puzzle, const struct sudoku_question *question,
                          const struct sudoku_answer *whole)
{
    static struct sudoku_grid kept[MANY];
    const struct sudoku_answer answer = ask(question, 1);

    if (question->list != NULL)
        memcpy(kept, list, sizeof kept);
    const struct sudoku_answer again = ask(question, 1000000);
    assert_same(&answer, &again);

    ck_assert_uint_le(answer.solution_count, whole->solution_count);
    ck_assert(answer.budget_exhausted == (question->max_steps < whole->steps));
    if (!answer.budget_exhausted) {
        assert_same(&answer, whole);
        return;
    }
    ck_assert(!answer.count_exact);
    switch (answer.status) {
    case SUDOKU_UNIQUE:
    case SUDOKU_NONE:
        ck_abort_msg("%s: nothing is proven when the budget ends", puzzle->name);
    case SUDOKU_MULTIPLE:
        ck_assert_uint_ge(answer.solution_count, 2);
        break;
    case SUDOKU_SOLVABLE:
        ck_assert_uint_eq(answer.solution_count, 1);
        break;
    case SUDOKU_UNDETERMINED:
        ck_assert_uint_eq(answer.solution_count, 0);
        break;
    }
    ck_assert(answer.has_solution == (answer.solution_count > 0));
    if (answer.solution_is_first)
        ck_assert_mem_eq(&answer.solution, &whole->solution, sizeof whole->solution);
    if (question->list == NULL || answer.solution_count == 0)
        return;
    ck_assert_mem_eq(kept, list, answer.solution_count * sizeof list[0]);
    ck_assert_mem_eq(&list[0], &answer.solution, sizeof list[0]);
    for (uint32_t k = 0; k < answer.solution_count; k++) {
        puzzles_assert_solves(&puzzle->grid, &list[k]);
        ck_assert(k == 0 || memcmp(&list[k - 1], &list[k], sizeof list[k]) < 0);
    }
}

START_TEST(whatever_the_budget_the_answer_is_honest_and_the_same_in_any_slices)
{
    struct puzzles *cases = puzzles_load("cases.tsv");
    const uint32_t limits[] = {1, 2, 20};
    unsigned exhausted = 0;

    for (size_t i = 0; i < cases->count; i++) {
        for (size_t l = 0; l < 6; l++) {
            struct sudoku_question question = {
                .puzzle = cases->puzzle[i].grid,
                .max_solutions = limits[l % 3],
                .max_steps = plenty,
                .list = l < 3 ? NULL : list,
            };
            const struct sudoku_answer whole = ask(&question, 1000000);
            if (whole.steps > 800)
                continue;
            const uint64_t stride = whole.steps / 16 + 1;
            for (uint64_t budget = 1; budget <= whole.steps + 1; budget += stride) {
                question.max_steps = budget;
                assert_honest(&cases->puzzle[i], &question, &whole);
                exhausted += query.budget_exhausted;
            }
        }
    }
    ck_assert_uint_gt(exhausted, 500);
    free(cases);
}
END_TEST

START_TEST(killers_with_a_small_budget_are_undetermined_or_proven)
{
    struct puzzles *killers = puzzles_load("killers.tsv");

    ck_assert_uint_eq(killers->count, 2);
    for (size_t e = 0; sudoku_engine_at(e) != NULL; e++) {
        for (size_t i = 0; i < killers->count; i++) {
            const struct sudoku_question question = {
                .puzzle = killers->puzzle[i].grid, .max_solutions = 2, .max_steps = 1000};
            struct sudoku_answer answer;
            sudoku_query_start(&query, sudoku_engine_at(e), &question);
            while (sudoku_query_run(&query, 64) == SUDOKU_PAUSED)
                continue;
            sudoku_query_answer(&query, &answer);
            ck_assert_uint_le(answer.steps, 1000);
            ck_assert(answer.status == SUDOKU_NONE || answer.status == SUDOKU_UNDETERMINED);
            ck_assert(answer.budget_exhausted == (answer.status == SUDOKU_UNDETERMINED));
        }
    }
    free(killers);
}
END_TEST

START_TEST(counting_only_gives_the_same_status_without_looking_for_the_first)
{
    struct puzzles *sample = puzzles_load("multi_solution_sample.txt");

    for (size_t i = 0; i < sample->count; i++) {
        struct sudoku_question question = {
            .puzzle = sample->puzzle[i].grid, .max_solutions = 2, .max_steps = plenty};
        const struct sudoku_answer with = ask(&question, 1000000);
        question.count_only = true;
        const struct sudoku_answer without = ask(&question, 1000000);
        ck_assert_int_eq(with.status, without.status);
        ck_assert_uint_eq(with.solution_count, without.solution_count);
        ck_assert_uint_le(without.steps, with.steps);
        ck_assert(without.has_solution && !without.solution_is_first);
    }
    free(sample);
}
END_TEST

START_TEST(relabelled_digits_give_the_relabelled_solution)
{
    struct puzzles *sample = puzzles_load("17_clue_sample.txt");
    const uint8_t relabel[10] = {0, 4, 7, 1, 9, 2, 8, 3, 6, 5};

    for (size_t i = 0; i < sample->count; i++) {
        struct sudoku_question question = {
            .puzzle = sample->puzzle[i].grid, .max_solutions = 2, .max_steps = plenty};
        const struct sudoku_answer plain = ask(&question, 1000000);
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            question.puzzle.cell[cell] = relabel[question.puzzle.cell[cell]];
        const struct sudoku_answer renamed = ask(&question, 1000000);
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            ck_assert_uint_eq(renamed.solution.cell[cell], relabel[plain.solution.cell[cell]]);
    }
    free(sample);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_known_cases_get_their_status_count_and_first_solution,
        lists_hold_all_solutions_ascending,
        a_count_that_stops_at_its_limit_is_not_called_exact,
        whatever_the_budget_the_answer_is_honest_and_the_same_in_any_slices,
        killers_with_a_small_budget_are_undetermined_or_proven,
        counting_only_gives_the_same_status_without_looking_for_the_first,
        relabelled_digits_give_the_relabelled_solution,
    };

    return puzzles_run_suite("query", tests, sizeof tests / sizeof tests[0]);
}
