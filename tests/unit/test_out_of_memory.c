/* Out of memory at every allocation in turn: the call is answered 503, or its buffer says that it
 * failed; nothing crashes, nothing leaks. Linked with --wrap for the functions of malloc, which
 * reaches our own code; cJSON is given the same ones by its hooks. */
#include <stdio.h>
#include <stdlib.h>

#include "api/api.h"
#include "support_json.h"

/* Only what happens while a call is worked on is counted and fails: Check allocates too. */
static bool is_watching;
static long left = -1; /* allocations until one fails; -1: none does */
static bool keeps_failing;
static bool has_failed;
static long blocks; /* allocated and not freed */

static bool may_allocate(void)
{
    if (!is_watching || left < 0)
        return true;
    if (left == 0) {
        has_failed = true;
        if (!keeps_failing)
            left = -1;
        return false;
    }
    left--;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

static void *counted(void *block)
{
    blocks += is_watching && block != NULL;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return may_allocate() ? counted(__real_malloc(size)) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may_allocate() ? counted(__real_calloc(count, size)) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    if (!may_allocate())
        return NULL;
    void *moved = __real_realloc(block, size);
    blocks += is_watching && moved != NULL && block == NULL;
    return moved;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return may_allocate() ? counted(__real_aligned_alloc(alignment, size)) : NULL;
}

char *__wrap_strdup(const char *text)
{
    return may_allocate() ? counted(__real_strdup(text)) : NULL;
}

void __wrap_free(void *block)
{
    blocks -= is_watching && block != NULL;
    __real_free(block);
}

static void use_counted_memory(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = __wrap_malloc, .free_fn = __wrap_free});
}

static void use_plain_memory(void)
{
    is_watching = false;
    cJSON_InitHooks(NULL);
}

/* From now on the n-th allocation fails, and all after it or none of them; -1: all are had. */
static void watch(long n, bool and_all_after)
{
    left = n;
    keeps_failing = and_all_after;
    has_failed = false;
    is_watching = true;
}

static void stop_watching(void)
{
    is_watching = false;
}

static struct api_service service = {
    .engine = &sudoku_reference_engine, .max_steps = 1000, .default_steps = 1000, .max_batch = 100};

static const struct {
    const char *path;
    const char *content_type;
    const char *body;
    unsigned status; /* with all the memory there is */
} calls[] = {
    {"/solve", "application/json", "{\"puzzle\":\"" EASY "\"}", 200},
    {"/solve", "application/json",
     "[[5,3,0,0,7,0,0,0,0],[6,0,0,1,9,5,0,0,0],[0,9,8,0,0,0,0,6,0],[8,0,0,0,6,0,0,0,3],"
     "[4,0,0,8,0,3,0,0,1],[7,0,0,0,2,0,0,0,6],[0,6,0,0,0,0,2,8,0],[0,0,0,4,1,9,0,0,5],"
     "[0,0,0,0,8,0,0,7,9]]",
     200},
    {"/solve", "application/json",
     "{\"puzzle\":\"" TWO "\",\"solutions\":true,\"max_solutions\":100}", 200},
    {"/solve", "application/json",
     "{\"puzzle\":\"" EMPTY "\",\"solutions\":true,\"max_solutions\":20}", 200},
    {"/solve", "application/json", "{\"puzzle\":\"" NONE "\"}", 200},
    {"/solve", "application/json", "{\"puzzle\":\"" BROKEN "\"}", 422},
    {"/solve", "application/json", "{\"puzzle\":[[true,true,true],[],[],[],[],[]],\"x\":1}", 422},
    {"/solve", "application/json", "{\"puzzle\":\"" EASY "\",\"puzzle\":1}", 400},
    {"/solve", "application/xml", "<puzzle/>", 415},
    {"/solve", "text/plain", EASY, 200},
    {"/solve", "text/plain", NONE, 200},
    {"/validate", "application/json", "{\"puzzle\":\"" BROKEN "\"}", 200},
    {"/validate", "text/plain", EASY, 200},
    {"/solve", "application/x-www-form-urlencoded", "puzzle=" EASY "&max_solutions=3", 200},
    {"/solve", "application/x-www-form-urlencoded", "puzzle=" EASY "&puzzle=" EASY, 400},
    {"/solve", "application/json", "{\"puzzles\":[\"" EASY "\",\"" NONE "\",7]}", 200},
    {"/solve", "application/json", "{\"puzzles\":[\"" EASY "\"],\"max_solution\":1}", 422},
    {"/solve", "application/x-ndjson", "{\"puzzle\":\"" EASY "\"}\n{\"puzzle\":[]}\n", 200},
    {"/validate", "text/plain", EASY "\n" BROKEN "\n5\n", 200},
    {"/solve?puzzle=" EASY, NULL, "", 200},
    {"/validate?puzzle=" BROKEN, NULL, "", 200},
    {"/solve?puzzle=5", NULL, "", 422},
    {"/livez", NULL, "", 200},
    {"/readyz", NULL, "", 503},
    {"/openapi.yaml", NULL, "", 200},
};

