/* Log lines: whole or not at all, counted when lost, and never waiting. */
#include "server/log.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support_json.h"
#include "support_stderr.h"

/* Takes the only line in a pipe. */
static cJSON *only_line(int fd)
{
    static char text[8192];
    const size_t length = read_all(fd, text, sizeof text);

    ck_assert_uint_gt(length, 0);
    ck_assert_ptr_eq(strchr(text, '\n'), text + length - 1);
    return json_of(text, length);
}

START_TEST(a_line_is_one_json_object)
{
    static const struct {
        enum log_level level;
        const char *name;
    } levels[] = {{LOG_INFO, "info"}, {LOG_WARNING, "warning"}, {LOG_ERROR, "error"}};
    const int pipe = pipe_stderr();

    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        log_event(levels[i].level, "listening", ",\"port\":%u,\"host\":\"%s\"", 8080U, "::1");
        cJSON *line = only_line(pipe);
        assert_names(line, "time level event port host ");
        ck_assert_str_eq(json_text(line, "level"), levels[i].name);
        ck_assert_str_eq(json_text(line, "event"), "listening");
        ck_assert(json_number(line, "port") == 8080);
        ck_assert_str_eq(json_text(line, "host"), "::1");
        cJSON_Delete(line);
    }
    log_event(LOG_INFO, "stopped", "%s", "");
    cJSON *line = only_line(pipe);
    assert_names(line, "time level event ");
    cJSON_Delete(line);
}
END_TEST

START_TEST(the_time_is_utc_with_milliseconds)
{
    static const char form[] = "dddd-dd-ddTdd:dd:dd.dddZ";
    const int pipe = pipe_stderr();

    setenv("TZ", "Asia/Seoul", 1);
    log_event(LOG_INFO, "event", "%s", "");
    cJSON *line = only_line(pipe);
    const char *time = json_text(line, "time");
    ck_assert_uint_eq(strlen(time), strlen(form));
    for (size_t i = 0; form[i] != '\0'; i++)
        ck_assert(form[i] == 'd' ? time[i] >= '0' && time[i] <= '9' : time[i] == form[i]);
    cJSON_Delete(line);
}
END_TEST

START_TEST(lines_follow_each_other)
{
    static char text[65536];
    const int pipe = pipe_stderr();
    unsigned count = 0;

    for (unsigned i = 0; i < 100; i++)
        log_event(LOG_INFO, "request", ",\"number\":%u", i);
    read_all(pipe, text, sizeof text);
    for (char *line = text; *line != '\0'; count++) {
        char *end = strchr(line, '\n');
        ck_assert_ptr_nonnull(end);
        cJSON *json = json_of(line, (size_t)(end - line) + 1);
        ck_assert(json_number(json, "number") == count);
        ck_assert(!json_has(json, "lines_lost"));
        cJSON_Delete(json);
        line = end + 1;
    }
    ck_assert_uint_eq(count, 100);
}
END_TEST

/* Logs some lines that get lost, then one that gets through and says so, then one that need not. */
static void assert_reported(unsigned lost)
{
    const int pipe = pipe_stderr();

    log_event(LOG_INFO, "first", "%s", "");
    cJSON *line = only_line(pipe);
    ck_assert(json_number(line, "lines_lost") == lost);
    assert_names(line, "time level event lines_lost ");
    cJSON_Delete(line);

    log_event(LOG_INFO, "second", "%s", "");
    line = only_line(pipe);
    ck_assert(!json_has(line, "lines_lost"));
    cJSON_Delete(line);
}

START_TEST(lines_to_a_closed_stderr_are_counted_and_reported)
{
    close(STDERR_FILENO);
    for (unsigned i = 0; i < 3; i++)
        log_event(LOG_INFO, "lost", "%s", "");
    assert_reported(3);
}
END_TEST

START_TEST(lines_to_a_full_device_are_counted_and_reported)
{
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

    ck_assert_int_ge(full, 0);
    set_stderr(full);
    for (unsigned i = 0; i < 5; i++)
        log_event(LOG_INFO, "lost", "%s", "");
    assert_reported(5);
}
END_TEST

START_TEST(lines_to_a_pipe_nobody_reads_are_counted_and_reported)
{
    close(pipe_stderr());
    for (unsigned i = 0; i < 4; i++)
        log_event(LOG_INFO, "lost", "%s", "");
    assert_reported(4);
}
END_TEST

