/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Detects whether measuring threads run, and on their cores: compares wall-clock time with the CPU
 * time that the operating system accounts to them.
 */
#ifndef SRV_HARDWARE_ABSENCE_H
#define SRV_HARDWARE_ABSENCE_H

#include <stdbool.h>

#include "machine/machine.h"

/** The work of one thread on one probe. */
typedef struct srv_spell {
    double wall_ns; /**< from begin to end */
    double ran_ns;  /**< in which the thread had a core */
    bool moved;     /**< others changed the cores that it may run on */
} srv_spell;

/** ns in which the calling thread could have run while others did, since it began; NaN where the
 * system does not report it. */
double srv_waited_ns(void);

/** Begins a spell of the calling thread. */
srv_spell srv_spell_begin(void);

/** Ends a spell, on the same thread; `moved` is stored. */
void srv_spell_end(srv_spell *spell, bool moved);

/** The time of a spell that ended in which the thread had no core. */
double srv_spell_absent_ns(const srv_spell *spell);

/** Adds another thread's work on the same probe: the greater share of absence counts. */
void srv_spell_join(srv_spell *spell, const srv_spell *other);

/** Sums over the probes so far; all zero: none. */
typedef struct srv_absences {
    double whole, missing; /**< of what the share is */
    double longest_ns;
    int moved;
} srv_absences;

/** Adds a probe, without its share. */
void srv_absences_add(srv_absences *absences, const srv_spell *spell);

/** Adds `missing` of a `whole`, of which the share counts, in any unit. */
void srv_absences_add_share(srv_absences *absences, double missing, double whole);

/** The answer of srv_machine_ops.absence for these probes, without `foreign`, which is NaN. */
srv_absence srv_absences_seen(const srv_absences *absences);

#endif
