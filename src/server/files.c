#include "files.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

#include "config.h"

/* Beside connections: the standard streams, the listener, what a client that is turned away takes
 * for a moment; and for each thread what it waits with, the library's and its own, and what wakes
 * it. */
enum { RESERVE = 64, RESERVE_PER_THREAD = 3 };

/* Raises the limit as far as it goes towards `needed`. Returns what it is then. */
static uint64_t raise_limit(uint64_t needed)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return needed;
    if (limit.rlim_cur < needed) {
        limit.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
        (void)getrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur;
}

bool files_reserve(struct config *config, uint64_t usual, char *ret_error, size_t error_size)
{
    const bool is_open = config->max_connections == 0;
    const uint64_t wanted = is_open ? usual : config->max_connections;
    const uint64_t reserve = RESERVE + RESERVE_PER_THREAD * config->threads;
    const uint64_t limit = raise_limit(wanted + reserve);
    const uint64_t room = limit > reserve ? limit - reserve : 0;

    if (room >= wanted || (is_open && room > 0)) {
        config->max_connections = room < wanted ? room : wanted;
        return true;
    }
    snprintf(ret_error, error_size,
             "--max-connections: \"%llu\" is not allowed; allowed is at most %llu, as this process "
             "may open %llu files (ulimit -Hn) and needs %llu for itself",
             (unsigned long long)wanted, (unsigned long long)room, (unsigned long long)limit,
             (unsigned long long)reserve);
    return false;
}
