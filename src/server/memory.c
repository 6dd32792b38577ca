#include "memory.h"

#include <unistd.h>

#include "cgroup.h"

/* A quarter of the memory each for connections and for bodies; the rest is for answers, for what a
 * body becomes when it is read, and for the program itself. */
enum { SHARE = 4 };

/* Where there is memory enough. */
enum { USUAL_CONNECTIONS = 4000 };
#define USUAL_BODIES (UINT64_C(256) << 20)

/* A connection that waits for its search takes 34 KB: the library's 12 KiB, the first half of its
 * query's 42,688 bytes, and little else. The other half is used only to put solutions in order. */
enum { CONNECTION_BYTES = 40 * 1024 };

/* Below these a setting makes no sense, and the memory should be set higher. */
enum { LEAST_CONNECTIONS = 64 };
#define LEAST_BODIES (UINT64_C(1) << 20)

static uint64_t within(uint64_t value, uint64_t low, uint64_t high)
{
    if (value < low)
        return low;
    return value < high ? value : high;
}

uint64_t memory_available(void)
{
    const uint64_t limit = cgroup_memory(CGROUP_ROOT, CGROUP_SELF);
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    const uint64_t machine = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;

    return limit > 0 && limit < machine ? limit : machine;
}

uint64_t memory_connections(uint64_t bytes)
{
    return within(bytes / SHARE / CONNECTION_BYTES, LEAST_CONNECTIONS, USUAL_CONNECTIONS);
}

uint64_t memory_bodies(uint64_t bytes)
{
    return within(bytes / SHARE, LEAST_BODIES, USUAL_BODIES);
}
