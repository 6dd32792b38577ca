/* GET /livez, /readyz and /openapi.yaml: what a load balancer and a reader of the API ask. */
#include "cache.h"
#include "endpoints.h"
#include "openapi.h"

void livez_encode(struct api_call *call)
{
    call->reply.status = 200;
    call->reply.content_type = "application/json";
    buffer_put_text(&call->reply.body, "{\"status\":\"live\"}\n");
    cache_forbid(call);
}

void readyz_encode(struct api_call *call)
{
    if (!atomic_load(&call->service->is_ready)) {
        api_call_refuse_with(call, PROBLEM_SHUTTING_DOWN,
                             "Send no new requests here; those already sent are being answered.");
        return;
    }
    call->reply.status = 200;
    call->reply.content_type = "application/json";
    buffer_put_text(&call->reply.body, "{\"status\":\"ready\"}\n");
    cache_forbid(call);
}

void openapi_encode(struct api_call *call)
{
    call->reply.status = 200;
    call->reply.content_type = "application/yaml";
    buffer_put(&call->reply.body, openapi_yaml, openapi_yaml_length);
    cache_keep(call);
}
