/* How many puzzles a second: reads files of 81-character lines, searches every puzzle, prints a
 * table or JSON. The time covers reading a puzzle's 81 characters and the search; that of a file is
 * all passes over it made within the time asked for, at least one. */
#define _POSIX_C_SOURCE 200809L
/* NOLINTBEGIN(concurrency-mt-unsafe): only the main thread calls exit() */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sudoku/sudoku.h"

enum {
    EXIT_FILE = 1,
    EXIT_USAGE = 2,
    MAX_THREADS = 256,
    CHUNK = 2048, /* the most puzzles that a thread takes at a time */
};

struct options {
    const struct sudoku_engine *engine;
    uint32_t limit;
    unsigned threads;
    double seconds;
    bool wants_first; /* also find the first solution in lexicographic order */
    bool is_single;   /* one puzzle after the other, instead of in bulk */
    bool is_json;
};

/* The puzzles of a file, 81 characters each, nothing between them. */
struct puzzles {
    char *cells;
    size_t count;
};

struct totals {
    uint64_t steps;
    uint64_t unique;
    uint64_t multiple;
    uint64_t none;
    uint64_t solvable; /* found one, and was not to look for another */
};

/* One pass over the puzzles, and what the threads making it share. */
struct pass {
    const struct options *options;
    const struct puzzles *puzzles;
    atomic_size_t next;
    size_t chunk; /* puzzles that a thread takes at a time */
};

struct worker {
    struct pass *pass;
    struct totals totals;
    struct sudoku_bulk bulk;
    struct sudoku_query query;
    struct sudoku_grid grids[CHUNK];
    struct sudoku_tally tallies[CHUNK];
};

static const char usage[] =
    "usage: sudoku-bench FILE... [--limit N] [--threads N] [--isa NAME] [--seconds S]\n"
    "                    [--first] [--single] [--json]\n"
    "  --limit N     stop a search at N solutions (1..1000000, default 2: prove uniqueness)\n"
    "  --threads N   use N threads (1..256, default 1)\n"
    "  --isa NAME    use this engine instead of the fastest\n"
    "  --seconds S   pass over each file for about S seconds (default 1)\n"
    "  --first       also find the lexicographically first solution\n"
    "  --single      one puzzle after the other, not in bulk\n"
    "  --json        print one JSON object per file\n";

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- Reading ---- */

static bool is_cell(char c)
{
    return (c >= '0' && c <= '9') || c == '.';
}

/* Eighty-one cells, then nothing or a comment. */
static bool is_puzzle(const char *line, size_t length)
{
    if (length < SUDOKU_CELLS)
        return false;
    for (size_t i = 0; i < SUDOKU_CELLS; i++) {
        if (!is_cell(line[i]))
            return false;
    }
    return length == SUDOKU_CELLS || strchr(" \t,", line[SUDOKU_CELLS]) != NULL;
}

static void append(struct puzzles *puzzles, const char *cells)
{
    const size_t count = puzzles->count;

    if ((count & (count - 1)) == 0) {
        puzzles->cells = realloc(puzzles->cells, (count == 0 ? 1 : 2 * count) * SUDOKU_CELLS);
        if (puzzles->cells == NULL) {
            fprintf(stderr, "sudoku-bench: out of memory\n");
            exit(EXIT_FILE);
        }
    }
    memcpy(puzzles->cells + count * SUDOKU_CELLS, cells, SUDOKU_CELLS);
    puzzles->count++;
}

static struct puzzles read_puzzles(const char *name)
{
    struct puzzles puzzles = {NULL, 0};
    FILE *file = fopen(name, "r");
    char *line = NULL;
    size_t size = 0;
    size_t number = 0;
    ssize_t length;

    if (file == NULL) {
        fprintf(stderr, "sudoku-bench: can't open %s\n", name);
        exit(EXIT_FILE);
    }
    while ((length = getline(&line, &size, file)) >= 0) {
        number++;
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            length--;
        if (length == 0 || line[0] == '#')
            continue;
        if (!is_puzzle(line, (size_t)length)) {
            fprintf(stderr, "sudoku-bench: %s, line %zu: not 81 digits or dots\n", name, number);
            exit(EXIT_USAGE);
        }
        append(&puzzles, line);
    }
    if (ferror(file)) {
        fprintf(stderr, "sudoku-bench: can't read %s\n", name);
        exit(EXIT_FILE);
    }
    free(line);
    (void)fclose(file);
    return puzzles;
}

/* ---- Searching ---- */

static void parse(const char *cells, struct sudoku_grid *ret)
{
    for (size_t i = 0; i < SUDOKU_CELLS; i++)
        ret->cell[i] = (uint8_t)(cells[i] == '.' ? 0 : cells[i] - '0');
}

