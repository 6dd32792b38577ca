/* Any query of a URI, and any form, is answered: with what was asked for, or with a problem that is
 * JSON; the same again when asked again, and 304 to who has the answer already. The first byte
 * chooses the endpoint, whether the text is the query, the form, or both, and what is accepted. */
#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool claim)
{
    if (!claim)
        abort();
}

enum { AS_QUERY = 1, AS_FORM = 2 };

/* The call that the first byte chooses. */
static struct api_call new_call(const struct api_service *service, uint8_t choice, unsigned *ret_as)
{
    static const unsigned ways[] = {AS_QUERY, AS_FORM, AS_QUERY | AS_FORM};
    static const char *const accepts[] = {NULL, "application/json", "text/plain", "*/*;q=0.1"};
    char allow[API_MAX_ALLOW];

    *ret_as = ways[choice / 2 % 3];
    return (struct api_call){
        .service = service,
        .route = api_route_find(*ret_as == AS_QUERY ? "GET" : "POST",
                                choice % 2 == 0 ? "/solve" : "/validate", allow),
        .id = "fuzz",
        .content_type = *ret_as == AS_QUERY ? NULL : "application/x-www-form-urlencoded",
        .accept = accepts[choice / 8 % 4],
    };
}

/* A copy of exactly its size, so that a sanitizer sees a look beyond it. */
static char *copy_of(const uint8_t *text, size_t size)
{
    char *copy = calloc(size + 1, 1); /* fields_read_form puts a NUL behind the last value */

    require(copy != NULL);
    if (size > 0)
        memcpy(copy, text, size);
    return copy;
}

/* False: the query can't be read, and nothing was asked. */
static bool ask(struct api_call *call, unsigned as, const uint8_t *text, size_t size)
{
    struct api_fields fields = {0};
    char *query = copy_of(text, size);
    const bool is_read = (as & AS_QUERY) == 0 || fields_read_form(query, size, &fields);

    if (is_read) {
        if ((as & AS_QUERY) != 0)
            call->query = &fields;
        if ((as & AS_FORM) != 0)
            buffer_put(&call->body, text, size);
        api_call_decode(call);
        call->query = NULL;
        while (!api_call_run(call, 10))
            continue;
        api_call_encode(call);
    }
    free(query);
    return is_read;
}

static void check_reply(const struct api_call *call)
{
    const struct api_reply *reply = &call->reply;

    require(reply->header_count <= API_MAX_HEADERS);
    require(reply->status == 200 || reply->status == 400 || reply->status == 406 ||
            reply->status == 413 || reply->status == 422);
    require((reply->status == 200) == (reply->problem == 0));
    if (call->batch != NULL || strcmp(reply->content_type, "text/plain; charset=utf-8") == 0)
        return;
    cJSON *json = cJSON_ParseWithLength(reply->body.data, reply->body.length);
    require(json != NULL);
    cJSON_Delete(json);
}

static const char *header(const struct api_reply *reply, const char *name)
{
    for (unsigned i = 0; i < reply->header_count; i++) {
        if (strcmp(reply->headers[i].name, name) == 0)
            return reply->headers[i].value;
    }
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct api_service service = {
        .engine = sudoku_engine_best(), .max_steps = 200, .default_steps = 50, .max_batch = 200};
    unsigned as;

    if (size == 0)
        return 0;
    struct api_call first = new_call(&service, data[0], &as);
    if (!ask(&first, as, data + 1, size - 1)) {
        api_call_clear(&first);
        return 0;
    }
    check_reply(&first);

    struct api_call again = new_call(&service, data[0], &as);
    again.if_none_match = header(&first.reply, "ETag");
    require(ask(&again, as, data + 1, size - 1));
    require(again.reply.body.length == first.reply.body.length);
    require(first.reply.body.length == 0 ||
            memcmp(again.reply.body.data, first.reply.body.data, first.reply.body.length) == 0);
    require(again.reply.status == (again.if_none_match == NULL ? first.reply.status : 304));
    api_call_clear(&again);
    api_call_clear(&first);
    return 0;
}
