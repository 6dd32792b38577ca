/* Names with values, as a query string and a form have them. */
#ifndef SUDOKU_API_FIELDS_H
#define SUDOKU_API_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

struct api_field {
    const char *name;
    const char *value; /* has a NUL behind it; NULL where there is no = */
    size_t value_length;
};

/* More are not needed by any request, and are refused. */
enum { API_MAX_FIELDS = 16 };

struct api_fields {
    size_t count; /* may be more than are kept */
    struct api_field field[API_MAX_FIELDS];
};

void fields_add(struct api_fields *fields, struct api_field field);

/* Takes apart a body of application/x-www-form-urlencoded, in place: + and %XX are replaced, and
 * NULs written behind names and values. `text` has a NUL behind its length. False: a % without two
 * hexadecimal digits, or an encoded NUL. */
bool fields_read_form(char *text, size_t length, struct api_fields *ret_fields);

#endif
