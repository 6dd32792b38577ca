/* /solve */
#include "ask.h"
#include "encode.h"
#include "endpoints.h"

static void put_json(const struct api_ask *ask, const struct sudoku_grid *list,
                     const struct sudoku_answer *answer, struct buffer *out)
{
    buffer_put_text(out, "{");
    encode_search(answer, ask->form, true, out);
    if (ask->wants_list) {
        buffer_put_text(out, ",\"solutions\":[");
        for (uint32_t i = 0; i < answer->solution_count; i++) {
            if (i > 0)
                buffer_put_text(out, ",");
            encode_grid(&list[i], ask->form, out);
        }
        buffer_put_text(out, "]");
    }
    buffer_put_text(out, "}");
}

static void put_grid(const struct sudoku_grid *grid, enum sudoku_layout layout, struct buffer *out)
{
    char *text = buffer_reserve(out, SUDOKU_TEXT_MAX);

    if (text != NULL)
        out->length += sudoku_text_write(grid, layout, text);
}

/* The grid in the layout it came in, or the one word that says why there is none. A list is one
 * line a solution, whatever the layout. */
static void put_text(const struct api_ask *ask, const struct sudoku_grid *list,
                     const struct sudoku_answer *answer, struct buffer *out)
{
    if (!answer->has_solution) {
        buffer_put_text(out, encode_status_names[answer->status]);
        buffer_put_text(out, "\n");
    } else if (ask->wants_list) {
        for (uint32_t i = 0; i < answer->solution_count; i++)
            put_grid(&list[i], SUDOKU_LAYOUT_LINE, out);
    } else {
        put_grid(&answer->solution, ask->layout, out);
    }
}

static void put_line(const struct api_ask *ask, const struct sudoku_grid *list,
                     const struct sudoku_answer *answer, struct buffer *out)
{
    (void)ask;
    (void)list;
    buffer_put_text(out, encode_status_names[answer->status]);
    buffer_put_text(out, "\t");
    buffer_put_uint(out, answer->solution_count);
    buffer_put_text(out, "\t");
    if (answer->has_solution)
        encode_digits(&answer->solution, out);
    else
        buffer_put_text(out, "-");
}

const struct api_endpoint solve_endpoint = {
    .members = ASK_PUZZLE | ASK_PUZZLES | ASK_MAX_STEPS | ASK_MAX_SOLUTIONS | ASK_SOLUTIONS,
    .put_json = put_json,
    .put_text = put_text,
    .put_line = put_line,
};
