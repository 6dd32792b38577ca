#include "http_responses.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"

/* How many are kept: of the kinds of answers that a thread gives, and of those it gives at once. */
enum { MAX_KEPT = 32 };

/* What a value may grow to. */
enum { ROOM = 48 };

struct http_response {
    struct http_response *next;
    struct MHD_Response *response;
    size_t size;
    char *body;
    unsigned count;
    struct header {
        const char *name;
        char *value; /* what the library has */
        size_t room; /* for it, with its NUL */
    } headers[];
};

static void destroy(struct http_response *response)
{
    if (response->response != NULL)
        MHD_destroy_response(response->response);
    free(response);
}

static size_t room_for(const char *value)
{
    const size_t length = strlen(value);

    return (length < ROOM ? ROOM : length) + 1;
}

/* Takes a header over, with the room for its value. */
static bool take_header(struct http_response *response, struct header *header,
                        const struct api_header *from, char *room)
{
    *header = (struct header){.name = from->name, .value = room, .room = room_for(from->value)};
    memcpy(room, from->value, strlen(from->value) + 1);
    return MHD_add_response_header(response->response, from->name, from->value) == MHD_YES;
}

/* The body and the values lie behind it. */
static struct http_response *create(const struct api_header *headers, unsigned count, size_t size)
{
    size_t room = sizeof(struct http_response) + count * sizeof(struct header) + size;

    for (unsigned i = 0; i < count; i++)
        room += room_for(headers[i].value);
    struct http_response *response = malloc(room);
    if (response == NULL)
        return NULL;
    response->next = NULL;
    response->size = size;
    response->count = count;
    response->body = (char *)&response->headers[count];
    response->response =
        MHD_create_response_from_buffer(size, response->body, MHD_RESPMEM_PERSISTENT);
    char *text = response->body + size;
    bool is_whole = response->response != NULL;
    for (unsigned i = 0; i < count && is_whole; i++) {
        is_whole = take_header(response, &response->headers[i], &headers[i], text);
        text += response->headers[i].room;
    }
    if (is_whole)
        return response;
    destroy(response);
    return NULL;
}

static bool fits(const struct http_response *response, const struct api_header *headers,
                 unsigned count, size_t size)
{
    if (response->size != size || response->count != count)
        return false;
    for (unsigned i = 0; i < count; i++) {
        const char *name = response->headers[i].name;
        if (name != headers[i].name && strcmp(name, headers[i].name) != 0)
            return false;
    }
    return true;
}

/* Gives a header the value, if it has another. False: there is no room, or no memory. */
static bool set_value(struct http_response *response, struct header *header, const char *value)
{
    if (strcmp(header->value, value) == 0)
        return true;
    const size_t size = strlen(value) + 1;
    if (size > header->room ||
        MHD_del_response_header(response->response, header->name, header->value) != MHD_YES ||
        MHD_add_response_header(response->response, header->name, value) != MHD_YES)
        return false;
    memcpy(header->value, value, size);
    return true;
}

static bool change(struct http_response *response, const struct api_header *headers)
{
    for (unsigned i = 0; i < response->count; i++) {
        if (!set_value(response, &response->headers[i], headers[i].value))
            return false;
    }
    return true;
}

/* Takes one out that fits and can be changed to these headers; NULL: there is none. */
static struct http_response *find(struct http_responses *responses,
                                  const struct api_header *headers, unsigned count, size_t size)
{
    struct http_response **at = &responses->first;

    while (*at != NULL && !fits(*at, headers, count, size))
        at = &(*at)->next;
    struct http_response *found = *at;
    if (found == NULL)
        return NULL;
    *at = found->next;
    responses->count--;
    if (change(found, headers))
        return found;
    destroy(found);
    return NULL;
}

struct http_response *http_responses_take(struct http_responses *responses,
                                          const struct api_header *headers, unsigned count,
                                          const char *body, size_t size)
{
    struct http_response *response = find(responses, headers, count, size);

    if (response == NULL)
        response = create(headers, count, size);
    if (response != NULL && size > 0)
        memcpy(response->body, body, size);
    return response;
}

struct MHD_Response *http_response_get(const struct http_response *response)
{
    return response->response;
}

/* The one that was not used for longest makes room. */
static void drop_last(struct http_responses *responses)
{
    struct http_response **at = &responses->first;

    while ((*at)->next != NULL)
        at = &(*at)->next;
    destroy(*at);
    *at = NULL;
    responses->count--;
}

void http_responses_put_back(struct http_responses *responses, struct http_response *response)
{
    if (responses->count == MAX_KEPT)
        drop_last(responses);
    response->next = responses->first;
    responses->first = response;
    responses->count++;
}

void http_responses_clear(struct http_responses *responses)
{
    while (responses->first != NULL) {
        struct http_response *response = responses->first;
        responses->first = response->next;
        destroy(response);
    }
    responses->count = 0;
}
