/* A problem written to a socket past the HTTP library, for the moments in which the library takes
 * no answer: while it reads a request that is too slow or too large. */
#ifndef SUDOKU_SERVER_LAST_WORD_H
#define SUDOKU_SERVER_LAST_WORD_H

struct problem;

/* Sends as much of it as goes at once and closes the socket both ways, but not the descriptor. The
 * library must have nothing half sent on it. `id` names the request. */
void last_word_send(int fd, const struct problem *problem, const char *id);

#endif
