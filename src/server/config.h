/* The settings of the service: one table of them in config.c, read from flags and the environment.
 */
#ifndef SUDOKU_SERVER_CONFIG_H
#define SUDOKU_SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sudoku_engine;

struct config {
    const char *host;
    const char *isa;
    const char *cors_origins;
    uint64_t port;
    uint64_t threads;
    uint64_t workers;
    uint64_t queue;
    uint64_t max_connections;
    uint64_t max_connections_per_address; /* 0: any number */
    bool trust_forwarded;                 /* X-Forwarded-For says who the client is */
    uint64_t max_body;                    /* bytes */
    uint64_t max_batch;                   /* puzzles */
    uint64_t max_bodies;                  /* bytes, of all requests; 0: by memory */
    uint64_t default_steps;
    uint64_t max_steps;
    uint64_t timeout_ms; /* of an idle or slow connection */
    uint64_t head_timeout_ms;
    uint64_t body_timeout_ms;
    uint64_t answer_timeout_ms;
    uint64_t deadline_ms; /* of a search, its waiting included */
    uint64_t max_wait_ms; /* of a search, until its end, when there is too much to do */
    uint64_t drain_delay_ms;
    bool access_log;
    uint64_t access_log_sample; /* one request in so many is logged */
    uint64_t log_level;         /* enum log_level */
    uint64_t log_format;        /* enum log_format */
    bool sandbox;
};

enum config_outcome {
    CONFIG_OK,
    CONFIG_HELP,        /* --help was asked for */
    CONFIG_VERSION,     /* --version was asked for */
    CONFIG_HEALTHCHECK, /* --healthcheck was asked for; ret_config says of what */
    CONFIG_BAD,         /* ret_error says what and why, in one line */
};

enum { CONFIG_MAX_ERROR = 256 };

/* Reads the settings: a flag beats an environment variable, which beats the default. Strings point
 * into argv and the environment. `ret_config` is written on CONFIG_OK and CONFIG_HEALTHCHECK only.
 */
enum config_outcome config_load(int argc, char *const argv[], struct config *ret_config,
                                char ret_error[CONFIG_MAX_ERROR]);

/* Makes one line of a message: a value may hold anything, a newline or a terminal's escape sequence
 * too. */
void config_keep_one_line(char *text);

/* The engine that --isa names; not NULL for a config that was loaded. */
const struct sudoku_engine *config_engine(const struct config *config);

/* Prints the flags, variables, defaults and ranges. */
void config_print_help(FILE *out);

/* Prints the same as a table in Markdown, for the README. */
void config_print_table(FILE *out);

#endif
