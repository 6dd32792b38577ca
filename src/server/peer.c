#include "peer.h"

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
