#include "http_chars.h"

/* A letter for each set of kinds that some character is of. */
enum {
    O = 0,
    V = HTTP_CHAR_VALUE,
    S = V | HTTP_CHAR_TOKEN, /* # */
    G = V | HTTP_CHAR_TARGET,
    H = G | HTTP_CHAR_HOST,
    T = G | HTTP_CHAR_TOKEN,
    N = T | H, /* of names: what both take */
    X = N | HTTP_CHAR_HEX,
};

const uint8_t http_chars[256] = {
    O, O, O, O, O, O, O, O, O, V, O, O, O, O, O, O, /* 00 */
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, /* 10 */
    V, N, G, S, N, N, N, N, H, H, N, N, G, N, N, G, /* 20  !"#$%&'()*+,-./ */
    X, X, X, X, X, X, X, X, X, X, G, H, G, H, G, G, /* 30  0 to 9 :;<=>? */
    G, X, X, X, X, X, X, N, N, N, N, N, N, N, N, N, /* 40  @ A to O */
    N, N, N, N, N, N, N, N, N, N, N, G, G, G, T, N, /* 50  P to Z [\]^_ */
    T, X, X, X, X, X, X, N, N, N, N, N, N, N, N, N, /* 60  ` a to o */
    N, N, N, N, N, N, N, N, N, N, N, G, T, G, N, O, /* 70  p to z {|}~ */
    G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, /* 80 */
    G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, /* 90 */
    G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, /* a0 */
    G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, /* b0 */
    G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, /* c0 */
    G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, /* d0 */
    G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, /* e0 */
    G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, G, /* f0 */
};
