#include "reaper.h"

#include <pthread.h>
#include <stdlib.h>

#include "clock.h"

/* The state of a seat: when it is to be ended, in microseconds, times REAPER_TAGS, plus the tag. */
#define ENDED UINT64_C(0)

struct reaper {
    pthread_mutex_t lock;
    pthread_cond_t is_closing;
    struct reaper_seat *first;
    bool is_closed;
    _Atomic uint64_t now_us; /* at the last look, so that setting a time needs no clock */
    uint64_t tick_us;
    reaper_end *end;
    void *context;
    pthread_t thread;
};

/* The time is that of the last look, which may be a tick ago: one more, for nobody to be ended
 * early. */
static uint64_t state_of(const struct reaper *reaper, uint64_t after_ms, unsigned tag)
{
    if (after_ms == REAPER_NEVER)
        return UINT64_MAX / REAPER_TAGS * REAPER_TAGS + tag;
    const uint64_t now_us = atomic_load_explicit(&reaper->now_us, memory_order_relaxed);
    return (now_us + reaper->tick_us + after_ms * 1000U) * REAPER_TAGS + tag;
}

static void look_at(struct reaper *reaper, struct reaper_seat *seat)
{
    uint64_t state = atomic_load_explicit(&seat->state, memory_order_acquire);
    const uint64_t now_us = atomic_load_explicit(&reaper->now_us, memory_order_relaxed);

    if (state == ENDED || state / REAPER_TAGS > now_us)
        return;
    if (atomic_compare_exchange_strong(&seat->state, &state, ENDED))
        reaper->end(seat, (unsigned)(state % REAPER_TAGS), reaper->context);
}

static void *look(void *argument)
{
    struct reaper *reaper = argument;

    pthread_mutex_lock(&reaper->lock);
    while (!reaper->is_closed) {
        const uint64_t now_us = clock_now_us();
        const uint64_t next_us = now_us + reaper->tick_us;
        const struct timespec next = {.tv_sec = (time_t)(next_us / 1000000U),
                                      .tv_nsec = (long)(next_us % 1000000U) * 1000L};

        atomic_store_explicit(&reaper->now_us, now_us, memory_order_relaxed);
        for (struct reaper_seat *seat = reaper->first; seat != NULL; seat = seat->next)
            look_at(reaper, seat);
        (void)pthread_cond_timedwait(&reaper->is_closing, &reaper->lock, &next);
    }
    pthread_mutex_unlock(&reaper->lock);
    return NULL;
}

static void destroy(struct reaper *reaper)
{
    pthread_cond_destroy(&reaper->is_closing);
    pthread_mutex_destroy(&reaper->lock);
    free(reaper);
}

struct reaper *reaper_create(unsigned tick_ms, reaper_end *end, void *context)
{
    struct reaper *reaper = calloc(1, sizeof *reaper);
    pthread_condattr_t attributes;

    if (reaper == NULL)
        return NULL;
    pthread_mutex_init(&reaper->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&reaper->is_closing, &attributes);
    pthread_condattr_destroy(&attributes);
    atomic_init(&reaper->now_us, clock_now_us());
    reaper->tick_us = tick_ms * UINT64_C(1000);
    reaper->end = end;
    reaper->context = context;
    if (pthread_create(&reaper->thread, NULL, look, reaper) != 0) {
        destroy(reaper);
        return NULL;
    }
    return reaper;
}

void reaper_destroy(struct reaper *reaper)
{
    pthread_mutex_lock(&reaper->lock);
    reaper->is_closed = true;
    pthread_cond_signal(&reaper->is_closing);
    pthread_mutex_unlock(&reaper->lock);
    pthread_join(reaper->thread, NULL);
    destroy(reaper);
}

void reaper_add(struct reaper *reaper, struct reaper_seat *seat, uint64_t after_ms, unsigned tag)
{
    atomic_init(&seat->state, state_of(reaper, after_ms, tag));
    seat->previous = NULL;
    pthread_mutex_lock(&reaper->lock);
    seat->next = reaper->first;
    if (seat->next != NULL)
        seat->next->previous = seat;
    reaper->first = seat;
    pthread_mutex_unlock(&reaper->lock);
}

void reaper_remove(struct reaper *reaper, struct reaper_seat *seat)
{
    pthread_mutex_lock(&reaper->lock);
    if (seat->next != NULL)
        seat->next->previous = seat->previous;
    if (seat->previous != NULL)
        seat->previous->next = seat->next;
    else
        reaper->first = seat->next;
    pthread_mutex_unlock(&reaper->lock);
}

/* Only the reaper changes a state beside its owner, and only to ENDED: one try is enough. */
static bool change(struct reaper_seat *seat, uint64_t from, uint64_t to)
{
    return from != ENDED && atomic_compare_exchange_strong(&seat->state, &from, to);
}

bool reaper_set(struct reaper *reaper, struct reaper_seat *seat, uint64_t after_ms, unsigned tag)
{
    return change(seat, atomic_load_explicit(&seat->state, memory_order_relaxed),
                  state_of(reaper, after_ms, tag));
}

bool reaper_shorten(struct reaper *reaper, struct reaper_seat *seat, uint64_t after_ms,
                    unsigned tag)
{
    const uint64_t state = atomic_load_explicit(&seat->state, memory_order_relaxed);
    const uint64_t other = state_of(reaper, after_ms, tag);

    return other < state ? change(seat, state, other) : state != ENDED;
}

void reaper_wait(struct reaper *reaper)
{
    pthread_mutex_lock(&reaper->lock);
    pthread_mutex_unlock(&reaper->lock);
}
