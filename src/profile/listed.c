/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the class that lists a host. */
#include "profile/hosts.h"
#include "profile/types.h"

static bool class_lists(const srv_class *class, const char *host)
{
    char *const *nodes = class->nodes.items;
    for (int i = 0; i < class->nodes.count; i++)
        if (srv_same_host(nodes[i], host))
            return true;
    return false;
}

static int search_class(const servet_profile *profile, const char *host)
{
    const srv_class *classes = profile->classes.items;
    for (int i = 0; i < profile->classes.count; i++)
        if (class_lists(&classes[i], host))
            return i;
    return -1;
}

int servet_profile_class_of(const servet_profile *profile, const char *host, int *index)
{
    int found = profile->class_hosts ? srv_hosts_find(profile->class_hosts, host)
                                     : search_class(profile, host);
    if (found < 0)
        return SERVET_ENOTFOUND;
    *index = found;
    return SERVET_OK;
}
