/* SPDX-License-Identifier: BSD-3-Clause */
/** Lists of host names as Slurm writes them: "node[01-04,07],rack[0-1]n[0-7],login1". */
#ifndef SRV_EXPORT_HOST_LIST_H
#define SRV_EXPORT_HOST_LIST_H

#include <stdio.h>
#include "core/error.h"

/** Receives a name and copies it; an error ends the reading. */
typedef int srv_host_taker(const char *name, void *context);

/**
 * Calls `take` for each name of the list, in its order. Errors: SERVET_EFORMAT (no such list, a
 * name of SERVET_NAME_MAX characters and more, a range of more than SERVET_RANKS_MAX), those of
 * `take`.
 */
int srv_host_list_read(const char *list, srv_host_taker *take, void *context, servet_error *error);

/** Compares names by their numbers: "n9" comes before "n10". The result is like that of strcmp().
 */
int srv_host_order(const char *a, const char *b);

/** Writes different names that are ordered by srv_host_order(). Neighbours that differ in their
 * last number become a range. */
void srv_host_list_write(const char *const *names, int count, FILE *stream);

#endif
