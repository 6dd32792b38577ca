#include "admission.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

/* How many clients an address has. A row with none is free. */
struct row {
    uint64_t address;
    uint64_t clients;
};

/* The rows are a table with open addresses, never more than half full: an address is in the row
 * that its hash names, or in one of those behind, without a free one between. */
struct admission {
    uint64_t max;
    uint64_t max_of_address;
    _Atomic uint64_t places; /* that are taken */
    pthread_mutex_t lock;    /* of the rows */
    size_t mask;
    struct row *rows; /* NULL: addresses are not counted */
};

static size_t rows_for(uint64_t clients)
{
    size_t count = 2;

    while (count < 2 * clients)
        count *= 2;
    return count;
}

struct admission *admission_create(uint64_t max, uint64_t max_of_address)
{
    struct admission *admission = calloc(1, sizeof *admission);

    if (admission == NULL)
        return NULL;
    admission->max = max;
    admission->max_of_address = max_of_address;
    if (max_of_address > 0) {
        const size_t count = rows_for(max);
        admission->mask = count - 1;
        admission->rows = calloc(count, sizeof *admission->rows);
        if (admission->rows == NULL) {
            free(admission);
            return NULL;
        }
    }
    pthread_mutex_init(&admission->lock, NULL);
    return admission;
}

void admission_destroy(struct admission *admission)
{
    pthread_mutex_destroy(&admission->lock);
    free(admission->rows);
    free(admission);
}

bool admission_has_place(const struct admission *admission)
{
    return atomic_load(&admission->places) < admission->max;
}

bool admission_take_place(struct admission *admission)
{
    uint64_t places = atomic_load(&admission->places);

    while (places < admission->max) {
        if (atomic_compare_exchange_weak(&admission->places, &places, places + 1))
            return true;
    }
    return false;
}

void admission_give_back(struct admission *admission)
{
    atomic_fetch_sub(&admission->places, 1);
}

/* Multiplying by 2^64 over the golden ratio, an odd number, spreads addresses that differ in a few
 * bits over all of the high ones (Knuth, The Art of Computer Programming, 6.4). */
static size_t home_of(const struct admission *admission, uint64_t address)
{
    return (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32) & admission->mask;
}

/* The row of an address, or the free one where it belongs. */
static size_t find(const struct admission *admission, uint64_t address)
{
    size_t at = home_of(admission, address);

    while (admission->rows[at].clients > 0 && admission->rows[at].address != address)
        at = (at + 1) & admission->mask;
    return at;
}

/* Frees a row, and moves up those behind it that could not be found past a free one. */
static void remove_row(struct admission *admission, size_t at)
{
    struct row *rows = admission->rows;

    for (size_t next = (at + 1) & admission->mask; rows[next].clients > 0;
         next = (next + 1) & admission->mask) {
        const size_t home = home_of(admission, rows[next].address);
        if (((next - home) & admission->mask) >= ((next - at) & admission->mask)) {
            rows[at] = rows[next];
            at = next;
        }
    }
    rows[at].clients = 0;
}

bool admission_enter(struct admission *admission, uint64_t address)
{
    if (admission->rows == NULL)
        return true;
    pthread_mutex_lock(&admission->lock);
    struct row *row = &admission->rows[find(admission, address)];
    const bool may = row->clients < admission->max_of_address;
    if (may) {
        row->address = address;
        row->clients++;
    }
    pthread_mutex_unlock(&admission->lock);
    if (!may)
        admission_give_back(admission);
    return may;
}

void admission_leave(struct admission *admission, uint64_t address)
{
    if (admission->rows != NULL) {
        pthread_mutex_lock(&admission->lock);
        const size_t at = find(admission, address);
        if (--admission->rows[at].clients == 0)
            remove_row(admission, at);
        pthread_mutex_unlock(&admission->lock);
    }
    admission_give_back(admission);
}
