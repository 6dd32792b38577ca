/* How many clients may be connected: in all, and of one address (see peer.h). Any thread may ask.
 *
 * A client takes a place before it is accepted, when its address is not known yet, so that there
 * are never too many; it leaves with the address that it entered with. */
#ifndef SUDOKU_SERVER_ADMISSION_H
#define SUDOKU_SERVER_ADMISSION_H

#include <stdbool.h>
#include <stdint.h>

struct admission;

/* At most so many; `max_of_address` 0: any number of one address. NULL: out of memory. */
struct admission *admission_create(uint64_t max, uint64_t max_of_address);

void admission_destroy(struct admission *admission);

/* Whether a place is free, for now. */
bool admission_has_place(const struct admission *admission);

/* False: none is free. */
bool admission_take_place(struct admission *admission);

/* For a place that nobody entered with. */
void admission_give_back(struct admission *admission);

/* False: there are too many of this address already. The place is given back then. */
bool admission_enter(struct admission *admission, uint64_t address);

void admission_leave(struct admission *admission, uint64_t address);

#endif
