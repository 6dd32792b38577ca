#include "stream.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/batch.h"
#include "clock.h"
#include "pool.h"

/* What there is of the answer is read when the rest takes longer than this. */
enum { PATIENCE_US = 100000 };

/* A place for a block. In the ring of slots, from `head` on: those to be read, in order. */
struct slot {
    struct pool_job job;
    struct stream *stream;
    enum {
        SLOT_FREE,
        SLOT_WORKING, /* the pool's; the block is not touched by the reader */
        SLOT_READY,
    } state;
    uint64_t began_us; /* when the pool got it */
    size_t answered;   /* puzzles before the one that was worked on last, and since when it is */
    uint64_t since_us;
    struct api_block block;
};

struct stream {
    pthread_mutex_t lock; /* for all but the blocks that are being worked on */
    struct api_batch *batch;
    struct pool *pool;
    uint64_t deadline_ms;
    const atomic_bool *is_hurried;
    struct stream_reader reader;

    unsigned working; /* slots that the pool has */
    bool is_cut;      /* the whole batch is */
    bool is_waiting;  /* the reader is suspended */
    bool is_abandoned;
    bool has_failed;

    struct api_tally tally; /* of the blocks that are done, for the reader to take */

    struct buffer end; /* what stands behind the last block */
    bool has_end;
    size_t sent; /* bytes of what is being read */
    unsigned head;
    unsigned slot_count;
    struct slot slots[];
};

static void destroy(struct stream *stream)
{
    for (unsigned i = 0; i < stream->slot_count; i++)
        batch_block_clear(&stream->slots[i].block);
    batch_destroy(stream->batch);
    buffer_clear(&stream->end);
    pthread_mutex_destroy(&stream->lock);
    free(stream);
}

/* ---- In the pool ---- */

static struct slot *slot_of(struct pool_job *job)
{
    return (struct slot *)(void *)((char *)job - offsetof(struct slot, job));
}

/* Whether nobody wants the answer any more, and whether this is the block that is read next. While
 * the reader is suspended the library does not look after its connection, so the client's leaving
 * is noticed here. */
static bool is_unwanted(struct slot *slot, bool *ret_is_next)
{
    struct stream *stream = slot->stream;

    pthread_mutex_lock(&stream->lock);
    if (stream->is_waiting && stream->reader.has_left(stream->reader.connection))
        stream->has_failed = true;
    const bool is_unwanted = stream->is_abandoned || stream->has_failed;
    *ret_is_next = slot == &stream->slots[stream->head];
    pthread_mutex_unlock(&stream->lock);
    return is_unwanted || atomic_load(stream->is_hurried);
}

/* A puzzle has as long as a request for it alone would have. */
static void keep_deadline(struct slot *slot)
{
    const uint64_t now = clock_now_us();

    if (slot->answered != slot->block.answered) {
        slot->answered = slot->block.answered;
        slot->since_us = now;
    } else if (now - slot->since_us >= slot->stream->deadline_ms * 1000) {
        batch_give_up(&slot->block, slot->stream->deadline_ms);
    }
}

static enum schedule_progress run_slice(struct pool_job *job)
{
    struct slot *slot = slot_of(job);
    bool is_next;

    if (is_unwanted(slot, &is_next)) {
        slot->block.out.failed = true;
        return SCHEDULE_DROPPED;
    }
    keep_deadline(slot);
    if (batch_run(&slot->block, POOL_SLICE))
        return SCHEDULE_FINISHED;
    return is_next && slot->block.out.length > 0 && clock_now_us() - slot->began_us > PATIENCE_US
               ? SCHEDULE_FINISHED
               : SCHEDULE_UNFINISHED;
}

static void finish(struct pool_job *job)
{
    struct slot *slot = slot_of(job);
    struct stream *stream = slot->stream;

    pthread_mutex_lock(&stream->lock);
    slot->state = SLOT_READY;
    tally_move(&stream->tally, &slot->block.tally);
    stream->has_failed = stream->has_failed || slot->block.out.failed;
    stream->working--;
    if (stream->is_waiting && (stream->has_failed || slot == &stream->slots[stream->head])) {
        stream->is_waiting = false;
        stream->reader.resume(stream->reader.connection);
    }
    const bool is_last = stream->is_abandoned && stream->working == 0;
    pthread_mutex_unlock(&stream->lock);
    if (is_last)
        destroy(stream);
}

/* ---- On the reader's thread ---- */

/* Gives a slot whose block is not done to the pool. Called with the lock. */
static void submit(struct stream *stream, struct slot *slot)
{
    slot->job = (struct pool_job){.run_slice = run_slice, .finish = finish};
    slot->began_us = clock_now_us();
    slot->answered = SIZE_MAX;
    slot->state = SLOT_WORKING;
    stream->working++;
    if (!pool_submit_of_batch(stream->pool, &slot->job, stream->reader.client)) {
        slot->state = SLOT_READY;
        stream->working--;
        stream->has_failed = true;
    }
}

