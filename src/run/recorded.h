/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Raw series of an earlier measurement, where its answers are not on record: it asked other
 * questions than this version, or kept none. Errors of all: SERVET_EUNMEASURED (there is no such
 * series), SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY.
 */
#ifndef SRV_RUN_RECORDED_H
#define SRV_RUN_RECORDED_H

#include "facts/distance/benchmark.h"
#include "facts/line/benchmark.h"
#include "run/measure.h"

/** Whether `code` is that of a record without the answer, so that the series are to be looked at.
 */
bool srv_recorded_wanted(const srv_stage *stage, int code);

/** coherence.csv. */
int srv_recorded_block(const srv_stage *stage, srv_block_series *series, servet_error *error);

/** The series in line-coreN-LL.csv, of whatever core: `*count` of them, `most` at most. */
int srv_recorded_lines(const srv_stage *stage, const char *cores, int level,
                       srv_line_series *series, int most, int *count, servet_error *error);

/**
 * distance.csv: costs in the order of `cores`, which must be those of the file. Nothing is known of
 * how samples scattered. The caller finishes `distances`.
 */
int srv_recorded_distances(const srv_stage *stage, const int *cores, int count,
                           srv_distances *distances, servet_error *error);

/** Odds that two cores share a cache level, as they were told last. */
typedef struct srv_recorded_odds {
    int core, other; /**< OS numbers; -1: any of a set that was asked at once */
    double odds;
} srv_recorded_odds;

/** sharing-LN.csv: the answers about a level, each couple once, of both tests together. The caller
 * frees them. */
int srv_recorded_sharing(const srv_stage *stage, int level, srv_recorded_odds **odds, int *count,
                         servet_error *error);

#endif
