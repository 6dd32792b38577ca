/* The target of a request, as it was sent: what is wrong with it, and where its path begins. */
#ifndef SUDOKU_SERVER_HTTP_TARGET_H
#define SUDOKU_SERVER_HTTP_TARGET_H

#include <stdbool.h>
#include <stddef.h>

/* RFC 9112 asks for 8,000 bytes of target. Each argument of a query takes memory of the connection;
 * when that ends in the middle of a query, the library neither answers nor closes. */
enum { HTTP_TARGET_MAX = 8000, HTTP_TARGET_MAX_ARGUMENTS = 64 };

struct http_target {
    const char *text; /* the caller's; the library decodes it in place later */
    size_t length;
    const char *fault;    /* in words; NULL: none */
    bool is_too_long;     /* in bytes or arguments */
    size_t origin_length; /* of a scheme and a host before the path */
};

void http_target_read(const char *text, struct http_target *ret);

/* The length of the host and port that a text begins with; 0 for none, or one that is not valid. */
size_t http_target_host_length(const char *text);

#endif