/* The path, and the puzzle behind it. */
static void take_path(const char *path, char ret_path[32], struct api_fields *ret_query)
{
    const size_t length = strcspn(path, "?");

    memcpy(ret_path, path, length);
    ret_path[length] = '\0';
    if (path[length] != '\0') {
        const char *value = strchr(path, '=') + 1;
        fields_add(ret_query, (struct api_field){"puzzle", value, strlen(value)});
    }
}

/* Of a call with many puzzles it makes the head of the answer; tests/http/test_faults.c has the
 * rest. */
static void run_call(struct api_call *call, size_t i)
{
    char allow[API_MAX_ALLOW];
    char path[32];
    struct api_fields query = {0};

    *call = (struct api_call){
        .service = &service,
        .id = "id-1",
        .content_type = calls[i].content_type,
    };
    take_path(calls[i].path, path, &query);
    call->query = &query;
    call->route = api_route_find(calls[i].content_type == NULL ? "GET" : "POST", path, allow);
    if (calls[i].body[0] != '\0')
        buffer_put(&call->body, calls[i].body, strlen(calls[i].body));
    api_call_decode(call);
    while (!api_call_run(call, 100))
        continue;
    api_call_encode(call);
}

/* The reply is that of a call with memory, or the problem, or one that must not be sent. */
static void assert_replied(const struct api_call *call, size_t i)
{
    if (call->reply.body.failed)
        return;
    if (call->reply.status == calls[i].status && !has_failed)
        return;
    ck_assert_uint_eq(call->reply.status, 503);
    cJSON *json = json_of(call->reply.body.data, call->reply.body.length);
    ck_assert_str_eq(json_text(json, "type"), "/problems/out-of-memory");
    ck_assert_str_eq(json_text(json, "instance"), "id-1");
    cJSON_Delete(json);
}

START_TEST(with_memory_each_call_is_answered)
{
    struct api_call call;

    watch(-1, false);
    run_call(&call, (size_t)_i);
    stop_watching();
    ck_assert(!call.reply.body.failed);
    ck_assert_uint_eq(call.reply.status, calls[_i].status);
    watch(-1, false);
    api_call_clear(&call);
    stop_watching();
    ck_assert_int_eq(blocks, 0);
}
END_TEST

/* Lets the n-th allocation of a call fail. False: it has not so many. */
static bool meets_end_of_memory(size_t i, long n, bool and_all_after, unsigned *refused)
{
    struct api_call call;

    watch(n, and_all_after);
    run_call(&call, i);
    stop_watching();
    const bool is_met = has_failed;
    assert_replied(&call, i);
    *refused += is_met && !call.reply.body.failed;

    /* What a server can still do: put a problem in place of what there is. */
    watch(-1, false);
    api_call_refuse_with(&call, PROBLEM_OUT_OF_MEMORY, "No memory to answer with.");
    stop_watching();
    ck_assert(!call.reply.body.failed);
    ck_assert_uint_eq(call.reply.status, 503);

    watch(-1, false);
    api_call_clear(&call);
    stop_watching();
    ck_assert_int_eq(blocks, 0);
    return is_met;
}

START_TEST(a_call_meets_the_end_of_memory_at_each_allocation)
{
    for (int and_all_after = 0; and_all_after <= 1; and_all_after++) {
        unsigned refused = 0;
        long n = 0;

        while (meets_end_of_memory((size_t)_i, n, and_all_after != 0, &refused))
            n++;
        ck_assert_int_gt(n, 0); /* at least the body of the reply */
        /* Where the memory comes back, what failed before the reply is told in the reply. */
        if (calls[_i].status == 200 && calls[_i].content_type != NULL && !and_all_after)
            ck_assert_uint_gt(refused, 0);
        if (and_all_after)
            ck_assert_uint_eq(refused, 0);
    }
}
END_TEST

/* Growing fails: what was there is still there, and still freed. */
START_TEST(a_buffer_that_cannot_grow_keeps_what_it_has)
{
    for (long n = 0; n < 6; n++) {
        struct buffer buffer = {0};

        watch(n, false);
        for (unsigned i = 0; i < 20000; i++)
            buffer_put_uint(&buffer, i % 10);
        stop_watching();
        ck_assert(buffer.failed);
        ck_assert(has_failed);
        ck_assert_uint_eq(buffer.length, buffer.capacity); /* it was full, and stays so */
        for (size_t i = 0; i < buffer.length; i++)
            ck_assert_int_eq(buffer.data[i], (char)('0' + i % 10));
        watch(-1, false);
        buffer_clear(&buffer);
        stop_watching();
        ck_assert_int_eq(blocks, 0);
    }
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("out_of_memory", &tests);
    const int count = sizeof calls / sizeof calls[0];

    tcase_add_checked_fixture(tests, use_counted_memory, use_plain_memory);
    tcase_add_loop_test(tests, with_memory_each_call_is_answered, 0, count);
    tcase_add_loop_test(tests, a_call_meets_the_end_of_memory_at_each_allocation, 0, count);
    tcase_add_test(tests, a_buffer_that_cannot_grow_keeps_what_it_has);
    return run_suite(suite);
}
