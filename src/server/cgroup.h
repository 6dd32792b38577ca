/* What the cgroups that this process is in, v1 or v2, leave it. A limit of any of them up to the
 * root counts, the lowest most: the quota of a systemd unit is there, that of a container at the
 * root that it sees.
 *
 * `root` is /sys/fs/cgroup and `self` /proc/self/cgroup but for tests. */
#ifndef SUDOKU_SERVER_CGROUP_H
#define SUDOKU_SERVER_CGROUP_H

#include <stdint.h>

#define CGROUP_ROOT "/sys/fs/cgroup"
#define CGROUP_SELF "/proc/self/cgroup"

/* The CPUs that a quota amounts to, rounded up; 0 when there is none. */
unsigned cgroup_cpus(const char *root, const char *self);

/* The limit of memory in bytes; 0 when there is none. */
uint64_t cgroup_memory(const char *root, const char *self);

#endif