static void add(struct totals *totals, uint32_t count, bool is_exhausted, uint64_t steps)
{
    totals->steps += steps;
    totals->none += count == 0;
    totals->multiple += count > 1;
    totals->unique += count == 1 && is_exhausted;
    totals->solvable += count == 1 && !is_exhausted;
}

static void search_each(struct worker *worker, size_t count)
{
    const struct options *options = worker->pass->options;
    struct sudoku_search *search = &worker->bulk.search[0];

    for (size_t i = 0; i < count; i++) {
        sudoku_search_start(search, options->engine, &worker->grids[i]);
        while (sudoku_search_run(search, options->limit, UINT32_MAX) == SUDOKU_PAUSED)
            continue;
        add(&worker->totals, search->count, search->count < options->limit, search->steps);
    }
}

static void search_in_bulk(struct worker *worker, size_t count)
{
    const struct options *options = worker->pass->options;

    sudoku_bulk_run(&worker->bulk, options->engine, worker->grids, count, options->limit,
                    UINT64_MAX / 2, worker->tallies);
    for (size_t i = 0; i < count; i++) {
        const struct sudoku_tally *tally = &worker->tallies[i];
        add(&worker->totals, tally->count, tally->count < options->limit, tally->steps);
    }
}

static void find_first(struct worker *worker, size_t count)
{
    const struct options *options = worker->pass->options;

    for (size_t i = 0; i < count; i++) {
        const struct sudoku_question question = {
            .puzzle = worker->grids[i],
            .max_solutions = options->limit,
            .max_steps = UINT64_MAX / 4,
        };
        struct sudoku_answer answer;
        sudoku_query_start(&worker->query, options->engine, &question);
        while (sudoku_query_run(&worker->query, UINT32_MAX) == SUDOKU_PAUSED)
            continue;
        sudoku_query_answer(&worker->query, &answer);
        add(&worker->totals, answer.solution_count, answer.count_exact, answer.steps);
    }
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct pass *pass = worker->pass;

    for (;;) {
        const size_t first = atomic_fetch_add(&pass->next, pass->chunk);
        if (first >= pass->puzzles->count)
            return NULL;
        const size_t left = pass->puzzles->count - first;
        const size_t count = left < pass->chunk ? left : pass->chunk;
        for (size_t i = 0; i < count; i++)
            parse(pass->puzzles->cells + (first + i) * SUDOKU_CELLS, &worker->grids[i]);
        if (pass->options->wants_first)
            find_first(worker, count);
        else if (pass->options->is_single)
            search_each(worker, count);
        else
            search_in_bulk(worker, count);
    }
}

static struct totals run_pass(const struct options *options, const struct puzzles *puzzles,
                              struct worker *workers)
{
    const size_t share = puzzles->count / options->threads + 1;
    struct pass pass = {
        .options = options,
        .puzzles = puzzles,
        .chunk = share < CHUNK ? share : CHUNK,
    };
    struct totals sum = {0};
    pthread_t threads[MAX_THREADS];

    atomic_init(&pass.next, 0);
    for (unsigned i = 0; i < options->threads; i++) {
        workers[i].pass = &pass;
        workers[i].totals = (struct totals){0};
        if (i > 0 && pthread_create(&threads[i], NULL, work, &workers[i]) != 0) {
            fprintf(stderr, "sudoku-bench: can't start %u threads\n", options->threads);
            exit(EXIT_FILE);
        }
    }
    work(&workers[0]);
    for (unsigned i = 0; i < options->threads; i++) {
        if (i > 0)
            pthread_join(threads[i], NULL);
        sum.steps += workers[i].totals.steps;
        sum.unique += workers[i].totals.unique;
        sum.multiple += workers[i].totals.multiple;
        sum.none += workers[i].totals.none;
        sum.solvable += workers[i].totals.solvable;
    }
    return sum;
}

/* ---- Printing ---- */

static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < ' ')
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    }
    putchar('"');
}

static void print_json(const char *name, const struct options *options, size_t count, double rate,
                       const struct totals *totals)
{
    printf("{\"file\":");
    print_quoted(name);
    printf(
        ",\"isa\":\"%s\",\"threads\":%u,\"limit\":%u,\"puzzles\":%zu,\"puzzles_per_second\":%.1f,"
        "\"steps_per_puzzle\":%.4f,\"unique\":%llu,\"multiple\":%llu,\"none\":%llu,"
        "\"solvable\":%llu}\n",
        options->engine->name, options->threads, (unsigned)options->limit, count, rate,
        count == 0 ? 0.0 : (double)totals->steps / (double)count,
        (unsigned long long)totals->unique, (unsigned long long)totals->multiple,
        (unsigned long long)totals->none, (unsigned long long)totals->solvable);
}

static void print_row(const char *name, size_t count, double rate, const struct totals *totals)
{
    printf("%-32s %10zu %13.0f %12.3f %10llu %10llu %10llu\n", name, count, rate,
           count == 0 ? 0.0 : (double)totals->steps / (double)count,
           (unsigned long long)totals->unique, (unsigned long long)totals->multiple,
           (unsigned long long)totals->none);
}

