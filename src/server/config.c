#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "sudoku/sudoku.h"

enum type {
    TEXT,
    NUMBER,
    BYTES,    /* k or m behind: KiB, MiB */
    DURATION, /* ms, s or m behind; seconds without */
    SWITCH,
    LEVEL,
    FORMAT,
};

#define FIELD(member) offsetof(struct config, member)

/* Every setting. --max-body is also SUDOKUD_MAX_BODY; both come from the name. */
static const struct setting {
    const char *name;
    enum type type;
    const char *fallback;
    uint64_t low, high; /* in the smallest unit: bytes, milliseconds */
    size_t field;
    const char *help;
} settings[] = {
    {"host", TEXT, "127.0.0.1", 0, 0, FIELD(host),
     "address or host name to listen on; 0.0.0.0 or :: for all"},
    {"port", NUMBER, "8080", 0, 65535, FIELD(port), "port to listen on; 0 picks a free one"},
    {"threads", NUMBER, "0", 0, 256, FIELD(threads),
     "threads that serve connections; 0: one for each CPU"},
    {"workers", NUMBER, "0", 0, 256, FIELD(workers),
     "threads that run long searches; 0: one for each CPU"},
    {"queue", NUMBER, "1024", 1, 1000000, FIELD(queue),
     "long searches at a time, and blocks of batches, that run or wait, three quarters of them of "
     "one client; more are answered 503"},
    {"max-connections", NUMBER, "0", 0, 1000000, FIELD(max_connections),
     "open connections at a time, further ones wait; 0: 4000, fewer where memory or open "
     "files are short"},
    {"max-connections-per-address", NUMBER, "0", 0, 1000000, FIELD(max_connections_per_address),
     "the same from one IPv4 address or IPv6 network of 64 bits; further ones are closed at once; "
     "0: any number"},
    {"trust-forwarded", SWITCH, "false", 0, 0, FIELD(trust_forwarded),
     "take the last address in X-Forwarded-For for the client's when it comes to turns; where all "
     "requests come through a proxy that writes it"},
    {"cors-origins", TEXT, "*", 0, 0, FIELD(cors_origins),
     "origins whose pages may call, separated by commas; * for all, none for none"},
    {"max-batch", NUMBER, "100000", 1, 10000000, FIELD(max_batch),
     "puzzles in a request; more are answered 413"},
    {"max-body", BYTES, "16m", 1024, UINT64_C(1) << 30, FIELD(max_body),
     "largest request body; a larger one is answered 413"},
    {"max-bodies", BYTES, "0", 0, UINT64_C(1) << 40, FIELD(max_bodies),
     "bytes of request bodies held at a time, all together; more are answered 503; 0: 256m, at "
     "most a quarter of the memory there is"},
    {"default-steps", NUMBER, "1000000", 1, UINT64_C(1000000000000), FIELD(default_steps),
     "step budget of a request that names none"},
    {"max-steps", NUMBER, "10000000", 1, UINT64_C(1000000000000), FIELD(max_steps),
     "largest step budget a request may ask for"},
    {"timeout", DURATION, "30s", 1000, 3600000, FIELD(timeout_ms),
     "how long a connection may stay silent, in whole seconds"},
    {"head-timeout", DURATION, "10s", 100, 3600000, FIELD(head_timeout_ms),
     "how long the head of a request may take to arrive; then it is answered 408"},
    {"body-timeout", DURATION, "30s", 100, 3600000, FIELD(body_timeout_ms),
     "how long its body may take to arrive, from then on; then it is answered 408"},
    {"answer-timeout", DURATION, "1m", 100, 3600000, FIELD(answer_timeout_ms),
     "how long a client may take to read an answer; then its connection is closed"},
    {"deadline", DURATION, "30s", 1, 3600000, FIELD(deadline_ms),
     "how long a search may take, waiting included; then it is answered 503"},
    {"max-wait", DURATION, "300ms", 1, 3600000, FIELD(max_wait_ms),
     "how long a search is likely to take at most when there is too much to do; more are answered "
     "503 at once"},
    {"drain-delay", DURATION, "0s", 0, 600000, FIELD(drain_delay_ms),
     "how long to go on serving after SIGTERM, while /readyz says 503"},
    {"isa", TEXT, "auto", 0, 0, FIELD(isa),
     "what to solve with: reference, scalar, sse4, avx2, avx512 or neon, those that this CPU has; "
     "auto: the fastest"},
    {"access-log", SWITCH, "false", 0, 0, FIELD(access_log), "log requests"},
    {"access-log-sample", NUMBER, "1", 1, 1000000, FIELD(access_log_sample),
     "log one request in so many; those answered 503 are all logged"},
    {"log-level", LEVEL, "info", 0, 0, FIELD(log_level), "the least that is logged"},
    {"log-format", FORMAT, "json", 0, 0, FIELD(log_format),
     "json, one object a line; text for people"},
    {"sandbox", SWITCH, "true", 0, 0, FIELD(sandbox),
     "once it serves, give up to open files, to start programs and to make connections"},
};

