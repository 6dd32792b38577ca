/* The settings: where they come from, what they may be, and what is said of a bad one. */
#include "server/config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/log.h"
#include "support.h"

#define FIELD(member) offsetof(struct config, member)

/* Every setting that is a number, written out again: a change of one needs a change here. */
static const struct number {
    const char *flag;
    const char *variable;
    size_t field;
    uint64_t fallback;
    const char *low;
    uint64_t low_value;
    const char *high;
    uint64_t high_value;
    const char *too_low; /* NULL: 0 is allowed, so nothing is */
    const char *too_high;
    const char *allowed;
} numbers[] = {
    {"--port", "SUDOKUD_PORT", FIELD(port), 8080, "0", 0, "65535", 65535, NULL, "65536",
     "0 to 65535"},
    {"--threads", "SUDOKUD_THREADS", FIELD(threads), 0, "0", 0, "256", 256, NULL, "257",
     "0 to 256"},
    {"--workers", "SUDOKUD_WORKERS", FIELD(workers), 0, "0", 0, "256", 256, NULL, "257",
     "0 to 256"},
    {"--queue", "SUDOKUD_QUEUE", FIELD(queue), 1024, "1", 1, "1000000", 1000000, "0", "1000001",
     "1 to 1000000"},
    {"--max-connections", "SUDOKUD_MAX_CONNECTIONS", FIELD(max_connections), 0, "0", 0, "1000000",
     1000000, NULL, "1000001", "0 to 1000000"},
    {"--max-connections-per-address", "SUDOKUD_MAX_CONNECTIONS_PER_ADDRESS",
     FIELD(max_connections_per_address), 0, "0", 0, "1000000", 1000000, NULL, "1000001",
     "0 to 1000000"},
    {"--max-batch", "SUDOKUD_MAX_BATCH", FIELD(max_batch), 100000, "1", 1, "10000000", 10000000,
     "0", "10000001", "1 to 10000000"},
    {"--max-body", "SUDOKUD_MAX_BODY", FIELD(max_body), 16777216, "1024", 1024, "1073741824",
     1073741824, "1023", "1073741825", "1k to 1024m, in bytes, k or m"},
    {"--max-bodies", "SUDOKUD_MAX_BODIES", FIELD(max_bodies), 0, "0", 0, "1048576m", 1099511627776,
     NULL, "1048577m", "0 to 1048576m, in bytes, k or m"},
    {"--default-steps", "SUDOKUD_DEFAULT_STEPS", FIELD(default_steps), 1000000, "1", 1,
     "1000000000000", 1000000000000, "0", "1000000000001", "1 to 1000000000000"},
    {"--max-steps", "SUDOKUD_MAX_STEPS", FIELD(max_steps), 10000000, "1", 1, "1000000000000",
     1000000000000, "0", "1000000000001", "1 to 1000000000000"},
    {"--timeout", "SUDOKUD_TIMEOUT", FIELD(timeout_ms), 30000, "1000ms", 1000, "3600000ms", 3600000,
     "999ms", "3600001ms", "1s to 60m, in ms, s or m"},
    {"--head-timeout", "SUDOKUD_HEAD_TIMEOUT", FIELD(head_timeout_ms), 10000, "100ms", 100,
     "3600000ms", 3600000, "99ms", "3600001ms", "100ms to 60m, in ms, s or m"},
    {"--body-timeout", "SUDOKUD_BODY_TIMEOUT", FIELD(body_timeout_ms), 30000, "100ms", 100,
     "3600000ms", 3600000, "99ms", "3600001ms", "100ms to 60m, in ms, s or m"},
    {"--answer-timeout", "SUDOKUD_ANSWER_TIMEOUT", FIELD(answer_timeout_ms), 60000, "100ms", 100,
     "3600000ms", 3600000, "99ms", "3600001ms", "100ms to 60m, in ms, s or m"},
    {"--deadline", "SUDOKUD_DEADLINE", FIELD(deadline_ms), 30000, "1ms", 1, "3600000ms", 3600000,
     "0", "3600001ms", "1ms to 60m, in ms, s or m"},
    {"--max-wait", "SUDOKUD_MAX_WAIT", FIELD(max_wait_ms), 300, "1ms", 1, "3600000ms", 3600000, "0",
     "3600001ms", "1ms to 60m, in ms, s or m"},
    {"--drain-delay", "SUDOKUD_DRAIN_DELAY", FIELD(drain_delay_ms), 0, "0", 0, "600000ms", 600000,
     NULL, "600001ms", "0ms to 10m, in ms, s or m"},
    {"--access-log-sample", "SUDOKUD_ACCESS_LOG_SAMPLE", FIELD(access_log_sample), 1, "1", 1,
     "1000000", 1000000, "0", "1000001", "1 to 1000000"},
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

/* All of them, in the order of the help. */
static const char *const flags[] = {"--host",
                                    "--port",
                                    "--threads",
                                    "--workers",
                                    "--queue",
                                    "--max-connections",
                                    "--max-connections-per-address",
                                    "--trust-forwarded",
                                    "--cors-origins",
                                    "--max-batch",
                                    "--max-body",
                                    "--max-bodies",
                                    "--default-steps",
                                    "--max-steps",
                                    "--timeout",
                                    "--head-timeout",
                                    "--body-timeout",
                                    "--answer-timeout",
                                    "--deadline",
                                    "--max-wait",
                                    "--drain-delay",
                                    "--isa",
                                    "--access-log",
                                    "--access-log-sample",
                                    "--log-level",
                                    "--log-format",
                                    "--sandbox"};

enum { FLAGS = sizeof flags / sizeof flags[0] };

/* SUDOKUD_MAX_BODY of --max-body. */
static const char *variable_of(const char *flag)
{
    static char name[64];
    size_t length = 8;

    memcpy(name, "SUDOKUD_", length);
    for (flag += 2; *flag != '\0'; flag++)
        name[length++] = (char)(*flag == '-' ? '_' : *flag - 'a' + 'A');
    name[length] = '\0';
    return name;
}

static void clear_environment(void)
{
    for (size_t i = 0; i < FLAGS; i++)
        unsetenv(variable_of(flags[i]));
}

static uint64_t number_at(const struct config *config, size_t field)
{
    uint64_t number;

    memcpy(&number, (const char *)config + field, sizeof number);
    return number;
}

/* Loads from up to four arguments; NULL ends them sooner. */
static enum config_outcome load(const char *const arguments[4], struct config *config,
                                char error[CONFIG_MAX_ERROR])
{
    char name[] = "sudokud";
    char copies[4][128];
    char *argv[6] = {name};
    int argc = 1;

    for (int i = 0; i < 4 && arguments[i] != NULL; i++) {
        snprintf(copies[i], sizeof copies[i], "%s", arguments[i]);
        argv[argc++] = copies[i];
    }
    return config_load(argc, argv, config, error);
}

static void assert_loads(const char *first, const char *second, struct config *config)
{
    char error[CONFIG_MAX_ERROR] = "";
    const enum config_outcome outcome =
        load((const char *const[]){first, second, NULL, NULL}, config, error);

    ck_assert_msg(outcome == CONFIG_OK, "%s %s: %s", first == NULL ? "" : first,
                  second == NULL ? "" : second, error);
}

static void assert_one_line(const char *error)
{
    ck_assert_uint_gt(strlen(error), 0);
    ck_assert_uint_lt(strlen(error), CONFIG_MAX_ERROR);
    for (const char *c = error; *c != '\0'; c++)
        ck_assert_msg((unsigned char)*c >= 0x20 && *c != 0x7f, "not one line: %s", error);
}

/* Loads from two arguments that are bad; the config must stay as it was. */
static void assert_refuses(const char *first, const char *second, const char *expected)
{
    struct config config;
    struct config before;
    char error[CONFIG_MAX_ERROR] = "";

    memset(&config, 0xA5, sizeof config);
    memset(&before, 0xA5, sizeof before);
    ck_assert_int_eq(load((const char *const[]){first, second, NULL, NULL}, &config, error),
                     CONFIG_BAD);
    ck_assert_mem_eq(&config, &before, sizeof config);
    assert_one_line(error);
    ck_assert_str_eq(error, expected);
}

START_TEST(without_flags_or_variables_all_are_defaults)
{
    struct config config;

    assert_loads(NULL, NULL, &config);
    ck_assert_str_eq(config.host, "127.0.0.1");
    ck_assert_str_eq(config.isa, "auto");
    ck_assert(!config.trust_forwarded);
    ck_assert(!config.access_log);
    ck_assert_uint_eq(config.log_level, LOG_INFO);
    ck_assert_uint_eq(config.log_format, LOG_JSON);
    ck_assert(config.sandbox);
    for (size_t i = 0; i < NUMBERS; i++)
        ck_assert_msg(number_at(&config, numbers[i].field) == numbers[i].fallback, "%s is %" PRIu64,
                      numbers[i].flag, number_at(&config, numbers[i].field));
}
END_TEST

/* The limits of one setting don't meet those of another: the two step budgets are widened first. */
static void widen_steps(const struct number *number)
{
    if (number->field == FIELD(default_steps))
        setenv("SUDOKUD_MAX_STEPS", "1000000000000", 1);
    if (number->field == FIELD(max_steps))
        setenv("SUDOKUD_DEFAULT_STEPS", "1", 1);
}

START_TEST(a_number_is_taken_up_to_both_its_limits)
{
    const struct number *number = &numbers[_i];
    struct config config;
    char joined[64];

    widen_steps(number);
    assert_loads(number->flag, number->low, &config);
    ck_assert_uint_eq(number_at(&config, number->field), number->low_value);
    assert_loads(number->flag, number->high, &config);
    ck_assert_uint_eq(number_at(&config, number->field), number->high_value);

    snprintf(joined, sizeof joined, "%s=%s", number->flag, number->low);
    assert_loads(joined, NULL, &config);
    ck_assert_uint_eq(number_at(&config, number->field), number->low_value);

    setenv(number->variable, number->high, 1);
    assert_loads(NULL, NULL, &config);
    ck_assert_uint_eq(number_at(&config, number->field), number->high_value);
}
END_TEST

START_TEST(a_flag_beats_a_variable_which_beats_the_default)
{
    const struct number *number = &numbers[_i];
    struct config config;

    widen_steps(number);
    setenv(number->variable, number->high, 1);
    assert_loads(NULL, NULL, &config);
    ck_assert_uint_eq(number_at(&config, number->field), number->high_value);
    assert_loads(number->flag, number->low, &config);
    ck_assert_uint_eq(number_at(&config, number->field), number->low_value);
}
END_TEST

/* What no number may be. */
static const char *const never_numbers[] = {
    "",
    " ",
    "-1",
    "-0",
    "+1",
    " 5",
    "5 ",
    "5\t",
    "1.5",
    "1e3",
    "0x10",
    "ten",
    "5,0",
    "5;",
    "5x",
    "5ss",
    "5kk",
    "5 k",
    "5 ms",
    "5K",
    "5M",
    "5S",
    "5h",
    "5g",
    "5kb",
    "5mib",
    "k",
    "ms",
    "m",
    "--help",
    "\xD9\xA5",
    "nan",
    "inf",
    "1_000",
    "18446744073709551615", /* 2^64 - 1 */
    "18446744073709551616", /* 2^64 */
    "18446744073709552640", /* 2^64 + 1024: 1024 when it wraps */
    "18014398509481985k",   /* times 1024: 1024 when it wraps */
    "17592186044417m",      /* the same in MiB */
    "18446744073709552s",   /* times 1000: 384 when it wraps */
    "307445734561826m",     /* times 60000: 8384 when it wraps */
    "99999999999999999999999999999999999999999999",
};

static void assert_number_refused(const struct number *number, const char *value)
{
    char expected[CONFIG_MAX_ERROR];
    char joined[128];

    snprintf(expected, sizeof expected, "%s: \"%s\" is not allowed; allowed is %s", number->flag,
             value, number->allowed);
    for (char *c = expected; *c != '\0'; c++)
        *c = *c == '\t' ? '?' : *c;
    assert_refuses(number->flag, value, expected);
    snprintf(joined, sizeof joined, "%s=%s", number->flag, value);
    assert_refuses(joined, NULL, expected);

    memmove(expected + strlen(number->variable), expected + strlen(number->flag),
            strlen(expected + strlen(number->flag)) + 1);
    memcpy(expected, number->variable, strlen(number->variable));
    setenv(number->variable, value, 1);
    assert_refuses(NULL, NULL, expected);
    unsetenv(number->variable);
}

START_TEST(a_bad_number_is_refused_with_its_name_value_and_range)
{
    const struct number *number = &numbers[_i];

    if (number->too_low != NULL)
        assert_number_refused(number, number->too_low);
    assert_number_refused(number, number->too_high);
    for (size_t i = 0; i < sizeof never_numbers / sizeof never_numbers[0]; i++)
        assert_number_refused(number, never_numbers[i]);
}
END_TEST

START_TEST(suffixes_multiply)
{
    static const struct {
        const char *flag;
        const char *value;
        size_t field;
        uint64_t expected;
    } rows[] = {
        {"--max-body", "2048", FIELD(max_body), 2048},
        {"--max-body", "1k", FIELD(max_body), 1024},
        {"--max-body", "64k", FIELD(max_body), 65536},
        {"--max-body", "1m", FIELD(max_body), 1048576},
        {"--max-body", "1024m", FIELD(max_body), 1073741824},
        {"--max-body", "007k", FIELD(max_body), 7168},
        {"--timeout", "1", FIELD(timeout_ms), 1000},
        {"--timeout", "1s", FIELD(timeout_ms), 1000},
        {"--timeout", "1500ms", FIELD(timeout_ms), 1500},
        {"--timeout", "2m", FIELD(timeout_ms), 120000},
        {"--timeout", "60m", FIELD(timeout_ms), 3600000},
        {"--deadline", "1ms", FIELD(deadline_ms), 1},
        {"--drain-delay", "0", FIELD(drain_delay_ms), 0},
        {"--drain-delay", "0ms", FIELD(drain_delay_ms), 0},
        {"--drain-delay", "10", FIELD(drain_delay_ms), 10000},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct config config;
        assert_loads(rows[i].flag, rows[i].value, &config);
        ck_assert_msg(number_at(&config, rows[i].field) == rows[i].expected, "%s %s", rows[i].flag,
                      rows[i].value);
    }
}
END_TEST

START_TEST(suffixes_of_other_settings_are_refused)
{
    static const struct {
        const char *flag;
        const char *value;
    } rows[] = {
        {"--port", "8k"},        {"--port", "80s"},       {"--queue", "1k"},
        {"--queue", "1m"},       {"--max-steps", "1m"},   {"--max-body", "2000ms"},
        {"--max-body", "2000s"}, {"--max-body", "2000b"}, {"--timeout", "5k"},
        {"--timeout", "5h"},     {"--timeout", "5us"},    {"--timeout", "1025m"},
        {"--max-body", "1025m"}, {"--max-body", "0k"},    {"--timeout", "0s"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct config config;
        char error[CONFIG_MAX_ERROR] = "";
        ck_assert_msg(load((const char *const[]){rows[i].flag, rows[i].value, NULL, NULL}, &config,
                           error) == CONFIG_BAD,
                      "%s %s", rows[i].flag, rows[i].value);
        assert_one_line(error);
    }
}
END_TEST

START_TEST(a_switch_is_on_by_itself_and_takes_a_value_behind_the_sign)
{
    static const struct {
        const char *flag;
        bool is_on;
    } rows[] = {
        {"--access-log", true},    {"--access-log=true", true},   {"--access-log=1", true},
        {"--access-log=0", false}, {"--access-log=false", false},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct config config;
        setenv("SUDOKUD_ACCESS_LOG", rows[i].is_on ? "0" : "1", 1);
        assert_loads(rows[i].flag, NULL, &config);
        ck_assert_int_eq(config.access_log, rows[i].is_on);
    }
}
END_TEST

START_TEST(a_switch_comes_from_its_variable_too)
{
    static const struct {
        const char *value;
        bool is_on;
    } rows[] = {{"true", true}, {"1", true}, {"false", false}, {"0", false}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct config config;
        setenv("SUDOKUD_ACCESS_LOG", rows[i].value, 1);
        assert_loads(NULL, NULL, &config);
        ck_assert_int_eq(config.access_log, rows[i].is_on);
    }
}
END_TEST

START_TEST(the_log_is_chosen_by_words)
{
    static const struct {
        const char *level;
        const char *format;
        enum log_level lowest;
        enum log_format form;
    } rows[] = {
        {"info", "json", LOG_INFO, LOG_JSON},
        {"warning", "text", LOG_WARNING, LOG_TEXT},
        {"error", "text", LOG_ERROR, LOG_TEXT},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct config config;
        char flag[64];
        setenv("SUDOKUD_LOG_FORMAT", rows[i].format, 1);
        assert_loads("--log-level", rows[i].level, &config);
        ck_assert_uint_eq(config.log_level, rows[i].lowest);
        ck_assert_uint_eq(config.log_format, rows[i].form);
        unsetenv("SUDOKUD_LOG_FORMAT");
        setenv("SUDOKUD_LOG_LEVEL", rows[i].level, 1);
        snprintf(flag, sizeof flag, "--log-format=%s", rows[i].format);
        assert_loads(flag, NULL, &config);
        ck_assert_uint_eq(config.log_level, rows[i].lowest);
        ck_assert_uint_eq(config.log_format, rows[i].form);
        unsetenv("SUDOKUD_LOG_LEVEL");
    }
}
END_TEST

START_TEST(a_word_that_the_log_does_not_know_is_refused)
{
    static const char *const words[] = {"", "Info", "info ", "inf", "debug", "0", "2", "yaml"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char expected[CONFIG_MAX_ERROR];
        snprintf(expected, sizeof expected,
                 "--log-level: \"%s\" is not allowed; allowed is info, warning or error", words[i]);
        assert_refuses("--log-level", words[i], expected);
        snprintf(expected, sizeof expected,
                 "--log-format: \"%s\" is not allowed; allowed is json or text", words[i]);
        assert_refuses("--log-format", words[i], expected);
    }
}
END_TEST

START_TEST(a_bad_switch_is_refused)
{
    static const char *const values[] = {"",  "yes", "no",    "on",     "off", "True", "TRUE",
                                         "2", "-1",  "true ", " false", "01",  "tru"};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char joined[64];
        char expected[CONFIG_MAX_ERROR];
        snprintf(joined, sizeof joined, "--access-log=%s", values[i]);
        snprintf(expected, sizeof expected,
                 "--access-log: \"%s\" is not allowed; allowed is true or false", values[i]);
        assert_refuses(joined, NULL, expected);
        setenv("SUDOKUD_ACCESS_LOG", values[i], 1);
        snprintf(expected, sizeof expected,
                 "SUDOKUD_ACCESS_LOG: \"%s\" is not allowed; allowed is true or false", values[i]);
        assert_refuses(NULL, NULL, expected);
        unsetenv("SUDOKUD_ACCESS_LOG");
    }
}
END_TEST

START_TEST(a_text_is_taken_as_it_is_but_not_empty)
{
    char name[] = "sudokud";
    char flag[] = "--host";
    char value[] = "::1";
    char joined[] = "--host=a=b c";
    char *separate[] = {name, flag, value, NULL};
    char *together[] = {name, joined, NULL};
    char error[CONFIG_MAX_ERROR];
    struct config config;

    ck_assert_int_eq(config_load(3, separate, &config, error), CONFIG_OK);
    ck_assert_ptr_eq(config.host, value); /* points into argv */
    ck_assert_int_eq(config_load(2, together, &config, error), CONFIG_OK);
    ck_assert_str_eq(config.host, "a=b c");
    setenv("SUDOKUD_HOST", "0.0.0.0", 1);
    assert_loads(NULL, NULL, &config);
    ck_assert_str_eq(config.host, "0.0.0.0");
    assert_refuses("--host=", NULL,
                   "--host: \"\" is not allowed; allowed is a text that is not empty");
    assert_refuses("--host", "",
                   "--host: \"\" is not allowed; allowed is a text that is not empty");
    setenv("SUDOKUD_HOST", "", 1);
    assert_refuses(NULL, NULL,
                   "SUDOKUD_HOST: \"\" is not allowed; allowed is a text that is not empty");
}
END_TEST

START_TEST(the_last_of_a_repeated_flag_counts)
{
    struct config config;
    char error[CONFIG_MAX_ERROR];

    ck_assert_int_eq(load((const char *const[]){"--port", "1", "--port=2", NULL}, &config, error),
                     CONFIG_OK);
    ck_assert_uint_eq(config.port, 2);
}
END_TEST

START_TEST(a_flag_without_its_value_is_refused)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        char expected[CONFIG_MAX_ERROR];
        snprintf(expected, sizeof expected, "%s: \"\" is not allowed; allowed is %s",
                 numbers[i].flag, numbers[i].allowed);
        assert_refuses(numbers[i].flag, NULL, expected);
    }
    assert_refuses("--host", NULL,
                   "--host: \"\" is not allowed; allowed is a text that is not empty");
    assert_refuses("--isa", NULL,
                   "--isa: \"\" is not allowed; allowed is a text that is not empty");
}
END_TEST

