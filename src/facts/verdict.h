/* SPDX-License-Identifier: BSD-3-Clause */
/** Verdicts on measured values beside those that the operating system reports. */
#ifndef SRV_FACTS_VERDICT_H
#define SRV_FACTS_VERDICT_H

#include "machine/machine.h"

/**
 * Compares groups of cores with the sets that the OS reports: agrees where every group of two and
 * more cores is one of them, not visible where none is. `sets` is that of srv_machine_ops.objects.
 */
servet_verdict srv_compare_groups(const srv_sets *sets, const char *const *groups, int count);

/**
 * Compares the groups of a cache level with the instances that the OS reports of this very cache,
 * single cores included: agrees where every group is one of them, not visible where there are none.
 */
servet_verdict srv_compare_instances(const srv_sets *instances, const char *const *groups,
                                     int count);

#endif
