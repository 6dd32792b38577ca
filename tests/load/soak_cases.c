#include "soak.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sudoku/sudoku.h"

enum { LINE = SUDOKU_CELLS + 1, MAX_PUZZLES = 1024, SMALL_BATCH = 150, BIG_BATCH = 10000 };

struct text {
    char *bytes;
    size_t size, room;
};

struct puzzle {
    char line[LINE];
    struct sudoku_grid grid;
    struct sudoku_answer answer;
};

static _Noreturn void die(const char *what, const char *which)
{
    fprintf(stderr, "soak: %s: %s\n", what, which);
    exit(1);
}

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    va_list arguments;

    if (text->room - text->size < 1024) {
        text->room = text->room * 2 + 4096;
        text->bytes = realloc(text->bytes, text->room);
        if (text->bytes == NULL)
            die("memory", "a text");
    }
    va_start(arguments, format);
    text->size += (size_t)vsnprintf(text->bytes + text->size, 1024, format, arguments);
    va_end(arguments);
}

/* ---- Answers ---- */

static const char *status_name(enum sudoku_status status)
{
    static const char *const names[] = {"unique", "multiple", "none", "solvable", "undetermined"};

    return names[status];
}

static const char *digits_of(const struct sudoku_grid *grid, char ret[LINE])
{
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        ret[cell] = (char)('0' + grid->cell[cell]);
    ret[SUDOKU_CELLS] = '\0';
    return ret;
}

static struct sudoku_answer solve(const struct sudoku_grid *grid, uint32_t max_solutions,
                                  uint64_t max_steps)
{
    static struct sudoku_query query;
    const struct sudoku_question question = {
        .puzzle = *grid, .max_solutions = max_solutions, .max_steps = max_steps};
    struct sudoku_answer answer;

    sudoku_query_start(&query, sudoku_engine_best(), &question);
    while (sudoku_query_run(&query, UINT32_MAX) == SUDOKU_PAUSED)
        continue;
    sudoku_query_answer(&query, &answer);
    return answer;
}

/* The plain engine finds as many solutions up to two, and the only one is the same. */
static void check_plainly(const struct puzzle *puzzle)
{
    static struct sudoku_search search;

    sudoku_search_start(&search, &sudoku_reference_engine, &puzzle->grid);
    if (sudoku_search_run(&search, 2, UINT32_MAX) != SUDOKU_SETTLED ||
        search.count != puzzle->answer.solution_count ||
        (search.count == 1 && memcmp(&search.solution[0], &puzzle->answer.solution,
                                     sizeof puzzle->answer.solution) != 0))
        die("the engines disagree", puzzle->line);
}

static void put_array(struct text *text, const struct sudoku_grid *grid)
{
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        put(text, "%s%u%s",
            cell == 0       ? "[["
            : cell % 9 == 0 ? ",["
                            : ",",
            grid->cell[cell],
            cell == SUDOKU_CELLS - 1 ? "]]"
            : cell % 9 == 8          ? "]"
                                     : "");
}

static void put_json(struct text *text, const struct sudoku_answer *answer, bool as_array)
{
    char digits[LINE];

    put(text, "{\"status\":\"%s\",\"solution\":", status_name(answer->status));
    if (!answer->has_solution)
        put(text, "null");
    else if (as_array)
        put_array(text, &answer->solution);
    else
        put(text, "\"%s\"", digits_of(&answer->solution, digits));
    if (answer->has_solution)
        put(text, ",\"solution_is_first\":%s", answer->solution_is_first ? "true" : "false");
    put(text, ",\"solution_count\":%u,\"count_exact\":%s,\"budget_exhausted\":%s,\"steps\":%llu}",
        answer->solution_count, answer->count_exact ? "true" : "false",
        answer->budget_exhausted ? "true" : "false", (unsigned long long)answer->steps);
}

/* ---- Cases ---- */

static struct soak_case *add(struct soak_cases *cases, const char *name, unsigned weight,
                             unsigned status)
{
    if (cases->count == SOAK_MAX_CASES)
        die("too many cases", name);
    struct soak_case *one = &cases->at[cases->count++];
    *one = (struct soak_case){.name = name, .weight = weight, .status = status};
    cases->weight += weight;
    return one;
}

static void end(struct soak_case *one, const struct text *request, const struct text *body)
{
    one->request = request->bytes;
    one->request_size = request->size;
    one->body = body->bytes;
    one->body_size = body->size;
}

static void put_head(struct text *request, const char *path, const char *type, size_t size)
{
    put(request,
        "POST %s HTTP/1.1\r\nHost: soak\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n", path,
        type, size);
}