START_TEST(what_is_not_a_flag_is_refused_by_name)
{
    static const char *const unknown[] = {
        "--nothing",  "--nothing=5", "--por",  "--ports", "--PORT",      "-port", "-p",
        "--",         "-",           "",       "8080",    "puzzle.txt",  "--=5",  "--port ",
        "--max_body", "-h",          "--Help", "--help=", "--version=1", "help",  "--hel",
    };

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        char expected[CONFIG_MAX_ERROR];
        snprintf(expected, sizeof expected, "%s: unknown; see --help", unknown[i]);
        assert_refuses(unknown[i], NULL, expected);
    }
    assert_refuses("--access-log", "false", "false: unknown; see --help");
}
END_TEST

START_TEST(help_and_version_are_asked_for_by_their_flags)
{
    struct config config;
    char error[CONFIG_MAX_ERROR];

    ck_assert_int_eq(load((const char *const[]){"--help", NULL, NULL, NULL}, &config, error),
                     CONFIG_HELP);
    ck_assert_int_eq(load((const char *const[]){"--version", NULL, NULL, NULL}, &config, error),
                     CONFIG_VERSION);
    ck_assert_int_eq(load((const char *const[]){"--port", "80", "--help", NULL}, &config, error),
                     CONFIG_HELP);
    ck_assert_int_eq(load((const char *const[]){"--help", "--nothing", NULL, NULL}, &config, error),
                     CONFIG_HELP);
    ck_assert_int_eq(load((const char *const[]){"--nothing", "--help", NULL, NULL}, &config, error),
                     CONFIG_BAD);
}
END_TEST

