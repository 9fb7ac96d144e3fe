/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The loop that visits the rows of a series (sizes, strides, pairs, numbers of cores), round after
 * round. A family says which row wants a visit, and probes; whether there is time for it, when to
 * report progress, and when to end is decided here:
 *
 *     srv_loop loop = srv_loop_of(sampler, COUNT, ROUNDS, error);
 *     while (srv_loop_next(&loop))
 *         if (srv_loop_due(&loop, SRV_WANT_VISIT, SECONDS, "what"))
 *             loop.code = visit(loop.row);
 */
#ifndef SRV_SAMPLE_SAMPLER_H
#define SRV_SAMPLE_SAMPLER_H

#include "machine/network.h"

/** A time limit, and whether anything was left out because of it. */
typedef struct srv_deadline {
    double at; /**< on the clock, in seconds; 0: none */
    bool *cut; /**< becomes true when work is left out because of the limit; NULL: not noted */
} srv_deadline;

/** Limit and progress of a measurement on a machine, or of messages in a network. */
typedef struct srv_sampler {
    srv_machine *machine;
    srv_network *network; /**< NULL: the machine's clock counts, not the network's */
    srv_deadline deadline;
    /** Called before each visit with what it measures ("": the caller knows), and the share (0..1)
     * that is done; other than 0 ends the measurement. May be NULL. */
    int (*progress)(void *context, const char *what, double done);
    void *context;
} srv_sampler;

/** Visits that a row may want, by what happens where there is no time. */
typedef enum srv_want {
    SRV_WANT_NOTHING,
    SRV_WANT_SPARE, /**< left out: the row is only surer with it */
    SRV_WANT_VISIT, /**< left out, and that is noted in the deadline */
    SRV_WANT_OWED,  /**< made all the same: there is no result without it */
} srv_want;

/** Rows, and the one whose turn it is. */
typedef struct srv_loop {
    const srv_sampler *sampler;
    servet_error *error;
    int count, rounds;
    int row, round; /**< from 0 */
    int visits;     /**< so far */
    bool wanted;    /**< by a row of this round */
    int code;       /**< error of a visit, which the caller sets */
} srv_loop;

/** The turns of `count` rows, up to `rounds` times each. */
srv_loop srv_loop_of(const srv_sampler *sampler, int count, int rounds, servet_error *error);

/** Goes on to the next row. False at the end: of the last round, of a round in which no row wanted
 * a visit, or where loop->code is an error. */
bool srv_loop_next(srv_loop *loop);

/**
 * True if the row is visited now: it wants that, and there is time for `seconds`. Then `what` is
 * reported, unless it is NULL: the visit itself reports. Sets loop->code to SERVET_EINTERRUPTED,
 * and is false, where that ends the measurement.
 */
bool srv_loop_due(srv_loop *loop, srv_want want, double seconds, const char *what);

/** The same with a share (0..1) that is done, where it does not follow from rows and rounds. */
bool srv_loop_due_at(srv_loop *loop, srv_want want, double seconds, const char *what, double done);

/** Reports progress. Errors: SERVET_EINTERRUPTED where that ends the measurement. */
int srv_sampler_tell(const srv_sampler *sampler, const char *what, double done,
                     servet_error *error);

/** True if there is time for `seconds`; if not, that is noted, and the caller must omit a part of
 * its plan: not to be called if nothing is left to do. */
bool srv_sampler_fits(const srv_sampler *sampler, double seconds);

/** True if there is time for a visit of `seconds` that is wanted so, noted as srv_want says. */
bool srv_sampler_due(const srv_sampler *sampler, srv_want want, double seconds);

/** The same sampler, which ends after `seconds` at the latest. */
srv_sampler srv_sampler_within(const srv_sampler *sampler, double seconds);

/** Seconds until the deadline; INFINITY where there is none. */
double srv_sampler_left(const srv_sampler *sampler);

/** Seconds on the clock. */
double srv_sampler_now(const srv_sampler *sampler);

#endif
