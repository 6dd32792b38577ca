#include "log.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "log_text.h"

/* A pipe that polls writable takes this much at once without waiting (PIPE_BUF on Linux). */
enum { MAX_LINE = 4096 };

/* Not part of `struct server`: a line may be lost before there is one, and after. */
static atomic_ulong lines_lost;
static atomic_ulong lines_lost_ever;

/* Set before there is a second thread, but for tests, which start many servers. */
static atomic_int lowest_level = LOG_INFO;
static atomic_int line_format = LOG_JSON;

/* Held from finding room to using it: two threads that both find room for one line would have one
 * of them wait for a reader. Nobody waits while holding it. */
static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *const level_names[] = {
    [LOG_INFO] = "info",
    [LOG_WARNING] = "warning",
    [LOG_ERROR] = "error",
};

static int put_time(char *text, size_t size)
{
    struct timespec now;
    struct tm utc;
    char date[32];

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    return snprintf(text, size, "{\"time\":\"%s.%03ldZ\"", date, now.tv_nsec / 1000000);
}

/* Whether a write of MAX_LINE at most returns at once. */
static bool can_write(void)
{
    struct pollfd descriptor = {.fd = STDERR_FILENO, .events = POLLOUT};

    return poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLOUT) != 0;
}

/* Writes a line whole and at once, or not. */
static bool write_line(const char *line, int length)
{
    pthread_mutex_lock(&write_lock);
    const bool is_written = can_write() && write(STDERR_FILENO, line, (size_t)length) == length;
    pthread_mutex_unlock(&write_lock);
    return is_written;
}

void log_set_up(enum log_level lowest, enum log_format format)
{
    atomic_store(&lowest_level, (int)lowest);
    atomic_store(&line_format, (int)format);
}

uint64_t log_lines_lost(void)
{
    return atomic_load(&lines_lost_ever);
}

static void count_lost(void)
{
    atomic_fetch_add(&lines_lost, 1);
    atomic_fetch_add(&lines_lost_ever, 1);
}

/* Ends a line of JSON and writes it in the form that is wanted. */
static bool finish_line(char line[MAX_LINE], int length)
{
    char text[MAX_LINE];

    if (length + 3 > MAX_LINE)
        return false;
    line[length++] = '}';
    line[length++] = '\n';
    if (atomic_load(&line_format) == LOG_JSON)
        return write_line(line, length);
    return write_line(text, (int)log_text(line, (size_t)length, text));
}

void log_event(enum log_level level, const char *event, const char *format, ...)
{
    char line[MAX_LINE];
    va_list arguments;

    if ((int)level < atomic_load(&lowest_level))
        return;
    const unsigned long lost = atomic_exchange(&lines_lost, 0);
    int length = put_time(line, sizeof line);
    length += snprintf(line + length, sizeof line - (size_t)length,
                       ",\"level\":\"%s\",\"event\":\"%s\"", level_names[level], event);
    if (lost > 0)
        length +=
            snprintf(line + length, sizeof line - (size_t)length, ",\"lines_lost\":%lu", lost);
    va_start(arguments, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    if (!finish_line(line, length)) {
        atomic_fetch_add(&lines_lost, lost);
        count_lost();
    }
}

bool log_limit_take(struct log_limit *limit, uint64_t now_us)
{
    enum { LINES_A_SECOND = 10, COUNTS = 1000000 };
    const uint64_t second = now_us / 1000000U * COUNTS;
    uint64_t seen = atomic_load(&limit->second);

    /* On failure `seen` is what another thread has made of it. */
    for (;;) {
        const uint64_t count = seen >= second && seen < second + COUNTS ? seen - second : 0;
        if (count >= LINES_A_SECOND) {
            count_lost();
            return false;
        }
        if (atomic_compare_exchange_weak(&limit->second, &seen, second + count + 1))
            return true;
    }
}

const char *log_escape(const char *text, char *ret, uint32_t size)
{
    uint32_t length = 0;

    for (; *text != '\0' && length + 2 < size; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            ret[length++] = '\\';
        ret[length++] = (char)(byte < 0x20 || byte >= 0x7f ? '?' : byte);
    }
    ret[length] = '\0';
    return ret;
}