START_TEST(a_health_check_is_of_the_server_that_the_rest_says)
{
    struct config config = {0};
    char error[CONFIG_MAX_ERROR];

    ck_assert_int_eq(
        load((const char *const[]){"--healthcheck", "--port", "81", NULL}, &config, error),
        CONFIG_HEALTHCHECK);
    ck_assert_uint_eq(config.port, 81);
    ck_assert_int_eq(
        load((const char *const[]){"--healthcheck", "--nothing", NULL, NULL}, &config, error),
        CONFIG_BAD);
    assert_refuses("--healthcheck", "--port=0", "--healthcheck: needs the port of the server");
    assert_refuses("--healthcheck=1", NULL, "--healthcheck=1: unknown; see --help");
}
END_TEST

START_TEST(the_default_budget_may_not_be_above_the_largest)
{
    struct config config;
    char error[CONFIG_MAX_ERROR];

    ck_assert_int_eq(
        load((const char *const[]){"--default-steps=500", "--max-steps=500", NULL, NULL}, &config,
             error),
        CONFIG_OK);
    assert_refuses("--default-steps=501", "--max-steps=500",
                   "--default-steps: \"501\" is not allowed; allowed is at most --max-steps, 500");
    setenv("SUDOKUD_MAX_STEPS", "500", 1);
    assert_refuses("--default-steps=501", NULL,
                   "--default-steps: \"501\" is not allowed; allowed is at most "
                   "SUDOKUD_MAX_STEPS, 500");
    unsetenv("SUDOKUD_MAX_STEPS");
    setenv("SUDOKUD_DEFAULT_STEPS", "501", 1);
    assert_refuses("--max-steps=500", NULL,
                   "SUDOKUD_DEFAULT_STEPS: \"501\" is not allowed; allowed is at most "
                   "--max-steps, 500");
    unsetenv("SUDOKUD_DEFAULT_STEPS");
    /* What the default is makes no difference to who gives it. */
    assert_refuses("--default-steps=1000000", "--max-steps=500",
                   "--default-steps: \"1000000\" is not allowed; allowed is at most "
                   "--max-steps, 500");
    /* A lower limit alone lowers the default with it. */
    ck_assert_int_eq(
        load((const char *const[]){"--max-steps=999999", NULL, NULL, NULL}, &config, error),
        CONFIG_OK);
    ck_assert_uint_eq(config.default_steps, 999999);
}
END_TEST

