/* SPDX-License-Identifier: BSD-3-Clause */
/** Filling a table of host names; profile/index.h has the rest of it. */
#ifndef SRV_PROFILE_HOSTS_H
#define SRV_PROFILE_HOSTS_H

#include "profile/index.h"

/** Room for so many names; NULL without memory. */
srv_hosts *srv_hosts_create(int names);

/** Adds a name, which must outlive the table. */
void srv_hosts_add(srv_hosts *hosts, const char *name, int number);

#endif
