#include "ask.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED = 1000 };

static const struct ask_member members[] = {
    {"puzzle", "/puzzle", ASK_PUZZLE},
    {"puzzles", "/puzzles", ASK_PUZZLES},
    {"max_solutions", "/max_solutions", ASK_MAX_SOLUTIONS},
    {"max_steps", "/max_steps", ASK_MAX_STEPS},
    {"solutions", "/solutions", ASK_SOLUTIONS},
};

enum { MEMBERS = sizeof members / sizeof members[0] };

void ask_begin(struct ask_reading *reading, const struct api_service *service, unsigned allowed,
               struct api_ask *ask, struct problem *problem)
{
    *reading = (struct ask_reading){
        .service = service,
        .members = allowed,
        .ask = ask,
        .problem = problem,
    };
    *ask = (struct api_ask){
        .form = API_FORM_STRING,
        .max_solutions = 2,
        .max_steps = service->default_steps,
    };
    problem_begin(problem, PROBLEM_INVALID_REQUEST);
}

/* "/name", with ~ and / escaped as RFC 6901 has it; cut when it is too long to be of use. */
static void pointer_to(const char *name, char ret[PROBLEM_MAX_POINTER])
{
    size_t length = 0;

    ret[length++] = '/';
    for (; *name != '\0' && length + 3 < PROBLEM_MAX_POINTER; name++) {
        if (*name == '~' || *name == '/') {
            ret[length++] = '~';
            ret[length++] = *name == '~' ? '0' : '1';
        } else {
            ret[length++] = *name;
        }
    }
    ret[length] = '\0';
}

static void add_unknown(struct ask_reading *reading, const char *name)
{
    char pointer[PROBLEM_MAX_POINTER];
    char known[96] = "";
    size_t length = 0;

    for (size_t i = 0; i < MEMBERS; i++) {
        if ((members[i].flag & reading->members) != 0)
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                       length == 0 ? "" : ", ", members[i].name);
    }
    pointer_to(name, pointer);
    problem_add_error(reading->problem, pointer, "is not known here; known are: %s", known);
}

const struct ask_member *ask_find(struct ask_reading *reading, const char *name, bool *ret_twice)
{
    *ret_twice = false;
    for (size_t i = 0; i < MEMBERS; i++) {
        if ((members[i].flag & reading->members) == 0 || strcmp(members[i].name, name) != 0)
            continue;
        if ((reading->seen & members[i].flag) != 0) {
            *ret_twice = true;
            problem_init(reading->problem, PROBLEM_MALFORMED_REQUEST, "%s is given twice.",
                         members[i].name);
            problem_add_error(reading->problem, members[i].pointer, "is given twice");
        }
        reading->seen |= members[i].flag;
        return &members[i];
    }
    add_unknown(reading, name);
    return NULL;
}

/* The largest value of a member that is a whole number from 1. */
static uint64_t largest(const struct ask_reading *reading, const struct ask_member *member)
{
    return member->flag == ASK_MAX_SOLUTIONS ? SUDOKU_MAX_COUNT : reading->service->max_steps;
}

void ask_refuse_kind(struct ask_reading *reading, const struct ask_member *member,
                     const char *found)
{
    switch (member->flag) {
    case ASK_PUZZLE: /* has readers of its own, which say more */
        break;
    case ASK_PUZZLES:
        problem_add_error(reading->problem, member->pointer, "must be an array of puzzles, is %s",
                          found);
        break;
    case ASK_SOLUTIONS:
        problem_add_error(reading->problem, member->pointer, "must be true or false, is %s", found);
        break;
    case ASK_MAX_STEPS:
    case ASK_MAX_SOLUTIONS:
        problem_add_error(reading->problem, member->pointer,
                          "must be a whole number 1 to %llu, is %s",
                          (unsigned long long)largest(reading, member), found);
        break;
    }
}

const char *ask_print_number(double number, char ret[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(ret, 32, "%.*g", digits, number);
        if (strtod(ret, NULL) == number)
            break;
    }
    return ret;
}

