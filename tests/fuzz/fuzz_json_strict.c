/* What the strict check accepts cJSON can read; what it refuses has a fault inside the text, on the
 * line and in the column its offset says, and nothing wrong before it. */
#include "api/json_strict.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool claim)
{
    if (!claim)
        abort();
}

/* A copy of exactly length bytes, so that one read too many is seen. */
static char *copy_bytes(const uint8_t *data, size_t length)
{
    char *const copy = malloc(length > 0 ? length : 1);

    require(copy != NULL);
    if (length > 0)
        memcpy(copy, data, length);
    return copy;
}

static void require_cjson_reads(const char *text, size_t length)
{
    char *const terminated = malloc(length + 1);

    require(terminated != NULL);
    memcpy(terminated, text, length);
    terminated[length] = '\0';
    cJSON *const value = cJSON_ParseWithLengthOpts(terminated, length + 1, NULL, 1);
    require(value != NULL);
    cJSON_Delete(value);
    free(terminated);
}

/* Counted backwards from the fault, unlike in the check itself. */
static void require_position(const char *text, const struct json_fault *fault)
{
    unsigned line = 1;
    unsigned column = 1;

    for (size_t i = fault->offset; i > 0; i--) {
        const unsigned char byte = (unsigned char)text[i - 1];
        if (byte == '\n')
            line++;
        else if (line == 1 && (byte < 0x80 || byte >= 0xC0))
            column++;
    }
    require(fault->line == line);
    require(fault->column == column);
}

/* The text up to a fault is at worst too short, or has an escaped NUL to report. */
static void require_good_before(const uint8_t *data, size_t length)
{
    char *const text = copy_bytes(data, length);
    struct json_fault fault;

    require(json_strict_check(text, length, &fault) || fault.offset == length || fault.is_json);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = copy_bytes(data, size);
    struct json_fault fault;

    if (json_strict_check(text, size, &fault)) {
        require_cjson_reads(text, size);
    } else {
        require(fault.offset <= size);
        require(fault.reason[0] != '\0' && strpbrk(fault.reason, "\"\\") == NULL);
        require_position(text, &fault);
        require_good_before(data, fault.offset);
        if (fault.is_json)
            require_cjson_reads(text, size);
    }
    free(text);
    return 0;
}
