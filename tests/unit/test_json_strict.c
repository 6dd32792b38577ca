#define _POSIX_C_SOURCE 200809L

#include "api/json_strict.h"

#include <check.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_suite.h"
#include "suite.h"

/* ---- Helpers ---- */

static struct suite_text text_copy(const char *bytes, size_t length)
{
    struct suite_text text = {malloc(length > 0 ? length : 1), length};

    ck_assert_ptr_nonnull(text.bytes);
    memcpy(text.bytes, bytes, length);
    return text;
}

static bool accepts(const char *bytes, size_t length, struct json_fault *ret_fault)
{
    struct suite_text text = text_copy(bytes, length);
    const bool ok = json_strict_check(text.bytes, text.length, ret_fault);

    suite_text_free(&text);
    return ok;
}

static bool cjson_reads(const char *bytes, size_t length)
{
    char *const terminated = malloc(length + 1);

    ck_assert_ptr_nonnull(terminated);
    memcpy(terminated, bytes, length);
    terminated[length] = '\0';
    cJSON *const value = cJSON_ParseWithLengthOpts(terminated, length + 1, NULL, 1);
    const bool ok = value != NULL;
    cJSON_Delete(value);
    free(terminated);
    return ok;
}

/* ---- The table of faults ---- */

/* A literal with the NULs it holds, without the one behind. */
#define TEXT(literal) literal, sizeof(literal) - 1
#define EIGHT(x)      x x x x x x x x

