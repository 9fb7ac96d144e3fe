/* SPDX-License-Identifier: BSD-3-Clause */
/** A hash table of host names, with and without their domain, and their numbers. */
#ifndef SRV_PROFILE_HOSTS_H
#define SRV_PROFILE_HOSTS_H

#include <stdbool.h>

typedef struct srv_hosts srv_hosts;

/** True if two host names are the same; a name without a domain matches any domain. */
bool srv_same_host(const char *a, const char *b);

/** Creates a table with room for `names` names; NULL without memory. */
srv_hosts *srv_hosts_create(int names);

/** Adds a name, which must outlive the table. */
void srv_hosts_add(srv_hosts *hosts, const char *name, int number);

/** The number of the first name that matches `host`; -1 for none. */
int srv_hosts_find(const srv_hosts *hosts, const char *host);

/** Frees the table. NULL does nothing. */
void srv_hosts_destroy(srv_hosts *hosts);

#endif
