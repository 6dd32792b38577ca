/* From the bytes of a request to what it asks. */
#ifndef SUDOKU_API_DECODE_H
#define SUDOKU_API_DECODE_H

#include "api.h"
#include "ask.h"

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

/* Reads a request for one puzzle: an object, or just the puzzle's array. False: the problem is
 * settled, and worse than faults; otherwise faults are added, for ask_end to find. */
SUDOKU_MUST_USE bool decode_json_request(const char *text, size_t length,
                                         struct ask_reading *reading);

/* Reads a puzzle alone, an array or string; faults are added at `pointer` and below. False: as
 * above. */
SUDOKU_MUST_USE bool decode_json_puzzle(const char *text, size_t length, const char *pointer,
                                        struct ask_reading *reading);

/* Looks for an array of puzzles in an object. True: there is one, in *ret_puzzles, and the other
 * members are read; the problem may be settled all the same: *ret_is_read is then false. */
SUDOKU_MUST_USE bool decode_json_batch(const char *text, struct ask_reading *reading,
                                       const char **ret_puzzles, bool *ret_is_read);

#endif
