/* Ends connections whose time is up: one thread that looks at all of them, a few times a second.
 *
 * A seat belongs to a connection. Its owner, the thread that serves the connection, sets until when
 * what the client does now must be done, without a lock: that is two atomic steps, so it may be
 * done for every request. The reaper takes a seat whose time is up by an atomic step too; so either
 * the owner was in time, or it learns from its next call that the connection has been ended. The
 * lock is taken when a connection comes or goes and for a look at all seats, so a descriptor that
 * is being ended is never closed, or used anew, meanwhile. */
#ifndef SUDOKU_SERVER_REAPER_H
#define SUDOKU_SERVER_REAPER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct reaper;

/* Part of something larger that its owner keeps until reaper_remove. */
struct reaper_seat {
    struct reaper_seat *next, *previous; /* the reaper's */
    _Atomic uint64_t state;              /* see reaper.c */
};

enum { REAPER_TAGS = 4 };
#define REAPER_NEVER UINT64_MAX

/* Ends what a seat stands for. `tag` is the one of the reaper_set whose time is up. */
typedef void reaper_end(struct reaper_seat *seat, unsigned tag, void *context);

/* Calls `end` from its own thread, at most about two ticks late. NULL: no memory or no thread. */
struct reaper *reaper_create(unsigned tick_ms, reaper_end *end, void *context);

/* Ends the thread. No seat may be left. */
void reaper_destroy(struct reaper *reaper);

/* Takes a seat that is to be ended in so many milliseconds from now. */
void reaper_add(struct reaper *reaper, struct reaper_seat *seat, uint64_t after_ms, unsigned tag);

/* Afterwards the reaper does not know the seat any more, and is not ending it. */
void reaper_remove(struct reaper *reaper, struct reaper_seat *seat);

/* Gives a seat another time, or REAPER_NEVER. False: too late, it has been ended, or is being. Only
 * for the owner. */
bool reaper_set(struct reaper *reaper, struct reaper_seat *seat, uint64_t after_ms, unsigned tag);

/* The same, but never to a later time than the seat has. */
bool reaper_shorten(struct reaper *reaper, struct reaper_seat *seat, uint64_t after_ms,
                    unsigned tag);

/* Waits until the reaper is not ending anything, so that what `end` uses may be freed. */
void reaper_wait(struct reaper *reaper);

#endif
