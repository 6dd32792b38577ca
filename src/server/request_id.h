/* Names for requests: the client's own if it is sane, or a new one. */
#ifndef SUDOKU_SERVER_REQUEST_ID_H
#define SUDOKU_SERVER_REQUEST_ID_H

#include <stdatomic.h>
#include <stdint.h>

enum { REQUEST_ID_MAX = 65 };

/* Any thread may take from it at any time. */
struct request_ids {
    uint64_t seed;
    _Atomic uint64_t next;
};

void request_ids_init(struct request_ids *ids);

/* Copies `offered` when it is 1 to 64 letters, digits or any of "._-"; makes 16 hex digits when it
 * is not, or is NULL. */
void request_id_take(struct request_ids *ids, const char *offered, char ret[REQUEST_ID_MAX]);

enum { TRACE_SIZE = 56 };

/* Copies a traceparent of W3C Trace Context, version 00; leaves `ret` empty when it is none. */
void trace_take(const char *offered, char ret[TRACE_SIZE]);

#endif
