/* How many files the process may have open, sockets included. */
#ifndef SUDOKU_SERVER_FILES_H
#define SUDOKU_SERVER_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct config;

/* Makes room for all connections, by raising the limit as far as it goes, and settles how many
 * there may be where the config leaves that open. False: they do not fit; `ret_error` says in one
 * line what would. */
bool files_reserve(struct config *config, char *ret_error, size_t error_size);

#endif
