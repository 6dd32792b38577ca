/* Reading /metrics as a client does. */
#ifndef SUDOKU_TESTS_METRICS_CLIENT_H
#define SUDOKU_TESTS_METRICS_CLIENT_H

#include "client.h"
#include "server/clock.h"

enum { METRICS_MAX_SERIES = 1024 };

struct metrics_series {
    char name[128]; /* with its labels */
    double value;
};

struct metrics_scrape {
    size_t count;
    struct metrics_series series[METRICS_MAX_SERIES];
};

/* Takes what there is now, over a connection that stays open. */
static inline void metrics_take(int fd, struct metrics_scrape *ret)
{
    struct client_reply reply;

    client_send(fd, "GET", "/metrics", "", NULL);
    ck_assert(client_read_reply(fd, true, &reply));
    ck_assert_uint_eq(reply.status, 200);
    ret->count = 0;
    for (char *line = strtok(reply.body, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        struct metrics_series *series = &ret->series[ret->count];
        if (line[0] == '#')
            continue;
        char *blank = strrchr(line, ' ');
        ck_assert_ptr_nonnull(blank);
        *blank = '\0';
        ck_assert_uint_lt(strlen(line), sizeof series->name);
        strcpy(series->name, line);
        series->value = strtod(blank + 1, NULL);
        ck_assert_uint_lt(++ret->count, METRICS_MAX_SERIES);
    }
    client_reply_clear(&reply);
}

/* The value of a series; one that is not there has not been counted yet. */
static inline double metrics_value(const struct metrics_scrape *scrape, const char *name)
{
    for (size_t i = 0; i < scrape->count; i++) {
        if (strcmp(scrape->series[i].name, name) == 0)
            return scrape->series[i].value;
    }
    return 0;
}

/* Asks until a series has a value; the test's time limit ends a wait in vain. */
static inline void metrics_await(int fd, const char *name, double value)
{
    static struct metrics_scrape scrape;

    for (;;) {
        metrics_take(fd, &scrape);
        if (metrics_value(&scrape, name) == value)
            return;
        clock_sleep_ms(5);
    }
}

#endif
