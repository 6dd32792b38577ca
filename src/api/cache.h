/* Answers that may be kept: Cache-Control, ETag and 304. */
#ifndef SUDOKU_API_CACHE_H
#define SUDOKU_API_CACHE_H

#include "api.h"

/* Adds the headers of an answer to GET that is the same whenever it is asked for, and makes it 304
 * if the client has it. */
void cache_keep(struct api_call *call);

/* Whether the client says that it has what this entity tag names. */
bool cache_is_known(const struct api_call *call, const char *etag);

/* Says that the answer is for this once. */
void cache_forbid(struct api_call *call);

#endif
