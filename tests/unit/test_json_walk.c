/* The outline of JSON texts. */
#include "api/json_strict.h"
#include "api/json_walk.h"
#include "puzzles.h"

enum { MAX_PIECES = 8 };

static void check_piece(struct json_piece piece, const char *expected)
{
    ck_assert_msg(piece.length == strlen(expected) &&
                      memcmp(piece.text, expected, piece.length) == 0,
                  "\"%.*s\" is not \"%s\"", (int)piece.length, piece.text, expected);
}

START_TEST(the_root_is_found_between_white_space)
{
    static const struct {
        const char *text, *root;
    } rows[] = {
        {"1", "1"},
        {" \t\r\n-1.5e3 \t\r\n", "-1.5e3"},
        {" null ", "null"},
        {"\"\"", "\"\""},
        {" \"a\\\"b\\\\\" ", "\"a\\\"b\\\\\""},
        {" [ ] ", "[ ]"},
        {" [[1],{\"]\":\"}\"}] ", "[[1],{\"]\":\"}\"}]"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_piece(json_walk_root(rows[i].text), rows[i].root);
}
END_TEST

/* Elements have no name, so the name stays what it was. */
START_TEST(elements_come_in_order_without_white_space)
{
    static const struct {
        const char *text;
        const char *element[MAX_PIECES];
    } rows[] = {
        {"[]", {NULL}},
        {" [ \n ] ", {NULL}},
        {"[1]", {"1"}},
        {"[1,2,3]", {"1", "2", "3"}},
        {" [ 1 , \"two\" ,\tnull\n,true ] ", {"1", "\"two\"", "null", "true"}},
        {"[[],{},[[]],{\"a\":[1]}]", {"[]", "{}", "[[]]", "{\"a\":[1]}"}},
        {"[\"]\",\"[,\",\"\\\"],\",\"\\\\\"]", {"\"]\"", "\"[,\"", "\"\\\"],\"", "\"\\\\\""}},
        {"[[ 1 , 2 ] , { \"a\" : \"}\" }]", {"[ 1 , 2 ]", "{ \"a\" : \"}\" }"}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_piece name = {.text = "untouched", .length = 9};
        struct json_piece value;
        struct json_walk walk = json_walk_into(json_walk_start(rows[i].text));
        for (size_t k = 0; rows[i].element[k] != NULL; k++) {
            ck_assert(json_walk_next(&walk, &name, &value));
            check_piece(value, rows[i].element[k]);
        }
        ck_assert(!json_walk_next(&walk, &name, &value));
        ck_assert(!json_walk_next(&walk, &name, &value));
        check_piece(name, "untouched");
    }
}
END_TEST

START_TEST(members_come_with_their_names_as_they_are_written)
{
    static const struct {
        const char *text;
        struct {
            const char *name, *value;
        } member[MAX_PIECES];
    } rows[] = {
        {"{}", {{NULL, NULL}}},
        {" { } ", {{NULL, NULL}}},
        {"{\"a\":1}", {{"\"a\"", "1"}}},
        {"{ \"a\" : 1 , \"b\" : [ 2 ] }", {{"\"a\"", "1"}, {"\"b\"", "[ 2 ]"}}},
        {"{\"\":\"\",\"a:b\":\"c:d\"}", {{"\"\"", "\"\""}, {"\"a:b\"", "\"c:d\""}}},
        {"{\"\\u0061\\\"\":false,\"a\":{\"a\":{}}}",
         {{"\"\\u0061\\\"\"", "false"}, {"\"a\"", "{\"a\":{}}"}}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_piece name;
        struct json_piece value;
        struct json_walk walk = json_walk_into(json_walk_start(rows[i].text));
        for (size_t k = 0; rows[i].member[k].name != NULL; k++) {
            ck_assert(json_walk_next(&walk, &name, &value));
            check_piece(name, rows[i].member[k].name);
            check_piece(value, rows[i].member[k].value);
        }
        ck_assert(!json_walk_next(&walk, &name, &value));
    }
}
END_TEST

static char *put_space(char *at, uint64_t *random)
{
    for (uint64_t i = puzzles_random(random) % 3; i > 0; i--)
        *at++ = " \t\r\n"[puzzles_random(random) % 4];
    return at;
}

static char *put(char *at, const char *text)
{
    return at + sprintf(at, "%s", text);
}

static char *put_value(char *at, unsigned depth, uint64_t *random);

static char *put_container(char *at, bool is_object, unsigned depth, uint64_t *random)
{
    const uint64_t count = puzzles_random(random) % 4;

    at = put_space(put(at, is_object ? "{" : "["), random);
    for (uint64_t i = 0; i < count; i++) {
        at = put_space(put(at, i == 0 ? "" : ","), random);
        if (is_object)
            at = put_space(put(put_space(put(at, "\"}\\\\\""), random), ":"), random);
        at = put_space(put_value(at, depth - 1, random), random);
    }
    return put(at, is_object ? "}" : "]");
}

static char *put_value(char *at, unsigned depth, uint64_t *random)
{
    static const char *const plain[] = {"0", "-1.5e+3", "true", "null", "\"\"", "\"],\\\"\\\\\""};
    const uint64_t kind = puzzles_random(random) % (depth == 0 ? 6 : 12);

    return kind < 6 ? put(at, plain[kind]) : put_container(at, kind % 2 == 0, depth, random);
}

/* Every piece of a valid text is a valid text, at every level. */
static unsigned check_pieces(struct json_piece piece)
{
    struct json_fault fault;
    struct json_piece name = {.text = "0", .length = 1};
    struct json_piece value;
    unsigned count = 1;

    ck_assert_msg(json_strict_check(piece.text, piece.length, &fault), "\"%.*s\": %s",
                  (int)piece.length, piece.text, fault.reason);
    if (piece.text[0] != '[' && piece.text[0] != '{')
        return count;
    for (struct json_walk walk = json_walk_into(piece.text);
         json_walk_next(&walk, &name, &value);) {
        ck_assert(json_strict_check(name.text, name.length, &fault));
        count += check_pieces(value);
    }
    return count;
}

START_TEST(pieces_of_random_texts_are_texts_themselves)
{
    enum { SIZE = 1 << 16 };
    char *text = malloc(SIZE);
    uint64_t random = 20260131;
    unsigned count = 0;

    ck_assert_ptr_nonnull(text);
    for (unsigned i = 0; i < 2000; i++) {
        *put_space(put_container(put_space(text, &random), i % 2 == 0, 4, &random), &random) = '\0';
        count += check_pieces(json_walk_root(text));
    }
    ck_assert_uint_gt(count, 10000);
    free(text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_root_is_found_between_white_space,
        elements_come_in_order_without_white_space,
        members_come_with_their_names_as_they_are_written,
        pieces_of_random_texts_are_texts_themselves,
    };

    return puzzles_run_suite("json_walk", tests, sizeof tests / sizeof tests[0]);
}