static const struct fault_case {
    const char *text;
    size_t length;
    size_t offset;
    unsigned line;
    unsigned column;
    const char *reason;
} fault_cases[] = {
    /* the text as a whole */
    {TEXT(""), 0, 1, 1, "the text is empty"},
    {TEXT(" \n "), 3, 2, 2, "the text is empty"},
    {TEXT("\xEF\xBB\xBF{}"), 0, 1, 1, "begins with a byte order mark"},
    {TEXT("\xEF\xBB\xBF"), 0, 1, 1, "begins with a byte order mark"},
    {TEXT(" \xEF\xBB\xBF{}"), 1, 1, 2, "neither a value nor the beginning of one"},
    {TEXT("\xEF\xBB{}"), 0, 1, 1, "not UTF-8"},
    {TEXT("{} {}"), 3, 1, 4, "text after the value"},
    {TEXT("1\0"), 1, 1, 2, "text after the value"},
    {TEXT("[1]\n\n ]"), 6, 3, 2, "text after the value"},
    {TEXT("1 \xFF"), 2, 1, 3, "not UTF-8"},
    {TEXT("]"), 0, 1, 1, "a closing bracket that nothing opened"},
    /* values */
    {TEXT("[\0]"), 1, 1, 2, "a NUL byte"},
    {TEXT("['5']"), 1, 1, 2, "a string stands in double quotation marks"},
    {TEXT("[1, // one\n2]"), 4, 1, 5, "JSON has no comments"},
    {TEXT("# one"), 0, 1, 1, "JSON has no comments"},
    {TEXT("[\f1]"), 1, 1, 2, "neither a value nor the beginning of one"},
    {TEXT("[\xC2\xA0]"), 1, 1, 2, "neither a value nor the beginning of one"},
    {TEXT("[None]"), 1, 1, 2, "the only words are true, false and null"},
    {TEXT("a"), 0, 1, 1, "the only words are true, false and null"},
    {TEXT("z"), 0, 1, 1, "the only words are true, false and null"},
    {TEXT("A"), 0, 1, 1, "the only words are true, false and null"},
    {TEXT("Z"), 0, 1, 1, "the only words are true, false and null"},
    {TEXT("@"), 0, 1, 1, "neither a value nor the beginning of one"},
    {TEXT("`"), 0, 1, 1, "neither a value nor the beginning of one"},
    {TEXT("[tru]"), 1, 1, 2, "the only words are true, false and null"},
    {TEXT("[nul"), 4, 1, 5, "the text ends inside a word"},
    {TEXT("[nulls]"), 5, 1, 6, "a comma or ] is due"},
    /* numbers */
    {TEXT("[+1]"), 1, 1, 2, "a number may not begin with a plus sign"},
    {TEXT("[.5]"), 1, 1, 2, "a number needs a digit before the decimal point"},
    {TEXT("[5,01]"), 3, 1, 4, "a number may not begin with 0"},
    {TEXT("[-012]"), 2, 1, 3, "a number may not begin with 0"},
    {TEXT("[-x]"), 2, 1, 3, "a minus sign needs a digit behind it"},
    {TEXT("-"), 1, 1, 2, "a minus sign needs a digit behind it"},
    {TEXT("[2.]"), 3, 1, 4, "a decimal point needs a digit behind it"},
    {TEXT("[2.e1]"), 3, 1, 4, "a decimal point needs a digit behind it"},
    {TEXT("2."), 2, 1, 3, "a decimal point needs a digit behind it"},
    {TEXT("[1e]"), 3, 1, 4, "an exponent needs a digit"},
    {TEXT("1E+"), 3, 1, 4, "an exponent needs a digit"},
    {TEXT("[0x10]"), 2, 1, 3, "a comma or ] is due"},
    /* arrays */
    {TEXT("["), 1, 1, 2, "the text ends where a value is due"},
    {TEXT("[5,"), 3, 1, 4, "the text ends where a value is due"},
    {TEXT("[5"), 2, 1, 3, "the text ends inside an array"},
    {TEXT("[5,]"), 3, 1, 4, "a comma with nothing behind it"},
    {TEXT("[5,3 , ]"), 7, 1, 8, "a comma with nothing behind it"},
    {TEXT("[,5]"), 1, 1, 2, "a comma with nothing before it"},
    {TEXT("[5,,3]"), 3, 1, 4, "a comma with nothing before it"},
    {TEXT("[5 3]"), 3, 1, 4, "a comma or ] is due"},
    {TEXT("[5}"), 2, 1, 3, "a comma or ] is due"},
    {TEXT("[}"), 1, 1, 2, "an array ends with ]"},
    {TEXT("[\"\" \xE9]"), 4, 1, 5, "not UTF-8"},
    /* objects */
    {TEXT("{"), 1, 1, 2, "the text ends inside an object"},
    {TEXT("{\"a\""), 4, 1, 5, "the text ends inside an object"},
    {TEXT("{\"a\":1"), 6, 1, 7, "the text ends inside an object"},
    {TEXT("{\"a\":1,"), 7, 1, 8, "the text ends inside an object"},
    {TEXT("{\"a\":"), 5, 1, 6, "the text ends where a value is due"},
    {TEXT("{\"a\":}"), 5, 1, 6, "a colon with nothing behind it"},
    {TEXT("{\"a\":1,}"), 7, 1, 8, "a comma with nothing behind it"},
    {TEXT("{\"a\" 1}"), 5, 1, 6, "a colon is due behind a member name"},
    {TEXT("{a: 1}"), 1, 1, 2, "a member name in quotation marks is due"},
    {TEXT("{\"a\":1 \"b\":2}"), 7, 1, 8, "a comma or } is due"},
    {TEXT("{\"a\":1]"), 6, 1, 7, "a comma or } is due"},
    /* strings */
    {TEXT("\"abc"), 4, 1, 5, "the text ends inside a string"},
    {TEXT("\"abc\\"), 5, 1, 6, "the text ends inside a string"},
    {TEXT("\"\\u12"), 5, 1, 6, "the text ends inside a string"},
    {TEXT("\"\\ud834"), 7, 1, 8, "the text ends inside a string"},
    {TEXT("\"\\ud834\\"), 8, 1, 9, "the text ends inside a string"},
    {TEXT("[\"a\tb\"]"), 3, 1, 4, "a control character in a string must be escaped"},
    {TEXT("\"a\0b\""), 2, 1, 3, "a control character in a string must be escaped"},
    {TEXT("[\"53..7....\n6..195...\"]"), 11, 1, 12,
     "a control character in a string must be escaped"},
    {TEXT("\"\\a\""), 2, 1, 3, "there is no such escape in JSON"},
    {TEXT("\"\\\0\""), 2, 1, 3, "there is no such escape in JSON"},
    {TEXT("\"\\u00/0\""), 5, 1, 6, "a u escape needs four hexadecimal digits"},
    {TEXT("\"\\u00:0\""), 5, 1, 6, "a u escape needs four hexadecimal digits"},
    {TEXT("\"\\u00@0\""), 5, 1, 6, "a u escape needs four hexadecimal digits"},
    {TEXT("\"\\u00G0\""), 5, 1, 6, "a u escape needs four hexadecimal digits"},
    {TEXT("\"\\u00`0\""), 5, 1, 6, "a u escape needs four hexadecimal digits"},
    {TEXT("\"\\u00g0\""), 5, 1, 6, "a u escape needs four hexadecimal digits"},
    {TEXT("\"\\u00\xE9\""), 5, 1, 6, "not UTF-8"},
    {TEXT("\"ab\\udc00\""), 3, 1, 4, "half of a surrogate pair"},
    {TEXT("\"\\ud800\\u0041\""), 1, 1, 2, "half of a surrogate pair"},
    {TEXT("\"\\udfff\""), 1, 1, 2, "half of a surrogate pair"},
    {TEXT("\"\\udc00\\udc00\""), 1, 1, 2, "half of a surrogate pair"},
    {TEXT("\"\\ud800\\udbff\""), 1, 1, 2, "half of a surrogate pair"},
    {TEXT("\"\\udbff\\ue000\""), 1, 1, 2, "half of a surrogate pair"},
    {TEXT("\"\\ud800x\""), 1, 1, 2, "half of a surrogate pair"},
    /* UTF-8: columns count characters, and a broken one is pointed at by its first byte */
    {TEXT("[\"\xC3\xA9\xF0\x9D\x84\x9E\",\n \"\xE2\x82\xAC\" x]"), 18, 2, 6, "a comma or ] is due"},
    {TEXT("\"\x80\""), 1, 1, 2, "not UTF-8"},
    {TEXT("\"\xC1\xBF\""), 1, 1, 2, "not UTF-8"},
    {TEXT("\"\xE2\x82\""), 1, 1, 2, "not UTF-8"},
    {TEXT("\"\xE0\x9F\xBF\""), 1, 1, 2, "not UTF-8"},
    {TEXT("\"\xED\xA0\x80\""), 1, 1, 2, "not UTF-8"},
    {TEXT("\"\xED\xBF\xBF\""), 1, 1, 2, "not UTF-8"},
    {TEXT("\"\xF0\x8F\xBF\xBF\""), 1, 1, 2, "not UTF-8"},
    {TEXT("\"\xF4\x90\x80\x80\""), 1, 1, 2, "not UTF-8"},
    {TEXT("\"\xF0\x9D\x84"), 1, 1, 2, "not UTF-8"},
    /* depth */
    {TEXT(EIGHT("[[[[") "["), 32, 1, 33, "nested more than 32 levels deep"},
    {TEXT(EIGHT("[{\"\":[{\"\":") "[]"), 80, 1, 81, "nested more than 32 levels deep"},
    /* an escaped NUL, but only if nothing else is wrong */
    {TEXT("{\"puzzle\\u0000x\":1}"), 8, 1, 9, "a string with an escaped NUL"},
    {TEXT("{\"a\\u0000\":{\"\\u0000\":1}}"), 3, 1, 4, "a string with an escaped NUL"},
    {TEXT("[\"\", \"53\\u0000\"]"), 8, 1, 9, "a string with an escaped NUL"},
    {TEXT("{\"a\\u0000\":1,}"), 13, 1, 14, "a comma with nothing behind it"},
};

