/* SPDX-License-Identifier: BSD-3-Clause */
/** Raw files of visits, for people and plots. */
#ifndef SRV_FACTS_CACHE_RAW_VISITS_H
#define SRV_FACTS_CACHE_RAW_VISITS_H

#include "stats/visits.h"

/** Writes the visits (share/doc/measuring.md has the columns). Errors: SERVET_EIO. */
int srv_visits_write(const char *path, const srv_visits *visits, servet_error *error);

#endif