START_TEST(lines_to_a_stderr_that_cannot_be_written_are_counted_and_reported)
{
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    ck_assert_int_ge(null, 0);
    set_stderr(null);
    log_event(LOG_INFO, "lost", "%s", "");
    assert_reported(1);
}
END_TEST

/* That the calls return is the test: a write to a full pipe would wait for ever. */
START_TEST(lines_to_a_full_pipe_are_dropped_at_once_and_reported_when_it_drains)
{
    static char text[1 << 21];
    const int pipe = pipe_stderr();

    fill_stderr();
    for (unsigned i = 0; i < 1000; i++)
        log_event(LOG_INFO, "lost", "%s", "");
    const size_t length = read_all(pipe, text, sizeof text);
    ck_assert_uint_gt(length, 0);
    ck_assert(text[0] == 0 && memcmp(text, text + 1, length - 1) == 0); /* only what filled it */
    log_event(LOG_INFO, "first", "%s", "");
    cJSON *line = only_line(pipe);
    ck_assert(json_number(line, "lines_lost") == 1000);
    cJSON_Delete(line);
}
END_TEST

/* A pipe with room for a part of a line only: all of it or nothing. */
START_TEST(a_line_is_not_cut_where_a_pipe_has_little_room)
{
    static char text[1 << 21];

    for (size_t room = 1; room <= 4096; room += 455) {
        const int pipe = pipe_stderr();
        char some[4096];

        fill_stderr();
        ck_assert_int_eq(read(pipe, some, room), (ssize_t)room);
        log_event(LOG_INFO, "event", ",\"text\":\"%0*d\"", 1000, 0);
        const size_t length = read_all(pipe, text, sizeof text);
        size_t zeros = 0;
        while (zeros < length && text[zeros] == '\0')
            zeros++;
        if (zeros < length) {
            cJSON *line = json_of(text + zeros, length - zeros);
            cJSON_Delete(line);
        }
        close(pipe);
    }
}
END_TEST

enum { LOGGERS = 8, ROUNDS = 300 };

static pthread_barrier_t barrier;

static void *log_in_rounds(void *unused)
{
    (void)unused;
    for (unsigned i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&barrier); /* the pipe has room */
        log_event(LOG_INFO, "event", ",\"text\":\"%0*u\"", 3000, i);
        pthread_barrier_wait(&barrier); /* nobody writes */
    }
    return NULL;
}

/* A line and those that it says were lost. */
static unsigned lines_of(const cJSON *line)
{
    return json_has(line, "lines_lost") ? 1 + (unsigned)json_number(line, "lines_lost") : 1;
}

/* All see room for a line, and there is room for one: two do not fit into a pipe of one page.
 * Nobody reads until all have returned. */
START_TEST(threads_that_log_at_once_do_not_wait_for_each_others_room)
{
    const int pipe = pipe_stderr();
    pthread_t threads[LOGGERS];
    unsigned lines = 0;

    ck_assert_int_gt(fcntl(pipe, F_SETPIPE_SZ, 4096), 0);
    pthread_barrier_init(&barrier, NULL, LOGGERS + 1);
    for (size_t i = 0; i < LOGGERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, log_in_rounds, NULL), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        cJSON *line = only_line(pipe);
        lines += lines_of(line);
        cJSON_Delete(line);
    }
    for (size_t i = 0; i < LOGGERS; i++)
        pthread_join(threads[i], NULL);
    log_event(LOG_INFO, "last", "%s", "");
    cJSON *last = only_line(pipe);
    ck_assert_uint_eq(lines + lines_of(last), LOGGERS * ROUNDS + 1);
    cJSON_Delete(last);
    pthread_barrier_destroy(&barrier);
}
END_TEST

/* The boundary: the longest line that gets through, and one byte more. */
START_TEST(a_line_that_is_too_long_is_dropped_and_counted)
{
    static char text[8192];
    const int pipe = pipe_stderr();
    size_t longest = 0;

    for (int digits = 3900; digits < 4200; digits++) {
        log_event(LOG_INFO, "event", ",\"text\":\"%0*d\"", digits, 0);
        const size_t length = read_all(pipe, text, sizeof text);
        if (length == 0)
            break;
        cJSON *line = json_of(text, length);
        ck_assert_uint_eq(strlen(json_text(line, "text")), (size_t)digits);
        cJSON_Delete(line);
        longest = length;
    }
    ck_assert_uint_gt(longest, 4000);
    ck_assert_uint_le(longest, 4096);
    log_event(LOG_INFO, "event", ",\"text\":\"%0*d\"", 100000, 0);
    assert_reported(2);
}
END_TEST

