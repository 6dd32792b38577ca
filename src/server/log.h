/* Log lines on stderr, each a JSON object, or a text for people. Any thread may log.
 *
 * A line is written whole or not at all: where stderr is closed, full or slow, it is dropped and
 * counted, and the next line that gets through says how many were lost. Logging never waits. */
#ifndef SUDOKU_SERVER_LOG_H
#define SUDOKU_SERVER_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum log_level {
    LOG_INFO,
    LOG_WARNING,
    LOG_ERROR,
};

enum log_format {
    LOG_JSON,
    LOG_TEXT,
};

/* What is logged from now on: events of this level and above. Without it, all, and in JSON. */
void log_set_up(enum log_level lowest, enum log_format format);

/* Logs an event: "event" is a constant name, the rest is a printf format of the further members,
 * each with a comma before it: ",\"port\":%u". Texts from outside go through log_escape. */
__attribute__((format(printf, 3, 4))) void log_event(enum log_level level, const char *event,
                                                     const char *format, ...);

/* How many lines got lost so far, those included that were reported. */
uint64_t log_lines_lost(void);

/* How often something may be logged that a client can bring about at will. Set to zeros. */
struct log_limit {
    _Atomic uint64_t second; /* the present one, and how many lines it has had */
};

/* Whether one more line may be logged now. What may not is counted as lost. Any thread. */
bool log_limit_take(struct log_limit *limit, uint64_t now_us);

/* Copies text as the inside of a JSON string, cut where `size` ends. Returns `ret`. */
const char *log_escape(const char *text, char *ret, uint32_t size);

#endif
