/* POST /validate */
#include "decode.h"
#include "encode.h"
#include "endpoints.h"
#include "search.h"

void validate_decode(struct api_call *call)
{
    struct problem problem;

    if (!decode_ask(call, DECODE_PUZZLE | DECODE_MAX_STEPS, &call->ask, &problem)) {
        api_call_refuse(call, &problem);
        return;
    }
    const struct sudoku_question question = {
        .puzzle = call->ask.puzzle,
        .max_solutions = 2,
        .max_steps = call->ask.max_steps,
        .count_only = true,
    };
    search_begin(call, &question);
}

void validate_encode(struct api_call *call)
{
    struct buffer *out = &call->reply.body;
    struct sudoku_conflict conflicts[SUDOKU_MAX_CONFLICTS];
    const size_t count = sudoku_conflicts(&call->ask.puzzle, conflicts);
    const unsigned clues = sudoku_clue_count(&call->ask.puzzle);
    const bool is_valid = count == 0;
    const bool is_complete = clues == SUDOKU_CELLS;
    struct sudoku_answer answer;

    sudoku_query_answer(call->query, &answer);
    call->reply.status = 200;
    call->reply.content_type = "application/json";
    buffer_put_text(out, is_valid ? "{\"valid\":true" : "{\"valid\":false");
    buffer_put_text(out, is_complete ? ",\"complete\":true" : ",\"complete\":false");
    buffer_put_text(out, is_valid && is_complete ? ",\"solved\":true" : ",\"solved\":false");
    buffer_put_text(out, ",\"clues\":");
    buffer_put_uint(out, clues);
    buffer_put_text(out, ",");
    encode_search(&answer, call->ask.form, false, out);
    buffer_put_text(out, ",\"conflicts\":");
    problem_write_conflicts(conflicts, count, out);
    buffer_put_text(out, "}\n");
}
