/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/absence.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "machine/hardware/clock.h"

/* Stolen time counts as absence where the system knows of it. */
static double ran_ns(void)
{
    struct timespec ran;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
    return 1e9 * (double)ran.tv_sec + (double)ran.tv_nsec;
}

double srv_waited_ns(void)
{
    double ns = NAN;
    FILE *stream = fopen("/proc/thread-self/schedstat", "r");
    if (!stream)
        return NAN;
    if (fscanf(stream, "%*f %lf", &ns) != 1)
        ns = NAN;
    fclose(stream);
    return ns;
}

srv_spell srv_spell_begin(void)
{
    return (srv_spell){srv_clock_raw_ns(), ran_ns(), false};
}

void srv_spell_end(srv_spell *spell, bool moved)
{
    *spell = (srv_spell){srv_clock_raw_ns() - spell->wall_ns, ran_ns() - spell->ran_ns, moved};
}

/* The two clocks are read one after the other. */
double srv_spell_absent_ns(const srv_spell *spell)
{
    return fmax(0, spell->wall_ns - spell->ran_ns);
}

void srv_spell_join(srv_spell *spell, const srv_spell *other)
{
    bool moved = spell->moved || other->moved;
    if (srv_spell_absent_ns(other) * spell->wall_ns >= srv_spell_absent_ns(spell) * other->wall_ns)
        *spell = *other;
    spell->moved = moved;
}

void srv_absences_add(srv_absences *absences, const srv_spell *spell)
{
    double absent = srv_spell_absent_ns(spell);
    if (absent > SRV_DISTURBED * spell->wall_ns)
        absences->longest_ns = fmax(absences->longest_ns, absent);
    absences->moved += spell->moved;
}

void srv_absences_add_share(srv_absences *absences, double missing, double whole)
{
    absences->missing += missing;
    absences->whole += whole;
}

srv_absence srv_absences_seen(const srv_absences *absences)
{
    return (srv_absence){.share = absences->whole > 0 ? absences->missing / absences->whole : 0,
                         .longest = 1e-9 * absences->longest_ns,
                         .foreign = NAN,
                         .moved = absences->moved};
}
