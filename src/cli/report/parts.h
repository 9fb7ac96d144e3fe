/* SPDX-License-Identifier: BSD-3-Clause */
/** The parts of the report. Each adds what the profile knows, and nothing of what it does not. */
#ifndef SRV_CLI_REPORT_PARTS_H
#define SRV_CLI_REPORT_PARTS_H

#include "cli/report/document.h"
#include "core/human.h"
#include "servet/node.h"

/** The machine, and when and how it was measured. */
void report_head(document *to, const servet_profile *profile, const servet_at *at);

/* --- warnings and doubts --- */

/** Parts that the run left out, and its largest disturbance. */
void report_warn_run(document *to, const servet_profile *profile, const servet_at *at);

/** Caches of the kind of at->core; `of` names the kind, "" if there is only one. */
void report_warn_caches(document *to, const servet_profile *profile, const servet_at *at,
                        const char *of);

/** Differences and modes of facts that the cores of the node share, and doubts about any of its
 * facts.
 */
void report_warn_node(document *to, const servet_profile *profile, const servet_at *at);

/** Communication. */
void report_warn_network(document *to, const servet_profile *profile);

/** The parts of the node or of communication that are doubtful, with the reason of each. */
void report_doubts(document *to, const servet_profile *profile, const servet_at *at, bool of_job);

/** Facts that were seen in two modes, of a node and of communication. */
void report_modes_node(document *to, const servet_profile *profile, const servet_at *at);
void report_modes_network(document *to, const servet_profile *profile);

/* --- what was measured --- */

/** Caches, their sharing and memory-level parallelism, of the kind of at->core. */
void report_caches(document *to, const servet_profile *profile, const servet_at *at,
                   const char *reason);

/** TLBs, of the kind of at->core. */
void report_translation(document *to, const servet_profile *profile, const servet_at *at);

/** Lines and distances between cores. */
void report_distances(document *to, const servet_profile *profile, const servet_at *at);

/** Memory of one core, of several, and of NUMA nodes. */
void report_memory(document *to, const servet_profile *profile, const servet_at *at);

/** Peak rates of floating-point operations, and ridge points. */
void report_peaks(document *to, const servet_profile *profile, const servet_at *at);

/** "4 cores": how many saturate the memory of the node (level 0) or of a group of an overhead
 * level; "4 cores or more" where no more were measured at once. */
void report_saturation(const servet_profile *profile, const servet_at *at, int level, int cores,
                       char text[HUMAN_MAX]);

/** Communication: a section with its warnings, the same for all classes; nothing if the profile has
 * none. */
void report_network(document *to, const servet_profile *profile);

/** In a line each, what was not measured, `reason` being the cause, or NULL, and what the time
 * limit left fewer measurements of than planned. `at` names one core, or means all. */
void report_missing(document *to, const servet_profile *profile, const servet_at *at,
                    const char *reason);

/** The same of communication, where the time limit omitted it, or a single message would take long.
 */
void report_missing_network(document *to, const servet_profile *profile, int layers);

#endif