START_TEST(an_engine_is_chosen_by_name)
{
    struct config config;

    assert_loads(NULL, NULL, &config);
    ck_assert_ptr_eq(config_engine(&config), sudoku_engine_best());
    for (size_t i = 0; sudoku_engine_at(i) != NULL; i++) {
        assert_loads("--isa", sudoku_engine_at(i)->name, &config);
        ck_assert_ptr_eq(config_engine(&(struct config){.isa = sudoku_engine_at(i)->name}),
                         sudoku_engine_at(i));
    }
}
END_TEST

START_TEST(an_unknown_engine_is_refused_with_the_names_of_those_there_are)
{
    static const char *const values[] = {
        "z80", "AUTO", "Reference", "auto ",
        "an engine whose name is far longer than any name of an engine has a need to be"};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct config config;
        char error[CONFIG_MAX_ERROR] = "";
        char begin[128];
        ck_assert_int_eq(
            load((const char *const[]){"--isa", values[i], NULL, NULL}, &config, error),
            CONFIG_BAD);
        assert_one_line(error);
        snprintf(begin, sizeof begin, "--isa: \"%.40s\" is not allowed", values[i]);
        ck_assert_mem_eq(error, begin, strlen(begin));
        ck_assert_ptr_nonnull(strstr(error, "auto"));
        for (size_t k = 0; sudoku_engine_at(k) != NULL; k++)
            ck_assert_ptr_nonnull(strstr(error, sudoku_engine_at(k)->name));
        setenv("SUDOKUD_ISA", values[i], 1);
        ck_assert_int_eq(load((const char *const[]){NULL, NULL, NULL, NULL}, &config, error),
                         CONFIG_BAD);
        unsetenv("SUDOKUD_ISA");
        snprintf(begin, sizeof begin, "SUDOKUD_ISA: \"%.40s\" is not allowed", values[i]);
        ck_assert_mem_eq(error, begin, strlen(begin));
    }
}
END_TEST

