/* From the bytes of a request to what it asks. */
#ifndef SUDOKU_API_DECODE_H
#define SUDOKU_API_DECODE_H

#include "api.h"
#include "ask.h"
#include "json_walk.h"

/* The media types of bodies that are read, as a header lists them. */
extern const char decode_media_types[];

/* Whether a body of this Content-Type is read; NULL, none sent, is. */
bool decode_takes(const char *content_type);

enum decode_outcome {
    DECODE_ASK,     /* one puzzle: in call->work.ask */
    DECODE_BATCH,   /* several: in call->batch */
    DECODE_PROBLEM, /* *ret_problem says all that is wrong */
};

/* Reads the request, the URI's fields and the body, and settles the format of the answer. */
SUDOKU_MUST_USE enum decode_outcome decode_request(struct api_call *call,
                                                   struct problem *ret_problem);

/* ---- JSON (decode_json.c) ---- */

/* Whether text is JSON to the letter. False: *ret_problem says where and why not. */
SUDOKU_MUST_USE bool decode_json_check(const char *text, size_t length,
                                       struct problem *ret_problem);

/* The rest take JSON that passed that check. */

/* Reads a request: an object, or just a puzzle's array. An array of puzzles in it is not read: it
 * is *ret_puzzles, otherwise NULL. False: the problem is settled, and worse than faults; otherwise
 * faults are added, for ask_end to find. */
SUDOKU_MUST_USE bool decode_json_request(const char *text, size_t length,
                                         struct ask_reading *reading, const char **ret_puzzles);

/* Reads a puzzle alone, an array or string; faults are added at `pointer` and below. False: as
 * above. */
SUDOKU_MUST_USE bool decode_json_puzzle(struct json_piece piece, const char *pointer,
                                        struct ask_reading *reading);

/* The same by cJSON alone: what the lean reader of plain grids has to agree with. */
SUDOKU_MUST_USE bool decode_json_any_puzzle(struct json_piece piece, const char *pointer,
                                            struct ask_reading *reading);

#endif
