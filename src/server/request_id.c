#include "request_id.h"

#include <stdbool.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "api/buffer.h"

void request_ids_init(struct request_ids *ids)
{
    if (getrandom(&ids->seed, sizeof ids->seed, 0) != (ssize_t)sizeof ids->seed)
        ids->seed = (uint64_t)time(NULL);
    atomic_init(&ids->next, 0);
}

/* A permutation of 64 bits whose outputs look random (the finalizer of SplitMix64, Steele, Lea and
 * Flood 2014), so that ids differ for sure and do not tell how many there were. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

void request_id_take(struct request_ids *ids, const char *offered, char ret[REQUEST_ID_MAX])
{
    static const char sane[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

    if (offered != NULL) {
        const size_t length = strlen(offered);
        if (length > 0 && length < REQUEST_ID_MAX && strspn(offered, sane) == length) {
            memcpy(ret, offered, length + 1);
            return;
        }
    }
    buffer_print_hex(mix(ids->seed + atomic_fetch_add(&ids->next, 1)), ret);
    ret[BUFFER_HEX] = '\0';
}

/* 00-(32 hex digits)-(16)-(2), in small letters. */
void trace_take(const char *offered, char ret[TRACE_SIZE])
{
    static const char shape[] = "00-hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh-hhhhhhhhhhhhhhhh-hh";

    ret[0] = '\0';
    if (offered == NULL || strlen(offered) != sizeof shape - 1)
        return;
    for (size_t i = 0; i < sizeof shape - 1; i++) {
        const bool is_hex = strchr("0123456789abcdef", offered[i]) != NULL;
        if (shape[i] == 'h' ? !is_hex : shape[i] != offered[i])
            return;
    }
    memcpy(ret, offered, sizeof shape);
}
