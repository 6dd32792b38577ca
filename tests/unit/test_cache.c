/* Answers that may be kept, and clients that have them. */
#include "api/cache.h"

#include "puzzles.h"

static const char *header_of(const struct api_call *call, const char *name)
{
    for (unsigned i = 0; i < call->reply.header_count; i++) {
        if (strcmp(call->reply.headers[i].name, name) == 0)
            return call->reply.headers[i].value;
    }
    return NULL;
}

/* An answer of 200, as it is before its cache headers. */
static struct api_call call_with(const char *body, const char *if_none_match)
{
    struct api_call call = {.if_none_match = if_none_match};

    call.reply.status = 200;
    call.reply.content_type = "text/plain";
    buffer_put_text(&call.reply.body, body);
    return call;
}

START_TEST(a_tag_is_that_of_the_bytes)
{
    struct api_call one = call_with("one", NULL);
    struct api_call same = call_with("one", NULL);
    struct api_call other = call_with("onf", NULL);

    cache_keep(&one);
    cache_keep(&same);
    cache_keep(&other);
    ck_assert_str_eq(header_of(&one, "Cache-Control"), "public, max-age=86400");
    ck_assert_str_eq(header_of(&one, "ETag"), header_of(&same, "ETag"));
    ck_assert_str_ne(header_of(&one, "ETag"), header_of(&other, "ETag"));
    api_call_clear(&one);
    api_call_clear(&same);
    api_call_clear(&other);
}
END_TEST

/* That of "a", worked out by another program: the tag is the same on every server. */
#define TAG "\"27d134178074a30c\""

START_TEST(a_client_that_has_the_answer_is_told_so)
{
    static const struct {
        const char *if_none_match;
        unsigned status;
    } rows[] = {
        {NULL, 200},
        {"", 200},
        {TAG, 304},
        {" " TAG " ", 304},
        {"W/" TAG, 304},
        {"\"x\", " TAG, 304},
        {"\"x\",W/\"y\",W/" TAG " , \"z\"", 304},
        {"*", 304},
        {" * ", 304},
        {"\"x\"", 200},
        {"27d134178074a30c", 200},
        {"\"27d134178074a30\"", 200},
        {"\"27D134178074A30C\"", 200},
        /* a * counts alone; tags may hold one, and commas */
        {"\"*\"", 200},
        {"\"x,*\"", 200},
        {"\"x\", *", 200},
        {",,,", 200},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct api_call call = call_with("a", rows[i].if_none_match);
        cache_keep(&call);
        ck_assert_str_eq(header_of(&call, "ETag"), TAG);
        ck_assert_msg(call.reply.status == rows[i].status, "%s gives %u", rows[i].if_none_match,
                      call.reply.status);
        /* The length of the body is told all the same, so it stays. */
        ck_assert((call.reply.content_type == NULL) == (call.reply.status == 304));
        ck_assert_uint_eq(call.reply.body.length, 1);
        api_call_clear(&call);
    }
}
END_TEST

/* Bytes are mixed in by eights: those of a last word that is not full, and where a text ends, tell
 * texts apart too. */
START_TEST(tags_differ_in_any_place)
{
    char text[] = "0123456789abcdefXYZ";
    struct api_call whole = call_with(text, NULL);

    cache_keep(&whole);
    ck_assert_str_eq(header_of(&whole, "ETag"), "\"9e5d817bb23fed23\"");
    for (size_t i = 0; i < sizeof text - 1; i++) {
        for (unsigned bit = 0; bit < 7; bit++) {
            char other[sizeof text];
            memcpy(other, text, sizeof other);
            other[i] = (char)(other[i] ^ 1 << bit);
            struct api_call call = call_with(other, NULL);
            cache_keep(&call);
            ck_assert_str_ne(header_of(&call, "ETag"), header_of(&whole, "ETag"));
            api_call_clear(&call);
        }
    }
    for (size_t length = sizeof text - 2; length > 0; length--) {
        text[length] = '\0';
        struct api_call call = call_with(text, NULL);
        cache_keep(&call);
        ck_assert_str_ne(header_of(&call, "ETag"), header_of(&whole, "ETag"));
        api_call_clear(&call);
    }
    api_call_clear(&whole);
}
END_TEST

START_TEST(an_answer_for_this_once_has_no_tag)
{
    struct api_call call = call_with("a", TAG);

    cache_forbid(&call);
    ck_assert_str_eq(header_of(&call, "Cache-Control"), "no-store");
    ck_assert_ptr_null(header_of(&call, "ETag"));
    ck_assert_uint_eq(call.reply.status, 200);
    api_call_clear(&call);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_tag_is_that_of_the_bytes,
        a_client_that_has_the_answer_is_told_so,
        tags_differ_in_any_place,
        an_answer_for_this_once_has_no_tag,
    };

    return puzzles_run_suite("cache", tests, sizeof tests / sizeof tests[0]);
}
