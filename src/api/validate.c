/* /validate */
#include "ask.h"
#include "encode.h"
#include "endpoints.h"

static void put_json(const struct api_ask *ask, const struct sudoku_grid *list,
                     const struct sudoku_answer *answer, struct buffer *out)
{
    const struct sudoku_grid *puzzle = &ask->puzzle;
    struct sudoku_conflict conflicts[SUDOKU_MAX_CONFLICTS];
    const size_t count = sudoku_conflicts(puzzle, conflicts);
    const unsigned clues = sudoku_clue_count(puzzle);
    const bool is_valid = count == 0;
    const bool is_complete = clues == SUDOKU_CELLS;

    (void)list;
    buffer_put_text(out, is_valid ? "{\"valid\":true" : "{\"valid\":false");
    buffer_put_text(out, is_complete ? ",\"complete\":true" : ",\"complete\":false");
    buffer_put_text(out, is_valid && is_complete ? ",\"solved\":true" : ",\"solved\":false");
    buffer_put_text(out, ",\"clues\":");
    buffer_put_uint(out, clues);
    buffer_put_text(out, ",");
    encode_search(answer, ask->form, false, out);
    buffer_put_text(out, ",\"conflicts\":");
    problem_put_conflicts(conflicts, count, out);
    buffer_put_text(out, "}");
}

static void put_line(const struct api_ask *ask, const struct sudoku_grid *list,
                     const struct sudoku_answer *answer, struct buffer *out)
{
    (void)list;
    if (!sudoku_is_valid(&ask->puzzle)) {
        struct problem problem;
        problem_init_conflicts(&problem, &ask->puzzle);
        encode_error_line(&problem, out);
        return;
    }
    buffer_put_text(out, encode_status_names[answer->status]);
    buffer_put_text(out, "\t");
    buffer_put_uint(out, answer->solution_count);
    buffer_put_text(out, "\t-");
}

/* The status in a word, or the first conflict: what a script wants to see. */
static void put_text(const struct api_ask *ask, const struct sudoku_grid *list,
                     const struct sudoku_answer *answer, struct buffer *out)
{
    if (sudoku_is_valid(&ask->puzzle))
        buffer_put_text(out, encode_status_names[answer->status]);
    else
        put_line(ask, list, answer, out);
    buffer_put_text(out, "\n");
}

const struct api_endpoint validate_endpoint = {
    .members = ASK_PUZZLE | ASK_PUZZLES | ASK_MAX_STEPS,
    .takes_conflicts = true,
    .count_only = true,
    .put_json = put_json,
    .put_text = put_text,
    .put_line = put_line,
};
