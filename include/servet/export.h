/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What a profile says in the language of other tools (library servet_measure).
 *
 * hwloc-xml is a topology of hwloc with what was measured on it, for every program that uses hwloc,
 * and for lstopo and hwloc-info. It is written in the units that hwloc has:
 *
 * - distances between PUs: "Servet:LineLatency:ps" is the time of a line from the core that modified
 *   it, "Servet:MessageLatency:ps" and "Servet:MessageBandwidth:MiB/s" are those of messages of
 *   servet_network.message_bytes within the node. One matrix for each set of cores of which all pairs
 *   are known; 0 from a core to itself.
 * - memory attributes, from the PUs of one NUMA node to the memory of another: hwloc's Latency (ns,
 *   of a load), and CoreReadBandwidth (MiB/s, of one core); hwloc's Bandwidth (MiB/s) is the best
 *   that cores of a NUMA node got together from their own memory, copying.
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

/** The format's name ("hwloc-xml"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_export_name(servet_export_format format);

/** What is to be written. */
typedef struct servet_export_request {
    servet_export_format format;
    const char *node_class; /**< whose facts; NULL: the class of this node */
    const char *topology;   /**< of the machine: an XML file of hwloc's, or a description as `lstopo
                                 --input` takes it, "pack:2 core:4 pu:2"; NULL: this node */
} servet_export_request;

/**
 * Writes what the profile says of a node class to `stream`, which the caller flushes. Errors:
 * SERVET_EARGUMENT (no format), SERVET_ERANGE (no such class), SERVET_EOTHER (none of this node), SERVET_ENOTFOUND and SERVET_EFORMAT
 * (the topology), SERVET_EMACHINE (the profile is not of a machine with this topology: the text says
 * why), SERVET_EUNMEASURED (nothing is known that could be written), SERVET_EUNSUPPORTED (built
 * with an hwloc before 2.5), SERVET_EIO, SERVET_EMEMORY.
 */
SERVET_API int servet_export_write(const servet_profile *profile,
                                   const servet_export_request *request, FILE *stream,
                                   servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
