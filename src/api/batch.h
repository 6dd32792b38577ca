/* Many puzzles in one request: cut into blocks, which are worked on side by side and give their
 * part of the answer each. What is wrong with one puzzle is said in its place; the others are
 * answered all the same.
 *
 * A batch is cut by one thread at a time; a block has one owner at a time, and needs the batch to
 * stay where it is, but changes nothing in it. So what is kept in memory is the request's body and
 * as many blocks as are worked on at once, not the answer. */
#ifndef SUDOKU_API_BATCH_H
#define SUDOKU_API_BATCH_H

#include "api.h"
#include "json_walk.h"

struct api_batch {
    const struct api_service *service;
    const struct api_endpoint *endpoint;
    char *id; /* of the request; the batch's own */
    enum api_format format;
    struct api_ask options; /* what holds for each puzzle */
    unsigned members;       /* what a line of NDJSON may hold */
    struct buffer body;     /* what is cut, or what the places of what is cut point into */

    enum batch_source {
        BATCH_TEXT,   /* puzzles in one of the text layouts for many */
        BATCH_NDJSON, /* a request a line */
        BATCH_ARRAY,  /* the elements of a JSON array */
    } source;
    struct sudoku_text_reader reader;
    size_t lead; /* how far it is to the end of the text's first puzzle; batch_fits finds it */
    size_t offset;
    struct json_walk walk;

    size_t cut_count; /* puzzles cut so far; of a text, about so many */
};

/* Puzzles that are read, and tried together, at a time. */
enum { BATCH_GROUP = 128 };

/* Where a puzzle stands. */
union batch_place {
    struct json_piece json;
    struct sudoku_text_reader text; /* the next that it reads */
};

/* A part of a batch. A zeroed block is empty; it may be used again and again.
 *
 * A block of JSON is one group, which was cut puzzle by puzzle. A text is only cut into stretches:
 * to find its puzzles is to read them, which is left to whoever works on the block. */
struct api_block {
    const struct api_batch *batch;
    bool is_first; /* of the batch */
    size_t first;  /* the index of its first puzzle in the batch; of JSON only */
    struct sudoku_text_reader stretch; /* what is not read yet; of text only */

    /* The group at hand. */
    size_t count;
    size_t next; /* the puzzle that is worked on, or is next to be */
    bool is_read;
    struct batch_item {
        union batch_place place;
        bool has_problem;
        struct api_ask ask;
        const struct sudoku_tally *tally; /* what came of trying it with others */
    } item[BATCH_GROUP];
    struct batch_trial *trial;

    size_t answered; /* puzzles so far */
    bool is_searching;
    struct api_work work;
    struct problem problem;
    struct buffer out;      /* its part of the answer, as far as it is made and not read */
    struct api_tally tally; /* what came of its puzzles; for the owner to take */
};

/* Makes a batch of the call's body, which it takes over. The call's format and the options are
 * settled. NULL: out of memory. */
struct api_batch *batch_create(struct api_call *call, const struct api_ask *options,
                               enum batch_source source);
void batch_destroy(struct api_batch *batch);

/* Goes to the first element of a JSON array, which lies in the body. */
void batch_walk(struct api_batch *batch, const char *array);

/* Whether there are at most `limit` puzzles, and whether there is none. */
bool batch_fits(struct api_batch *batch, size_t limit, bool *ret_is_empty);

/* The content type of the answer. */
const char *batch_content_type(const struct api_batch *batch);

/* Cuts the next block. False: there are no more puzzles. */
bool batch_cut(struct api_batch *batch, struct api_block *ret_block);

/* A block's part of the answer is read when it has grown to this, or is whole. Lists of a thousand
 * solutions for each puzzle would be tens of megabytes. */
enum { BATCH_PART = 1 << 20 };

/* Works on a block for about `effort`. True: block->out is to be read, or has failed for memory. */
bool batch_run(struct api_block *block, uint64_t effort);

/* Whether the block has been run to its end. If not, it goes on with block->out cleared. */
bool batch_is_done(const struct api_block *block);

/* Gives up the puzzle that is worked on, for which a deadline was too short. */
void batch_give_up(struct api_block *block, uint64_t deadline_ms);

/* Writes what comes before the first block and behind the last. */
void batch_put_start(const struct api_batch *batch, struct buffer *out);
void batch_put_end(const struct api_batch *batch, struct buffer *out);

void batch_block_clear(struct api_block *block);

#endif
