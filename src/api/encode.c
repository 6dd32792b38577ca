/* JSON, written byte by byte: printing a 9x9 array through a document costs ten times what solving
 * it does. */
#include "encode.h"

#include <string.h>

#include "compact_grid.h"
#include "utf8.h"

const char encode_status_names[][16] = {
    [SUDOKU_UNIQUE] = "unique",     [SUDOKU_MULTIPLE] = "multiple",         [SUDOKU_NONE] = "none",
    [SUDOKU_SOLVABLE] = "solvable", [SUDOKU_UNDETERMINED] = "undetermined",
};

static void encode_array(const struct sudoku_grid *grid, struct buffer *out)
{
    char *text = buffer_reserve(out, COMPACT_GRID);

    if (text == NULL)
        return;
    compact_grid_write(grid, text);
    out->length += COMPACT_GRID;
}

void encode_digits(const struct sudoku_grid *grid, struct buffer *out)
{
    char *text = buffer_reserve(out, SUDOKU_CELLS);

    if (text == NULL)
        return;
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        text[cell] = (char)('0' + grid->cell[cell]);
    out->length += SUDOKU_CELLS;
}

void encode_grid(const struct sudoku_grid *grid, enum api_form form, struct buffer *out)
{
    if (form == API_FORM_ARRAY) {
        encode_array(grid, out);
        return;
    }
    buffer_put(out, "\"", 1);
    encode_digits(grid, out);
    buffer_put(out, "\"", 1);
}

/* Text that a name of the client's may be part of: with tabs and line ends in it, and cut in the
 * middle of a character. */
static void put_field(const char *text, struct buffer *out)
{
    for (const char *const end = text + strlen(text); text < end;) {
        const size_t size = utf8_length(text, (size_t)(end - text));
        if (size == 0)
            buffer_put_text(out, "\xEF\xBF\xBD"); /* U+FFFD, as in JSON */
        else if ((unsigned char)*text < ' ')
            buffer_put(out, " ", 1);
        else
            buffer_put(out, text, size);
        text += size == 0 ? 1 : size;
    }
}

void encode_error_line(const struct problem *problem, struct buffer *out)
{
    buffer_put_text(out, "error\t-\t");
    /* A line has no room for a list: the first fault stands for all. */
    if (problem->error_count > 1) {
        put_field(problem->errors[0].pointer, out);
        buffer_put_text(out, " ");
        put_field(problem->errors[0].detail, out);
        buffer_put_text(out, "; one of ");
        buffer_put_uint(out, problem->error_count);
        buffer_put_text(out, " faults.");
    } else {
        put_field(problem->detail, out);
    }
}

static void put_bool(struct buffer *out, const char *name, bool is_true)
{
    buffer_put_text(out, name);
    buffer_put_text(out, is_true ? "true" : "false");
}

void encode_search(const struct sudoku_answer *answer, enum api_form form, bool with_solution,
                   struct buffer *out)
{
    buffer_put_text(out, "\"status\":\"");
    buffer_put_text(out, encode_status_names[answer->status]);
    buffer_put_text(out, "\"");
    if (with_solution && answer->has_solution) {
        buffer_put_text(out, ",\"solution\":");
        encode_grid(&answer->solution, form, out);
        put_bool(out, ",\"solution_is_first\":", answer->solution_is_first);
    } else if (with_solution) {
        buffer_put_text(out, ",\"solution\":null");
    }
    buffer_put_text(out, ",\"solution_count\":");
    buffer_put_uint(out, answer->solution_count);
    put_bool(out, ",\"count_exact\":", answer->count_exact);
    put_bool(out, ",\"budget_exhausted\":", answer->budget_exhausted);
    buffer_put_text(out, ",\"steps\":");
    buffer_put_uint(out, answer->steps);
}
