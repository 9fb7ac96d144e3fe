/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/simulated_run.h"

#include <math.h>

#include "machine/samples.h"

/* Samples end after this many traversals of the working set, or loads, if hardware would take
 * more: the third traversal is like the second, and 2^15 loads give shares within 0.3 %. */
enum { ROUNDS_MAX = 2, LOADS_ENOUGH = 1 << 15 };

/* Before and during the samples, a set of up to this many slots is traversed at least once: a
 * part of a traversal finds lines that the sweep left, more of them if loads are slow, and a
 * boundary that moves with the rate looks like turnover. Larger sets (64 MiB of lines) are
 * traversed as long as on hardware. */
static const double ROUND_SLOTS = 1 << 20;

/* The end of a sweep decides the contents of the caches: twice their capacity, because random
 * replacement keeps old lines. */
static const double SWEEP_REACHES = 2;

/* --- steps ------------------------------------------------------------------------------------ */

/* Takes the next step of a run; false after the last step of its stretch. */
typedef bool step(srv_simulated_run *run);

static bool sweep(srv_simulated_run *run)
{
    srv_simulated_traversal_sweep(&run->traversal, run->slot++);
    return run->slot < run->traversal.slots.count;
}

static bool advance(srv_simulated_run *run)
{
    srv_simulated_traversal_step(&run->traversal);
    if (--run->left > 0)
        return true;
    double loads = (double)run->steps * run->traversal.chains;
    run->ns_per_load = (run->traversal.now_ns - run->began_ns) / loads;
    return false;
}

static void set_out(srv_simulated_run *run, double steps)
{
    run->steps = run->left = (size_t)fmax(1, ceil(steps));
    run->began_ns = run->traversal.now_ns;
}

/* --- plans ------------------------------------------------------------------------------------ */

static void plan_sweep(srv_simulated_run *run)
{
    const srv_simulated_traversal *traversal = &run->traversal;
    double bytes = SWEEP_REACHES *
                   srv_hierarchy_reach(traversal->hierarchy, traversal->pu, traversal->buffers);
    size_t slots = (size_t)(bytes / (double)(traversal->slots.stride * traversal->thin)) + 1;
    run->slot = traversal->slots.count > slots ? traversal->slots.count - slots : 0;
}

static void plan_pilot(srv_simulated_run *run)
{
    set_out(run, SRV_PILOT_LOADS);
}

/* The number of steps that take this time at the rate of the last stretch. */
static double steps_in(const srv_simulated_run *run, double ns)
{
    return ns / run->ns_per_load / run->traversal.chains;
}

static double round_of(const srv_simulated_run *run)
{
    return (double)run->traversal.slots.count / run->traversal.chains;
}

/* Whole traversals are required for cyclic orders only: any part of independent loads is like
 * the whole. */
static double sampled_round_of(const srv_simulated_run *run)
{
    return run->traversal.random ? 0 : round_of(run);
}

static bool goes_round(const srv_simulated_run *run)
{
    return (double)run->traversal.slots.count * (double)run->traversal.thin <= ROUND_SLOTS;
}

static void plan_round(srv_simulated_run *run)
{
    if (run->traversal.sibling)
        run->changes = run->traversal.sibling->changes;
    double affordable = steps_in(run, 0.5e9 * run->seconds) / (double)run->traversal.thin;
    set_out(run, goes_round(run) ? round_of(run) : fmin(round_of(run), affordable));
}

/* The work of hardware between two short samples is omitted, but the time of the sibling
 * advances. After a change of the sibling, samples are as long as on hardware until the caches
 * have settled. */
static double sample_steps(srv_simulated_run *run)
{
    srv_sibling *sibling = run->traversal.sibling;
    srv_sibling_leap(sibling, run->traversal.now_ns, run->clock_ns + run->taken * SRV_SAMPLE_NS);
    if (sibling->changes != run->changes)
        run->unsettled = ROUNDS_MAX * round_of(run);
    run->changes = sibling->changes;
    if (run->unsettled <= 0)
        return (double)run->enough;
    double steps = fmax((double)run->enough, steps_in(run, SRV_SAMPLE_NS));
    run->unsettled -= steps;
    return steps;
}

