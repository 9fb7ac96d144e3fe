/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Whether threads that measure run, and where they should: the wall clock against the time that the
 * system gave them.
 */
#ifndef SRV_HARDWARE_ABSENCE_H
#define SRV_HARDWARE_ABSENCE_H

#include <stdbool.h>

#include "machine/machine.h"

/** The work of one thread on one question. */
typedef struct srv_spell {
    double wall_ns; /**< from begin to end */
    double ran_ns;  /**< that the thread had a core in this time */
    bool moved;     /**< others changed the cores that it may run on */
} srv_spell;

/** Begins the calling thread's. */
srv_spell srv_spell_begin(void);

/** Ends it, on the same thread; `moved` is stored. */
void srv_spell_end(srv_spell *spell, bool moved);

/** Adds another thread's work on the same question: the greater share of absence counts. */
void srv_spell_join(srv_spell *spell, const srv_spell *other);

/** The questions so far; all zero: none. */
typedef struct srv_absences {
    double wall_ns, absent_ns, longest_ns;
    int moved;
} srv_absences;

/** Adds a question. */
void srv_absences_add(srv_absences *absences, const srv_spell *spell);

/** What srv_machine_ops.absence answers about them, besides `foreign`, which is NaN. */
srv_absence srv_absences_seen(const srv_absences *absences);

#endif
