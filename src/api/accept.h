/* Content negotiation: the Accept header of RFC 9110, 12.5.1. */
#ifndef SUDOKU_API_ACCEPT_H
#define SUDOKU_API_ACCEPT_H

#include <stddef.h>

/* Which of the offered media types suits the client best, the earlier one where it has no
 * preference; -1 when it takes none. A NULL header takes everything. */
int accept_choose(const char *header, const char *const offers[], size_t count);

#endif
