/* How many files the process may have open, sockets included. */
#ifndef SUDOKU_SERVER_FILES_H
#define SUDOKU_SERVER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct config;

/* Makes room for all connections, by raising the limit as far as it goes. Where the config leaves
 * open how many there may be, it is `usual`, or as many as fit. False: they do not fit; `ret_error`
 * says in one line what would. */
bool files_reserve(struct config *config, uint64_t usual, char *ret_error, size_t error_size);

#endif
