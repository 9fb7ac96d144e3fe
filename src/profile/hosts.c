/* SPDX-License-Identifier: BSD-3-Clause */
/* Host names by a hash of what comes before their first dot. */
#include "profile/hosts.h"

#include <stdlib.h>
#include <string.h>

/* Some systems give "node7", some "node7.cluster.org", and profiles are copied between them. */
bool srv_same_host(const char *a, const char *b)
{
    size_t short_a = strcspn(a, "."), short_b = strcspn(b, ".");
    if (a[short_a] && b[short_b])
        return strcmp(a, b) == 0;
    return short_a == short_b && strncmp(a, b, short_a) == 0;
}

/* A name, which is not ours, and its number. */
typedef struct slot {
    const char *name; /* NULL: free */
    int number;
} slot;

struct srv_hosts {
    size_t size; /* a power of two, more than twice the names */
    slot slots[];
};

/* FNV-1a: names of nodes differ in few characters at their ends. */
static size_t hash(const char *name)
{
    size_t value = 2166136261u;
    for (; *name && *name != '.'; name++)
        value = (value ^ (unsigned char)*name) * 16777619u;
    return value;
}

srv_hosts *srv_hosts_create(int names)
{
    size_t size = 4;
    while (size < 2 * (size_t)names + 2)
        size *= 2;
    srv_hosts *hosts = calloc(1, sizeof *hosts + size * sizeof *hosts->slots);
    if (hosts)
        hosts->size = size;
    return hosts;
}

/* Names of one hash follow each other in the order in which they were added. */
void srv_hosts_add(srv_hosts *hosts, const char *name, int number)
{
    size_t at = hash(name);
    while (hosts->slots[at & (hosts->size - 1)].name)
        at++;
    hosts->slots[at & (hosts->size - 1)] = (slot){name, number};
}

int srv_hosts_find(const srv_hosts *hosts, const char *host)
{
    for (size_t at = hash(host);; at++) {
        const slot *found = &hosts->slots[at & (hosts->size - 1)];
        if (!found->name)
            return -1;
        if (srv_same_host(found->name, host))
            return found->number;
    }
}

void srv_hosts_destroy(srv_hosts *hosts)
{
    free(hosts);
}
