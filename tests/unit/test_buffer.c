/* The growing buffer, its JSON strings, and the UTF-8 that they let through. */
#include "api/buffer.h"

#include "api/utf8.h"
#include "support_json.h"

START_TEST(begins_empty_and_owns_nothing)
{
    struct buffer buffer = {0};

    buffer_clear(&buffer);
    ck_assert_ptr_null(buffer.data);
    ck_assert_uint_eq(buffer.length, 0);
    ck_assert_uint_eq(buffer.capacity, 0);
    ck_assert(!buffer.failed);
}
END_TEST

START_TEST(keeps_every_byte_while_it_grows)
{
    struct buffer buffer = {0};
    enum { BYTES = 100000 };

    for (unsigned i = 0; i < BYTES; i++) {
        const char byte = (char)(i * 31 % 256);
        buffer_put(&buffer, &byte, 1);
    }
    ck_assert(!buffer.failed);
    ck_assert_uint_eq(buffer.length, BYTES);
    ck_assert_uint_le(buffer.length, buffer.capacity);
    for (unsigned i = 0; i < BYTES; i++) {
        if (buffer.data[i] != (char)(i * 31 % 256))
            ck_abort_msg("byte %u was lost", i);
    }
    buffer_clear(&buffer);
}
END_TEST

/* The boundary: what fits exactly doesn't move, one byte more does. */
START_TEST(grows_only_when_it_is_full)
{
    struct buffer buffer = {0};

    ck_assert_ptr_nonnull(buffer_reserve(&buffer, 1));
    const size_t first = buffer.capacity;
    ck_assert_ptr_eq(buffer_reserve(&buffer, first), buffer.data);
    ck_assert_uint_eq(buffer.capacity, first);
    memset(buffer.data, 'x', first);
    buffer.length = first;
    ck_assert_ptr_nonnull(buffer_reserve(&buffer, 0));
    ck_assert_uint_eq(buffer.capacity, first);
    ck_assert_ptr_nonnull(buffer_reserve(&buffer, 1));
    ck_assert_uint_gt(buffer.capacity, first);
    ck_assert_uint_eq(buffer.length, first);
    for (size_t i = 0; i < first; i++)
        ck_assert_int_eq(buffer.data[i], 'x');
    buffer_clear(&buffer);
}
END_TEST

START_TEST(makes_room_for_much_at_once)
{
    struct buffer buffer = {0};
    enum { MUCH = 1000000 };

    buffer_put_text(&buffer, "head");
    char *end = buffer_reserve(&buffer, MUCH);
    ck_assert_ptr_nonnull(end);
    memset(end, 'x', MUCH);
    buffer.length += MUCH;
    ck_assert_mem_eq(buffer.data, "headx", 5);
    buffer_clear(&buffer);
}
END_TEST

START_TEST(reserving_claims_nothing)
{
    struct buffer buffer = {0};

    ck_assert_ptr_nonnull(buffer_reserve(&buffer, 100));
    ck_assert_uint_eq(buffer.length, 0);
    buffer_put_text(&buffer, "a");
    ck_assert_uint_eq(buffer.length, 1);
    buffer_clear(&buffer);
}
END_TEST

START_TEST(writes_nothing_for_nothing)
{
    struct buffer buffer = {0};

    ck_assert_ptr_nonnull(buffer_reserve(&buffer, 0)); /* NULL would mean no memory */
    buffer_clear(&buffer);
    buffer_put(&buffer, NULL, 0);
    buffer_put_text(&buffer, "");
    ck_assert_uint_eq(buffer.length, 0);
    ck_assert(!buffer.failed);
    buffer_clear(&buffer);
}
END_TEST

/* More than there can be of memory, whether or not the sum with what is there wraps. */
START_TEST(a_failed_buffer_stays_failed_until_it_is_cleared)
{
    static const size_t too_much[] = {SIZE_MAX, SIZE_MAX - 3, SIZE_MAX / 2 + 1};

    for (size_t i = 0; i < sizeof too_much / sizeof too_much[0]; i++) {
        struct buffer buffer = {0};
        buffer_put_text(&buffer, "head");
        ck_assert_ptr_null(buffer_reserve(&buffer, too_much[i]));
        ck_assert(buffer.failed);
        ck_assert_uint_eq(buffer.length, 4);
        ck_assert_ptr_null(buffer_reserve(&buffer, 1));
        buffer_put_text(&buffer, "more");
        buffer_put_uint(&buffer, 7);
        buffer_put_json_string(&buffer, "text");
        ck_assert(buffer.failed);
        ck_assert_uint_eq(buffer.length, 4);
        ck_assert_mem_eq(buffer.data, "head", 4);

        buffer_clear(&buffer);
        ck_assert(!buffer.failed);
        buffer_put_text(&buffer, "new");
        ck_assert_uint_eq(buffer.length, 3);
        buffer_clear(&buffer);
    }
}
END_TEST