START_TEST(stderr_may_be_a_file)
{
    FILE *file = tmpfile();
    struct stat status;

    ck_assert_ptr_nonnull(file);
    set_stderr(fileno(file));
    log_event(LOG_INFO, "event", "%s", "");
    ck_assert_int_eq(fstat(fileno(file), &status), 0);
    ck_assert_int_gt(status.st_size, 0);
    fclose(file);
}
END_TEST

START_TEST(events_below_the_level_are_not_logged_and_not_lost)
{
    const int pipe = pipe_stderr();
    const uint64_t lost = log_lines_lost();
    char text[4096];

    for (int lowest = LOG_INFO; lowest <= LOG_ERROR; lowest++) {
        log_set_up((enum log_level)lowest, LOG_JSON);
        for (int level = LOG_INFO; level <= LOG_ERROR; level++) {
            log_event((enum log_level)level, "event", "%s", "");
            ck_assert_int_eq(read_all(pipe, text, sizeof text) > 0, level >= lowest);
        }
    }
    ck_assert_uint_eq(log_lines_lost(), lost);
}
END_TEST

/* The number that is reported in the log begins anew there; this one never does. */
START_TEST(lost_lines_are_counted_for_ever)
{
    const uint64_t before = log_lines_lost();

    for (unsigned round = 1; round <= 3; round++) {
        close(STDERR_FILENO);
        log_event(LOG_INFO, "lost", "%s", "");
        log_event(LOG_INFO, "lost", "%s", "");
        ck_assert_uint_eq(log_lines_lost(), before + round * 2);
        assert_reported(2);
    }
    struct log_limit limit = {0};
    for (unsigned i = 0; i < 15; i++)
        (void)log_limit_take(&limit, 1000000);
    ck_assert_uint_eq(log_lines_lost(), before + 6 + 5);
}
END_TEST

START_TEST(a_line_for_people_has_the_same_without_the_punctuation)
{
    static const struct {
        const char *members;
        const char *text;
    } rows[] = {
        {"", ""},
        {",\"port\":8080", " port=8080"},
        {",\"a\":\"plain\",\"b\":true,\"c\":-1.5,\"d\":null", " a=plain b=true c=-1.5 d=null"},
        {",\"a\":\"two words\",\"b\":1", " a=\"two words\" b=1"},
        {",\"a\":\"\"", " a=\"\""},
        {",\"a\":\"x=y\",\"b\":\"x,y}\"", " a=\"x=y\" b=x,y}"},
        {",\"a\":\"\\\"\",\"b\":\"\\\\\",\"c\":\"\\\\\\\",\\\"z\\\":1\"",
         " a=\"\\\"\" b=\"\\\\\" c=\"\\\\\\\",\\\"z\\\":1\""},
    };
    const int pipe = pipe_stderr();

    log_set_up(LOG_INFO, LOG_TEXT);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[4096];
        char expected[256];
        log_event(LOG_WARNING, "event", "%s", rows[i].members);
        read_all(pipe, text, sizeof text);
        snprintf(expected, sizeof expected, "Z warning event%s\n", rows[i].text);
        ck_assert_uint_gt(strlen(text), strlen("2026-01-31T12:00:00.000"));
        ck_assert_str_eq(text + strlen("2026-01-31T12:00:00.000"), expected);
    }
}
END_TEST

START_TEST(a_line_for_people_is_dropped_where_that_of_a_program_would_be)
{
    const int pipe = pipe_stderr();
    char text[8192];

    log_set_up(LOG_INFO, LOG_TEXT);
    log_event(LOG_INFO, "event", ",\"text\":\"%0*d\"", 5000, 0);
    ck_assert_uint_eq(read_all(pipe, text, sizeof text), 0);
    log_event(LOG_INFO, "event", ",\"text\":\"%0*d\"", 3900, 0);
    ck_assert_uint_gt(read_all(pipe, text, sizeof text), 3900);
    ck_assert_ptr_nonnull(strstr(text, " lines_lost=1 text=0"));
}
END_TEST

