/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Export of profiles to other tools (library servet_measure).
 *
 * Format hwloc-xml is a topology of hwloc with measured values, for lstopo, hwloc-info and every
 * program that uses hwloc. It has the units of hwloc:
 *
 * - infos of cache objects: "Servet:Kind", "Servet:Size:B" with "Servet:SizeLow:B" and
 *   "Servet:SizeHigh:B", "Servet:Latency:ns", "Servet:Bandwidth:B/s" of one core, "Servet:Verdict".
 *   Level n is the n-th data cache on the way from a PU to memory. Values are the texts of
 *   servet_profile_get(); facts that were not measured are left out. "Servet:NotTrusted" lists the
 *   infos that are not trusted.
 * - distances between PUs: "Servet:LineLatency:ps" is the time to read a line that another core has
 *   modified. "Servet:MessageLatency:ps" and "Servet:MessageBandwidth:MiB/s" are the latency and
 * the bandwidth of a message of servet_network.message_bytes within the node. There is a matrix for
 *   each set of cores of which all pairs were measured, with 0 from a core to itself.
 * - memory attributes, from the PUs of one NUMA node to the memory of another: hwloc's Latency (ns,
 *   of a load), and CoreReadBandwidth (MiB/s, of one core); hwloc's Bandwidth (MiB/s) is the best
 *   total copy bandwidth of the cores of a NUMA node on local memory.
 *
 * Format slurm-topology is the network of the job that measured, for Slurm: topology.conf (a tree),
 * and topology.yaml (the same tree, and its leaves as blocks). Its leaf switches are the groups of
 * nodes of the fastest trusted communication layer between nodes, its other switches those of the
 * slower layers. Every node of the profile appears: nodes that were not measured are under a
 * separate leaf.
 *
 * Format reframe is a node class for ReFrame: processor.json (processor information, for the folder
 * _meta/SYSTEM-PARTITION) with the measured caches, and reference.py with references of performance
 * tests. A threshold is the bad end of the fact's 95 % interval, as a share of its value: that is
 * the uncertainty of the median over the moments of one run, not how much later runs differ.
 *
 * Format sys-sage is for three importers of sys-sage: topology.xml as hwloc-xml, numa.csv (latency
 * and bandwidth of memory of NUMA nodes), cores.csv (latency between cores).
 *
 * Format clustercockpit is cluster.json, with a subcluster for each node class: peak rates of all
 * cores in double precision, bandwidth of memory. The request must name the cluster. The schema
 * demands a metric, whose thresholds are 0.
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
#define SERVET_EXPORT_LIST(X)                                                                      \
    X(SERVET_EXPORT_HWLOC_XML, "hwloc-xml")                                                        \
    X(SERVET_EXPORT_SLURM_TOPOLOGY, "slurm-topology")                                              \
    X(SERVET_EXPORT_REFRAME, "reframe")                                                            \
    X(SERVET_EXPORT_SYS_SAGE, "sys-sage")                                                          \
    X(SERVET_EXPORT_CLUSTERCOCKPIT, "clustercockpit")

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
     * the node's topology: an XML file of hwloc, or a description that `lstopo --input` accepts,
     * "pack:2 core:4 pu:2"; NULL: the topology of this node
     */
    const char *topology;
    int file; /**< number of the format's file, see servet_export_file() */
    /** more nodes of the cluster, as Slurm writes them: "node[01-64],login1"; NULL: none */
    const char *nodes;
    const char *cluster; /**< name of the cluster, as Slurm's ClusterName; for clustercockpit */
} servet_export_request;

/** Name of file `file` (from 0) of a format ("topology.conf"); NULL outside. Most formats have one.
 * Static storage. */
SERVET_API const char *servet_export_file(servet_export_format format, int file);

/**
 * Writes a file of the format to `stream`, and flushes it. The stream gets the complete file; after
 * an error other than SERVET_EIO it got nothing. A topology is a file of at most 16 MiB that hwloc
 * reads in this process: a damaged one may crash it. Errors:
 * SERVET_EARGUMENT (no such format or file, or the format needs the name of the cluster),
 * SERVET_ERANGE (no such class), SERVET_EOTHER (no class is this node's, and none was named),
 * SERVET_ENOTFOUND and SERVET_EFORMAT (the topology; SERVET_EFORMAT also for `nodes`),
 * SERVET_EMACHINE (the profile does not match this topology: the text says why), SERVET_EUNMEASURED
 * (the profile has no facts that the format can express), SERVET_EUNSUPPORTED (built with hwloc
 * older than 2.5; the format cannot express what was measured), SERVET_EIO (the stream took only a
 * part, or nothing), SERVET_EMEMORY.
 */
SERVET_API int servet_export_write(const servet_profile *profile,
                                   const servet_export_request *request, FILE *stream,
                                   servet_error *error);

/**
 * Compares the export with the file at `path`, which the site uses. Writes the differences as lines
 * for people to `stream`, and stores in `*differences` the number of nodes that the file has under
 * another switch or not at all. Only slurm-topology can be compared, with a topology.conf or with
 * the first topology of a topology.yaml. Each measured leaf is compared with the leaf switch of the
 * file that has most of its nodes. Errors: those of servet_export_write() and of reading the file,
 * SERVET_EFORMAT (the file has no switches), SERVET_EUNSUPPORTED (another format).
 */
SERVET_API int servet_export_compare(const servet_profile *profile,
                                     const servet_export_request *request, const char *path,
                                     FILE *stream, int *differences, servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
