/* The table of characters, held to the sets that the standards list. */
#include "server/http_chars.h"

#include "puzzles.h"

static const char digits[] = "0123456789";
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static bool is_in(unsigned c, const char *set)
{
    return c != 0 && c < 0x80 && strchr(set, (int)c) != NULL;
}

static bool is_alphanumeric(unsigned c)
{
    return is_in(c, digits) || is_in(c, letters);
}

START_TEST(each_character_is_part_of_what_the_standards_say)
{
    for (unsigned c = 0; c < 256; c++) {
        const bool is_visible = c > ' ' && c != 0x7f;
        const bool is_token = is_alphanumeric(c) || is_in(c, "!#$%&'*+-.^_`|~");
        const bool is_host = is_alphanumeric(c) || is_in(c, "-._~%!$&'()*+;=");
        const bool is_hex = is_in(c, digits) || is_in(c, "abcdefABCDEF");
        unsigned kinds = 0;

        kinds |= is_token ? HTTP_CHAR_TOKEN : 0U;
        kinds |= is_visible || c == ' ' || c == '\t' ? HTTP_CHAR_VALUE : 0U;
        kinds |= is_visible && c != '#' ? HTTP_CHAR_TARGET : 0U;
        kinds |= is_host ? HTTP_CHAR_HOST : 0U;
        kinds |= is_hex ? HTTP_CHAR_HEX : 0U;
        ck_assert_msg(http_chars[c] == kinds, "0x%02x is of %u, not %u", c, http_chars[c], kinds);
    }
}
END_TEST

START_TEST(a_span_ends_before_the_first_other_character)
{
    ck_assert_uint_eq(http_chars_span("", HTTP_CHAR_VALUE), 0);
    ck_assert_uint_eq(http_chars_span("Content-Length: 5", HTTP_CHAR_TOKEN), 14);
    ck_assert_uint_eq(http_chars_span("a b\tc\r\n", HTTP_CHAR_VALUE), 5);
    ck_assert_uint_eq(http_chars_span("/a?b=\xff#c", HTTP_CHAR_TARGET), 6);
    ck_assert_uint_eq(http_chars_span("a.example,b.example", HTTP_CHAR_HOST), 9);
    ck_assert_uint_eq(http_chars_span("4Fg", HTTP_CHAR_HEX), 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_character_is_part_of_what_the_standards_say,
        a_span_ends_before_the_first_other_character,
    };

    return puzzles_run_suite("http_chars", tests, sizeof tests / sizeof tests[0]);
}
