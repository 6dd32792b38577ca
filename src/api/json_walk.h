/* The outline of a JSON text: where the members of an object or the elements of an array begin and
 * end. Each piece is then read by itself, and none need be parsed as a whole document.
 *
 * The text must have passed json_strict_check and have a NUL behind it: nothing is checked here. */
#ifndef SUDOKU_API_JSON_WALK_H
#define SUDOKU_API_JSON_WALK_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of a text: one JSON value, without the white space around it. */
struct json_piece {
    const char *text;
    size_t length;
};

/* Where the value begins that the text holds: without looking for its end. */
const char *json_walk_start(const char *text);

/* That value. */
struct json_piece json_walk_root(const char *text);

/* A place in an array or object, before its next element or member. */
struct json_walk {
    const char *at;
    bool is_object;
};

struct json_walk json_walk_into(const char *container);

/* Goes to the next one. False: there is no more. `ret_name` is a member's name as it is written, in
 * quotes; not written for an array. */
bool json_walk_next(struct json_walk *walk, struct json_piece *ret_name,
                    struct json_piece *ret_value);

#endif
