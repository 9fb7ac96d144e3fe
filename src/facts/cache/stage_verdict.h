/* SPDX-License-Identifier: BSD-3-Clause */
/** Caches as measured against those that the operating system reports. */
#ifndef SRV_FACTS_CACHE_STAGE_VERDICT_H
#define SRV_FACTS_CACHE_STAGE_VERDICT_H

#include "facts/cache/result.h"
#include "machine/machine.h"

/**
 * Sets reported_bytes, line and verdict of each level from what the OS reports, unseen_bytes
 * and doubtful_bytes.
 * Levels are matched in order and by size: the OS may report more levels than there are, or fewer.
 * A capacity that only a curve shows is not trusted if it is less than reported, or if it is that
 * of the last level and more by less than an octave: a level behind that the OS hides may add to
 * it. One that conflicts counted is not trusted if it is just one way off the report, or if the
 * report is what the curve says.
 */
void srv_compare_caches(const srv_reported *reported, srv_cache_facts *facts);

/**
 * After srv_compare_caches(): if the last level is a part of the last cache that the system
 * reports, that is no size but what others leave to one core (SERVET_CACHE_TURNOVER). `exists` is
 * the probability (0..1) by the curve that the level is there; the report makes it surer.
 */
void srv_take_last_as_share(const srv_reported *reported, double exists, srv_cache_facts *facts);

#endif
