/* JSONTestSuite: its files, and what was decided where the standard leaves it open. */
#ifndef SUDOKU_TESTS_JSON_SUITE_H
#define SUDOKU_TESTS_JSON_SUITE_H

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUITE_FOLDER TEST_DATA_DIR "/json-suite"

struct suite_text {
    char *bytes; /* exactly length of them, so that a sanitizer sees one read too many */
    size_t length;
};

static inline void suite_text_free(struct suite_text *text)
{
    free(text->bytes);
}

static inline struct suite_text suite_text_load(const char *name)
{
    char path[512];

    ck_assert_int_lt(snprintf(path, sizeof path, SUITE_FOLDER "/%s", name), (int)sizeof path);
    FILE *const file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s can't be opened", path);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    ck_assert_int_ge(size, 0);
    rewind(file);

    struct suite_text text = {malloc(size > 0 ? (size_t)size : 1), (size_t)size};
    ck_assert_ptr_nonnull(text.bytes);
    ck_assert_uint_eq(fread(text.bytes, 1, text.length, file), text.length);
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

typedef void suite_visit(const char *name, const struct suite_text *text, void *context);

/* Calls visit for each file of the suite whose name begins with prefix; gives their number. */
static inline unsigned suite_for_each(const char *prefix, suite_visit *visit, void *context)
{
    DIR *const folder = opendir(SUITE_FOLDER);
    unsigned count = 0;

    ck_assert_ptr_nonnull(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        struct suite_text text = suite_text_load(entry->d_name);
        visit(entry->d_name, &text, context);
        suite_text_free(&text);
        count++;
    }
    ck_assert_int_eq(closedir(folder), 0);
    return count;
}

/* A row of decisions.tsv: the status of a request whose body is the file, and of one with the file
 * as the value of a member that nobody asked for. */
struct suite_decision {
    char name[64];
    unsigned alone;
    unsigned as_member;
    char why[64];
};

struct suite_decisions {
    unsigned count;
    struct suite_decision row[64];
};

static inline void suite_load_decisions(struct suite_decisions *ret)
{
    char line[256];
    FILE *const file = fopen(SUITE_FOLDER "/decisions.tsv", "r");

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file)); /* the titles */
    for (ret->count = 0; fgets(line, sizeof line, file) != NULL; ret->count++) {
        ck_assert_uint_lt(ret->count, sizeof ret->row / sizeof ret->row[0]);
        struct suite_decision *row = &ret->row[ret->count];
        ck_assert_msg(sscanf(line, "%63[^\t]\t%u\t%u\t%63[^\n]", row->name, &row->alone,
                             &row->as_member, row->why) == 4,
                      "%s", line);
    }
    ck_assert_int_eq(fclose(file), 0);
}

/* The one row of a file; there must be one. */
static inline const struct suite_decision *
suite_decision_of(const struct suite_decisions *decisions, const char *name)
{
    const struct suite_decision *found = NULL;

    for (unsigned i = 0; i < decisions->count; i++) {
        if (strcmp(decisions->row[i].name, name) == 0) {
            ck_assert_msg(found == NULL, "%s is decided twice", name);
            found = &decisions->row[i];
        }
    }
    ck_assert_msg(found != NULL, "%s is not decided", name);
    return found;
}

#endif
