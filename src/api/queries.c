#include "queries.h"

#include <stdlib.h>

#include "sudoku/sudoku.h"

/* Most find one, or a place for one, at the first look. Looking comes before exchanging, which
 * takes the memory from the other cores. */

struct sudoku_query *queries_take(struct queries *queries)
{
    for (unsigned i = 0; queries != NULL && i < QUERIES_KEPT; i++) {
        if (atomic_load_explicit(&queries->kept[i], memory_order_relaxed) == NULL)
            continue;
        struct sudoku_query *query =
            atomic_exchange_explicit(&queries->kept[i], NULL, memory_order_acquire);
        if (query != NULL)
            return query;
    }
    return aligned_alloc(_Alignof(struct sudoku_query), sizeof(struct sudoku_query));
}

void queries_give(struct queries *queries, struct sudoku_query *query)
{
    for (unsigned i = 0; queries != NULL && query != NULL && i < QUERIES_KEPT; i++) {
        struct sudoku_query *none = NULL;
        if (atomic_load_explicit(&queries->kept[i], memory_order_relaxed) == NULL &&
            atomic_compare_exchange_strong_explicit(&queries->kept[i], &none, query,
                                                    memory_order_release, memory_order_relaxed))
            return;
    }
    free(query);
}

void queries_clear(struct queries *queries)
{
    for (unsigned i = 0; i < QUERIES_KEPT; i++)
        free(atomic_exchange(&queries->kept[i], NULL));
}