static void put_post(struct text *request, const char *path, const char *type,
                     const struct text *body)
{
    put_head(request, path, type, body->size);
    for (size_t i = 0; i < body->size; i += 512)
        put(request, "%.*s", (int)(body->size - i < 512 ? body->size - i : 512), body->bytes + i);
    free(body->bytes);
}

static void add_single(struct soak_cases *cases, const struct puzzle *puzzle, unsigned way)
{
    struct text asked = {0};
    struct text request = {0};
    struct text body = {0};
    struct soak_case *one = NULL;
    char digits[LINE];

    switch (way % 5) {
    case 0:
        one = add(cases, "array", 10, 200);
        put_array(&asked, &puzzle->grid);
        put_post(&request, "/solve", "application/json", &asked);
        put_json(&body, &puzzle->answer, true);
        break;
    case 1:
        one = add(cases, "string", 10, 200);
        put(&asked, "{\"puzzle\":\"%s\"}", puzzle->line);
        put_post(&request, "/solve", "application/json", &asked);
        put_json(&body, &puzzle->answer, false);
        break;
    case 2:
        one = add(cases, "text", 10, 200);
        put(&asked, "%s\n", puzzle->line);
        put_post(&request, "/solve", "text/plain", &asked);
        put(&body, "%s",
            puzzle->answer.has_solution ? digits_of(&puzzle->answer.solution, digits)
                                        : status_name(puzzle->answer.status));
        break;
    case 3:
        one = add(cases, "get", 10, 200);
        put(&request, "GET /solve?puzzle=%s HTTP/1.1\r\nHost: soak\r\n\r\n", puzzle->line);
        put_json(&body, &puzzle->answer, false);
        break;
    default:
        one = add(cases, "chunks", 10, 200);
        put(&request,
            "POST /solve HTTP/1.1\r\nHost: soak\r\nContent-Type: application/json\r\n"
            "Transfer-Encoding: "
            "chunked\r\n\r\nb\r\n{\"puzzle\":\"\r\n51\r\n%s\r\n2\r\n\"}\r\n0\r\n\r\n",
            puzzle->line);
        put_json(&body, &puzzle->answer, false);
        break;
    }
    put(&body, "\n");
    end(one, &request, &body);
}

/* A search of so many steps that does not come to an end, or ends late. */
static void add_killer(struct soak_cases *cases, const char *line, const struct sudoku_grid *grid,
                       uint32_t max_solutions, uint64_t max_steps, unsigned weight)
{
    const struct sudoku_answer answer = solve(grid, max_solutions, max_steps);
    struct soak_case *one = add(cases, "killer", weight, 200);
    struct text asked = {0};
    struct text request = {0};
    struct text body = {0};

    put(&asked, "{\"puzzle\":\"%s\",\"max_solutions\":%u,\"max_steps\":%llu}", line, max_solutions,
        (unsigned long long)max_steps);
    put_post(&request, "/solve", "application/json", &asked);
    put_json(&body, &answer, false);
    put(&body, "\n");
    end(one, &request, &body);
}

static void add_killers(struct soak_cases *cases)
{
    static const char slow[] =
        "6..1.......3..9.6........4.........3.61.54............1.7....5..8.....1.."
        "........";
    struct sudoku_grid grid = {{0}};
    char line[LINE];

    add_killer(cases, digits_of(&grid, line), &grid, 1000000, 50000, 40);
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        grid.cell[cell] = (uint8_t)(slow[cell] == '.' ? 0 : slow[cell] - '0');
    add_killer(cases, slow, &grid, 2, 20000, 60);
}

static void add_text_batch(struct soak_cases *cases, const char *name, const struct puzzle *puzzles,
                           size_t puzzle_count, size_t size, unsigned weight)
{
    struct soak_case *one = add(cases, name, weight, 200);
    struct text asked = {0};
    struct text request = {0};
    struct text body = {0};
    char digits[LINE];

    for (size_t i = 0; i < size; i++) {
        const struct puzzle *puzzle = &puzzles[i % puzzle_count];
        put(&asked, "%s\n", puzzle->line);
        put(&body, "%s\t%u\t%s\n", status_name(puzzle->answer.status),
            puzzle->answer.solution_count,
            puzzle->answer.has_solution ? digits_of(&puzzle->answer.solution, digits) : "-");
    }
    put_post(&request, "/solve", "text/plain", &asked);
    end(one, &request, &body);
}

