/* Responses of the library that are used again.
 *
 * The library allocates each header of a response three times, and an answer has eleven of them, of
 * which two or three differ from one answer to the next: half of what it did for a request was this
 * (tests/load/README.md). So the responses that have been sent are kept, and one with the same
 * names of headers and the same length of the body gets the values and the bytes that differ. */
#ifndef SUDOKU_SERVER_HTTP_RESPONSES_H
#define SUDOKU_SERVER_HTTP_RESPONSES_H

#include <microhttpd.h>
#include <stddef.h>

struct api_header;
struct http_response;

/* A body with more bytes is not worth a copy. */
enum { HTTP_RESPONSE_MAX_BODY = 1024 };

/* Those of one thread that are not being sent; zeros: none. */
struct http_responses {
    struct http_response *first; /* the one that was sent last */
    unsigned count;
};

void http_responses_clear(struct http_responses *responses);

/* A response with these headers, whose names must outlive it, and this body; the rest is copied.
 * NULL: out of memory, or the library does not take a header. */
struct http_response *http_responses_take(struct http_responses *responses,
                                          const struct api_header *headers, unsigned count,
                                          const char *body, size_t size);

/* For MHD_queue_response. */
struct MHD_Response *http_response_get(const struct http_response *response);

/* When the library has told that the request is completed: it does not look at the response again.
 */
void http_responses_put_back(struct http_responses *responses, struct http_response *response);

#endif
