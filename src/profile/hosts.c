/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds host names by two hashes: of the whole name, and of the part before the first dot. */
#include "profile/hosts.h"

#include <stdlib.h>
#include <string.h>

/* Some systems report "node7", others "node7.cluster.org", and profiles are copied between them. */
bool srv_same_host(const char *a, const char *b)
{
    size_t short_a = strcspn(a, "."), short_b = strcspn(b, ".");
    if (a[short_a] && b[short_b])
        return strcmp(a, b) == 0;
    return short_a == short_b && strncmp(a, b, short_a) == 0;
}

/* The keys: whole names, and names of hosts, which end at the first dot. */
typedef enum key_kind { WHOLE, HOST } key_kind;

/* A key, whose text belongs to the caller, and the first name that has it. */
typedef struct slot {
    const char *name; /* NULL: free */
    size_t length;
    key_kind kind;
    int number, order;
} slot;

struct srv_hosts {
    int count;
    size_t size; /* a power of two, more than twice the number of keys */
    slot slots[];
};

/* FNV-1a: names of nodes differ in few characters at their ends. */
static size_t hash(const slot *key)
{
    size_t value = 2166136261u + key->kind;
    for (size_t i = 0; i < key->length; i++)
        value = (value ^ (unsigned char)key->name[i]) * 16777619u;
    return value;
}

static bool is_key(const slot *a, const slot *b)
{
    return a->kind == b->kind && a->length == b->length && memcmp(a->name, b->name, a->length) == 0;
}

/* Returns the slot that has the key, or a free slot for it. */
static size_t place_of(const srv_hosts *hosts, const slot *key)
{
    size_t at = hash(key) & (hosts->size - 1);
    while (hosts->slots[at].name && !is_key(&hosts->slots[at], key))
        at = (at + 1) & (hosts->size - 1);
    return at;
}

srv_hosts *srv_hosts_create(int names)
{
    size_t size = 4;
    while (size < 4 * (size_t)names + 2)
        size *= 2;
    srv_hosts *hosts = calloc(1, sizeof *hosts + size * sizeof *hosts->slots);
    if (hosts)
        hosts->size = size;
    return hosts;
}

static slot key_of(const char *name, key_kind kind)
{
    return (slot){
        .name = name, .length = kind == WHOLE ? strlen(name) : strcspn(name, "."), .kind = kind};
}

/* Equal names, and names of the same host, share a slot, so that look-ups stay short. */
void srv_hosts_add(srv_hosts *hosts, const char *name, int number)
{
    int order = hosts->count++;
    for (int kind = WHOLE; kind <= HOST; kind++) {
        slot key = key_of(name, (key_kind)kind);
        slot *place = &hosts->slots[place_of(hosts, &key)];
        key.number = number;
        key.order = order;
        if (!place->name)
            *place = key;
    }
}

static const slot *look_up(const srv_hosts *hosts, slot key)
{
    const slot *found = &hosts->slots[place_of(hosts, &key)];
    return found->name ? found : NULL;
}

/* A name with a domain matches the same name, or the name without a domain. */
int srv_hosts_find(const srv_hosts *hosts, const char *host)
{
    slot short_name = key_of(host, HOST);
    if (!host[short_name.length]) {
        const slot *any = look_up(hosts, short_name);
        return any ? any->number : -1;
    }
    short_name.kind = WHOLE;
    const slot *same = look_up(hosts, key_of(host, WHOLE)), *bare = look_up(hosts, short_name);
    if (!same || (bare && bare->order < same->order))
        same = bare;
    return same ? same->number : -1;
}

void srv_hosts_destroy(srv_hosts *hosts)
{
    free(hosts);
}
