/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/rank_watch.h"

#include <math.h>

srv_rank_watch srv_rank_watch_begin(void)
{
    return (srv_rank_watch){.use = srv_processor_use_now()};
}

srv_rank_spell srv_rank_spell_begin(void)
{
    return (srv_rank_spell){srv_spell_begin(), srv_waited_ns()};
}

/* The spell until now; of the time without a core, that which the thread waited for one. */
static srv_spell end(const srv_rank_spell *begun, bool moved, double *waited_ns)
{
    srv_spell spell = begun->spell;
    srv_spell_end(&spell, moved);
    *waited_ns = fmax(0, srv_waited_ns() - begun->waited_ns); /* 0: not reported */
    return spell;
}

void srv_rank_watch_warm_up(srv_rank_watch *watch, const srv_rank_spell *begun)
{
    double waited;
    srv_spell spell = end(begun, false, &waited);
    watch->sleeps = spell.wall_ns - spell.ran_ns - waited > SRV_DISTURBED * spell.wall_ns;
}

void srv_rank_watch_sample(srv_rank_watch *watch, const srv_rank_spell *begun, bool moved)
{
    double waited;
    srv_spell spell = end(begun, moved, &waited);
    if (watch->sleeps)
        spell.ran_ns = spell.wall_ns - waited;
    srv_absences_add(&watch->absences, &spell);
    srv_absences_add_share(&watch->absences, srv_spell_absent_ns(&spell), spell.wall_ns);
}

/* The kernel delivers messages in interrupts, for this job, too. */
static double programs(const srv_processor_use *use)
{
    return use->busy - use->interrupts;
}

srv_absence srv_rank_watch_take(srv_rank_watch *watch, srv_rank_use *use)
{
    srv_absence absence = srv_absences_seen(&watch->absences);
    srv_processor_use now = srv_processor_use_now();
    *use = (srv_rank_use){programs(&now) - programs(&watch->use), now.own - watch->use.own,
                          now.wall - watch->use.wall, now.processors};
    watch->absences = (srv_absences){0};
    watch->use = now;
    return absence;
}