START_TEST(escaped_texts_fit_into_a_json_string)
{
    static const struct {
        const char *text;
        const char *escaped;
    } rows[] = {
        {"", ""},
        {"plain text", "plain text"},
        {"\"", "\\\""},
        {"\\", "\\\\"},
        {"a\nb\r\t", "a?b??"},
        {"\x01\x1f\x7f", "???"},
        {"caf\xC3\xA9", "caf??"},
        {"\xFF", "?"},
        {"\",\"level\":\"error", "\\\",\\\"level\\\":\\\"error"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char escaped[64];
        ck_assert_ptr_eq(log_escape(rows[i].text, escaped, sizeof escaped), escaped);
        ck_assert_str_eq(escaped, rows[i].escaped);
    }
}
END_TEST

/* No size cuts an escape in two, and nothing is written behind the end. */
START_TEST(escaped_texts_are_cut_to_any_size_and_stay_valid)
{
    static const char text[] = "a\"b\\\\\"\"c\nd\xFF\"";

    for (uint32_t size = 1; size < 40; size++) {
        char *escaped = malloc(size);
        char json[64];
        ck_assert_ptr_nonnull(escaped);
        log_escape(text, escaped, size);
        ck_assert_uint_lt(strlen(escaped), size);
        const int length = snprintf(json, sizeof json, "\"%s\"", escaped);
        cJSON_Delete(json_of(json, (size_t)length));
        free(escaped);
    }
}
END_TEST

START_TEST(escaped_texts_go_into_a_line)
{
    const int pipe = pipe_stderr();
    char path[64];

    log_event(LOG_INFO, "request", ",\"path\":\"%s\"",
              log_escape("/\"},{\"event\":\"forged\n", path, sizeof path));
    cJSON *line = only_line(pipe);
    assert_names(line, "time level event path ");
    ck_assert_str_eq(json_text(line, "path"), "/\"},{\"event\":\"forged?");
    cJSON_Delete(line);
}
END_TEST

START_TEST(ten_lines_a_second_pass_a_limit)
{
    struct log_limit limit = {0};

    for (uint64_t second = 3; second < 6; second++) {
        for (unsigned i = 0; i < 20; i++)
            ck_assert(log_limit_take(&limit, second * 1000000 + i * 1000) == (i < 10));
    }
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("log", &tests);

    tcase_add_checked_fixture(tests, keep_stderr, give_stderr_back);
    tcase_add_test(tests, a_line_is_one_json_object);
    tcase_add_test(tests, the_time_is_utc_with_milliseconds);
    tcase_add_test(tests, lines_follow_each_other);
    tcase_add_test(tests, lines_to_a_closed_stderr_are_counted_and_reported);
    tcase_add_test(tests, lines_to_a_full_device_are_counted_and_reported);
    tcase_add_test(tests, lines_to_a_pipe_nobody_reads_are_counted_and_reported);
    tcase_add_test(tests, lines_to_a_stderr_that_cannot_be_written_are_counted_and_reported);
    tcase_add_test(tests, lines_to_a_full_pipe_are_dropped_at_once_and_reported_when_it_drains);
    tcase_add_test(tests, a_line_is_not_cut_where_a_pipe_has_little_room);
    tcase_add_test(tests, threads_that_log_at_once_do_not_wait_for_each_others_room);
    tcase_add_test(tests, a_line_that_is_too_long_is_dropped_and_counted);
    tcase_add_test(tests, stderr_may_be_a_file);
    tcase_add_test(tests, events_below_the_level_are_not_logged_and_not_lost);
    tcase_add_test(tests, lost_lines_are_counted_for_ever);
    tcase_add_test(tests, a_line_for_people_has_the_same_without_the_punctuation);
    tcase_add_test(tests, a_line_for_people_is_dropped_where_that_of_a_program_would_be);
    tcase_add_test(tests, escaped_texts_fit_into_a_json_string);
    tcase_add_test(tests, escaped_texts_are_cut_to_any_size_and_stay_valid);
    tcase_add_test(tests, escaped_texts_go_into_a_line);
    tcase_add_test(tests, ten_lines_a_second_pass_a_limit);
    return run_suite(suite);
}