static void begin_sample(srv_simulated_run *run)
{
    set_out(run, run->traversal.sibling ? sample_steps(run) : (double)run->enough);
}

static void plan_samples(srv_simulated_run *run)
{
    double count = fmin(fmax(run->seconds * 1e9 / SRV_SAMPLE_NS, SRV_SAMPLES_MIN), SRV_SAMPLES_MAX);
    double enough =
        fmax(ROUNDS_MAX * sampled_round_of(run), (double)LOADS_ENOUGH / run->traversal.chains);
    double least = goes_round(run) ? sampled_round_of(run) / count : 1;
    double steps = fmin(fmax(steps_in(run, SRV_SAMPLE_NS), least), enough / count);
    run->sample_count = (int)count;
    run->taken = 0;
    run->enough = (size_t)fmax(1, ceil(steps));
    if (run->traversal.sibling) {
        run->clock_ns = run->traversal.sibling->ahead_ns + run->traversal.now_ns;
        run->others = run->traversal.sibling->at_work;
    }
    begin_sample(run);
}

/* True once, at the last sample. The traversal continues, because the others still measure
 * beside it. */
static bool sample(srv_simulated_run *run)
{
    if (advance(run))
        return false;
    bool counts = run->taken < run->sample_count;
    if (counts)
        run->sample_ns[run->taken++] = run->ns_per_load;
    if (counts && run->taken == run->sample_count && run->traversal.sibling)
        run->others |= run->traversal.sibling->at_work;
    begin_sample(run);
    return counts && run->taken == run->sample_count;
}

/* --- all together ----------------------------------------------------------------------------- */

/* The run whose clock is behind all others that do not wait. */
static srv_simulated_run *behind(srv_simulated_run *runs, int count)
{
    srv_simulated_run *last = NULL;
    for (int i = 0; i < count; i++)
        if (!runs[i].rests && (!last || runs[i].traversal.now_ns < last->traversal.now_ns))
            last = &runs[i];
    return last;
}

/* Sets all clocks to the latest. */
static double meet(srv_simulated_run *runs, int count)
{
    double now_ns = 0;
    for (int i = 0; i < count; i++)
        now_ns = fmax(now_ns, runs[i].traversal.now_ns);
    for (int i = 0; i < count; i++) {
        runs[i].traversal.now_ns = now_ns;
        runs[i].rests = false;
    }
    return now_ns;
}

static bool is_ended(const srv_simulated_run *runs)
{
    return srv_hierarchy_ended(runs->traversal.hierarchy);
}

/* Plans a stretch for each run and executes its steps until all runs have finished theirs. */
static double go(srv_simulated_run *runs, int count, void (*plan)(srv_simulated_run *), step *next)
{
    for (int i = 0; i < count; i++)
        plan(&runs[i]);
    for (srv_simulated_run *run; !is_ended(runs) && (run = behind(runs, count));)
        run->rests = !next(run);
    return meet(runs, count);
}

static void take_samples(srv_simulated_run *runs, int count)
{
    for (int i = 0; i < count; i++)
        plan_samples(&runs[i]);
    for (int left = count; left > 0 && !is_ended(runs);)
        left -= sample(behind(runs, count));
}

void srv_simulated_runs_execute(srv_simulated_run *runs, int count)
{
    meet(runs, count);
    double swept_ns = go(runs, count, plan_sweep, sweep);
    double from_ns = go(runs, count, plan_pilot, advance);
    double to_ns = go(runs, count, plan_round, advance);
    double warm_ns = go(runs, count, plan_pilot, advance);
    take_samples(runs, count);
    double omitted = (double)runs->traversal.thin - 1; /* slots for each one that is simulated */
    runs->warm_ns = warm_ns + omitted * (swept_ns + to_ns - from_ns);
}