START_TEST(says_where_and_why_a_text_is_refused)
{
    const struct fault_case *const want = &fault_cases[_i];
    struct json_fault fault;

    ck_assert_msg(!accepts(want->text, want->length, &fault), "accepted: %s", want->text);
    ck_assert_msg(strcmp(fault.reason, want->reason) == 0, "%s: %s", want->text, fault.reason);
    ck_assert_msg(fault.offset == want->offset, "%s: offset %zu", want->text, fault.offset);
    ck_assert_msg(fault.line == want->line, "%s: line %u", want->text, fault.line);
    ck_assert_msg(fault.column == want->column, "%s: column %u", want->text, fault.column);
}
END_TEST

/* So that a reason can stand in a JSON string as it is. */
START_TEST(a_reason_is_a_clause_without_quotes_and_backslashes)
{
    const char *const reason = fault_cases[_i].reason;

    ck_assert_ptr_null(strpbrk(reason, "\"\\\n"));
    ck_assert_int_ne(reason[strlen(reason) - 1], '.');
}
END_TEST

/* ---- What is accepted ---- */

static const struct {
    const char *text;
    size_t length;
} accepted[] = {
    {TEXT("0")},
    {TEXT("-0")},
    {TEXT("\"\"")},
    {TEXT("[]")},
    {TEXT("{}")},
    {TEXT(" \t\r\n[ ] \n")},
    {TEXT("[ { } , [ ] , true , false , null , 10 , 1.5e-3 , 0E+0 ]")},
    {TEXT("{ \"a\" : 1 , \"\" : { \"b\" : [ 5,3, 0,\n0,12,null,7 ] } }")},
    {TEXT("[1e400,-1e400,1e-400]")},
    {TEXT("123456789012345678901234567890123456789012345678901234567890123456789")},
    {TEXT("[-0.00000000000000000000000000000000000000000000000000000000000000000001e+0000]")},
    {TEXT("{\"\\\\u0000 is no escaped NUL\":\"\\u0001\"}")},
    {TEXT("\"\\\"\\\\\\/"
          "\\b\\f\\n\\r\\t\\u00e9\\uD834\\uDd1e\\uD800\\uDC00\\uDBFF\\uDFFF\\uD7FF\\uE000\"")},
    {TEXT("\"\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\"")},
    {TEXT("\"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\xEF\xBB\xBF\"")},
    {TEXT(EIGHT("[[[[") EIGHT("]]]]"))},
    {TEXT("{\"a\":1,\"a\":2}")},
};

