#include "cache.h"

#include <string.h>

enum { ETAG_SIZE = BUFFER_HEX + 3 }; /* two quotes and a NUL */

/* An answer's own bytes name it, on any server. Eight at a time, the first of them lowest, are
 * mixed in and spread over all bits, in two steps that can be undone: texts that differ in one such
 * word only never have the same name. */
static uint64_t mix(uint64_t hash, const char *bytes, size_t size)
{
    uint64_t word = 0;

    for (size_t i = 0; i < size; i++)
        word |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static void make_etag(const struct buffer *body, char ret[ETAG_SIZE])
{
    enum { WORD = 8 };
    const char *at = body->data;
    size_t left = body->length;
    uint64_t hash = left;

    for (; left >= WORD; at += WORD, left -= WORD)
        hash = mix(hash, at, WORD);
    hash = mix(mix(hash, at, left), NULL, 0);
    ret[0] = '"';
    buffer_print_hex(hash, ret + 1);
    memcpy(ret + 1 + BUFFER_HEX, "\"", sizeof "\"");
}

/* Whether an If-None-Match names the tag; weak tags match too, as RFC 9110 has it. A * is the whole
 * header, or part of somebody's tag. */
static bool names(const char *header, const char *etag)
{
    const size_t length = strlen(etag);

    if (header[strspn(header, " \t")] == '*')
        return true;
    for (const char *at = header; *at != '\0';) {
        at += strspn(at, " \t,");
        if (strncmp(at, "W/", 2) == 0)
            at += 2;
        if (strncmp(at, etag, length) == 0)
            return true;
        at += strcspn(at, ",");
    }
    return false;
}

bool cache_is_known(const struct api_call *call, const char *etag)
{
    return call->if_none_match != NULL && names(call->if_none_match, etag);
}

void cache_keep(struct api_call *call)
{
    char etag[ETAG_SIZE];

    /* The body of a 304 stays: it is not sent, but Content-Length has to be that of the 200. */
    make_etag(&call->reply.body, etag);
    api_call_add_made_header(call, "ETag", etag);
    api_call_add_header(call, "Cache-Control", "public, max-age=86400");
    if (cache_is_known(call, etag)) {
        call->reply.status = 304;
        call->reply.content_type = NULL;
    }
}

void cache_forbid(struct api_call *call)
{
    api_call_add_header(call, "Cache-Control", "no-store");
}
