#include "problem.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
    unsigned status;
    const char *name;
    const char *title;
} types[] = {
#define ROW(id, status, name, title) {status, name, title},
    PROBLEM_TYPES(ROW)
#undef ROW
};

unsigned problem_status(enum problem_type type)
{
    return types[type].status;
}

const char *problem_name(enum problem_type type)
{
    return types[type].name;
}

const char *problem_title(enum problem_type type)
{
    return types[type].title;
}

void problem_begin(struct problem *problem, enum problem_type type)
{
    problem->type = type;
    problem->detail[0] = '\0';
    problem->error_count = 0;
    problem->line = 0;
    problem->conflict_count = 0;
}

void problem_init(struct problem *problem, enum problem_type type, const char *format, ...)
{
    va_list arguments;

    problem_begin(problem, type);
    va_start(arguments, format);
    (void)vsnprintf(problem->detail, sizeof problem->detail, format, arguments);
    va_end(arguments);
}

void problem_add_error(struct problem *problem, const char *pointer, const char *format, ...)
{
    va_list arguments;

    if (problem->error_count++ >= PROBLEM_MAX_ERRORS)
        return;
    struct problem_error *error = &problem->errors[problem->error_count - 1];
    snprintf(error->pointer, sizeof error->pointer, "%s", pointer);
    va_start(arguments, format);
    (void)vsnprintf(error->detail, sizeof error->detail, format, arguments);
    va_end(arguments);
}

static const char *const unit_names[] = {
    [SUDOKU_ROW] = "row",
    [SUDOKU_COLUMN] = "column",
    [SUDOKU_BOX] = "box",
};

static const char *const ordinals[] = {
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
};

void problem_init_conflicts(struct problem *problem, const struct sudoku_grid *puzzle)
{
    problem_begin(problem, PROBLEM_CONFLICTING_CLUES);
    problem->conflict_count = sudoku_conflicts(puzzle, problem->conflicts);

    const struct sudoku_conflict *first = &problem->conflicts[0];
    snprintf(problem->detail, sizeof problem->detail,
             problem->conflict_count == 1 ? "The %s %s has the value %d %s."
                                          : "The %s %s has the value %d %s; one of %zu conflicts.",
             ordinals[first->index], unit_names[first->kind], first->value,
             first->cell_count == 2 ? "twice" : "more than twice", problem->conflict_count);
}

void problem_init_deadline(struct problem *problem, uint64_t deadline_ms)
{
    problem_init(problem, PROBLEM_DEADLINE_EXCEEDED,
                 "No answer within %llu ms; a smaller max_steps may help.",
                 (unsigned long long)deadline_ms);
}

void problem_init_text(struct problem *problem, const struct sudoku_text_fault *fault)
{
    problem_init(problem, PROBLEM_MALFORMED_TEXT, "Line %u, column %u: %s.", fault->line,
                 fault->column, fault->reason);
    problem->line = fault->line;
    problem->column = fault->column;
    problem->offset = fault->offset;
}

static void put_member(struct buffer *out, const char *name, const char *text)
{
    buffer_put_text(out, name);
    buffer_put_json_string(out, text);
}

static void put_number(struct buffer *out, const char *name, uint64_t number)
{
    buffer_put_text(out, name);
    buffer_put_uint(out, number);
}

void problem_put_conflicts(const struct sudoku_conflict *conflicts, size_t count,
                           struct buffer *out)
{
    buffer_put_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        const struct sudoku_conflict *conflict = &conflicts[i];
        put_member(out, i == 0 ? "{\"unit\":" : ",{\"unit\":", unit_names[conflict->kind]);
        put_number(out, ",\"index\":", conflict->index);
        put_number(out, ",\"value\":", conflict->value);
        buffer_put_text(out, ",\"cells\":[");
        for (unsigned k = 0; k < conflict->cell_count; k++) {
            put_number(out, k == 0 ? "[" : ",[", conflict->cell[k] / 9U);
            put_number(out, ",", conflict->cell[k] % 9U);
            buffer_put_text(out, "]");
        }
        buffer_put_text(out, "]}");
    }
    buffer_put_text(out, "]");
}

static void put_errors(struct buffer *out, const struct problem *problem)
{
    buffer_put_text(out, ",\"errors\":[");
    for (unsigned i = 0; i < problem->error_count && i < PROBLEM_MAX_ERRORS; i++) {
        put_member(out, i == 0 ? "{\"pointer\":" : ",{\"pointer\":", problem->errors[i].pointer);
        put_member(out, ",\"detail\":", problem->errors[i].detail);
        buffer_put_text(out, "}");
    }
    buffer_put_text(out, "]");
}

void problem_put(const struct problem *problem, const char *instance, struct buffer *out)
{
    buffer_put_text(out, "{\"type\":\"/problems/");
    buffer_put_text(out, problem_name(problem->type));
    put_member(out, "\",\"title\":", problem_title(problem->type));
    put_number(out, ",\"status\":", problem_status(problem->type));
    put_member(out, ",\"detail\":", problem->detail);
    put_member(out, ",\"instance\":", instance);
    if (problem->line != 0) {
        put_number(out, ",\"line\":", problem->line);
        put_number(out, ",\"column\":", problem->column);
        put_number(out, ",\"offset\":", problem->offset);
    }
    if (problem->error_count > 0)
        put_errors(out, problem);
    if (problem->conflict_count > 0) {
        buffer_put_text(out, ",\"conflicts\":");
        problem_put_conflicts(problem->conflicts, problem->conflict_count, out);
    }
    buffer_put_text(out, "}");
}