START_TEST(accepts_what_is_json_and_so_does_cjson)
{
    const char *const text = accepted[_i].text;
    struct json_fault fault;

    ck_assert_msg(accepts(text, accepted[_i].length, &fault), "refused: %s", text);
    ck_assert_msg(cjson_reads(text, accepted[_i].length), "cJSON can't read %s", text);
}
END_TEST

START_TEST(writes_no_fault_on_success)
{
    struct json_fault fault = {7, 7, 7, "untouched", true};

    ck_assert(json_strict_check("[]", 2, &fault));
    ck_assert_uint_eq(fault.offset, 7);
    ck_assert_uint_eq(fault.line, 7);
    ck_assert_uint_eq(fault.column, 7);
    ck_assert_str_eq(fault.reason, "untouched");
    ck_assert(fault.is_json);
}
END_TEST

START_TEST(tells_json_that_cjson_would_misread_from_what_is_no_json)
{
    struct json_fault fault;

    ck_assert(!accepts(TEXT("{\"a\\u0000\":1}"), &fault));
    ck_assert(fault.is_json);
    ck_assert(!accepts(TEXT("{\"a\\u0000\":01}"), &fault));
    ck_assert(!fault.is_json);
}
END_TEST

/* The boundary of every quick way through a string: each byte at each place of a long one. */
START_TEST(sees_every_special_byte_wherever_it_stands_in_a_string)
{
    for (unsigned place = 1; place <= 24; place++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            char text[] = "\"........................\"";
            struct json_fault fault;
            text[place] = (char)byte;
            const bool is_plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
            ck_assert_int_eq(accepts(text, sizeof text - 1, &fault), is_plain);
        }
    }
}
END_TEST

/* ---- JSONTestSuite ---- */

static void must_be_refused(const char *name, const struct suite_text *text, void *context)
{
    struct json_fault fault;

    (void)context;
    ck_assert_msg(!json_strict_check(text->bytes, text->length, &fault), "%s", name);
    ck_assert_msg(!fault.is_json, "%s", name);
    ck_assert_msg(fault.offset <= text->length, "%s", name);
}

START_TEST(refuses_all_188_texts_that_are_no_json)
{
    ck_assert_uint_eq(suite_for_each("n_", must_be_refused, NULL), 188);
}
END_TEST

