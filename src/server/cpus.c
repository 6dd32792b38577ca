#include "cpus.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads one short line of a file. False when there is none. */
static bool read_line(const char *root, const char *name, char ret_line[64])
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    const bool is_read = fgets(ret_line, 64, file) != NULL;
    fclose(file);
    return is_read;
}

static unsigned round_up(const char *quota, const char *period)
{
    const long long used = strtoll(quota, NULL, 10);
    const long long of = strtoll(period, NULL, 10);

    if (used <= 0 || of <= 0)
        return 0;
    const long long cpus = (used - 1) / of + 1;
    return cpus < UINT_MAX ? (unsigned)cpus : UINT_MAX;
}

unsigned cpus_of_quota(const char *root)
{
    char line[64];
    char period[64];

    /* v2 has "max 100000" or "150000 100000" in one file, v1 two files and -1 for no quota. */
    if (read_line(root, "cpu.max", line))
        return round_up(line, line + strcspn(line, " "));
    if (read_line(root, "cpu/cpu.cfs_quota_us", line) &&
        read_line(root, "cpu/cpu.cfs_period_us", period))
        return round_up(line, period);
    return 0;
}

unsigned cpus_available(void)
{
    cpu_set_t set;
    const unsigned quota = cpus_of_quota("/sys/fs/cgroup");
    unsigned count = 1;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = (unsigned)CPU_COUNT(&set);
    return quota > 0 && quota < count ? quota : count;
}