static void add_json_batches(struct soak_cases *cases, const struct puzzle *puzzles,
                             size_t puzzle_count)
{
    struct soak_case *lines = add(cases, "ndjson", 60, 200);
    struct soak_case *array = add(cases, "batch", 60, 200);
    struct text lines_asked = {0}, lines_request = {0}, lines_body = {0};
    struct text array_asked = {0}, array_request = {0}, array_body = {0};

    put(&array_asked, "{\"puzzles\":[");
    put(&array_body, "{\"results\":[");
    for (size_t i = 0; i < SMALL_BATCH; i++) {
        const struct puzzle *puzzle = &puzzles[i * 3 % puzzle_count];
        put(&lines_asked, "{\"puzzle\":\"%s\"}\n", puzzle->line);
        put_json(&lines_body, &puzzle->answer, false);
        put(&lines_body, "\n");
        put(&array_asked, "%s\"%s\"", i == 0 ? "" : ",", puzzle->line);
        put(&array_body, "%s", i == 0 ? "" : ",");
        put_json(&array_body, &puzzle->answer, false);
    }
    put(&array_asked, "]}");
    put(&array_body, "]}\n");
    put_post(&lines_request, "/solve", "application/x-ndjson", &lines_asked);
    put_post(&array_request, "/solve", "application/json", &array_asked);
    end(lines, &lines_request, &lines_body);
    end(array, &array_request, &array_body);
}

/* What is refused: the status, and how the body of the answer begins. */
static void add_bad(struct soak_cases *cases)
{
    static const struct {
        const char *path, *type, *body;
        unsigned status;
        const char *problem;
    } bad[] = {
        {"/solve", "application/json", "{\"puzzle\":", 400, "malformed-json"},
        {"/solve", "application/json", "{\"puzzle\":1,\"puzzle\":2}", 400, "malformed-json"},
        {"/solve", "application/json", "{\"puzle\":[]}", 422, "invalid-request"},
        {"/solve", "application/json", "[[0]]", 422, "invalid-request"},
        {"/solve", "text/plain", "12345", 400, "malformed-text"},
        {"/solve", "application/json", "{\"puzzle\":\"11.......\n.........\n.........\n\"}", 400,
         "malformed-json"},
        {"/solve", "application/json",
         "{\"puzzle\":\"11..............................................................."
         "................\"}",
         422, "conflicting-clues"},
        {"/solve?max_solutions=2&max_solutions=3", "text/plain", "1", 400, "malformed-request"},
        {"/solve", "application/xml", "<puzzle/>", 415, "unsupported-media-type"},
        {"/nowhere", "application/json", "{}", 404, "not-found"},
        {"/livez", "application/json", "{}", 405, "method-not-allowed"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct soak_case *one = add(cases, bad[i].problem, 60, bad[i].status);
        struct text request = {0};
        struct text body = {0};

        put_head(&request, bad[i].path, bad[i].type, strlen(bad[i].body));
        put(&request, "%s", bad[i].body);
        put(&body, "{\"type\":\"/problems/%s\",", bad[i].problem);
        one->is_beginning = true;
        end(one, &request, &body);
    }
}

static size_t read_puzzles(const char *file, struct puzzle *puzzles, size_t count)
{
    FILE *in = fopen(file, "r");
    char line[512];

    if (in == NULL)
        die("cannot open", file);
    while (count < MAX_PUZZLES && fgets(line, sizeof line, in) != NULL) {
        struct puzzle *puzzle = &puzzles[count];
        if (strspn(line, ".0123456789") != SUDOKU_CELLS)
            continue;
        memcpy(puzzle->line, line, SUDOKU_CELLS);
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            puzzle->grid.cell[cell] = (uint8_t)(line[cell] == '.' ? 0 : line[cell] - '0');
        puzzle->answer = solve(&puzzle->grid, 2, 1000000);
        check_plainly(puzzle);
        count++;
    }
    fclose(in);
    return count;
}

void soak_cases_make(struct soak_cases *cases, char *const files[], size_t file_count)
{
    static struct puzzle puzzles[MAX_PUZZLES];
    size_t count = 0;

    for (size_t i = 0; i < file_count; i++)
        count = read_puzzles(files[i], puzzles, count);
    if (count == 0)
        die("no puzzles in", "any file");
    for (size_t i = 0; i < count; i++)
        add_single(cases, &puzzles[i], (unsigned)i);
    add_killers(cases);
    add_text_batch(cases, "lines", puzzles, count, SMALL_BATCH, 60);
    add_text_batch(cases, "many lines", puzzles, count < 200 ? count : 200, BIG_BATCH, 6);
    add_json_batches(cases, puzzles, count);
    add_bad(cases);
}
