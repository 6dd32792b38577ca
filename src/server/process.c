#include "process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static uint64_t read_clock_us(clockid_t clock)
{
    struct timespec time;

    if (clock_gettime(clock, &time) != 0)
        return METRICS_UNKNOWN;
    return (uint64_t)time.tv_sec * 1000000U + (uint64_t)time.tv_nsec / 1000U;
}

uint64_t process_now_us(void)
{
    return read_clock_us(CLOCK_REALTIME);
}

static void read_memory(struct metrics_state *state)
{
    char line[128];
    char *end;
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/self/statm", "re");

    state->virtual_bytes = METRICS_UNKNOWN;
    state->resident_bytes = METRICS_UNKNOWN;
    if (file == NULL)
        return;
    /* In pages: all, and those in memory. */
    if (fgets(line, sizeof line, file) != NULL) {
        state->virtual_bytes = strtoull(line, &end, 10) * page;
        state->resident_bytes = strtoull(end, NULL, 10) * page;
    }
    (void)fclose(file);
}

static uint64_t count_open_files(void)
{
    uint64_t count = 0;
    const struct dirent *entry;
    DIR *folder = opendir("/proc/self/fd");

    if (folder == NULL)
        return METRICS_UNKNOWN;
    /* Nobody else reads this folder. */
    while ((entry = readdir(folder)) != NULL) /* NOLINT(concurrency-mt-unsafe) */
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count - 1; /* this folder */
}

static uint64_t read_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return METRICS_UNKNOWN;
    return limit.rlim_cur;
}

void process_look(struct metrics_state *state)
{
    state->cpu_us = read_clock_us(CLOCK_PROCESS_CPUTIME_ID);
    read_memory(state);
    state->open_files = count_open_files();
    state->max_files = read_file_limit();
}