/* Values that would break a line, forge one, or not fit. */
START_TEST(a_message_is_one_short_line_whatever_the_value)
{
    static const char *const values[] = {
        "80\n90",
        "\r\n",
        "\x1b[2J",
        "\x7f",
        "%s%n",
        "\xFF\xFE",
        "a value that is much longer than any a setting takes and goes on and on, for no reason",
    };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        for (size_t k = 0; k < NUMBERS; k++) {
            struct config config;
            char error[CONFIG_MAX_ERROR] = "";
            ck_assert_int_eq(
                load((const char *const[]){numbers[k].flag, values[i], NULL, NULL}, &config, error),
                CONFIG_BAD);
            assert_one_line(error);
            ck_assert_ptr_nonnull(strstr(error, numbers[k].allowed));
            setenv(numbers[k].variable, values[i], 1);
            ck_assert_int_eq(load((const char *const[]){NULL, NULL, NULL, NULL}, &config, error),
                             CONFIG_BAD);
            assert_one_line(error);
            unsetenv(numbers[k].variable);
        }
        struct config config;
        char error[CONFIG_MAX_ERROR] = "";
        ck_assert_int_eq(load((const char *const[]){values[i], NULL, NULL, NULL}, &config, error),
                         CONFIG_BAD);
        assert_one_line(error);
        ck_assert_int_eq(
            load((const char *const[]){"--isa", values[i], NULL, NULL}, &config, error),
            CONFIG_BAD);
        assert_one_line(error);
    }
}
END_TEST

