/* Any body of any type, and any fields, are answered: with what was asked for, or with a problem
 * that is JSON. The first byte chooses the endpoint, the type and what is accepted. */
#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/batch.h"
#include "api/decode.h"
#include "api/plain_grid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool claim)
{
    if (!claim)
        abort();
}

static const char *const types[] = {
    "application/json",
    "application/x-ndjson",
    "text/plain",
    "application/x-www-form-urlencoded",
};
static const char *const accepts[] = {NULL, "application/json", "text/plain", "*/*;q=0.1"};

static struct api_call new_call(const struct api_service *service, uint8_t choice)
{
    char allow[API_MAX_ALLOW];

    return (struct api_call){
        .service = service,
        .route = api_route_find("POST", choice % 2 == 0 ? "/solve" : "/validate", allow),
        .id = "fuzz",
        .content_type = types[choice / 2 % 4],
        .accept = accepts[choice / 8 % 4],
    };
}

/* Works a batch off as a stream does. */
static void run_batch(struct api_call *call)
{
    struct api_block *block = calloc(1, sizeof *block);

    require(block != NULL);
    while (batch_cut(call->batch, block)) {
        while (!batch_is_done(block)) {
            if (batch_run(block, 500))
                block->out.length = 0;
            require(!block->out.failed);
        }
    }
    batch_block_clear(block);
    free(block);
}

static void require_json(const struct buffer *body)
{
    cJSON *json = cJSON_ParseWithLength(body->data, body->length);

    require(json != NULL);
    cJSON_Delete(json);
}

/* What the lean reader takes means the same to the others. */
static void compare_readers(const struct api_service *service, const struct buffer *body)
{
    struct sudoku_grid plain;
    enum api_form form;
    struct api_ask ask;
    struct problem problem;
    struct ask_reading reading;
    const char *puzzles;

    if (!plain_grid_read_request(body->data, body->length, &plain, &form))
        return;
    ask_begin(&reading, service, ASK_PUZZLE, &ask, &problem);
    require(decode_json_check(body->data, body->length, &problem) &&
            decode_json_request(body->data, body->length, &reading, &puzzles) && puzzles == NULL &&
            ask_end(&reading));
    require(memcmp(&plain, &ask.puzzle, sizeof plain) == 0 && form == ask.form);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct api_service service = {
        .engine = sudoku_engine_best(), .max_steps = 200, .default_steps = 50, .max_batch = 200};

    if (size == 0)
        return 0;
    struct api_call call = new_call(&service, data[0]);
    buffer_put(&call.body, data + 1, size - 1);
    buffer_put(&call.body, "", 1);
    require(!call.body.failed);
    call.body.length--;
    compare_readers(&service, &call.body);
    api_call_decode(&call);
    while (!api_call_run(&call, 10))
        continue;
    api_call_encode(&call);
    require(call.reply.header_count <= API_MAX_HEADERS);
    if (call.batch != NULL)
        run_batch(&call);
    else if (strcmp(call.reply.content_type, "text/plain; charset=utf-8") != 0)
        require_json(&call.reply.body);
    require(call.reply.status == 200 || call.reply.status == 400 || call.reply.status == 406 ||
            call.reply.status == 413 || call.reply.status == 422);
    api_call_clear(&call);
    return 0;
}
