#include "cgroup.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 1024, MAX_LINE = 64 };

/* v1 says "no limit" by the largest number there is, rounded down to pages. */
#define UNLIMITED (UINT64_C(1) << 62)

/* Reads the limit that the files of one folder set; 0: none. */
typedef uint64_t read_limit(const char *folder);

/* Reads one short line of a file. False when there is none. */
static bool read_line(const char *folder, const char *name, char ret_line[MAX_LINE])
{
    char path[MAX_PATH];

    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return false;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    const bool is_read = fgets(ret_line, MAX_LINE, file) != NULL;
    (void)fclose(file);
    return is_read;
}

static uint64_t round_up(const char *quota, const char *period)
{
    const long long used = strtoll(quota, NULL, 10);
    const long long of = strtoll(period, NULL, 10);

    if (used <= 0 || of <= 0)
        return 0;
    return (uint64_t)((used - 1) / of + 1);
}

/* "max 100000" or "150000 100000". */
static uint64_t read_cpus_v2(const char *folder)
{
    char line[MAX_LINE];

    return read_line(folder, "cpu.max", line) ? round_up(line, line + strcspn(line, " ")) : 0;
}

/* Two files, and -1 for no quota. */
static uint64_t read_cpus_v1(const char *folder)
{
    char quota[MAX_LINE];
    char period[MAX_LINE];

    if (!read_line(folder, "cpu.cfs_quota_us", quota) ||
        !read_line(folder, "cpu.cfs_period_us", period))
        return 0;
    return round_up(quota, period);
}

/* "max" or a number of bytes. A limit of 0 is one that nobody can live with, so it counts as none.
 */
static uint64_t read_bytes(const char *folder, const char *name)
{
    char line[MAX_LINE];

    if (!read_line(folder, name, line))
        return 0;
    errno = 0;
    const uint64_t bytes = strtoull(line, NULL, 10);
    return errno == 0 && line[0] != '-' && bytes < UNLIMITED ? bytes : 0;
}

static uint64_t read_memory_v2(const char *folder)
{
    return read_bytes(folder, "memory.max");
}

static uint64_t read_memory_v1(const char *folder)
{
    return read_bytes(folder, "memory.limit_in_bytes");
}

/* Whether a list such as "cpu,cpuacct" has a name; the empty list of v2 has the empty one. */
static bool has_name(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list;; at++) {
        const size_t size = strcspn(at, ",");
        if (size == length && strncmp(at, name, length) == 0)
            return true;
        at += size;
        if (*at == '\0')
            return false;
    }
}

/* The cgroup of a controller in lines such as "4:cpu,cpuacct:/a/b"; "" when there is none. */
static void find_cgroup(const char *self, const char *controller, char ret_path[MAX_PATH])
{
    char line[MAX_PATH];
    FILE *file = fopen(self, "re");

    ret_path[0] = '\0';
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        char *names = strchr(line, ':');
        char *path = names == NULL ? NULL : strchr(names + 1, ':');
        if (path == NULL)
            continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        if (has_name(names + 1, controller))
            snprintf(ret_path, MAX_PATH, "%s", path);
    }
    (void)fclose(file);
}

/* The lowest limit from the process's own cgroup up to the root. Where a container sees the path of
 * its cgroup outside, but not that folder, only the root is left, and it is the container's. */
static uint64_t lowest(const char *root, const char *self, const char *controller, read_limit *read)
{
    uint64_t low = 0;
    char path[MAX_PATH];

    find_cgroup(self, controller, path);
    for (;;) {
        char folder[MAX_PATH];
        const int length = snprintf(folder, sizeof folder, "%s/%s%s", root, controller, path);
        const uint64_t limit = length < (int)sizeof folder ? read(folder) : 0;
        if (limit > 0 && (low == 0 || limit < low))
            low = limit;
        char *last = strrchr(path, '/');
        if (last == NULL)
            return low;
        *last = '\0';
    }
}

unsigned cgroup_cpus(const char *root, const char *self)
{
    uint64_t cpus = lowest(root, self, "", read_cpus_v2);

    if (cpus == 0)
        cpus = lowest(root, self, "cpu", read_cpus_v1);
    return cpus < UINT_MAX ? (unsigned)cpus : UINT_MAX;
}

uint64_t cgroup_memory(const char *root, const char *self)
{
    const uint64_t bytes = lowest(root, self, "", read_memory_v2);

    return bytes > 0 ? bytes : lowest(root, self, "memory", read_memory_v1);
}