/* What a function prints. */
static char *print_of(void (*print)(FILE *out))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(out);
    print(out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

START_TEST(the_help_lists_every_setting_once_in_order)
{
    char *help = print_of(config_print_help);
    const char *end = help;

    for (size_t i = 0; i < FLAGS; i++) {
        char line[64];
        snprintf(line, sizeof line, "\n  %s ", flags[i]);
        const char *found = strstr(help, line);
        ck_assert_msg(found != NULL && found >= end, "%s", flags[i]);
        ck_assert_ptr_null(strstr(found + 1, line));
        end = found + 1;
    }
    for (size_t i = 0; i < NUMBERS; i++)
        ck_assert_ptr_nonnull(strstr(help, numbers[i].allowed));
    ck_assert_ptr_nonnull(strstr(help, "--help"));
    ck_assert_ptr_nonnull(strstr(help, "--version"));
    ck_assert_ptr_nonnull(strstr(help, "--healthcheck"));
    ck_assert_ptr_nonnull(strstr(help, "SUDOKUD_MAX_BODY"));

    size_t count = 0;
    for (const char *c = help; (c = strstr(c, "\n  --")) != NULL; c++)
        count++;
    ck_assert_uint_eq(count, FLAGS + 3); /* and --healthcheck, --help and --version */
    free(help);
}
END_TEST

START_TEST(the_table_lists_every_setting_with_its_variable_and_range)
{
    char *table = print_of(config_print_table);
    size_t lines = 0;

    for (size_t i = 0; i < FLAGS; i++) {
        char line[128];
        snprintf(line, sizeof line, "\n| `%s` | `%s` | `", flags[i], variable_of(flags[i]));
        ck_assert_msg(strstr(table, line) != NULL, "%s", flags[i]);
    }
    for (size_t i = 0; i < NUMBERS; i++)
        ck_assert_ptr_nonnull(strstr(table, numbers[i].allowed));
    for (const char *line = table; *line != '\0'; line = strchr(line, '\n') + 1, lines++) {
        size_t bars = 0;
        for (const char *c = line; *c != '\n'; c++)
            bars += *c == '|';
        ck_assert_uint_eq(bars, 6);
    }
    ck_assert_uint_eq(lines, FLAGS + 2);
    free(table);
}
END_TEST

/* The defaults that the table and the help show are those that are loaded. */
START_TEST(the_defaults_shown_can_be_given_and_change_nothing)
{
    char *table = print_of(config_print_table);
    struct config defaults;

    assert_loads(NULL, NULL, &defaults);
    for (size_t i = 0; i < FLAGS; i++) {
        char head[128];
        char argument[128];
        struct config config;

        snprintf(head, sizeof head, "| `%s` | `%s` | `", flags[i], variable_of(flags[i]));
        const char *shown = strstr(table, head) + strlen(head);
        snprintf(argument, sizeof argument, "%s=%.*s", flags[i], (int)strcspn(shown, "`"), shown);
        assert_loads(argument, NULL, &config);
        for (size_t k = 0; k < NUMBERS; k++)
            ck_assert_uint_eq(number_at(&config, numbers[k].field),
                              number_at(&defaults, numbers[k].field));
        ck_assert_int_eq(config.access_log, defaults.access_log);
        ck_assert_uint_eq(config.log_level, defaults.log_level);
        ck_assert_uint_eq(config.log_format, defaults.log_format);
    }
    free(table);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("config", &tests);

    tcase_add_checked_fixture(tests, clear_environment, clear_environment);
    tcase_add_test(tests, without_flags_or_variables_all_are_defaults);
    tcase_add_loop_test(tests, a_number_is_taken_up_to_both_its_limits, 0, NUMBERS);
    tcase_add_loop_test(tests, a_flag_beats_a_variable_which_beats_the_default, 0, NUMBERS);
    tcase_add_loop_test(tests, a_bad_number_is_refused_with_its_name_value_and_range, 0, NUMBERS);
    tcase_add_test(tests, suffixes_multiply);
    tcase_add_test(tests, suffixes_of_other_settings_are_refused);
    tcase_add_test(tests, a_switch_is_on_by_itself_and_takes_a_value_behind_the_sign);
    tcase_add_test(tests, a_switch_comes_from_its_variable_too);
    tcase_add_test(tests, the_log_is_chosen_by_words);
    tcase_add_test(tests, a_word_that_the_log_does_not_know_is_refused);
    tcase_add_test(tests, a_bad_switch_is_refused);
    tcase_add_test(tests, a_text_is_taken_as_it_is_but_not_empty);
    tcase_add_test(tests, the_last_of_a_repeated_flag_counts);
    tcase_add_test(tests, a_flag_without_its_value_is_refused);
    tcase_add_test(tests, what_is_not_a_flag_is_refused_by_name);
    tcase_add_test(tests, help_and_version_are_asked_for_by_their_flags);
    tcase_add_test(tests, a_health_check_is_of_the_server_that_the_rest_says);
    tcase_add_test(tests, the_default_budget_may_not_be_above_the_largest);
    tcase_add_test(tests, an_engine_is_chosen_by_name);
    tcase_add_test(tests, an_unknown_engine_is_refused_with_the_names_of_those_there_are);
    tcase_add_test(tests, a_message_is_one_short_line_whatever_the_value);
    tcase_add_test(tests, the_help_lists_every_setting_once_in_order);
    tcase_add_test(tests, the_table_lists_every_setting_with_its_variable_and_range);
    tcase_add_test(tests, the_defaults_shown_can_be_given_and_change_nothing);
    return run_suite(suite);
}