enum { SETTINGS = sizeof settings / sizeof settings[0], MAX_NAME = 48 };

/* A config that is being loaded, and where each value came from. */
struct loading {
    struct config config;
    enum source { BY_DEFAULT, BY_VARIABLE, BY_FLAG } source[SETTINGS];
};

static void variable_of(const struct setting *setting, char ret_name[MAX_NAME])
{
    snprintf(ret_name, MAX_NAME, "SUDOKUD_%s", setting->name);
    for (char *c = ret_name; *c != '\0'; c++)
        *c = (char)(*c == '-' ? '_' : toupper((unsigned char)*c));
}

/* What a value was given by, in the user's words. */
static void name_source(const struct setting *setting, enum source source, char ret_name[MAX_NAME])
{
    if (source == BY_VARIABLE)
        variable_of(setting, ret_name);
    else
        snprintf(ret_name, MAX_NAME, "--%s", setting->name);
}

struct suffix {
    const char *text;
    uint64_t factor;
};

static const struct suffix byte_suffixes[] = {
    {"", 1}, {"k", UINT64_C(1) << 10}, {"m", UINT64_C(1) << 20}, {NULL, 0}};
static const struct suffix duration_suffixes[] = {
    {"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60000}, {NULL, 0}};
static const struct suffix no_suffixes[] = {{"", 1}, {NULL, 0}};

static const struct suffix *suffixes_of(enum type type)
{
    return type == BYTES ? byte_suffixes : type == DURATION ? duration_suffixes : no_suffixes;
}

static bool parse_number(const struct setting *setting, const char *text, uint64_t *ret)
{
    char *end;

    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (errno != 0)
        return false;
    for (const struct suffix *suffix = suffixes_of(setting->type); suffix->text != NULL; suffix++) {
        if (strcmp(suffix->text, end) != 0)
            continue;
        if (number > setting->high / suffix->factor || number * suffix->factor < setting->low)
            return false;
        *ret = number * suffix->factor;
        return true;
    }
    return false;
}

/* The values of a setting that is one of a few, in the order of its enum. */
static const char *const *choices_of(enum type type)
{
    static const char *const levels[] = {
        [LOG_INFO] = "info", [LOG_WARNING] = "warning", [LOG_ERROR] = "error", NULL};
    static const char *const formats[] = {[LOG_JSON] = "json", [LOG_TEXT] = "text", NULL};

    return type == LEVEL ? levels : formats;
}

static bool parse_choice(const struct setting *setting, const char *text, uint64_t *ret)
{
    const char *const *choices = choices_of(setting->type);

    for (uint64_t i = 0; choices[i] != NULL; i++) {
        if (strcmp(choices[i], text) == 0) {
            *ret = i;
            return true;
        }
    }
    return false;
}

static bool parse_switch(const char *text, bool *ret)
{
    *ret = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *ret || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

/* Writes a number of the setting's smallest unit the way a person would. */
static void print_number(const struct setting *setting, uint64_t number, char ret[24])
{
    struct suffix best = {setting->type == DURATION ? "ms" : "", 1};

    for (const struct suffix *s = suffixes_of(setting->type); s->text != NULL; s++) {
        if (s->text[0] != '\0' && s->factor > best.factor && number >= s->factor &&
            number % s->factor == 0)
            best = *s;
    }
    snprintf(ret, 24, "%llu%s", (unsigned long long)(number / best.factor), best.text);
}

/* What values a setting takes, in words. */
static void describe_range(const struct setting *setting, char ret[96])
{
    char low[24];
    char high[24];

    switch (setting->type) {
    case TEXT:
        snprintf(ret, 96, "a text that is not empty");
        return;
    case SWITCH:
        snprintf(ret, 96, "true or false");
        return;
    case LEVEL:
        snprintf(ret, 96, "info, warning or error");
        return;
    case FORMAT:
        snprintf(ret, 96, "json or text");
        return;
    case NUMBER:
    case BYTES:
    case DURATION:
        break;
    }
    print_number(setting, setting->low, low);
    print_number(setting, setting->high, high);
    snprintf(ret, 96, "%s to %s%s", low, high,
             setting->type == BYTES      ? ", in bytes, k or m"
             : setting->type == DURATION ? ", in ms, s or m"
                                         : "");
}

/* Puts a value in its field. */
static bool set_value(struct loading *loading, const struct setting *setting, enum source source,
                      const char *text, char ret_error[CONFIG_MAX_ERROR])
{
    char *field = (char *)&loading->config + setting->field;
    bool is_set = false;

    loading->source[setting - settings] = source;
    switch (setting->type) {
    case TEXT:
        *(const char **)(void *)field = text;
        is_set = text[0] != '\0';
        break;
    case SWITCH:
        is_set = parse_switch(text, (bool *)(void *)field);
        break;
    case LEVEL:
    case FORMAT:
        is_set = parse_choice(setting, text, (uint64_t *)(void *)field);
        break;
    case NUMBER:
    case BYTES:
    case DURATION:
        is_set = parse_number(setting, text, (uint64_t *)(void *)field);
        break;
    }
    if (!is_set) {
        char name[MAX_NAME];
        char range[96];
        name_source(setting, source, name);
        describe_range(setting, range);
        snprintf(ret_error, CONFIG_MAX_ERROR, "%s: \"%.60s\" is not allowed; allowed is %s", name,
                 text, range);
    }
    return is_set;
}

/* Sets every field, from its variable or its default. */
static bool load_environment(struct loading *loading, char ret_error[CONFIG_MAX_ERROR])
{
    for (size_t i = 0; i < SETTINGS; i++) {
        char variable[MAX_NAME];
        variable_of(&settings[i], variable);
        const char *text = getenv(variable); /* NOLINT(concurrency-mt-unsafe): nothing sets one */
        if (!set_value(loading, &settings[i], text == NULL ? BY_DEFAULT : BY_VARIABLE,
                       text == NULL ? settings[i].fallback : text, ret_error))
            return false;
    }
    return true;
}

/* The setting of a flag such as --port or --port=80; what is behind "=" goes to *ret_value. */
static const struct setting *find_flag(const char *argument, const char **ret_value)
{
    if (strncmp(argument, "--", 2) != 0)
        return NULL;
    const char *name = argument + 2;
    const size_t length = strcspn(name, "=");
    for (size_t i = 0; i < SETTINGS; i++) {
        if (strlen(settings[i].name) == length && strncmp(settings[i].name, name, length) == 0) {
            *ret_value = name[length] == '=' ? name + length + 1 : NULL;
            return &settings[i];
        }
    }
    return NULL;
}

static enum config_outcome load_flags(int argc, char *const argv[], struct loading *loading,
                                      char ret_error[CONFIG_MAX_ERROR])
{
    enum config_outcome outcome = CONFIG_OK;

    for (int i = 1; i < argc; i++) {
        const char *value;

        if (strcmp(argv[i], "--help") == 0)
            return CONFIG_HELP;
        if (strcmp(argv[i], "--version") == 0)
            return CONFIG_VERSION;
        if (strcmp(argv[i], "--healthcheck") == 0) {
            outcome = CONFIG_HEALTHCHECK;
            continue;
        }
        const struct setting *setting = find_flag(argv[i], &value);
        if (setting == NULL) {
            snprintf(ret_error, CONFIG_MAX_ERROR, "%.60s: unknown; see --help", argv[i]);
            return CONFIG_BAD;
        }
        if (value == NULL && setting->type == SWITCH)
            value = "true";
        else if (value == NULL)
            value = ++i < argc ? argv[i] : "";
        if (!set_value(loading, setting, BY_FLAG, value, ret_error))
            return CONFIG_BAD;
    }
    return outcome;
}

const struct sudoku_engine *config_engine(const struct config *config)
{
    return strcmp(config->isa, "auto") == 0 ? sudoku_engine_best()
                                            : sudoku_engine_find(config->isa);
}

/* The row of a field. */
static size_t row_of(size_t field)
{
    size_t i = 0;

    while (settings[i].field != field)
        i++;
    return i;
}

static void name_source_of(const struct loading *loading, size_t field, char ret_name[MAX_NAME])
{
    const size_t row = row_of(field);

    name_source(&settings[row], loading->source[row], ret_name);
}

/* A lower limit alone lowers the default too; the two given together must fit. */
static bool settle_steps(struct loading *loading, char ret_error[CONFIG_MAX_ERROR])
{
    struct config *config = &loading->config;
    char name[MAX_NAME];
    char limit[MAX_NAME];

    if (config->default_steps <= config->max_steps)
        return true;
    if (loading->source[row_of(FIELD(default_steps))] == BY_DEFAULT) {
        config->default_steps = config->max_steps;
        return true;
    }
    name_source_of(loading, FIELD(default_steps), name);
    name_source_of(loading, FIELD(max_steps), limit);
    snprintf(ret_error, CONFIG_MAX_ERROR,
             "%s: \"%llu\" is not allowed; allowed is at most %s, %llu", name,
             (unsigned long long)config->default_steps, limit,
             (unsigned long long)config->max_steps);
    return false;
}

static bool has_engine(const struct loading *loading, char ret_error[CONFIG_MAX_ERROR])
{
    char name[MAX_NAME];

    if (config_engine(&loading->config) != NULL)
        return true;
    name_source_of(loading, FIELD(isa), name);
    int length = snprintf(ret_error, CONFIG_MAX_ERROR,
                          "%s: \"%.40s\" is not allowed; allowed on this CPU is auto", name,
                          loading->config.isa);
    for (size_t i = 0; sudoku_engine_at(i) != NULL && length < CONFIG_MAX_ERROR; i++)
        length += snprintf(ret_error + length, (size_t)(CONFIG_MAX_ERROR - length), ", %s",
                           sudoku_engine_at(i)->name);
    return false;
}

static enum config_outcome load(int argc, char *const argv[], struct config *ret_config,
                                char ret_error[CONFIG_MAX_ERROR])
{
    struct loading loading;
    char ignored[CONFIG_MAX_ERROR];

    const bool is_loaded = load_environment(&loading, ret_error);
    const enum config_outcome outcome =
        load_flags(argc, argv, &loading, is_loaded ? ret_error : ignored);
    /* Help is for those, too, whose variables are wrong. */
    if (outcome == CONFIG_HELP || outcome == CONFIG_VERSION)
        return outcome;
    if (!is_loaded || outcome == CONFIG_BAD)
        return CONFIG_BAD;
    if (!settle_steps(&loading, ret_error) || !has_engine(&loading, ret_error))
        return CONFIG_BAD;
    if (outcome == CONFIG_HEALTHCHECK && loading.config.port == 0) {
        snprintf(ret_error, CONFIG_MAX_ERROR, "--healthcheck: needs the port of the server");
        return CONFIG_BAD;
    }
    *ret_config = loading.config;
    return outcome;
}

void config_keep_one_line(char *text)
{
    for (; *text != '\0'; text++) {
        if (iscntrl((unsigned char)*text))
            *text = '?';
    }
}

enum config_outcome config_load(int argc, char *const argv[], struct config *ret_config,
                                char ret_error[CONFIG_MAX_ERROR])
{
    const enum config_outcome outcome = load(argc, argv, ret_config, ret_error);

    if (outcome == CONFIG_BAD)
        config_keep_one_line(ret_error);
    return outcome;
}

void config_print_help(FILE *out)
{
    fprintf(
        out,
        "Usage: sudokud [--FLAG VALUE]...\n\n"
        "Solves Sudoku over HTTP. Every flag can be given by an environment variable too:\n"
        "--max-body is SUDOKUD_MAX_BODY. A flag beats a variable. One that is true or false is\n"
        "true alone, and takes a value behind = only.\n\n");
    for (size_t i = 0; i < SETTINGS; i++) {
        char range[96];
        describe_range(&settings[i], range);
        fprintf(out, "  --%-16s %s\n%21s%s; default %s\n", settings[i].name, settings[i].help, "",
                range, settings[i].fallback);
    }
    fprintf(
        out,
        "  --%-16s ask the server that was started with the same flags and variables whether it\n"
        "%21sis ready, and exit: 0 when it is, else 1\n"
        "  --%-16s print this and exit\n  --%-16s print the version and exit\n",
        "healthcheck", "", "help", "version");
}

void config_print_table(FILE *out)
{
    fprintf(out, "| flag | variable | default | allowed | meaning |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < SETTINGS; i++) {
        char range[96];
        char variable[MAX_NAME];
        describe_range(&settings[i], range);
        variable_of(&settings[i], variable);
        fprintf(out, "| `--%s` | `%s` | `%s` | %s | %s |\n", settings[i].name, variable,
                settings[i].fallback, range, settings[i].help);
    }
}
