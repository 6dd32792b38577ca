/* A log line for people. */
#ifndef SUDOKU_SERVER_LOG_TEXT_H
#define SUDOKU_SERVER_LOG_TEXT_H

#include <stddef.h>

/* Writes a line of the log, a flat JSON object whose first three members are time, level and event,
 * without its punctuation: TIME LEVEL EVENT name=value... A value with a blank, a quote or the like
 * keeps its quotes and escapes. `ret` needs as many bytes as the JSON has. Returns the length,
 * which is no greater, the newline included. */
size_t log_text(const char *json, size_t length, char *ret);

#endif
