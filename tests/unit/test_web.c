/* The files of the page: what their replies say, and that routes and files belong together. */
#include "puzzles.h"
#include "web/web.h"

/* Asks for a path; the caller clears the call. */
static void ask(struct api_call *call, const char *path, const char *match, const char *encoding)
{
    char allow[API_MAX_ALLOW];

    *call = (struct api_call){.id = "-", .if_none_match = match, .accept_encoding = encoding};
    call->route = api_route_find("GET", path, allow);
    ck_assert_ptr_nonnull(call->route);
    api_call_decode(call);
    ck_assert(api_call_run(call, 1));
    api_call_encode(call);
    ck_assert_uint_le(call->reply.header_count, API_MAX_HEADERS);
}

static const char *header(const struct api_call *call, const char *name)
{
    for (unsigned i = 0; i < call->reply.header_count; i++) {
        if (strcmp(call->reply.headers[i].name, name) == 0)
            return call->reply.headers[i].value;
    }
    return NULL;
}

static bool is_web(const struct api_route *route)
{
    return route->encode == web_asset_encode;
}

START_TEST(every_file_has_a_route_and_every_route_a_file)
{
    unsigned routes = 0;

    for (size_t i = 0; api_route_at(i) != NULL; i++)
        routes += is_web(api_route_at(i));
    ck_assert_uint_eq(routes, web_asset_count);
    for (size_t i = 0; i < web_asset_count; i++) {
        struct api_call call;
        ask(&call, web_assets[i].path, NULL, NULL);
        ck_assert_uint_eq(call.reply.status, 200);
        ck_assert_uint_eq(call.reply.body.length, web_assets[i].length);
        ck_assert_str_ne(call.reply.content_type, "");
        api_call_clear(&call);
    }
}
END_TEST

START_TEST(all_files_together_stay_under_60_kB)
{
    size_t total = 0;

    for (size_t i = 0; i < web_asset_count; i++)
        total += web_assets[i].length;
    ck_assert_uint_lt(total, 60000);
}
END_TEST

START_TEST(replies_carry_the_policy_and_are_revalidated)
{
    for (size_t i = 0; i < web_asset_count; i++) {
        struct api_call call;
        ask(&call, web_assets[i].path, NULL, NULL);
        const char *policy = header(&call, "Content-Security-Policy");
        ck_assert_ptr_nonnull(policy);
        ck_assert_ptr_nonnull(strstr(policy, "default-src 'none'"));
        ck_assert_ptr_nonnull(strstr(policy, "frame-ancestors 'none'")); /* it is not cut */
        ck_assert_ptr_null(strstr(policy, "unsafe"));
        ck_assert_ptr_null(strstr(policy, "http"));
        ck_assert_str_eq(header(&call, "Cache-Control"), "no-cache");
        ck_assert_str_eq(header(&call, "Vary"), "Accept-Encoding");
        ck_assert_str_eq(header(&call, "ETag"), web_assets[i].etag);
        ck_assert_int_eq(web_assets[i].etag[0], '"');
        api_call_clear(&call);
    }
}
END_TEST

START_TEST(gzip_goes_only_to_those_who_take_it)
{
    const struct {
        const char *accept;
        bool is_gzip;
    } rows[] = {
        {NULL, false},       {"", false},
        {"identity", false}, {"br", false},
        {"gzip;q=0", false}, {"gzip", true},
        {"GZIP", true},      {"gzip, deflate, br", true},
        {"x-gzips", false},  {"br, gzip;q=0.1", true},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct api_call call;
        ask(&call, "/", NULL, rows[i].accept);
        const char *encoding = header(&call, "Content-Encoding");
        ck_assert_msg((encoding != NULL) == rows[i].is_gzip, "%zu", i);
        if (rows[i].is_gzip) {
            ck_assert_str_eq(encoding, "gzip");
            ck_assert_int_eq(memcmp(call.reply.body.data, "\x1f\x8b\x08\0\0\0\0\0", 8), 0);
            ck_assert_str_eq(header(&call, "ETag"), web_assets[0].gzip_etag);
            ck_assert_str_ne(web_assets[0].gzip_etag, web_assets[0].etag);
            ck_assert_uint_lt(web_assets[0].gzip_length, web_assets[0].length);
        }
        api_call_clear(&call);
    }
}
END_TEST

START_TEST(a_known_tag_is_answered_304)
{
    const char *const etag = web_assets[0].etag;
    char list[128];
    char weak[64];
    struct api_call call;

    snprintf(list, sizeof list, "\"other\", %s", etag);
    snprintf(weak, sizeof weak, "W/%s", etag);
    const struct {
        const char *match;
        const char *accept;
        unsigned status;
    } rows[] = {
        {etag, NULL, 304}, {list, NULL, 304},        {weak, NULL, 304},
        {"*", NULL, 304},  {etag, "gzip", 200},      {web_assets[0].gzip_etag, "gzip", 304},
        {"", NULL, 200},   {"\"other\"", NULL, 200}, {"nonsense", NULL, 200},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ask(&call, "/", rows[i].match, rows[i].accept);
        ck_assert_msg(call.reply.status == rows[i].status, "%zu: %u", i, call.reply.status);
        ck_assert_ptr_nonnull(header(&call, "ETag"));
        api_call_clear(&call);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        every_file_has_a_route_and_every_route_a_file,
        all_files_together_stay_under_60_kB,
        replies_carry_the_policy_and_are_revalidated,
        gzip_goes_only_to_those_who_take_it,
        a_known_tag_is_answered_304,
    };

    return puzzles_run_suite("web", tests, sizeof tests / sizeof tests[0]);
}