/* Those with an escaped NUL are JSON that cJSON would misread; they must be told from malformed
 * texts. */
static void must_be_json(const char *name, const struct suite_text *text, void *context)
{
    const bool is_misread = strcmp(name, "y_object_escaped_null_in_key.json") == 0 ||
                            strcmp(name, "y_string_null_escape.json") == 0;
    struct json_fault fault;

    (void)context;
    if (is_misread) {
        ck_assert(!json_strict_check(text->bytes, text->length, &fault));
        ck_assert(fault.is_json);
    } else {
        ck_assert_msg(json_strict_check(text->bytes, text->length, &fault), "%s: %s", name,
                      fault.reason);
    }
    ck_assert_msg(cjson_reads(text->bytes, text->length), "cJSON can't read %s", name);
}

START_TEST(finds_all_95_texts_that_are_json_to_be_json)
{
    ck_assert_uint_eq(suite_for_each("y_", must_be_json, NULL), 95);
}
END_TEST

/* Cut anywhere, a good text is too short and nothing else, but for a character cut in two. */
static void must_end_too_early_when_cut(const char *name, const struct suite_text *text,
                                        void *context)
{
    (void)context;
    for (size_t length = 0; length < text->length; length++) {
        struct json_fault fault;
        if (accepts(text->bytes, length, &fault))
            continue;
        const bool is_cut_character =
            strcmp(fault.reason, "not UTF-8") == 0 && length - fault.offset < 4;
        ck_assert_msg(fault.offset == length || is_cut_character || fault.is_json,
                      "%s cut at %zu: %zu", name, length, fault.offset);
    }
}

START_TEST(finds_nothing_wrong_before_the_end_of_a_cut_text)
{
    ck_assert_uint_eq(suite_for_each("y_", must_end_too_early_when_cut, NULL), 95);
}
END_TEST

static void must_be_decided(const char *name, const struct suite_text *text, void *context)
{
    const struct suite_decisions *decisions = context;
    const struct suite_decision *decision = suite_decision_of(decisions, name);
    struct json_fault fault = {.reason = NULL};
    const bool ok = json_strict_check(text->bytes, text->length, &fault);

    ck_assert_msg(ok == (decision->alone == 422), "%s", name);
    if (ok)
        ck_assert_msg(cjson_reads(text->bytes, text->length), "cJSON can't read %s", name);
    else
        ck_assert_str_eq(fault.reason, decision->why);
}

START_TEST(decides_all_that_the_standard_leaves_open)
{
    struct suite_decisions decisions;

    suite_load_decisions(&decisions);
    ck_assert_uint_eq(suite_for_each("i_", must_be_decided, &decisions), decisions.count);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("json_strict");
    TCase *const faults = tcase_create("faults");
    TCase *const values = tcase_create("values");
    TCase *const files = tcase_create("json-suite");
    const int fault_count = (int)(sizeof fault_cases / sizeof *fault_cases);
    const int accepted_count = (int)(sizeof accepted / sizeof *accepted);

    tcase_add_loop_test(faults, says_where_and_why_a_text_is_refused, 0, fault_count);
    tcase_add_loop_test(faults, a_reason_is_a_clause_without_quotes_and_backslashes, 0,
                        fault_count);
    tcase_add_test(faults, tells_json_that_cjson_would_misread_from_what_is_no_json);
    tcase_add_loop_test(values, accepts_what_is_json_and_so_does_cjson, 0, accepted_count);
    tcase_add_test(values, writes_no_fault_on_success);
    tcase_add_test(values, sees_every_special_byte_wherever_it_stands_in_a_string);
    tcase_add_test(files, refuses_all_188_texts_that_are_no_json);
    tcase_add_test(files, finds_all_95_texts_that_are_json_to_be_json);
    tcase_add_test(files, finds_nothing_wrong_before_the_end_of_a_cut_text);
    tcase_add_test(files, decides_all_that_the_standard_leaves_open);
    suite_add_tcase(suite, faults);
    suite_add_tcase(suite, values);
    suite_add_tcase(suite, files);

    return run_suite(suite);
}
