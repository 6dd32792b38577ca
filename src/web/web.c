/* GET / and the files of the page. */
#include "web.h"

#include <string.h>

#include "api/accept.h"
#include "api/cache.h"

/* Nothing but what this server itself sends may run, be shown or be asked. */
static const char policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
                             "img-src 'self'; connect-src 'self'; base-uri 'none'; "
                             "form-action 'none'; frame-ancestors 'none'";

static const struct web_asset *find_asset(const char *path)
{
    for (size_t i = 0; i < web_asset_count; i++) {
        if (strcmp(web_assets[i].path, path) == 0)
            return &web_assets[i];
    }
    return NULL;
}

/* Whether a client takes gzip. One that does not say so is not taken to. */
static bool takes_gzip(const char *accept_encoding)
{
    static const char *const offers[] = {"gzip"};

    return accept_encoding != NULL && accept_encoding[0] != '\0' &&
           accept_choose(accept_encoding, offers, 1) == 0;
}

void web_asset_encode(struct api_call *call)
{
    const struct web_asset *asset = find_asset(call->route->path);

    if (asset == NULL) {
        api_call_refuse_with(call, PROBLEM_NOT_FOUND, "This server was built without that file.");
        return;
    }
    const bool is_gzip = asset->gzip != NULL && takes_gzip(call->accept_encoding);
    const char *etag = is_gzip ? asset->gzip_etag : asset->etag;

    call->reply.status = 200;
    call->reply.content_type = asset->content_type;
    api_call_add_header(call, "ETag", etag);
    api_call_add_header(call, "Cache-Control", "no-cache");
    api_call_add_header(call, "Vary", "Accept-Encoding");
    api_call_add_header(call, "Content-Security-Policy", policy);
    api_call_add_header(call, "Referrer-Policy", "no-referrer");
    /* The body is for its length then, as with HEAD; libmicrohttpd sends none. */
    if (cache_is_known(call, etag)) {
        call->reply.status = 304;
        call->reply.content_type = NULL;
    }
    if (is_gzip) {
        api_call_add_header(call, "Content-Encoding", "gzip");
        buffer_put(&call->reply.body, asset->gzip, asset->gzip_length);
    } else {
        buffer_put(&call->reply.body, asset->bytes, asset->length);
    }
}
