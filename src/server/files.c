#include "files.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

#include "config.h"

/* Beside connections: the standard streams, the listener, what a client that is turned away takes
 * for a moment, the library's; and for each thread the two ends of what wakes it. Without them a
 * thread that can't accept spins. */
enum { RESERVE = 64, RESERVE_PER_THREAD = 2 };

bool files_reserve(const struct config *config, char *ret_error, size_t error_size)
{
    struct rlimit limit;
    const uint64_t reserve = RESERVE + RESERVE_PER_THREAD * config->threads;
    const uint64_t needed = config->max_connections + reserve;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return true;
    limit.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return true;
    snprintf(ret_error, error_size,
             "--max-connections: \"%llu\" is not allowed; allowed is at most %llu, as this process "
             "may open %llu files (ulimit -Hn) and needs %llu for itself",
             (unsigned long long)config->max_connections,
             (unsigned long long)(limit.rlim_cur > reserve ? limit.rlim_cur - reserve : 0),
             (unsigned long long)limit.rlim_cur, (unsigned long long)reserve);
    return false;
}
