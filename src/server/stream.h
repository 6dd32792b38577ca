/* The answer to a batch, made by the pool and read by a connection while it is being made.
 *
 * A few blocks of the batch are worked on at a time, side by side; they are read in their order,
 * and a block that has been read makes room for the next. So a client that reads slowly holds up
 * its own batch and nothing else, and the memory is that of the few blocks. */
#ifndef SUDOKU_SERVER_STREAM_H
#define SUDOKU_SERVER_STREAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct api_batch;
struct api_tally;
struct pool;
struct stream;

/* What a stream needs of the connection that reads it. */
struct stream_reader {
    void (*suspend)(void *connection); /* no more reads until resume */
    void (*resume)(void *connection);
    bool (*has_left)(void *connection);
    void *connection;
    uint64_t client; /* whom the pool counts it for */
};

/* Begins to work on a batch, which it takes over. False: the pool has no room; *ret_stream is not
 * written and the batch is untouched. NULL in *ret_stream: out of memory, and the batch is gone. */
bool stream_create(struct api_batch *batch, struct pool *pool, unsigned blocks,
                   uint64_t deadline_ms, const atomic_bool *is_hurried,
                   const struct stream_reader *reader, struct stream **ret_stream);

enum {
    STREAM_ENDED = -1,
    STREAM_FAILED = -2, /* the answer can't be completed */
};

/* Copies what there is of the answer, `size` bytes at most. 0: nothing yet, and the reader has been
 * suspended until there is. Only one thread at a time reads. */
ssize_t stream_read(struct stream *stream, char *ret_bytes, size_t size);

/* Takes what came of the puzzles that were done since the last time. */
void stream_take_tally(struct stream *stream, struct api_tally *ret);

/* The reader has no more use for it: work under way is given up, and then the stream frees itself.
 */
void stream_abandon(struct stream *stream);

#endif
