/* Log lines on stderr, each a JSON object. Any thread may log.
 *
 * A line is written whole or not at all: where stderr is closed, full or slow, it is dropped and
 * counted, and the next line that gets through says how many were lost. Logging never waits. */
#ifndef SUDOKU_SERVER_LOG_H
#define SUDOKU_SERVER_LOG_H

#include <stdint.h>

enum log_level {
    LOG_INFO,
    LOG_WARNING,
    LOG_ERROR,
};

/* Logs an event: "event" is a constant name, the rest is a printf format of the further members,
 * each with a comma before it: ",\"port\":%u". Texts from outside go through log_escape. */
__attribute__((format(printf, 3, 4))) void log_event(enum log_level level, const char *event,
                                                     const char *format, ...);

/* Copies text as the inside of a JSON string, cut where `size` ends. Returns `ret`. */
const char *log_escape(const char *text, char *ret, uint32_t size);

#endif