START_TEST(writes_numbers_up_to_the_largest)
{
    static const struct {
        uint64_t number;
        const char *text;
    } rows[] = {
        {0, "0"},
        {9, "9"},
        {10, "10"},
        {1000000, "1000000"},
        {UINT32_MAX, "4294967295"},
        {UINT64_MAX - 1, "18446744073709551614"},
        {UINT64_MAX, "18446744073709551615"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buffer buffer = {0};
        buffer_put_uint(&buffer, rows[i].number);
        ck_assert_uint_eq(buffer.length, strlen(rows[i].text));
        ck_assert_mem_eq(buffer.data, rows[i].text, buffer.length);
        buffer_clear(&buffer);
    }
}
END_TEST

#define REPLACED "\xEF\xBF\xBD" /* U+FFFD */

/* Every kind of text, and its JSON string. */
static const struct {
    const char *text;
    const char *json;
} strings[] = {
    {"", "\"\""},
    {"plain", "\"plain\""},
    {"\"", "\"\\\"\""},
    {"\\", "\"\\\\\""},
    {"/", "\"/\""},
    {"a\"b\\c", "\"a\\\"b\\\\c\""},
    {"\n", "\"\\u000a\""},
    {"\r\t\b\f", "\"\\u000d\\u0009\\u0008\\u000c\""},
    {"\x01", "\"\\u0001\""},
    {"\x1f", "\"\\u001f\""},
    {" ", "\" \""},
    {"~", "\"~\""},
    {"\x7f", "\"\\u007f\""},
    {"\xC2\x80", "\"\xC2\x80\""},
    {"\xC3\xA9", "\"\xC3\xA9\""},
    {"\xE2\x82\xAC", "\"\xE2\x82\xAC\""},
    {"\xF0\x9F\x98\x80", "\"\xF0\x9F\x98\x80\""},
    {"\xFF", "\"" REPLACED "\""},
    {"a\xFF"
     "b",
     "\"a" REPLACED "b\""},
    {"\x80", "\"" REPLACED "\""},
    {"\xC0\x80", "\"" REPLACED REPLACED "\""},
    {"\xED\xA0\x80", "\"" REPLACED REPLACED REPLACED "\""},
    {"cut \xE2\x82", "\"cut " REPLACED REPLACED "\""},
    {"\xE2\x82\"", "\"" REPLACED REPLACED "\\\"\""},
    {"\xC3\n", "\"" REPLACED "\\u000a\""},
};

START_TEST(a_json_string_escapes_what_json_does_not_take)
{
    struct buffer buffer = {0};

    buffer_put_json_string(&buffer, strings[_i].text);
    ck_assert_uint_eq(buffer.length, strlen(strings[_i].json));
    ck_assert_mem_eq(buffer.data, strings[_i].json, buffer.length);
    buffer_clear(&buffer);
}
END_TEST

START_TEST(a_json_string_of_any_two_bytes_is_json)
{
    for (unsigned first = 1; first < 256; first++) {
        for (unsigned second = 1; second < 256; second++) {
            const char text[] = {(char)first, (char)second, '\0'};
            struct buffer buffer = {0};
            buffer_put_json_string(&buffer, text);
            cJSON *json = json_of(buffer.data, buffer.length);
            ck_assert(cJSON_IsString(json));
            if (utf8_length(text, 2) == 2 || (first < 0x80 && second < 0x80))
                ck_assert_str_eq(json->valuestring, text);
            cJSON_Delete(json);
            buffer_clear(&buffer);
        }
    }
}
END_TEST

/* The first and last character of each length, and both sides of the surrogates. */
START_TEST(utf8_measures_valid_characters)
{
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {
        {"\x01", 1},
        {"\x7f", 1},
        {"\xC2\x80", 2},
        {"\xDF\xBF", 2},
        {"\xE0\xA0\x80", 3},
        {"\xE1\x80\x80", 3},
        {"\xEC\xBF\xBF", 3},
        {"\xED\x80\x80", 3},
        {"\xED\x9F\xBF", 3},
        {"\xEE\x80\x80", 3},
        {"\xEF\xBF\xBD", 3},
        {"\xEF\xBF\xBF", 3},
        {"\xF0\x90\x80\x80", 4},
        {"\xF1\x80\x80\x80", 4},
        {"\xF3\xBF\xBF\xBF", 4},
        {"\xF4\x80\x80\x80", 4},
        {"\xF4\x8F\xBF\xBF", 4},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_uint_eq(strlen(rows[i].text), rows[i].length);
        ck_assert_uint_eq(utf8_length(rows[i].text, rows[i].length), rows[i].length);
        /* What follows does not matter, even where it is not UTF-8. */
        char longer[8] = {0};
        memcpy(longer, rows[i].text, rows[i].length);
        longer[rows[i].length] = '\xFF';
        ck_assert_uint_eq(utf8_length(longer, rows[i].length + 1), rows[i].length);
    }
    ck_assert_uint_eq(utf8_length("", 1), 1);
}
END_TEST

START_TEST(utf8_refuses_every_class_of_invalid_bytes)
{
    static const struct {
        const char *what;
        const char *text;
    } rows[] = {
        {"a continuation byte alone, the first", "\x80"},
        {"a continuation byte alone, the last", "\xBF"},
        {"overlong NUL", "\xC0\x80"},
        {"overlong slash", "\xC0\xAF"},
        {"overlong of two bytes, the last", "\xC1\xBF"},
        {"overlong of three bytes, the first", "\xE0\x80\x80"},
        {"overlong of three bytes, the last", "\xE0\x9F\xBF"},
        {"overlong of four bytes, the first", "\xF0\x80\x80\x80"},
        {"overlong of four bytes, the last", "\xF0\x8F\xBF\xBF"},
        {"the first surrogate", "\xED\xA0\x80"},
        {"the last surrogate", "\xED\xBF\xBF"},
        {"a pair of surrogates (CESU-8)", "\xED\xA0\xBD\xED\xB8\x80"},
        {"U+110000", "\xF4\x90\x80\x80"},
        {"beyond, lead F5", "\xF5\x80\x80\x80"},
        {"beyond, lead F7", "\xF7\xBF\xBF\xBF"},
        {"five bytes", "\xF8\x88\x80\x80\x80"},
        {"six bytes", "\xFC\x84\x80\x80\x80\x80"},
        {"FE", "\xFE"},
        {"FF", "\xFF"},
        {"a lead byte, then ASCII", "\xC3\x28"},
        {"three bytes, the second wrong", "\xE2\x28\xA1"},
        {"three bytes, the third wrong", "\xE2\x82\x28"},
        {"three bytes, the third a lead byte", "\xE2\x82\xC2"},
        {"four bytes, the second wrong", "\xF0\x28\x8C\xBC"},
        {"four bytes, the third wrong", "\xF0\x90\x28\xBC"},
        {"four bytes, the fourth wrong", "\xF0\x90\x8C\x28"},
        {"UTF-16 byte order mark", "\xFE\xFF"},
        {"Latin-1", "\xE9t\xE9"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(utf8_length(rows[i].text, strlen(rows[i].text)) == 0, "taken: %s",
                      rows[i].what);
    ck_assert_uint_eq(utf8_length("a", 0), 0);
}
END_TEST

/* The bytes stand at the end of their memory, so that reading on would be seen. */
START_TEST(utf8_refuses_a_character_that_is_cut_off)
{
    static const char *const characters[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xED\x9F\xBF",
                                             "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"};

    for (size_t i = 0; i < sizeof characters / sizeof characters[0]; i++) {
        for (size_t length = 1; length < strlen(characters[i]); length++) {
            char *cut = malloc(length);
            ck_assert_ptr_nonnull(cut);
            memcpy(cut, characters[i], length);
            ck_assert_uint_eq(utf8_length(cut, length), 0);
            free(cut);
        }
    }
}
END_TEST

/* Whether `size` bytes are one character, by the number that they stand for. */
static bool is_utf8(const unsigned char *byte, size_t size)
{
    static const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned number = size == 1 ? byte[0] : byte[0] & (0x7fU >> size);

    if (size == 1 ? byte[0] >= 0x80 : byte[0] >> (7 - size) != ((0xff >> (7 - size)) & ~1))
        return false;
    for (size_t i = 1; i < size; i++) {
        if (byte[i] >> 6 != 2)
            return false;
        number = number << 6 | (byte[i] & 0x3fU);
    }
    return number >= smallest[size] && number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
}

START_TEST(utf8_agrees_with_the_definition_on_all_leads_and_second_bytes)
{
    static const unsigned char thirds[] = {0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff};

    for (unsigned word = 0; word < 65536; word++) {
        for (size_t third = 0; third < sizeof thirds; third++) {
            const unsigned char byte[4] = {(unsigned char)(word >> 8), (unsigned char)word,
                                           thirds[third], 0x80};
            size_t expected = 0;
            for (size_t size = 1; size <= 4; size++) {
                if (is_utf8(byte, size))
                    expected = size;
            }
            if (utf8_length((const char *)byte, 4) != expected)
                ck_abort_msg("%02x %02x %02x: not %zu bytes", byte[0], byte[1], byte[2], expected);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("buffer", &tests);

    tcase_add_test(tests, begins_empty_and_owns_nothing);
    tcase_add_test(tests, keeps_every_byte_while_it_grows);
    tcase_add_test(tests, grows_only_when_it_is_full);
    tcase_add_test(tests, makes_room_for_much_at_once);
    tcase_add_test(tests, reserving_claims_nothing);
    tcase_add_test(tests, writes_nothing_for_nothing);
    tcase_add_test(tests, a_failed_buffer_stays_failed_until_it_is_cleared);
    tcase_add_test(tests, writes_numbers_up_to_the_largest);
    tcase_add_loop_test(tests, a_json_string_escapes_what_json_does_not_take, 0,
                        sizeof strings / sizeof strings[0]);
    tcase_add_test(tests, a_json_string_of_any_two_bytes_is_json);
    tcase_add_test(tests, utf8_measures_valid_characters);
    tcase_add_test(tests, utf8_refuses_every_class_of_invalid_bytes);
    tcase_add_test(tests, utf8_refuses_a_character_that_is_cut_off);
    tcase_add_test(tests, utf8_agrees_with_the_definition_on_all_leads_and_second_bytes);
    return run_suite(suite);
}
