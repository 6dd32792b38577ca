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
    size_t offset;
    struct json_walk walk;

    size_t cut_count; /* puzzles cut so far */
};

enum { BATCH_BLOCK = 128 };

/* A puzzle as it was cut. */
struct batch_item {
    const char *text; /* JSON; NULL when the grid is read already */
    size_t length;
    bool has_fault;
    union {
        struct sudoku_grid grid;
        struct sudoku_text_fault fault;
    } as;
};

/* A few puzzles of a batch. A zeroed block is empty; it may be used again and again. */
struct api_block {
    const struct api_batch *batch;
    size_t first; /* the index of its first puzzle in the batch */
    size_t count;
    struct batch_item item[BATCH_BLOCK];

    bool is_read; /* the items are, and those tried together have been */
    size_t next;  /* the puzzle that is worked on, or is next to be */
    bool is_searching;
    struct api_work work;
    struct problem problem;
    struct buffer out; /* its part of the answer, as far as it is made and not read */

    /* What the items ask, and what came of trying those together that can be. */
    struct batch_reading {
        bool has_problem;
        bool is_tried;
        struct api_ask ask;
        struct sudoku_tally tally;
    } reading[BATCH_BLOCK];
    struct batch_trial *trial;
};

/* Makes a batch of the call's body, which it takes over. The call's format and the options are
 * settled. NULL: out of memory. */
struct api_batch *batch_create(struct api_call *call, const struct api_ask *options,
                               enum batch_source source);
void batch_destroy(struct api_batch *batch);

/* Goes to the first element of a JSON array, which lies in the body. */
void batch_walk(struct api_batch *batch, const char *array);

/* Whether there are at most `limit` puzzles, and whether there is none. */
bool batch_fits(const struct api_batch *batch, size_t limit, bool *ret_is_empty);

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

/* Gives up the puzzle that is worked on, with a problem in its place. */
void batch_give_up(struct api_block *block, enum problem_type type, const char *detail);

/* Writes what comes before the first block and behind the last. */
void batch_put_start(const struct api_batch *batch, struct buffer *out);
void batch_put_end(const struct api_batch *batch, struct buffer *out);

void batch_block_clear(struct api_block *block);

#endif
