#include "batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "encode.h"
#include "work.h"

/* What reading and writing a puzzle costs beside searching, in units of search effort. */
enum { EFFORT_OF_ITEM = 2 };

/* Puzzles that are tried together take half the time of the same one by one. Few need more guesses
 * than this; those that do are searched from the beginning, each by itself. */
enum { TRIAL_STEPS = 24 };

struct batch_trial {
    struct sudoku_grid puzzle[BATCH_BLOCK];
    size_t item[BATCH_BLOCK];
    struct sudoku_tally tally[BATCH_BLOCK];
    struct sudoku_bulk bulk;
};

struct api_batch *batch_create(struct api_call *call, const struct api_ask *options,
                               enum batch_source source)
{
    struct api_batch *batch = calloc(1, sizeof *batch);

    if (batch == NULL)
        return NULL;
    batch->id = strdup(call->id);
    if (batch->id == NULL) {
        free(batch);
        return NULL;
    }
    batch->service = call->service;
    batch->endpoint = call->route->endpoint;
    batch->members = batch->endpoint->members & ~(unsigned)ASK_PUZZLES;
    batch->format = call->format;
    batch->options = *options;
    batch->source = source;
    batch->body = call->body;
    call->body = (struct buffer){0};
    if (source == BATCH_TEXT)
        sudoku_text_reader_init(&batch->reader, batch->body.data, batch->body.length);
    return batch;
}

void batch_destroy(struct api_batch *batch)
{
    if (batch == NULL)
        return;
    buffer_clear(&batch->body);
    free(batch->id);
    free(batch);
}

void batch_walk(struct api_batch *batch, const char *array)
{
    batch->walk = json_walk_into((struct json_piece){.text = array});
}

const char *batch_content_type(const struct api_batch *batch)
{
    switch (batch->format) {
    case API_FORMAT_TEXT:
        return "text/plain; charset=utf-8";
    case API_FORMAT_NDJSON:
        return "application/x-ndjson";
    case API_FORMAT_JSON:
        break;
    }
    return "application/json";
}

/* ---- Cutting ---- */

static bool cut_text(struct api_batch *batch, struct batch_item *ret)
{
    struct sudoku_grid grid;
    struct sudoku_text_fault fault;

    ret->text = NULL;
    switch (sudoku_text_next(&batch->reader, &grid, &fault)) {
    case SUDOKU_TEXT_PUZZLE:
        ret->has_fault = false;
        ret->as.grid = grid;
        return true;
    case SUDOKU_TEXT_FAULT:
        ret->has_fault = true;
        ret->as.fault = fault;
        return true;
    case SUDOKU_TEXT_END:
        break;
    }
    return false;
}

/* The next line that is not blank. */
static bool cut_line(struct api_batch *batch, struct batch_item *ret)
{
    const char *const end = batch->body.data + batch->body.length;
    const char *line = batch->body.data + batch->offset;

    while (line < end && (*line == ' ' || *line == '\t' || *line == '\r' || *line == '\n'))
        line++;
    if (line == end)
        return false;
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    *ret = (struct batch_item){
        .text = line,
        .length = (size_t)((newline == NULL ? end : newline) - line),
    };
    batch->offset = (size_t)(line - batch->body.data) + ret->length;
    return true;
}

static bool cut_element(struct api_batch *batch, struct batch_item *ret)
{
    struct json_piece name;
    struct json_piece value;

    if (!json_walk_next(&batch->walk, &name, &value))
        return false;
    *ret = (struct batch_item){.text = value.text, .length = value.length};
    return true;
}

static bool cut_item(struct api_batch *batch, struct batch_item *ret)
{
    switch (batch->source) {
    case BATCH_TEXT:
        return cut_text(batch, ret);
    case BATCH_NDJSON:
        return cut_line(batch, ret);
    case BATCH_ARRAY:
        break;
    }
    return cut_element(batch, ret);
}

