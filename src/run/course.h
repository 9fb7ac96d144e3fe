/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The course of a run, of a node or a job: the benchmarks of a plan, one after the other within the
 * budget, samples of noise in between, the profile kept after each, and at the end the results of
 * other moments.
 *
 *     plan --row--> course --slot--> stage of the row --probes--> network or machine
 *                     |                  `--facts--> profile
 *                     `--noise: facts in doubt--------^
 */
#ifndef SRV_RUN_COURSE_H
#define SRV_RUN_COURSE_H

#include "run/noise_monitor.h"
#include "run/plan.h"
#include "servet/record.h"

typedef struct srv_course srv_course;

/** The difference between the run of a node and that of a job. */
typedef struct srv_course_ops {
    /** Measures the facts of a benchmark into the profile. */
    int (*measure)(srv_course *on, const srv_benchmark *row, const srv_slot *slot,
                   servet_error *error);
    /** Notes in the profile that they are there. */
    int (*note)(srv_course *on, const srv_benchmark *row, servet_error *error);
    /** Takes over, into on->now, what costs depend on. */
    void (*learn)(srv_course *on);
    /** Marks facts of a benchmark that noise makes doubtful; NULL row: those of the end, whose
     * repeats a node drops. */
    int (*doubt)(srv_course *on, const srv_benchmark *row, servet_error *error);
    /** Stores the profile so far; a run can continue from it after a kill. */
    int (*keep)(srv_course *on, servet_error *error);
    /** The benchmarks (1u << id) with facts that make the profile unfit, `*facts` of them. For
     * srv_course_look_again() alone. */
    int (*doubtful)(srv_course *on, unsigned *benchmarks, int *facts, servet_error *error);
    /** True if on->profile lacks or doubts a part that programs use, and that an earlier profile
     * has and trusts. For srv_course_look_again() alone. */
    bool (*loses)(srv_course *on, const servet_profile *earlier);
    /** True if what others rest on is as in an earlier profile (row->stands). For
     * srv_course_look_again() alone. */
    bool (*stands)(srv_course *on, const srv_benchmark *row, const servet_profile *earlier);
    /** Takes the facts of a benchmark from another profile. For srv_course_look_again() alone. */
    int (*take)(srv_course *on, const srv_benchmark *row, servet_profile *from,
                servet_error *error);
    /** Stores the results of the repeats in the profile. */
    int (*settle)(srv_course *on, servet_error *error);
    const char *repeats; /**< raw file for them */
} srv_course_ops;

struct srv_course {
    const srv_course_ops *ops;
    srv_network *network; /**< that is probed, or a node as one (run/node.h) */
    const srv_benchmark *plan;
    servet_profile *profile; /**< has the facts so far */
    const char *raw_dir;     /**< see servet_measure_options, as are progress and context */
    int (*progress)(void *context, const servet_progress *progress);
    void *context;
    /** Called for a benchmark with a probe that is not on record (SERVET_EUNMEASURED). True: what
     * is on record of it counts as measured; false: it stays unmeasured, as do those that need it.
     * NULL: that is a failure. */
    bool (*missing)(srv_course *on, const srv_benchmark *row, const char *why);
    double budget, until;     /**< s, 0: none; and when it is over, on the clock of the network */
    double before;            /**< s that the part which this run continues took */
    double least_seconds;     /**< in which a benchmark that needs others finds anything */
    double reserve;           /**< s of the budget for each sample of noise that is still to come */
    unsigned instant;         /**< benchmarks that take no time, for the progress */
    srv_scale now, begun;     /**< as known now, and at the start */
    unsigned left, cut;       /**< benchmarks still to run; that left something out */
    unsigned measured;        /**< whose facts the profile has */
    unsigned missed;          /**< that are not on record */
    const char *again;        /**< the benchmark whose doubtful facts are looked at again, also by
                                   those that rest on it; NULL: none, the first look */
    double whole;             /**< cost of all: what progress is a share of */
    double kept;              /**< when the profile was last kept, on the network's clock */
    const srv_benchmark *row; /**< that runs */
    srv_noise_monitor monitor;
    srv_repeats repeats;
};

/**
 * Begins with a sample of noise, for the `wanted` benchmarks (1u << id) of which some are `done`;
 * srv_course_finish() is due in any case. The members up to `now` are set, of the others only
 * repeats, by srv_repeats_begin(). Errors: those of the network, SERVET_EMEMORY.
 */
int srv_course_begin(srv_course *on, unsigned wanted, unsigned done, servet_error *error);

/** Runs the benchmarks that are left, but for those that need one which failed. Errors: theirs,
 * those of the network, of the operations and of the profile. */
int srv_course_run(srv_course *on, servet_error *error);

/**
 * Measures again what makes the profile unfit: one benchmark after the other, while on an idle
 * machine all second looks take no longer than the first one. Those that rest on it are measured
 * again only if it has found something else for them to rest on; without time for that, nothing
 * changes. The facts of the second look stay if it left nothing out, no more of them are doubtful
 * than before, and no part that programs use and the first look trusted is missing or doubtful.
 * What is not on record stays as it is. Errors: those of srv_course_run().
 */
int srv_course_look_again(srv_course *on, servet_error *error);

/** Repeats probes with few repeats, for a few seconds as far as there is time, and settles them.
 * Errors: the same. */
int srv_course_settle(srv_course *on, servet_error *error);

/**
 * Between the probes of a benchmark: samples the noise during the previous ones, and keeps the
 * profile, if some seconds have passed since the last time. A run that continues after a kill does
 * not repeat them. Errors: the same.
 */
int srv_course_keep(srv_course *on, servet_error *error);

/** A zeroed one is valid. */
void srv_course_finish(srv_course *on);

#endif
