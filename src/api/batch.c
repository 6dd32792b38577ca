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

/* Bytes that a puzzle takes in a text, its line end too, and how many puzzles' bytes a stretch has:
 * so many that what it costs to pass it on does not count. */
enum { LINE = SUDOKU_CELLS + 1, STRETCH = 512 };

struct batch_trial {
    struct sudoku_grid puzzle[BATCH_GROUP];
    struct batch_item *item[BATCH_GROUP];
    struct sudoku_tally tally[BATCH_GROUP];
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
    batch->walk = json_walk_into(array);
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

/* The next line that is not blank. */
static bool cut_line(struct api_batch *batch, struct json_piece *ret)
{
    const char *const end = batch->body.data + batch->body.length;
    const char *line = batch->body.data + batch->offset;

    while (line < end && (*line == ' ' || *line == '\t' || *line == '\r' || *line == '\n'))
        line++;
    if (line == end)
        return false;
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    *ret = (struct json_piece){
        .text = line,
        .length = (size_t)((newline == NULL ? end : newline) - line),
    };
    batch->offset = (size_t)(line - batch->body.data) + ret->length;
    return true;
}

static bool cut_json(struct api_batch *batch, struct json_piece *ret)
{
    struct json_piece name;

    return batch->source == BATCH_NDJSON ? cut_line(batch, ret)
                                         : json_walk_next(&batch->walk, &name, ret);
}

/* Goes past the next puzzle. */
static bool skip_puzzle(struct api_batch *batch)
{
    struct sudoku_text_fault fault;
    struct sudoku_grid grid;
    struct json_piece piece;

    if (batch->source == BATCH_TEXT)
        return sudoku_text_next(&batch->reader, &grid, &fault) != SUDOKU_TEXT_END;
    return cut_json(batch, &piece);
}

/* No fewer lines than puzzles, and quicker to count. */
static size_t count_lines(const struct buffer *body)
{
    size_t count = 1;

    for (size_t i = 0; i < body->length; i++)
        count += body->data[i] == '\n';
    return count;
}

bool batch_fits(struct api_batch *batch, size_t limit, bool *ret_is_empty)
{
    struct api_batch copy = *batch;
    const bool is_lines = batch->source != BATCH_ARRAY;

    *ret_is_empty = !skip_puzzle(&copy);
    batch->lead = copy.reader.offset - batch->reader.offset;
    if (*ret_is_empty || (is_lines && memchr(batch->body.data, '\r', batch->body.length) == NULL &&
                          count_lines(&batch->body) <= limit))
        return true;
    size_t count = 1;
    while (count <= limit && skip_puzzle(&copy))
        count++;
    return count <= limit;
}

/* How many puzzles the next block has. The first ones are small, so that a small batch too is
 * worked on by all, and that the first answers come soon. */
static size_t block_size(const struct api_batch *batch)
{
    const size_t most = batch->source == BATCH_TEXT ? STRETCH : BATCH_GROUP;
    const size_t ramp = 4 + batch->cut_count / 4;

    return ramp < most ? ramp : most;
}

static bool cut_stretch(struct api_batch *batch, struct api_block *block)
{
    const size_t size = block_size(batch);
    /* A first block without a puzzle would leave a comma before the first answer. */
    const size_t lead = block->is_first ? batch->lead : 0;
    const size_t bytes = size * LINE - 1; /* the last of them ends a line */

    batch->cut_count += size;
    return sudoku_text_take_stretch(&batch->reader, bytes > lead ? bytes : lead, &block->stretch);
}

static bool cut_group(struct api_batch *batch, struct api_block *block)
{
    const size_t size = block_size(batch);

    block->first = batch->cut_count;
    while (block->count < size && cut_json(batch, &block->item[block->count].place.json))
        block->count++;
    batch->cut_count += block->count;
    return block->count > 0;
}

bool batch_cut(struct api_batch *batch, struct api_block *ret_block)
{
    ret_block->batch = batch;
    ret_block->is_first = batch->cut_count == 0;
    ret_block->count = 0;
    ret_block->next = 0;
    ret_block->is_read = false;
    ret_block->answered = 0;
    ret_block->is_searching = false;
    ret_block->out.length = 0;
    return batch->source == BATCH_TEXT ? cut_stretch(batch, ret_block)
                                       : cut_group(batch, ret_block);
}

/* ---- Reading ---- */

/* What a line of NDJSON asks: options of its own, and the URI's where it has none. */
static bool read_line(struct api_block *block, struct json_piece line, struct api_ask *ret_ask)
{
    struct ask_reading reading;
    const char *no_puzzles;

    if (!decode_json_check(line.text, line.length, &block->problem))
        return false;
    ask_begin(&reading, block->batch->service, block->batch->members, ret_ask, &block->problem);
    *ret_ask = block->batch->options;
    return decode_json_request(line.text, line.length, &reading, &no_puzzles) && ask_end(&reading);
}

static bool read_element(struct api_block *block, struct json_piece element, size_t index,
                         struct api_ask *ret_ask)
{
    struct ask_reading reading;
    char pointer[40];

