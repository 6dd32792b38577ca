/* Which engines there are, and what is common to all. */
#include <assert.h>
#include <string.h>

#include "sudoku/sudoku.h"

static_assert(sizeof(struct sudoku_search) == SUDOKU_SEARCH_BYTES, "as documented");

/* The fast engines that this build has (CMakeLists.txt); each needs its instruction set. */
extern const struct sudoku_engine sudoku_scalar_engine;
extern const struct sudoku_engine sudoku_sse4_engine;
extern const struct sudoku_engine sudoku_avx2_engine;
extern const struct sudoku_engine sudoku_avx512_engine;
extern const struct sudoku_engine sudoku_neon_engine;

static bool always(void)
{
    return true;
}

#if defined(SUDOKU_X86_64)
/* What the compiler was told it may use: CMakeLists.txt has the same lists. */
static bool has_sse4(void)
{
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}
#endif

/* The plainest first, the fastest last. */
static const struct {
    const struct sudoku_engine *engine;
    bool (*can_run)(void);
} engines[] = {
    {&sudoku_reference_engine, always},  {&sudoku_scalar_engine, always},
#if defined(SUDOKU_X86_64)
    {&sudoku_sse4_engine, has_sse4},     {&sudoku_avx2_engine, has_avx2},
    {&sudoku_avx512_engine, has_avx512},
#elif defined(SUDOKU_AARCH64)
    {&sudoku_neon_engine, always},
#endif
};

enum { ENGINES = sizeof engines / sizeof engines[0] };

const struct sudoku_engine *sudoku_engine_at(size_t i)
{
    for (size_t j = 0; j < ENGINES; j++) {
        if (engines[j].can_run() && i-- == 0)
            return engines[j].engine;
    }
    return NULL;
}

const struct sudoku_engine *sudoku_engine_best(void)
{
    const struct sudoku_engine *best = NULL;

    for (size_t i = 0; i < ENGINES; i++) {
        if (engines[i].can_run())
            best = engines[i].engine;
    }
    return best;
}

const struct sudoku_engine *sudoku_engine_find(const char *name)
{
    for (size_t i = 0; i < ENGINES; i++) {
        if (strcmp(engines[i].engine->name, name) == 0 && engines[i].can_run())
            return engines[i].engine;
    }
    return NULL;
}

void sudoku_search_start(struct sudoku_search *search, const struct sudoku_engine *engine,
                         const struct sudoku_grid *grid)
{
    search->engine = engine;
    search->steps = 0;
    search->count = 0;
    search->exhausted = false;
    search->depth = 0;
    engine->start(search, grid);
}

enum sudoku_progress sudoku_search_run(struct sudoku_search *search, uint32_t limit,
                                       uint64_t max_steps)
{
    /* Sums with the steps made so far must not wrap. */
    assert(max_steps <= UINT64_MAX / 2);
    search->engine->run(search, limit, max_steps);
    return search->exhausted || search->count >= limit ? SUDOKU_SETTLED : SUDOKU_PAUSED;
}
