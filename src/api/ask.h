/* What a client may ask, member by member, whether it comes as JSON, in a form or in the URI.
 *
 * Faults are collected, not stopped at: whoever mistyped one cell may have mistyped two. */
#ifndef SUDOKU_API_ASK_H
#define SUDOKU_API_ASK_H

#include "api.h"

enum ask_member_flag {
    ASK_PUZZLE = 1 << 0,
    ASK_PUZZLES = 1 << 1,
    ASK_MAX_STEPS = 1 << 2,
    ASK_MAX_SOLUTIONS = 1 << 3,
    ASK_SOLUTIONS = 1 << 4,
};

struct ask_member {
    const char *name;
    const char *pointer;
    enum ask_member_flag flag;
};

/* The reading of one request. */
struct ask_reading {
    const struct api_service *service;
    unsigned members; /* those that may be given */
    unsigned seen;    /* those that were */
    unsigned in_uri;  /* those that were in the URI */
    struct api_ask *ask;
    struct problem *problem; /* of type invalid-request until something worse is found */
};

/* Begins with nothing asked but the defaults. */
void ask_begin(struct ask_reading *reading, const struct api_service *service, unsigned members,
               struct api_ask *ask, struct problem *problem);

/* The member of that name; NULL: there is none, and the fault is added. A member may be given once:
 * *ret_twice tells when this is the second time, which leaves no telling which is meant. */
const struct ask_member *ask_find(struct ask_reading *reading, const char *name, bool *ret_twice);

/* The shortest digits that read back as the number: 5.9, and not 5.9000000000000004. */
const char *ask_print_number(double number, char ret[32]);

/* Sets max_solutions or max_steps. */
void ask_set_number(struct ask_reading *reading, const struct ask_member *member, double number);

/* Says that a value of any member but `puzzle` is of the wrong kind; `found` is a clause such as
 * "a string". */
void ask_refuse_kind(struct ask_reading *reading, const struct ask_member *member,
                     const char *found);

/* Sets the puzzle from text in any layout of a single one. */
void ask_set_puzzle(struct ask_reading *reading, const char *pointer, const char *text,
                    size_t length);

/* Reads the fields of a URI or form. False: a field was given twice. */
SUDOKU_MUST_USE bool ask_read_fields(struct ask_reading *reading, const struct api_fields *fields);

/* Looks at the whole. False: there are faults, and *problem tells. */
SUDOKU_MUST_USE bool ask_end(struct ask_reading *reading);

#endif
