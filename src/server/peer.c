#include "peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

/* An IPv4 address as its number: where IPv6 has it too, behind a prefix that no network has. */
static uint64_t number_of_v4(uint32_t network_order)
{
    return UINT64_C(0xffff) << 32 | ntohl(network_order);
}

static uint64_t number_of_v6(const struct in6_addr *address)
{
    uint64_t number = 0;
    uint32_t v4;

    if (IN6_IS_ADDR_V4MAPPED(address)) {
        memcpy(&v4, &address->s6_addr[12], sizeof v4);
        return number_of_v4(v4);
    }
    for (size_t i = 0; i < sizeof number; i++)
        number = number << 8 | address->s6_addr[i];
    return number;
}

uint64_t peer_number(const struct sockaddr *address)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    if (address != NULL && address->sa_family == AF_INET) {
        memcpy(&v4, address, sizeof v4);
        return number_of_v4(v4.sin_addr.s_addr);
    }
    if (address != NULL && address->sa_family == AF_INET6) {
        memcpy(&v6, address, sizeof v6);
        return number_of_v6(&v6.sin6_addr);
    }
    return UINT64_MAX;
}

/* Where a port begins, or the text ends: behind brackets, or a colon that is the only one. */
static size_t address_length(const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);

    if (length > 0 && text[0] == '[') {
        const char *end = memchr(text, ']', length);
        return end == NULL ? 0 : (size_t)(end - text);
    }
    if (colon == NULL || memchr(colon + 1, ':', length - (size_t)(colon + 1 - text)) != NULL)
        return length;
    return (size_t)(colon - text);
}

bool peer_read_last(const char *list, uint64_t *ret_number)
{
    static const char blanks[] = " \t";
    const char *last = strrchr(list, ',');
    char address[INET6_ADDRSTRLEN];
    struct in_addr v4;
    struct in6_addr v6;

    last = last == NULL ? list : last + 1;
    last += strspn(last, blanks);
    const size_t length = address_length(last, strcspn(last, blanks));
    const size_t bracket = last[0] == '[' && length > 0;
    if (length >= sizeof address)
        return false;
    memcpy(address, last + bracket, length - bracket);
    address[length - bracket] = '\0';
    if (bracket == 0 && inet_pton(AF_INET, address, &v4) == 1)
        *ret_number = number_of_v4(v4.s_addr);
    else if (inet_pton(AF_INET6, address, &v6) == 1)
        *ret_number = number_of_v6(&v6);
    else
        return false;
    return true;
}