void ask_set_number(struct ask_reading *reading, const struct ask_member *member, double number)
{
    if (!(number >= 1 && number <= (double)largest(reading, member)) || number != floor(number)) {
        char found[32];
        ask_refuse_kind(reading, member, ask_print_number(number, found));
        return;
    }
    if (member->flag == ASK_MAX_SOLUTIONS)
        reading->ask->max_solutions = (uint32_t)number;
    else
        reading->ask->max_steps = (uint64_t)number;
}

void ask_set_puzzle(struct ask_reading *reading, const char *pointer, const char *text,
                    size_t length)
{
    struct sudoku_text_fault fault;

    if (!sudoku_text_read(text, length, &reading->ask->puzzle, &reading->ask->layout, &fault))
        problem_add_error(reading->problem, pointer, "is not a puzzle: line %u, column %u: %s",
                          fault.line, fault.column, fault.reason);
}

/* A number as a form writes it: digits, and nothing else. */
static void read_number_field(struct ask_reading *reading, const struct ask_member *member,
                              const char *value)
{
    char found[64];

    if (value[0] != '\0' && strlen(value) <= 15 && value[strspn(value, "0123456789")] == '\0') {
        ask_set_number(reading, member, strtod(value, NULL));
        return;
    }
    snprintf(found, sizeof found, "\"%.40s\"", value);
    ask_refuse_kind(reading, member, found);
}

static void read_switch_field(struct ask_reading *reading, const struct ask_member *member,
                              const char *value)
{
    char found[64];

    if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0) {
        reading->ask->wants_list = value[0] == 't';
        return;
    }
    snprintf(found, sizeof found, "\"%.40s\"", value);
    ask_refuse_kind(reading, member, found);
}

bool ask_read_fields(struct ask_reading *reading, const struct api_fields *fields)
{
    if (fields->count > API_MAX_FIELDS)
        problem_add_error(reading->problem, "", "has %zu fields, more than the %d it may have",
                          fields->count, API_MAX_FIELDS);
    for (size_t i = 0; i < fields->count && i < API_MAX_FIELDS; i++) {
        const struct api_field *field = &fields->field[i];
        const char *value = field->value == NULL ? "" : field->value;
        bool is_twice;
        const struct ask_member *member = ask_find(reading, field->name, &is_twice);
        if (is_twice)
            return false;
        if (member == NULL)
            continue;
        if (member->flag == ASK_PUZZLE)
            ask_set_puzzle(reading, member->pointer, value, field->value_length);
        else if (member->flag == ASK_SOLUTIONS)
            read_switch_field(reading, member, value);
        else
            read_number_field(reading, member, value);
    }
    return true;
}

/* Sums the faults up in the problem's own sentence. */
static void summarize(struct problem *problem)
{
    const unsigned count = problem->error_count;
    const struct problem_error *first = &problem->errors[0];

    if (count == 1)
        snprintf(problem->detail, sizeof problem->detail, "%.60s %.150s.",
                 first->pointer[0] == '\0' ? "The request" : first->pointer, first->detail);
    else if (count <= PROBLEM_MAX_ERRORS)
        snprintf(problem->detail, sizeof problem->detail, "%u faults, listed in errors.", count);
    else
        snprintf(problem->detail, sizeof problem->detail,
                 "%u faults, the first %d listed in errors.", count, PROBLEM_MAX_ERRORS);
}

bool ask_end(struct ask_reading *reading)
{
    const struct api_ask *ask = reading->ask;

    if ((reading->seen & (ASK_PUZZLE | ASK_PUZZLES)) == 0 && (reading->members & ASK_PUZZLE) != 0)
        problem_add_error(reading->problem, "/puzzle", "is missing");
    if ((reading->seen & ASK_PUZZLE) != 0 && (reading->seen & ASK_PUZZLES) != 0)
        problem_add_error(reading->problem, "/puzzles", "can't be given beside puzzle");
    if (ask->wants_list && ask->max_solutions > MAX_LISTED)
        problem_add_error(reading->problem, "/max_solutions",
                          "must be at most %d where solutions is true, is %lu", MAX_LISTED,
                          (unsigned long)ask->max_solutions);
    if (reading->problem->error_count == 0)
        return true;
    summarize(reading->problem);
    return false;
}
