/* Reads a puzzle, solves it, and writes its solution: with the installed headers and library alone.
 */
#include <stdio.h>
#include <string.h>

#include <sudoku/sudoku.h>
#include <sudoku/text.h>

int main(int argc, char *argv[])
{
    static struct sudoku_query query;
    struct sudoku_question question = {.max_solutions = 2, .max_steps = 1000};
    struct sudoku_answer answer;
    struct sudoku_text_fault fault;
    enum sudoku_layout layout;
    char text[SUDOKU_TEXT_MAX];

    if (argc != 2 || !sudoku_text_read(argv[1], strlen(argv[1]), &question.puzzle, &layout, &fault))
        return 2;
    sudoku_query_start(&query, sudoku_engine_best(), &question);
    while (sudoku_query_run(&query, 100) == SUDOKU_PAUSED)
        continue;
    sudoku_query_answer(&query, &answer);
    if (answer.status != SUDOKU_UNIQUE)
        return 1;
    const size_t size = sudoku_text_write(&answer.solution, layout, text);
    return fwrite(text, 1, size, stdout) == size ? 0 : 1;
}