    snprintf(pointer, sizeof pointer, "/puzzles/%zu", block->first + index);
    ask_begin(&reading, block->batch->service, block->batch->members, ret_ask, &block->problem);
    *ret_ask = block->batch->options;
    return decode_json_puzzle(element, pointer, &reading) && ask_end(&reading);
}

/* What an item of JSON asks. False: block->problem says what is wrong. */
static bool read_json(struct api_block *block, size_t index, struct api_ask *ret_ask)
{
    const struct json_piece piece = block->item[index].place.json;

    return block->batch->source == BATCH_NDJSON ? read_line(block, piece, ret_ask)
                                                : read_element(block, piece, index, ret_ask);
}

/* Takes a group of puzzles from the stretch. */
static void read_stretch(struct api_block *block)
{
    struct sudoku_text_fault fault;

    for (block->count = 0; block->count < BATCH_GROUP; block->count++) {
        struct batch_item *item = &block->item[block->count];
        item->place.text = block->stretch;
        item->ask = block->batch->options;
        const enum sudoku_text_item kind =
            sudoku_text_next(&block->stretch, &item->ask.puzzle, &fault);
        if (kind == SUDOKU_TEXT_END)
            break;
        item->has_problem = kind == SUDOKU_TEXT_FAULT;
    }
}

/* A problem is large and rare: rather than kept for each item, it is found again. False: it was the
 * end of memory, and is gone. */
static bool has_problem(struct api_block *block, size_t index)
{
    struct batch_item *item = &block->item[index];

    if (!item->has_problem)
        return false;
    if (block->batch->source != BATCH_TEXT)
        return !read_json(block, index, &item->ask);
    struct sudoku_text_reader reader = item->place.text;
    struct sudoku_text_fault fault;
    (void)!sudoku_text_next(&reader, &item->ask.puzzle, &fault);
    problem_init_text(&block->problem, &fault);
    return true;
}

static void try_together(struct api_block *block)
{
    struct batch_trial *trial = block->trial;
    size_t count = 0;

    for (size_t i = 0; i < block->count; i++) {
        struct batch_item *item = &block->item[i];
        /* Of anything else a tally does not tell the answer; see sudoku_query_is_told. */
        if (item->has_problem || item->ask.max_solutions < 2 || item->ask.wants_list)
            continue;
        trial->puzzle[count] = item->ask.puzzle;
        trial->item[count++] = item;
    }
    sudoku_bulk_run(&trial->bulk, block->batch->service->engine, trial->puzzle, count, 2,
                    TRIAL_STEPS, trial->tally);
    for (size_t i = 0; i < count; i++)
        trial->item[i]->tally = &trial->tally[i];
}

/* Reads the next group and tries it together. Without memory for that each is searched by itself.
 */
static void read_group(struct api_block *block)
{
    if (block->batch->source == BATCH_TEXT)
        read_stretch(block);
    for (size_t i = 0; i < block->count; i++) {
        struct batch_item *item = &block->item[i];
        if (block->batch->source != BATCH_TEXT)
            item->has_problem = !read_json(block, i, &item->ask);
        item->tally = NULL;
    }
    if (block->trial == NULL)
        block->trial = aligned_alloc(_Alignof(struct batch_trial), sizeof *block->trial);
    if (block->trial != NULL)
        try_together(block);
    block->next = 0;
    block->is_read = true;
}

/* ---- Answering ---- */

static void put_separator(struct api_block *block)
{
    if (block->batch->format == API_FORMAT_JSON && !(block->is_first && block->answered == 0))
        buffer_put(&block->out, ",", 1);
}

static void end_item(struct api_block *block)
{
    if (block->batch->format != API_FORMAT_JSON)
        buffer_put(&block->out, "\n", 1);
    block->is_searching = false;
    block->answered++;
    block->next++;
}

static void put_problem(struct api_block *block)
{
    block->tally.problems++;
    put_separator(block);
    if (block->batch->format == API_FORMAT_TEXT)
        encode_error_line(&block->problem, &block->out);
    else
        problem_put(&block->problem, block->batch->id, &block->out);
    end_item(block);
}

static void put_answer(struct api_block *block, const struct api_ask *ask,
                       const struct sudoku_answer *answer)
{
    const struct sudoku_grid *list = block->work.list;
    const struct api_endpoint *endpoint = block->batch->endpoint;

    tally_answer(&block->tally, answer);
    put_separator(block);
    if (block->batch->format == API_FORMAT_TEXT)
        endpoint->put_line(ask, list, answer, &block->out);
    else
        endpoint->put_json(ask, list, answer, &block->out);
    end_item(block);
}

/* Whether trying the item with others told the answer. Clues that break the rules have no solution
 * either, but are another answer. */
static bool is_told(const struct api_block *block, const struct batch_item *item,
                    struct sudoku_answer *ret)
{
    const struct api_endpoint *endpoint = block->batch->endpoint;