/* No fewer lines than puzzles, and quicker to count. */
static size_t count_lines(const struct buffer *body)
{
    const char *const end = body->data + body->length;
    size_t count = 1;

    for (const char *at = body->data; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        count++;
    return count;
}

bool batch_fits(const struct api_batch *batch, size_t limit, bool *ret_is_empty)
{
    struct api_batch copy = *batch;
    struct batch_item item;
    const bool is_lines = batch->source != BATCH_ARRAY;

    *ret_is_empty = !cut_item(&copy, &item);
    if (*ret_is_empty || (is_lines && memchr(batch->body.data, '\r', batch->body.length) == NULL &&
                          count_lines(&batch->body) <= limit))
        return true;
    size_t count = 1;
    while (count <= limit && cut_item(&copy, &item))
        count++;
    return count <= limit;
}

bool batch_cut(struct api_batch *batch, struct api_block *ret_block)
{
    ret_block->batch = batch;
    ret_block->first = batch->cut_count;
    ret_block->count = 0;
    ret_block->next = 0;
    ret_block->is_read = false;
    ret_block->is_searching = false;
    ret_block->out.length = 0;
    /* The first blocks are small, so that a small batch too is worked on by all, and that the first
     * answers come soon. */
    const size_t ramp = 4 + batch->cut_count / 4;
    const size_t size = ramp < BATCH_BLOCK ? ramp : BATCH_BLOCK;
    while (ret_block->count < size && cut_item(batch, &ret_block->item[ret_block->count]))
        ret_block->count++;
    batch->cut_count += ret_block->count;
    return ret_block->count > 0;
}

/* ---- Working ---- */

/* What a line of NDJSON asks: options of its own, and the URI's where it has none. */
static bool read_line(struct api_block *block, size_t index, struct api_ask *ret_ask)
{
    const struct batch_item *item = &block->item[index];
    struct ask_reading reading;

    if (!decode_json_check(item->text, item->length, &block->problem))
        return false;
    ask_begin(&reading, block->batch->service, block->batch->members, ret_ask, &block->problem);
    *ret_ask = block->batch->options;
    return decode_json_request(item->text, item->length, &reading) && ask_end(&reading);
}

static bool read_element(struct api_block *block, size_t index, struct api_ask *ret_ask)
{
    const struct batch_item *item = &block->item[index];
    struct ask_reading reading;
    char pointer[40];

    snprintf(pointer, sizeof pointer, "/puzzles/%zu", block->first + index);
    ask_begin(&reading, block->batch->service, block->batch->members, ret_ask, &block->problem);
    *ret_ask = block->batch->options;
    return decode_json_puzzle(item->text, item->length, pointer, &reading) && ask_end(&reading);
}

static bool read_text(struct api_block *block, size_t index, struct api_ask *ret_ask)
{
    const struct batch_item *item = &block->item[index];

    *ret_ask = block->batch->options;
    if (!item->has_fault) {
        ret_ask->puzzle = item->as.grid;
        return true;
    }
    problem_init_text(&block->problem, &item->as.fault);
    return false;
}

/* What an item asks. False: block->problem says what is wrong. */
static bool read_item(struct api_block *block, size_t index, struct api_ask *ret_ask)
{
    switch (block->batch->source) {
    case BATCH_TEXT:
        return read_text(block, index, ret_ask);
    case BATCH_NDJSON:
        return read_line(block, index, ret_ask);
    case BATCH_ARRAY:
        break;
    }
    return read_element(block, index, ret_ask);
}

/* Whether a tally may tell the answer; see sudoku_query_is_told. */
static bool is_worth_trying(const struct api_block *block, const struct batch_reading *reading)
{
    return !reading->has_problem && reading->ask.max_solutions >= 2 && !reading->ask.wants_list &&
           (block->batch->endpoint->takes_conflicts || sudoku_is_valid(&reading->ask.puzzle));
}

static void try_together(struct api_block *block)
{
    struct batch_trial *trial = block->trial;
    size_t count = 0;

    for (size_t i = 0; i < block->count; i++) {
        if (!is_worth_trying(block, &block->reading[i]))
            continue;
        trial->puzzle[count] = block->reading[i].ask.puzzle;
        trial->item[count++] = i;
    }
    sudoku_bulk_run(&trial->bulk, block->batch->service->engine, trial->puzzle, count, 2,
                    TRIAL_STEPS, trial->tally);
    for (size_t i = 0; i < count; i++) {
        struct batch_reading *reading = &block->reading[trial->item[i]];
        reading->is_tried = true;
        reading->tally = trial->tally[i];
    }
}

/* Reads all items and tries them together. Without memory for that each is searched by itself. */
static void read_block(struct api_block *block)
{
    if (block->trial == NULL)
        block->trial = aligned_alloc(_Alignof(struct batch_trial), sizeof *block->trial);
    for (size_t i = 0; i < block->count; i++) {
        struct batch_reading *reading = &block->reading[i];
        reading->is_tried = false;
        reading->has_problem = !read_item(block, i, &reading->ask);
    }
    if (block->trial != NULL)
        try_together(block);
    block->is_read = true;
}

static void put_separator(struct api_block *block)
{
    if (block->batch->format == API_FORMAT_JSON && block->first + block->next > 0)
        buffer_put(&block->out, ",", 1);
}

static void end_item(struct api_block *block)
{
    if (block->batch->format != API_FORMAT_JSON)
        buffer_put(&block->out, "\n", 1);
    block->is_searching = false;
    block->next++;
}

static void put_problem(struct api_block *block)
{
    put_separator(block);
    if (block->batch->format == API_FORMAT_TEXT)
        encode_error_line(&block->problem, &block->out);
    else
        problem_put(&block->problem, block->batch->id, &block->out);
    end_item(block);
}

static void put_answer(struct api_block *block, const struct sudoku_answer *answer)
{
    const struct api_endpoint *endpoint = block->batch->endpoint;

    put_separator(block);
    if (block->batch->format == API_FORMAT_TEXT)
        endpoint->put_line(&block->work, answer, &block->out);
    else
        endpoint->put_json(&block->work, answer, &block->out);
    end_item(block);
}

/* Answers the next item or begins to search for it. */
static void begin_item(struct api_block *block)
{
    const struct api_batch *batch = block->batch;
    const struct batch_reading *reading = &block->reading[block->next];
    struct sudoku_answer answer;

    block->work.ask = reading->ask;
    if (batch->format == API_FORMAT_TEXT)
        block->work.ask.wants_list = false; /* there is no room for one in a line */
    /* A problem is large and rare: rather than kept, it is found again. */
    if (reading->has_problem && !read_item(block, block->next, &block->work.ask)) {
        put_problem(block);
        return;
    }
    const struct sudoku_question question = work_question(&block->work, batch->endpoint);
    if (reading->is_tried && sudoku_query_is_told(&question, &reading->tally, &answer))
        put_answer(block, &answer);
    else if (work_begin(&block->work, batch->service, batch->endpoint, &block->problem))
        block->is_searching = true;
    else
        put_problem(block);
}

bool batch_is_done(const struct api_block *block)
{
    return block->next == block->count;
}

static bool is_to_be_read(const struct api_block *block)
{
    return batch_is_done(block) || block->out.length >= BATCH_PART || block->out.failed;
}

bool batch_run(struct api_block *block, uint64_t effort)
{
    uint64_t left = effort;

    if (!block->is_read)
        read_block(block);
    while (!is_to_be_read(block) && left > 0) {
        uint64_t spent = EFFORT_OF_ITEM;
        if (!block->is_searching) {
            begin_item(block);
        } else {
            struct sudoku_answer answer;
            const uint64_t before = sudoku_query_effort(block->work.query);
            if (!work_run(&block->work, left))
                return false;
            spent = sudoku_query_effort(block->work.query) - before;
            sudoku_query_answer(block->work.query, &answer);
            put_answer(block, &answer);
        }
        left -= left < spent ? left : spent;
    }
    return is_to_be_read(block);
}

void batch_give_up(struct api_block *block, enum problem_type type, const char *detail)
{
    if (batch_is_done(block))
        return;
    problem_init(&block->problem, type, "%s", detail);
    put_problem(block);
}

void batch_put_start(const struct api_batch *batch, struct buffer *out)
{
    if (batch->format == API_FORMAT_JSON)
        buffer_put_text(out, "{\"results\":[");
}

void batch_put_end(const struct api_batch *batch, struct buffer *out)
{
    if (batch->format == API_FORMAT_JSON)
        buffer_put_text(out, "]}\n");
}

void batch_block_clear(struct api_block *block)
{
    work_clear(&block->work);
    buffer_clear(&block->out);
    free(block->trial);
    block->trial = NULL;
}
