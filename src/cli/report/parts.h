/* SPDX-License-Identifier: BSD-3-Clause */
/** The parts of the report. Each adds the facts that the profile has. */
#ifndef SRV_CLI_REPORT_PARTS_H
#define SRV_CLI_REPORT_PARTS_H

#include "cli/report/document.h"
#include "core/human.h"
#include "servet/node.h"

/** Adds the machine, and the time and the method of the measurement. */
void report_head(document *to, const servet_profile *profile, const servet_at *at);

/* --- warnings and doubts ---------------------------------------------------------------------- */

/** Adds the parts that the run left out, and its largest disturbance. */
void report_warn_run(document *to, const servet_profile *profile, const servet_at *at);

/** Adds warnings about the caches of the core type of at->core; `of` names the core type, "" if
 * there is only one. */
void report_warn_caches(document *to, const servet_profile *profile, const servet_at *at,
                        const char *of);

/** Adds differences and modes of facts that the cores of the node share, and doubts about any fact
 * of the node. */
void report_warn_node(document *to, const servet_profile *profile, const servet_at *at);

/** Adds warnings about communication. */
void report_warn_network(document *to, const servet_profile *profile);

/** Adds the parts of the node, or of communication, that are doubtful, with the reason of each. */
void report_doubts(document *to, const servet_profile *profile, const servet_at *at, bool of_job);

/** Add the facts with two modes, of a node and of communication. */
void report_modes_node(document *to, const servet_profile *profile, const servet_at *at);
void report_modes_network(document *to, const servet_profile *profile);

/* --- results ---------------------------------------------------------------------------------- */

/** Adds caches, their sharing and memory-level parallelism, of the core type of at->core. */
void report_caches(document *to, const servet_profile *profile, const servet_at *at,
                   const char *reason);

/** Adds the TLBs of the core type of at->core. */
void report_translation(document *to, const servet_profile *profile, const servet_at *at);

/** Adds cache lines and distances between cores. */
void report_distances(document *to, const servet_profile *profile, const servet_at *at);

/** Adds atomics, locks and barriers. */
void report_sync(document *to, const servet_profile *profile, const servet_at *at);

/** Adds the memory bandwidth of one core and of several, and NUMA nodes. */
void report_memory(document *to, const servet_profile *profile, const servet_at *at);

/** Adds the latency of memory by the bandwidth that other cores move. */
void report_loaded(document *to, const servet_profile *profile, const servet_at *at);

/** Peak rates of floating-point operations, and ridge points. */
void report_peaks(document *to, const servet_profile *profile, const servet_at *at);

/** Accelerators: their links, copies at once, and copies between them. */
void report_accelerators(document *to, const servet_profile *profile, const servet_at *at);

/** Writes "4 cores": the number that saturates the memory of the node (level 0) or of a group of an
 * overhead level; "4 cores or more" if no larger number was measured. */
void report_saturation(const servet_profile *profile, const servet_at *at, int level, int cores,
                       char text[HUMAN_MAX]);

/** Adds a section about communication, with its warnings, which is the same for all classes;
 * nothing if it was not measured. */
void report_network(document *to, const servet_profile *profile);

/** Adds a line with the facts that were not measured, for the reason `reason` (or NULL), and a line
 * with the facts that have fewer measurements than planned because of the time limit. `at` names
 * one core, or means all. */
void report_missing(document *to, const servet_profile *profile, const servet_at *at,
                    const char *reason);

/** Adds such lines about communication: facts that the time limit left out, and messages that would
 * take too long. */
void report_missing_network(document *to, const servet_profile *profile, int layers);

#endif