    if (item->tally == NULL || (item->tally->count == 0 && !endpoint->takes_conflicts &&
                                !sudoku_is_valid(&item->ask.puzzle)))
        return false;
    const struct sudoku_question question = work_question(&item->ask, endpoint, NULL);
    return sudoku_query_is_told(&question, item->tally, ret);
}

/* Answers the next item or begins to search for it. */
static void begin_item(struct api_block *block)
{
    const struct api_batch *batch = block->batch;
    const struct batch_item *item = &block->item[block->next];
    struct sudoku_answer answer;

    if (has_problem(block, block->next)) {
        put_problem(block);
        return;
    }
    if (is_told(block, item, &answer)) {
        put_answer(block, &item->ask, &answer);
        return;
    }
    block->work.ask = item->ask;
    if (batch->format == API_FORMAT_TEXT)
        block->work.ask.wants_list = false; /* there is no room for one in a line */
    if (work_begin(&block->work, batch->service, batch->endpoint, &block->problem))
        block->is_searching = true;
    else
        put_problem(block);
}

/* Whether the group at hand is answered, and it is a text that may have another. */
static bool needs_group(const struct api_block *block)
{
    return !block->is_read || (block->next == block->count && block->count == BATCH_GROUP &&
                               block->batch->source == BATCH_TEXT);
}

bool batch_is_done(const struct api_block *block)
{
    return block->next == block->count && !needs_group(block);
}

static bool is_to_be_read(const struct api_block *block)
{
    return batch_is_done(block) || block->out.length >= BATCH_PART || block->out.failed;
}

bool batch_run(struct api_block *block, uint64_t effort)
{
    uint64_t left = effort;

    while (!is_to_be_read(block) && left > 0) {
        uint64_t spent = EFFORT_OF_ITEM;
        if (needs_group(block)) {
            read_group(block);
        } else if (!block->is_searching) {
            begin_item(block);
        } else {
            struct sudoku_answer answer;
            const uint64_t before = sudoku_query_effort(block->work.query);
            if (!work_run(&block->work, left))
                return false;
            spent = sudoku_query_effort(block->work.query) - before;
            if (work_answer(&block->work, block->batch->endpoint, &answer, &block->problem))
                put_answer(block, &block->work.ask, &answer);
            else
                put_problem(block);
        }
        left -= left < spent ? left : spent;
    }
    return is_to_be_read(block);
}

void batch_give_up(struct api_block *block, uint64_t deadline_ms)
{
    if (block->next == block->count)
        return;
    problem_init_deadline(&block->problem, deadline_ms);
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
