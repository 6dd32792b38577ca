#include "cpus.h"

#include <sched.h>

#include "cgroup.h"

unsigned cpus_available(void)
{
    cpu_set_t set;
    const unsigned quota = cgroup_cpus(CGROUP_ROOT, CGROUP_SELF);
    unsigned count = 1;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = (unsigned)CPU_COUNT(&set);
    return quota > 0 && quota < count ? quota : count;
}
