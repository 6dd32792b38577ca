/* How many CPUs this process may use. */
#ifndef SUDOKU_SERVER_CPUS_H
#define SUDOKU_SERVER_CPUS_H

/* At least 1: the CPUs that affinity allows, fewer where a cgroup (v1 or v2) has a quota. */
unsigned cpus_available(void);

/* The CPUs that a quota amounts to, rounded up; 0 when there is none. Reads the files below `root`,
 * which is /sys/fs/cgroup but for tests. */
unsigned cpus_of_quota(const char *root);

#endif
