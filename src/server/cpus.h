/* How many CPUs this process may use. */
#ifndef SUDOKU_SERVER_CPUS_H
#define SUDOKU_SERVER_CPUS_H

/* At least 1: the CPUs that affinity allows, fewer where a cgroup has a quota. */
unsigned cpus_available(void);

#endif