static void bench(const char *name, const struct options *options, struct worker *workers)
{
    const struct puzzles puzzles = read_puzzles(name);
    const double start = now();
    struct totals totals;
    double seconds;
    size_t passes = 0;

    do {
        totals = run_pass(options, &puzzles, workers);
        passes++;
        seconds = now() - start;
    } while (seconds < options->seconds);

    const double rate = (double)puzzles.count * (double)passes / seconds;
    if (options->is_json)
        print_json(name, options, puzzles.count, rate, &totals);
    else
        print_row(name, puzzles.count, rate, &totals);
    (void)fflush(stdout);
    free(puzzles.cells);
}

/* ---- The command line ---- */

static _Noreturn void refuse(const char *what, const char *text)
{
    fprintf(stderr, "sudoku-bench: %s: %s (--help lists what there is)\n", what, text);
    exit(EXIT_USAGE);
}

/* The value of the flag at `*i`, as the next argument or after an equals sign. NULL: another flag.
 */
static const char *value_of(const char *flag, char **argv, int *i)
{
    const size_t length = strlen(flag);

    if (strncmp(argv[*i], flag, length) != 0)
        return NULL;
    if (argv[*i][length] == '=')
        return argv[*i] + length + 1;
    if (argv[*i][length] != '\0')
        return NULL;
    if (argv[*i + 1] == NULL)
        refuse("needs a value", flag);
    return argv[++*i];
}

static double number_in(const char *flag, const char *text, double low, double high)
{
    char *end;
    const double value = strtod(text, &end);

    if (end == text || *end != '\0' || !(value >= low && value <= high)) {
        fprintf(stderr, "sudoku-bench: %s takes a number from %.0f to %.0f, not %s\n", flag, low,
                high, text);
        exit(EXIT_USAGE);
    }
    return value;
}

static const struct sudoku_engine *engine_named(const char *name)
{
    const struct sudoku_engine *engine = sudoku_engine_find(name);

    if (engine != NULL)
        return engine;
    fprintf(stderr, "sudoku-bench: no engine %s on this machine; there are:", name);
    for (size_t i = 0; sudoku_engine_at(i) != NULL; i++)
        fprintf(stderr, " %s", sudoku_engine_at(i)->name);
    fprintf(stderr, "\n");
    exit(EXIT_USAGE);
}

/* Reads the flags and moves the file names to the front of argv. Returns how many there are. */
static int parse_arguments(char **argv, struct options *options)
{
    int files = 0;
    const char *value;

    for (int i = 1; argv[i] != NULL; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            (void)fputs(usage, stdout);
            exit(EXIT_SUCCESS);
        } else if (strcmp(argv[i], "--first") == 0) {
            options->wants_first = true;
        } else if (strcmp(argv[i], "--single") == 0) {
            options->is_single = true;
        } else if (strcmp(argv[i], "--json") == 0) {
            options->is_json = true;
        } else if ((value = value_of("--limit", argv, &i)) != NULL) {
            options->limit = (uint32_t)number_in("--limit", value, 1, SUDOKU_MAX_COUNT);
        } else if ((value = value_of("--threads", argv, &i)) != NULL) {
            options->threads = (unsigned)number_in("--threads", value, 1, MAX_THREADS);
        } else if ((value = value_of("--seconds", argv, &i)) != NULL) {
            options->seconds = number_in("--seconds", value, 0, 86400);
        } else if ((value = value_of("--isa", argv, &i)) != NULL) {
            options->engine = engine_named(value);
        } else if (argv[i][0] == '-' && argv[i][1] != '\0') {
            refuse("unknown flag", argv[i]);
        } else {
            argv[files++] = argv[i];
        }
    }
    return files;
}

int main(int argc, char **argv)
{
    (void)argc;
    struct options options = {
        .engine = sudoku_engine_best(),
        .limit = 2,
        .threads = 1,
        .seconds = 1,
    };
    const int files = parse_arguments(argv, &options);

    if (files == 0)
        refuse("needs a file", "none given");
    struct worker *workers =
        aligned_alloc(alignof(struct worker), options.threads * sizeof *workers);
    if (workers == NULL) {
        fprintf(stderr, "sudoku-bench: out of memory\n");
        return EXIT_FILE;
    }
    if (!options.is_json)
        printf("%-32s %10s %13s %12s %10s %10s %10s\n", "file", "puzzles", "puzzles/s",
               "steps/puzzle", "unique", "multiple", "none");
    for (int i = 0; i < files; i++)
        bench(argv[i], &options, workers);
    free(workers);
    return EXIT_SUCCESS;
}
/* NOLINTEND(concurrency-mt-unsafe) */
