/* SPDX-License-Identifier: BSD-3-Clause */
/** Watches whether a rank has its core while it sends and receives, and who else uses its node. */
#ifndef SRV_RANKS_RANK_WATCH_H
#define SRV_RANKS_RANK_WATCH_H

#include "machine/hardware/absence.h"
#include "machine/hardware/foreign.h"

/** Observations of this rank about the processors of its node, and its own use, since its last
 * answer. */
typedef struct srv_rank_use {
    double busy, own, wall; /**< s; as srv_processor_use, without interrupts */
    int processors;
} srv_rank_use;

typedef struct srv_rank_watch {
    srv_absences absences; /**< of exchanges */
    bool sleeps;           /**< messages let it sleep while it waits for them */
    srv_processor_use use; /**< at its last answer */
} srv_rank_watch;

/** Part of an exchange of the calling thread. */
typedef struct srv_rank_spell {
    srv_spell spell;
    double waited_ns; /**< in which it could have run while others did */
} srv_rank_spell;

srv_rank_watch srv_rank_watch_begin(void);

srv_rank_spell srv_rank_spell_begin(void);

/** Ends the warming up of an exchange: shows whether its messages let a rank sleep. */
void srv_rank_watch_warm_up(srv_rank_watch *watch, const srv_rank_spell *spell);

/** Ends its samples, and adds them. If ranks sleep, only the time in which others had the core
 * counts, because a rank that stands still looks like one that waits. */
void srv_rank_watch_sample(srv_rank_watch *watch, const srv_rank_spell *spell, bool moved);

/** The absence since its last answer; the answer's `foreign` is NaN. */
srv_absence srv_rank_watch_take(srv_rank_watch *watch, srv_rank_use *use);

#endif
