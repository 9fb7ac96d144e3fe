/* SPDX-License-Identifier: BSD-3-Clause */
/** Data of a run that a family of facts of a node needs. */
#ifndef SRV_RUN_STAGE_H
#define SRV_RUN_STAGE_H

#include "core/findings.h"
#include "run/repeats.h"
#include "sample/sampler.h"
#include "servet/measure.h"
#include "servet/record.h"

typedef struct srv_slot {
    double from, to; /**< share of the whole work (0..1) at its start and end: for progress */
    double until;    /**< when it must end, on the clock of what is probed, in seconds; 0 or
                          INFINITY: no limit */
    bool *cut;       /**< becomes true where something is left out for lack of time; may be NULL */
    srv_repeats *repeats; /**< of the whole run, taken wherever progress is reported; NULL: none */
} srv_slot;

/** The part between two shares (0..1) of its work and of the time that is left to it. */
srv_slot srv_slot_part(const srv_slot *slot, double now, double from, double to);

/** Sends a repeat that is due, and returns the share (0..1) of the whole work that is done,
 * `within` (0..1) of the slot. */
double srv_slot_done(const srv_slot *slot, double within);

/** Least ratio of the largest working set to the smallest: an octave has a few points. */
enum { SRV_RANGE_MIN = 2 };

/** Errors: SERVET_EARGUMENT for options that make no sense. */
int srv_check_options(const servet_measure_options *options, servet_error *error);

/** Share (0..1) of the memory this job may use that working sets of one core take at most. */
#define SRV_MEMORY_SHARE_MAX 0.25

/** The part of a measurement that a benchmark is. */
typedef struct srv_stage {
    srv_machine *machine;
    const servet_measure_options *options;
    const char *name; /**< of the core kind, for messages and raw files */
    srv_slot slot;
} srv_stage;

/** The part of a stage between two shares (0..1) of its work and of the time that is left to it. */
srv_stage srv_stage_part(const srv_stage *stage, double from, double to);

/** Destination of facts: a class whose core types are in the profile. */
typedef struct srv_stage_place {
    servet_profile *profile;
    int node_class;
} srv_stage_place;

/** A benchmark's part of a run of a node, see srv_benchmark.run. */
typedef int srv_node_stage(const srv_stage *stage, const srv_stage_place *place,
                           servet_error *error);

struct srv_network_job;

/** A benchmark's part of a run of a job. */
typedef int srv_network_stage(struct srv_network_job *job, servet_error *error);

/** The account of the stage's findings about a level. */
srv_account srv_stage_account(const srv_stage *stage, servet_topic topic, int level);

/** When the stage must end; what is left out because of it is noted in the stage. */
srv_deadline srv_stage_deadline(const srv_stage *stage);

/** Seconds until then; INFINITY where there is no limit. */
double srv_stage_left(const srv_stage *stage);

/** True if there is time for `seconds`; if not, that is noted. */
bool srv_stage_fits(const srv_stage *stage, double seconds);

/** Reports what is being measured, `within` (0..1) of the stage; non-zero ends the measurement. */
int srv_stage_progress(const srv_stage *stage, const char *what, double within);

enum { SRV_TASK_MAX = 64 };

/** A benchmark of a stage. */
typedef struct srv_stage_task {
    srv_stage stage;
    char what[SRV_TASK_MAX]; /**< is measured: its progress begins with that */
} srv_stage_task;

/** Limit and progress of a task, which must stay valid. */
srv_sampler srv_stage_sampler(srv_stage_task *task);

#endif
