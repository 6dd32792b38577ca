/* From the bytes of a request to what it asks. */
#ifndef SUDOKU_API_DECODE_H
#define SUDOKU_API_DECODE_H

#include "api.h"

/* The members that an endpoint takes. */
enum decode_members {
    DECODE_PUZZLE = 1 << 0,
    DECODE_MAX_STEPS = 1 << 1,
    DECODE_MAX_SOLUTIONS = 1 << 2,
    DECODE_SOLUTIONS = 1 << 3,
};

/* Reads the body by its content type. `members` is a set of enum decode_members. True: *ret_ask is
 * whole and in range. False: *ret_problem says all that is wrong. */
SUDOKU_MUST_USE bool decode_ask(const struct api_call *call, unsigned members,
                                struct api_ask *ret_ask, struct problem *ret_problem);

/* The same for a JSON body (decode_json.c). */
SUDOKU_MUST_USE bool decode_json(const struct api_call *call, unsigned members,
                                 struct api_ask *ret_ask, struct problem *ret_problem);

/* The media types that decode_ask takes, as a header has them. */
extern const char decode_media_types[];

#endif
