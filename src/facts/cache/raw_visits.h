/* SPDX-License-Identifier: BSD-3-Clause */
/** Raw files of visits, in the order of time: the data for later decisions. */
#ifndef SRV_FACTS_CACHE_RAW_VISITS_H
#define SRV_FACTS_CACHE_RAW_VISITS_H

#include "stats/visits.h"

/** Writes the visits (share/doc/measuring.md has the columns). Errors: SERVET_EIO. */
int srv_visits_write(const char *path, const srv_visits *visits, servet_error *error);

/** Reads a file of srv_visits_write(), and verifies it. The caller frees. Errors: SERVET_ENOTFOUND,
 * SERVET_EIO, SERVET_EFORMAT (with file and line), SERVET_EMEMORY. */
int srv_visits_read(const char *path, srv_visits *visits, servet_error *error);

#endif