/* Cuts the next block into every free slot, beginning at the head. Called with the lock. */
static void refill(struct stream *stream)
{
    for (unsigned i = 0; i < stream->slot_count && !stream->is_cut; i++) {
        struct slot *slot = &stream->slots[(stream->head + i) % stream->slot_count];
        if (slot->state != SLOT_FREE)
            continue;
        if (!batch_cut(stream->batch, &slot->block)) {
            stream->is_cut = true;
            return;
        }
        if (slot->block.is_first)
            batch_put_start(stream->batch, &slot->block.out);
        submit(stream, slot);
    }
}

static struct stream *allocate(unsigned blocks)
{
    struct stream *stream = calloc(1, sizeof *stream + blocks * sizeof stream->slots[0]);

    if (stream == NULL)
        return NULL;
    pthread_mutex_init(&stream->lock, NULL);
    stream->slot_count = blocks;
    for (unsigned i = 0; i < blocks; i++)
        stream->slots[i].stream = stream;
    return stream;
}

bool stream_create(struct api_batch *batch, struct pool *pool, unsigned blocks,
                   uint64_t deadline_ms, const atomic_bool *is_hurried,
                   const struct stream_reader *reader, struct stream **ret_stream)
{
    if (!pool_has_room_for_batch(pool, reader->client))
        return false;
    struct stream *stream = allocate(blocks);
    if (stream == NULL) {
        batch_destroy(batch);
        *ret_stream = NULL;
        return true;
    }
    stream->batch = batch;
    stream->pool = pool;
    stream->deadline_ms = deadline_ms;
    stream->is_hurried = is_hurried;
    stream->reader = *reader;
    pthread_mutex_lock(&stream->lock);
    refill(stream);
    pthread_mutex_unlock(&stream->lock);
    *ret_stream = stream;
    return true;
}

/* Copies from a buffer that is being read. */
static size_t copy(struct stream *stream, const struct buffer *from, char *ret_bytes, size_t size)
{
    const size_t left = from->length - stream->sent;
    const size_t count = left < size ? left : size;

    if (count > 0)
        memcpy(ret_bytes, from->data + stream->sent, count);
    stream->sent += count;
    return count;
}

/* What has been read of the head's block makes room: for the rest of it, or for other blocks. */
static void turn_over(struct stream *stream, struct slot *slot)
{
    stream->sent = 0;
    slot->block.out.length = 0;
    if (!batch_is_done(&slot->block)) {
        submit(stream, slot);
        return;
    }
    slot->state = SLOT_FREE;
    stream->head = (stream->head + 1) % stream->slot_count;
    refill(stream);
}

/* Reads what stands behind the last block. */
static ssize_t read_end(struct stream *stream, char *ret_bytes, size_t size)
{
    if (!stream->has_end)
        batch_put_end(stream->batch, &stream->end);
    stream->has_end = true;
    if (stream->end.failed)
        return STREAM_FAILED;
    const size_t count = copy(stream, &stream->end, ret_bytes, size);
    return count > 0 ? (ssize_t)count : STREAM_ENDED;
}

/* Reads with the lock. */
static ssize_t read_some(struct stream *stream, char *ret_bytes, size_t size)
{
    while (!stream->has_failed) {
        struct slot *slot = &stream->slots[stream->head];
        if (slot->state == SLOT_FREE) /* then all are, and all has been read */
            return read_end(stream, ret_bytes, size);
        if (slot->state == SLOT_WORKING) {
            stream->is_waiting = true;
            stream->reader.suspend(stream->reader.connection);
            return 0;
        }
        const size_t count = copy(stream, &slot->block.out, ret_bytes, size);
        if (stream->sent == slot->block.out.length)
            turn_over(stream, slot);
        if (count > 0)
            return (ssize_t)count;
    }
    return STREAM_FAILED;
}

ssize_t stream_read(struct stream *stream, char *ret_bytes, size_t size)
{
    pthread_mutex_lock(&stream->lock);
    const ssize_t count = read_some(stream, ret_bytes, size);
    pthread_mutex_unlock(&stream->lock);
    return count;
}

void stream_take_tally(struct stream *stream, struct api_tally *ret)
{
    *ret = (struct api_tally){0};
    pthread_mutex_lock(&stream->lock);
    tally_move(ret, &stream->tally);
    pthread_mutex_unlock(&stream->lock);
}

void stream_abandon(struct stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->is_abandoned = true;
    const bool is_last = stream->working == 0;
    pthread_mutex_unlock(&stream->lock);
    if (is_last)
        destroy(stream);
}
