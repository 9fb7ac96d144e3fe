/* SPDX-License-Identifier: BSD-3-Clause */
/** A placement as a site: seat r is where rank r is. */
#ifndef SRV_MAP_VIEW_H
#define SRV_MAP_VIEW_H

#include "map/map.h"
#include "map/site.h"

/** The job's first node of a class, whose cores those of all its nodes are like; -1 for none. */
int srv_job_node_like(const servet_profile *profile, int node_class);

/** The site of a placement; srv_site_finish() also after a failure. Errors: those of
 *  srv_site_begin(). */
int srv_view_begin(srv_site *site, const servet_map *map, const servet_profile *profile,
                   servet_error *error);

#endif
