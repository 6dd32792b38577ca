/* Time that only goes forward, for deadlines and durations. */
#ifndef SUDOKU_SERVER_CLOCK_H
#define SUDOKU_SERVER_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000U + (uint64_t)now.tv_nsec / 1000U;
}

static inline void clock_sleep_ms(unsigned ms)
{
    const struct timespec duration = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

    nanosleep(&duration, NULL);
}

#endif
