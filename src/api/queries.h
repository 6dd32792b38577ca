/* Queries that are kept for whoever needs the next, so that a request need not ask the heap for its
 * largest piece of memory, 42 KB. May be used from any thread; nobody waits. */
#ifndef SUDOKU_API_QUERIES_H
#define SUDOKU_API_QUERIES_H

#include <stdatomic.h>

struct sudoku_query;

/* As many are kept at most as a few threads work on at a time. */
enum { QUERIES_KEPT = 8 };

/* Zeroed it is empty. */
struct queries {
    _Atomic(struct sudoku_query *) kept[QUERIES_KEPT];
};

/* A query with anything in it; NULL: no memory. Without `queries` it is a new one. */
struct sudoku_query *queries_take(struct queries *queries);

/* Takes back a query, or NULL. Without `queries` it is freed. */
void queries_give(struct queries *queries, struct sudoku_query *query);

/* Frees those that are kept. */
void queries_clear(struct queries *queries);

#endif
