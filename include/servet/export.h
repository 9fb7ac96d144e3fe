/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Export of profiles to other tools (library servet_measure).
 *
 * Format hwloc-xml is a topology of hwloc with measured values, for lstopo, hwloc-info and every
 * program that uses hwloc. It has the units of hwloc:
 *
 * - infos of cache objects, of which the n-th that holds data, seen from a PU, is level n:
 *   "Servet:Kind", "Servet:Size:B" with "Servet:SizeLow:B" and "Servet:SizeHigh:B",
 *   "Servet:Latency:ns", "Servet:Bandwidth:B/s" of one core, "Servet:Verdict". Their values are the
 *   texts of servet_profile_get(); what was not measured is left out. "Servet:NotTrusted" lists
 *   those that are not trusted.
 * - distances between PUs: "Servet:LineLatency:ps" is the time to read a line that another core has
 *   modified, "Servet:MessageLatency:ps" and "Servet:MessageBandwidth:MiB/s" are those of messages
 *   of servet_network.message_bytes within the node. One matrix for each set of cores of which all
 *   pairs were measured; 0 from a core to itself.
 * - memory attributes, from the PUs of one NUMA node to the memory of another: hwloc's Latency (ns,
 *   of a load), and CoreReadBandwidth (MiB/s, of one core); hwloc's Bandwidth (MiB/s) is the best
 *   total copy bandwidth of the cores of a NUMA node on local memory.
 */
#ifndef SERVET_EXPORT_H
#define SERVET_EXPORT_H

#include <stdio.h>
#include "servet/network.h"
#include "servet/node.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The formats: name. */
#define SERVET_EXPORT_LIST(X) X(SERVET_EXPORT_HWLOC_XML, "hwloc-xml")

#define SERVET_EXPORT_ENUM_(name, text) name,
typedef enum servet_export_format {
    SERVET_EXPORT_LIST(SERVET_EXPORT_ENUM_) SERVET_EXPORT_COUNT
} servet_export_format;
#undef SERVET_EXPORT_ENUM_

/** The format's name ("hwloc-xml"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_export_name(servet_export_format format);

/** An export. */
typedef struct servet_export_request {
    servet_export_format format;
    const char *node_class; /**< the node class; NULL: the class of this node */
    /**
     * its topology: an XML file of hwloc, or a description as `lstopo --input` accepts it, "pack:2
     * core:4 pu:2"; NULL: that of this node
     */
    const char *topology;
} servet_export_request;

/**
 * Writes the facts of a node class to `stream`, which the caller flushes. hwloc works in a child
 * process (fork()) of 1 GiB of memory and a minute of processor time, for it may die of a file that
 * others wrote; a file has 16 MiB at most. Errors: SERVET_EARGUMENT
 * (no such format), SERVET_ERANGE (no such class), SERVET_EOTHER (no class is this node's, and none
 * was named), SERVET_ENOTFOUND and SERVET_EFORMAT (the topology), SERVET_EMACHINE (the profile does
 * not match this topology: the text says why), SERVET_EUNMEASURED (the profile has no facts that
 * the format can express), SERVET_EUNSUPPORTED (built with hwloc older than 2.5), SERVET_EIO,
 * SERVET_EMEMORY.
 */
SERVET_API int servet_export_write(const servet_profile *profile,
                                   const servet_export_request *request, FILE *stream,
                                   servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
