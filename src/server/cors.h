/* Calls from pages of other origins: the CORS protocol of the Fetch standard, without credentials.
 */
#ifndef SUDOKU_SERVER_CORS_H
#define SUDOKU_SERVER_CORS_H

/* What Access-Control-Allow-Origin has to say to a page of `origin` (NULL: the request names none).
 * `allowed` is "*", "none", or origins separated by commas. NULL: nothing, the page may not read
 * the answer. */
const char *cors_allow_origin(const char *allowed, const char *origin);

/* What a page may read of an answer, send with a request, and for how long (in seconds) it may
 * remember that. */
extern const char cors_exposed_headers[];
extern const char cors_allowed_headers[];
extern const char cors_max_age[];

#endif
