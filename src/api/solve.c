/* POST /solve */
#include "decode.h"
#include "encode.h"
#include "endpoints.h"
#include "search.h"

void solve_decode(struct api_call *call)
{
    const unsigned members =
        DECODE_PUZZLE | DECODE_MAX_STEPS | DECODE_MAX_SOLUTIONS | DECODE_SOLUTIONS;
    struct problem problem;

    if (!decode_ask(call, members, &call->ask, &problem)) {
        api_call_refuse(call, &problem);
        return;
    }
    /* Clues that break the rules are the caller's mistake, not a puzzle without a solution. */
    if (!sudoku_is_valid(&call->ask.puzzle)) {
        problem_init_conflicts(&problem, &call->ask.puzzle);
        api_call_refuse(call, &problem);
        return;
    }

    struct sudoku_question question = {
        .puzzle = call->ask.puzzle,
        .max_solutions = call->ask.max_solutions,
        .max_steps = call->ask.max_steps,
    };
    if (call->ask.wants_list)
        search_begin_list(call, &question);
    else
        search_begin(call, &question);
}

/* A grid in the layout it came in, or the one word that says why there is none. */
static void encode_text(struct api_call *call, const struct sudoku_answer *answer)
{
    struct buffer *out = &call->reply.body;

    call->reply.content_type = "text/plain; charset=utf-8";
    if (answer->has_solution) {
        char *text = buffer_reserve(out, SUDOKU_TEXT_MAX);
        if (text != NULL)
            out->length += sudoku_text_write(&answer->solution, call->ask.layout, text);
        api_call_add_header(call, "Sudoku-Solution-Is-First", "%s",
                            answer->solution_is_first ? "true" : "false");
    } else {
        buffer_put_text(out, encode_status_names[answer->status]);
        buffer_put_text(out, "\n");
    }
    api_call_add_header(call, "Sudoku-Status", "%s", encode_status_names[answer->status]);
    api_call_add_header(call, "Sudoku-Solution-Count", "%lu",
                        (unsigned long)answer->solution_count);
}

static void encode_json(struct api_call *call, const struct sudoku_answer *answer)
{
    struct buffer *out = &call->reply.body;

    call->reply.content_type = "application/json";
    buffer_put_text(out, "{");
    encode_search(answer, call->ask.form, true, out);
    if (call->ask.wants_list) {
        buffer_put_text(out, ",\"solutions\":[");
        for (uint32_t i = 0; i < answer->solution_count; i++) {
            if (i > 0)
                buffer_put_text(out, ",");
            encode_grid(&call->list[i], call->ask.form, out);
        }
        buffer_put_text(out, "]");
    }
    buffer_put_text(out, "}\n");
}

void solve_encode(struct api_call *call)
{
    struct sudoku_answer answer;

    sudoku_query_answer(call->query, &answer);
    call->reply.status = 200;
    if (call->ask.form == API_FORM_TEXT)
        encode_text(call, &answer);
    else
        encode_json(call, &answer);
}
