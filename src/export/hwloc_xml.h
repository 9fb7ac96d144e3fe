/* SPDX-License-Identifier: BSD-3-Clause */
/** A topology of hwloc's, and the additions from a profile. */
#ifndef SRV_EXPORT_HWLOC_XML_H
#define SRV_EXPORT_HWLOC_XML_H

#include "machine/hardware/topology.h"
#include "servet/export.h"

/** A topology, and where it comes from. */
typedef struct srv_export {
    hwloc_topology_t topology;
    srv_topology here; /**< the topology of this node; zeroed: that of another node is exported */
    const servet_profile *profile;
    servet_at at; /**< the class */
    int facts;    /**< added so far */
    servet_error *error;
} srv_export;

/** Makes a file from a topology and writes it. */
typedef int srv_export_maker(srv_export *on, FILE *stream);

/**
 * Loads the topology that the request names, checks that the class of the profile matches it, and
 * calls `make`. Errors: as servet_export_write().
 */
int srv_export_on_topology(const servet_profile *profile, const servet_export_request *request,
                           srv_export_maker *make, FILE *stream, servet_error *error);

/** Adds infos to the caches that were measured. Errors: SERVET_EMEMORY. */
int srv_export_caches(srv_export *on);

/** Adds the distances between PUs. Errors: SERVET_EMEMORY, SERVET_EMACHINE. */
int srv_export_distances(srv_export *on);

/** Adds the memory attributes. Errors: SERVET_EMEMORY, SERVET_EMACHINE. */
int srv_export_memory(srv_export *on);

/** Converts a set ("0-3,8") for hwloc; the caller frees it. NULL without memory. */
hwloc_bitmap_t srv_export_set(const char *cores);

#endif
