/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/model/course.h"

#include <math.h>

/* As on hardware. */
enum { SAMPLES_MIN = 9, PILOT_STEPS = 2048 };

/* Samples go round the working set so often, or take so many loads, where hardware would take more:
 * the third round is like the second, and 2^15 loads tell shares to 0.3 %. */
enum { ROUNDS_MAX = 2, LOADS_ENOUGH = 1 << 15 };

/* Before and while samples are taken, a set of up to so many slots is gone round at least once: a
 * part of a round finds what the sweep left, the more of it the slower the loads, and a boundary
 * that moves with the rate looks like turnover. Larger sets than this (64 MiB of lines) are walked
 * for as long as hardware would. */
static const double ROUND_SLOTS = 1 << 20;

/* Of a sweep the end decides what stays in the caches: twice what they can keep, for random
 * replacement holds on to old lines. */
static const double SWEEP_REACHES = 2;

/* --- steps --------------------------------------------------------------------------------------
 */

/* The next step of a course; false when that was the last one of its stretch. */
typedef bool step(srv_course *course);

static bool sweep(srv_course *course)
{
    srv_walker_sweep(&course->walker, course->slot++);
    return course->slot < course->walker.count;
}

static bool walk(srv_course *course)
{
    srv_walker_step(&course->walker);
    if (--course->left > 0)
        return true;
    double loads = (double)course->steps * course->walker.chains;
    course->ns_per_load = (course->walker.now_ns - course->began_ns) / loads;
    return false;
}

static void set_out(srv_course *course, double steps)
{
    course->steps = course->left = (size_t)fmax(1, ceil(steps));
    course->began_ns = course->walker.now_ns;
}

/* --- plans --------------------------------------------------------------------------------------
 */

static void plan_sweep(srv_course *course)
{
    const srv_walker *walker = &course->walker;
    double bytes = SWEEP_REACHES * srv_hierarchy_reach(walker->hierarchy, walker->pu, walker->buffers);
    size_t slots = (size_t)(bytes / (double)walker->stride) + 1;
    course->slot = walker->count > slots ? walker->count - slots : 0;
}

static void plan_pilot(srv_course *course)
{
    set_out(course, PILOT_STEPS);
}

/* Steps that take so long at the rate of the last stretch. */
static double steps_in(const srv_course *course, double ns)
{
    return ns / course->ns_per_load / course->walker.chains;
}

static double round_of(const srv_course *course)
{
    return (double)course->walker.count / course->walker.chains;
}

/* Rounds are for orders that come again: of independent loads, any part is like the whole. */
static double sampled_round_of(const srv_course *course)
{
    return course->walker.random ? 0 : round_of(course);
}

static bool goes_round(const srv_course *course)
{
    return (double)course->walker.count <= ROUND_SLOTS;
}

static void plan_round(srv_course *course)
{
    if (course->walker.sibling)
        course->changes = course->walker.sibling->changes;
    double affordable = steps_in(course, 0.5e9 * course->seconds);
    set_out(course, goes_round(course) ? round_of(course) : fmin(round_of(course), affordable));
}

/* What hardware does between two samples of few steps is left out, but for the sibling's time, which goes on.
 * Where that has begun or ended, samples are as long as on hardware until the caches have settled. */
static double sample_steps(srv_course *course)
{
    srv_sibling *sibling = course->walker.sibling;
    srv_sibling_leap(sibling, course->walker.now_ns,
                     course->clock_ns + course->taken * SRV_SAMPLE_NS);
    if (sibling->changes != course->changes)
        course->unsettled = ROUNDS_MAX * round_of(course);
    course->changes = sibling->changes;
    if (course->unsettled <= 0)
        return (double)course->enough;
    double steps = fmax((double)course->enough, steps_in(course, SRV_SAMPLE_NS));
    course->unsettled -= steps;
    return steps;
}

static void begin_sample(srv_course *course)
{
    set_out(course, course->walker.sibling ? sample_steps(course) : (double)course->enough);
}

static void plan_samples(srv_course *course)
{
    double count = fmin(fmax(course->seconds * 1e9 / SRV_SAMPLE_NS, SAMPLES_MIN), SRV_SAMPLES_MAX);
    double enough =
        fmax(ROUNDS_MAX * sampled_round_of(course), (double)LOADS_ENOUGH / course->walker.chains);
    double least = goes_round(course) ? sampled_round_of(course) / count : 1;
    double steps = fmin(fmax(steps_in(course, SRV_SAMPLE_NS), least), enough / count);
    course->sample_count = (int)count;
    course->taken = 0;
    course->enough = (size_t)fmax(1, ceil(steps));
    if (course->walker.sibling) {
        course->clock_ns = course->walker.sibling->ahead_ns + course->walker.now_ns;
        course->others = course->walker.sibling->at_work;
    }
    begin_sample(course);
}

/* True once, with the last sample. The walk goes on, for the others still measure against it. */
static bool sample(srv_course *course)
{
    if (walk(course))
        return false;
    bool counts = course->taken < course->sample_count;
    if (counts)
        course->sample_ns[course->taken++] = course->ns_per_load;
    if (counts && course->taken == course->sample_count && course->walker.sibling)
        course->others |= course->walker.sibling->at_work;
    begin_sample(course);
    return counts && course->taken == course->sample_count;
}

/* --- all together -------------------------------------------------------------------------------
 */

/* The one whose clock is behind, of those that do not rest. */
static srv_course *behind(srv_course *courses, int count)
{
    srv_course *last = NULL;
    for (int i = 0; i < count; i++)
        if (!courses[i].rests && (!last || courses[i].walker.now_ns < last->walker.now_ns))
            last = &courses[i];
    return last;
}

/* All are where the last one has come to. */
static double meet(srv_course *courses, int count)
{
    double now_ns = 0;
    for (int i = 0; i < count; i++)
        now_ns = fmax(now_ns, courses[i].walker.now_ns);
    for (int i = 0; i < count; i++) {
        courses[i].walker.now_ns = now_ns;
        courses[i].rests = false;
    }
    return now_ns;
}

/* Plans a stretch for each and takes its steps until all have come to the end of theirs. */
static double go(srv_course *courses, int count, void (*plan)(srv_course *), step *next)
{
    for (int i = 0; i < count; i++)
        plan(&courses[i]);
    for (srv_course *course; (course = behind(courses, count));)
        course->rests = !next(course);
    return meet(courses, count);
}

static void take_samples(srv_course *courses, int count)
{
    for (int i = 0; i < count; i++)
        plan_samples(&courses[i]);
    for (int left = count; left > 0;)
        left -= sample(behind(courses, count));
}

double srv_course_run(srv_course *courses, int count)
{
    meet(courses, count);
    go(courses, count, plan_sweep, sweep);
    go(courses, count, plan_pilot, walk);
    go(courses, count, plan_round, walk);
    double warm_ns = go(courses, count, plan_pilot, walk);
    take_samples(courses, count);
    return warm_ns;
}
