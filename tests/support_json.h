/* JSON that a test has been given: is it JSON, and what does it say? */
#ifndef SUDOKU_TESTS_SUPPORT_JSON_H
#define SUDOKU_TESTS_SUPPORT_JSON_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "api/utf8.h"
#include "support.h"

/* Parses all of a text; only a newline may be behind the value. cJSON takes control characters and
 * invalid UTF-8, so both are looked for first. To be freed by cJSON_Delete. */
static inline cJSON *json_of(const char *text, size_t length)
{
    const char *end;

    ck_assert_ptr_nonnull(text);
    ck_assert_uint_gt(length, 0);
    if (text[length - 1] == '\n')
        length--;
    for (size_t i = 0; i < length;) {
        const size_t size = utf8_length(text + i, length - i);
        if (size == 0 || (unsigned char)text[i] < 0x20)
            ck_abort_msg("not UTF-8, or a control character, at %zu of: %.*s", i, (int)length,
                         text);
        i += size;
    }
    cJSON *json = cJSON_ParseWithLengthOpts(text, length, &end, 0);
    ck_assert_msg(json != NULL, "not JSON: %.*s", (int)length, text);
    ck_assert_msg(end == text + length, "more than one value: %.*s", (int)length, text);
    return json;
}

static inline const cJSON *json_member(const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);

    ck_assert_msg(member != NULL, "no member \"%s\"", name);
    return member;
}

static inline bool json_has(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name) != NULL;
}

static inline const char *json_text(const cJSON *object, const char *name)
{
    const cJSON *member = json_member(object, name);

    ck_assert_msg(cJSON_IsString(member), "\"%s\" is not a string", name);
    return member->valuestring;
}

static inline double json_number(const cJSON *object, const char *name)
{
    const cJSON *member = json_member(object, name);

    ck_assert_msg(cJSON_IsNumber(member), "\"%s\" is not a number", name);
    return member->valuedouble;
}

static inline bool json_bool(const cJSON *object, const char *name)
{
    const cJSON *member = json_member(object, name);

    ck_assert_msg(cJSON_IsBool(member), "\"%s\" is not a boolean", name);
    return cJSON_IsTrue(member) != 0;
}

/* How many elements an array or members an object has. */
static inline size_t json_size(const cJSON *json)
{
    return (size_t)cJSON_GetArraySize(json);
}

/* The names of the members in their order, each with a blank behind it. */
static inline void json_names(const cJSON *object, char *ret, size_t size)
{
    size_t length = 0;

    ret[0] = '\0';
    for (const cJSON *member = object->child; member != NULL; member = member->next) {
        ck_assert_uint_lt(length + strlen(member->string) + 1, size);
        length += (size_t)snprintf(ret + length, size - length, "%s ", member->string);
    }
}

static inline void assert_names(const cJSON *object, const char *expected)
{
    char names[512];

    json_names(object, names, sizeof names);
    ck_assert_str_eq(names, expected);
}

/* The 81 digits of a grid in either JSON form. */
static inline void json_grid(const cJSON *grid, char ret[SUDOKU_CELLS + 1])
{
    if (cJSON_IsString(grid)) {
        ck_assert_uint_eq(strlen(grid->valuestring), SUDOKU_CELLS);
        memcpy(ret, grid->valuestring, SUDOKU_CELLS + 1);
        return;
    }
    ck_assert(cJSON_IsArray(grid));
    ck_assert_uint_eq(json_size(grid), SUDOKU_SIZE);
    char *end = ret;
    for (const cJSON *row = grid->child; row != NULL; row = row->next) {
        ck_assert(cJSON_IsArray(row));
        ck_assert_uint_eq(json_size(row), SUDOKU_SIZE);
        for (const cJSON *cell = row->child; cell != NULL; cell = cell->next) {
            ck_assert(cJSON_IsNumber(cell) && cell->valueint >= 0 && cell->valueint <= 9);
            *end++ = (char)('0' + cell->valueint);
        }
    }
    *end = '\0';
}

static inline void assert_grid(const cJSON *grid, const char *expected)
{
    char text[SUDOKU_CELLS + 1];

    json_grid(grid, text);
    ck_assert_str_eq(text, expected);
}

#endif
