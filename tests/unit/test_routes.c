/* Which route a request takes, and what is said of those that take none. */
#include "api/api.h"

#include "support.h"

static const struct {
    const char *method;
    const char *path;
    const char *route; /* method of the route; NULL: none */
    const char *allow;
} requests[] = {
    {"POST", "/solve", "POST", ""},
    {"POST", "/validate", "POST", ""},
    {"GET", "/solve", "GET", ""},
    {"HEAD", "/solve", "GET", ""},
    {"GET", "/validate", "GET", ""},
    {"GET", "/livez", "GET", ""},
    {"GET", "/readyz", "GET", ""},
    {"GET", "/openapi.yaml", "GET", ""},
    {"HEAD", "/livez", "GET", ""},
    {"HEAD", "/readyz", "GET", ""},
    {"HEAD", "/openapi.yaml", "GET", ""},

    {"PUT", "/validate", NULL, "OPTIONS, POST, GET, HEAD"},
    {"OPTIONS", "/solve", NULL, "OPTIONS, POST, GET, HEAD"},
    {"POST", "/livez", NULL, "OPTIONS, GET, HEAD"},
    {"DELETE", "/readyz", NULL, "OPTIONS, GET, HEAD"},
    {"PATCH", "/openapi.yaml", NULL, "OPTIONS, GET, HEAD"},
    {"post", "/solve", NULL, "OPTIONS, POST, GET, HEAD"},
    {"get", "/livez", NULL, "OPTIONS, GET, HEAD"},
    {"head", "/livez", NULL, "OPTIONS, GET, HEAD"},
    {"POSTS", "/solve", NULL, "OPTIONS, POST, GET, HEAD"},
    {"POS", "/solve", NULL, "OPTIONS, POST, GET, HEAD"},
    {"", "/solve", NULL, "OPTIONS, POST, GET, HEAD"},

    {"GET", "/", "GET", ""},
    {"GET", "", NULL, ""},
    {"POST", "/solve/", NULL, ""},
    {"POST", "//solve", NULL, ""},
    {"POST", "solve", NULL, ""},
    {"POST", "/Solve", NULL, ""},
    {"POST", "/solv", NULL, ""},
    {"POST", "/solves", NULL, ""},
    {"POST", "/solve?x", NULL, ""},
    {"POST", "/./solve", NULL, ""},
    {"GET", "/openapi.yml", NULL, ""},
    {"HEAD", "/nothing", NULL, ""},
};

START_TEST(a_request_finds_its_route_or_what_the_path_allows)
{
    char allow[API_MAX_ALLOW] = "left from before";
    const struct api_route *route = api_route_find(requests[_i].method, requests[_i].path, allow);

    if (requests[_i].route == NULL) {
        ck_assert_ptr_null(route);
        ck_assert_str_eq(allow, requests[_i].allow);
    } else {
        ck_assert_ptr_nonnull(route);
        ck_assert_str_eq(route->method, requests[_i].route);
        ck_assert_str_eq(route->path, requests[_i].path);
    }
}
END_TEST

START_TEST(every_route_of_the_table_is_found_by_its_method_and_path)
{
    char allow[API_MAX_ALLOW];
    size_t count = 0;

    for (const struct api_route *route; (route = api_route_at(count)) != NULL; count++)
        ck_assert_ptr_eq(api_route_find(route->method, route->path, allow), route);
    ck_assert_uint_ge(count, 5);
    ck_assert_ptr_null(api_route_at(count + 1));
    ck_assert_ptr_null(api_route_at(SIZE_MAX));
}
END_TEST

START_TEST(every_route_of_the_table_can_be_answered)
{
    for (size_t i = 0; api_route_at(i) != NULL; i++) {
        const struct api_route *route = api_route_at(i);
        ck_assert_int_eq(route->path[0], '/');
        ck_assert_msg((route->encode != NULL) == (route->endpoint == NULL),
                      "%s %s: either takes a puzzle or answers by itself", route->method,
                      route->path);
        ck_assert(strcmp(route->method, "GET") == 0 || route->endpoint != NULL);
    }
}
END_TEST

START_TEST(a_method_that_no_path_takes_is_told_what_each_allows)
{
    for (size_t i = 0; api_route_at(i) != NULL; i++) {
        const struct api_route *route = api_route_at(i);
        char allow[API_MAX_ALLOW];
        ck_assert_ptr_null(api_route_find("BREW", route->path, allow));
        ck_assert_ptr_nonnull(strstr(allow, route->method));
        ck_assert_int_eq(strstr(allow, "HEAD") != NULL, strstr(allow, "GET") != NULL);
    }
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("routes", &tests);

    tcase_add_loop_test(tests, a_request_finds_its_route_or_what_the_path_allows, 0,
                        sizeof requests / sizeof requests[0]);
    tcase_add_test(tests, every_route_of_the_table_is_found_by_its_method_and_path);
    tcase_add_test(tests, every_route_of_the_table_can_be_answered);
    tcase_add_test(tests, a_method_that_no_path_takes_is_told_what_each_allows);
    return run_suite(suite);
}
