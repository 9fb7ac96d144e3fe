/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "facts/geometry/stage_parts.h"
#include "machine/order.h"

/* The ramp: sets a fifth larger each time, of a few trials, from where the caches in front no
 * longer hold the set to where most elements miss. */
static const double RAMP_STEP = 1.2, RAMP_BEGIN = 1.5, RAMP_END = 0.8;

/* The time of an element that hits is measured in sets this many times as large as the caches in
 * front: with random replacement, 42 % of a set 1.5 times as large still hit there, of this one 11
 * %. */
static const double HIT_BEGIN = 2.5;
enum { RAMP_TRIALS = 6, RAMP_PASSES = 4 };

/* Ratio of the time of an element whose loads mostly miss to that of one that hits: every known
 * level is at least 1.6 times slower than the one in front (share/doc/detection.md). */
static const double SLOW = 1.4;

/* An experiment has trials of several sizes, with these shares of slow elements: colours with many
 * elements show in the smaller sets, those with few in the larger. Trials with few or nearly all
 * elements slow show little. */
static const double slow_share[] = {0.25, 0.5, 0.75};
enum { SHARES = sizeof slow_share / sizeof *slow_share };

/* Elements for each one in the largest trials, whose number must differ by colours. */
static const double ELEMENTS_PER_WALKED = 3;

/* Sums of effects are squares of the number of elements: 2400 of them take 90 MiB. */
enum { ELEMENTS_MAX = 2400, TRIALS_FIRST = 300, TRIALS_MAX = 2400 };

/* Share of the elements on which both halves of the trials must agree; by chance they agree on a
 * share of one in the number of colours. A share HIDDEN of the colours may be hidden or appear as
 * two, and hidden ones may have twice as many elements as others (LEFT_MOST); if the number of
 * colours is no power of two, at most LEFT_OVER of the elements may be left without a colour. */
static const double AGREEMENT = 0.95, HIDDEN = 0.1, LEFT_MOST = 0.2, LEFT_OVER = 0.01;

/* Rounds before the timed one. Most policies reach a steady state within a few; adaptive ones keep
 * more and more of an overfull set, so that its end shows less. With random replacement elements
 * evict each other for longer, even if all fit: if few rounds are not clear, more run. Interference
 * only makes ways seem fewer, and lasts from tenths of a second to seconds: the largest clear
 * number of ways must be found at two moments, each of which is twice as long after the one before.
 */
enum { ROUNDS = 3, TRIES = 5 };
static const int turn_rounds[TRIES] = {4, 8, 8, 4, 8};
static const double MOMENT_SECONDS = 0.2;

/* On a quiet machine others take less than this share of a core's time. */
static const double QUIET_LOST = 0.005;

/* Selections of each number of elements in a pass. Interference lasts milliseconds: the same
 * selections are measured in several passes, spread over some tenths of a second, then other ones.
 * */
enum { TURN_CHOICES = 10, PASSES_MIN = 8, PASSES_MAX = 16 };
static const double PASSES_SECONDS = 0.15;
/* Elements faster than this share of their time in the ramp hit in a cache in front. */
static const double IN_FRONT = 0.75;

/* Elements of other colours between two visits of one, in sizes of the caches in front. */
static const double FILL = 4;

/* If half of the elements are slow, the set is about as large as the cache, or smaller if others
 * use part of it. Numbers of elements of one colour go beyond twice the number expected from that.
 * */
static const double HALF = 0.5, TURNS_REACH = 2.5;

typedef struct pages_bench {
    srv_machine *machine;
    const srv_geometry_plan *plan;
    srv_conflicts *found;
    uint64_t trials; /* so far: each has its own choice of elements */
    bool again;      /* at another moment, because one was not clear */
    servet_error *error;
} pages_bench;

/* For the first attempt, or for a further one, to be surer. */
static bool has_time_for(const pages_bench *bench, double seconds, bool further)
{
    srv_sampler limit = {.machine = bench->machine, .deadline = bench->plan->deadline};
    srv_want want = further || bench->again ? SRV_WANT_SPARE : SRV_WANT_VISIT;
    bool late = !srv_sampler_due(&limit, want, seconds);
    bench->found->late = bench->found->late || late;
    return !late;
}

static bool has_time(const pages_bench *bench, bool further)
{
    return has_time_for(bench, 0, further);
}

/* Reports progress: a silent node counts as hanging. */
static int tell(const pages_bench *bench)
{
    const srv_stage *stage = bench->plan->stage;
    if (stage && srv_stage_progress(stage, "conflicts: pages that evict each other", 0))
        return srv_fail(bench->error, SERVET_EINTERRUPTED, "interrupted");
    return SERVET_OK;
}

static srv_eviction eviction_of(const pages_bench *bench, int elements)
{
    const srv_geometry_plan *plan = bench->plan;
    return (srv_eviction){.core = plan->core,
                          .other = -1,
                          .pages = plan->pages,
                          .elements = elements,
                          .element_bytes = SRV_ELEMENT_BYTES,
                          .lines = (int)(SRV_ELEMENT_BYTES / plan->line_bytes),
                          .line_bytes = plan->line_bytes,
                          .seed = plan->seed,
                          .rounds = ROUNDS};
}

static int probe_random(pages_bench *bench, int count, int walked, srv_coeviction *trials)
{
    size_t at;
    int code = srv_coeviction_add(trials, count, walked, &at, bench->error);
    if (code != SERVET_OK)
        return code;
    for (int t = 0; t < count; t++) {
        srv_order order =
            srv_order_of((size_t)trials->elements, srv_mix(bench->plan->seed + ++bench->trials));
        for (int i = 0; i < walked; i++)
            trials->element[at + (size_t)t * (size_t)walked + (size_t)i] =
                (uint32_t)srv_order_at(&order, (size_t)i);
    }
    srv_eviction eviction = eviction_of(bench, trials->elements);
    eviction.trials = count;
    eviction.walked = walked;
    eviction.element = trials->element + at;
    return bench->machine->ops->evict(bench->machine, &eviction, trials->ns + at, bench->error);
}

/* --- how large -------------------------------------------------------------------------------- */

/* The share of slow elements in the median trial: a stolen time slice makes one trial slow. */
static double median_share(const srv_coeviction *trials, double slow_ns)
{
    double share[RAMP_TRIALS];
    /* Times of one trial that are above `slow_ns`, as a share. */
    for (int t = 0; t < trials->trials; t++) {
        size_t begin = trials->first[t], end = trials->first[t + 1], slow = 0;
        for (size_t i = begin; i < end; i++)
            slow += trials->ns[i] > slow_ns;
        share[t] = (double)slow / (double)(end - begin);
    }
    srv_sort(share, (size_t)trials->trials);
    return srv_sorted_quantile(share, (size_t)trials->trials, 0.5);
}

/* Time of a hit: the lower quartile, of a set in which most elements hit. */
static int find_hit(const srv_coeviction *trials, double *hit_ns, servet_error *error)
{
    size_t n = trials->first[trials->trials];
    double *ns = malloc(n * sizeof *ns);
    if (!ns)
        return srv_fail_memory(error);
    for (size_t i = 0; i < n; i++)
        ns[i] = trials->ns[i];
    srv_sort(ns, n);
    double quartile = srv_sorted_quantile(ns, n, 0.25);
    *hit_ns = *hit_ns > 0 ? fmin(*hit_ns, quartile) : quartile;
    free(ns);
    return SERVET_OK;
}

static int probe_ramp_point(pages_bench *bench, srv_ramp_point *point)
{
    const srv_geometry_plan *plan = bench->plan;
    srv_conflicts *found = bench->found;
    srv_coeviction trials = {.elements = (int)(ELEMENTS_PER_WALKED * point->walked)};
    int code = tell(bench);
    if (code == SERVET_OK)
        code = probe_random(bench, RAMP_TRIALS, point->walked, &trials);
    if (code == SERVET_OK && point->walked * SRV_ELEMENT_BYTES >= HIT_BEGIN * plan->above_bytes)
        code = find_hit(&trials, &found->hit_ns, bench->error);
    if (code == SERVET_OK && found->hit_ns > 0)
        point->slow_share = fmin(point->slow_share, median_share(&trials, SLOW * found->hit_ns));
    srv_coeviction_finish(&trials);
    return code;
}

/* True if most elements of the two largest sets so far miss. */
static bool is_beyond(const srv_conflicts *found)
{
    int n = found->ramp_count;
    return n > 1 && found->hit_ns > 0 &&
           fmin(found->ramp[n - 1].slow_share, found->ramp[n - 2].slow_share) > RAMP_END;
}

static int climb(pages_bench *bench)
{
    const srv_geometry_plan *plan = bench->plan;
    srv_conflicts *found = bench->found;
    double n = found->ramp_count ? RAMP_STEP * found->ramp[found->ramp_count - 1].walked
                                 : fmax(8, RAMP_BEGIN * plan->above_bytes / SRV_ELEMENT_BYTES);
    int code = SERVET_OK;
    for (; !is_beyond(found) && code == SERVET_OK && found->ramp_count < SRV_RAMP_MAX &&
           ELEMENTS_PER_WALKED * n <= ELEMENTS_MAX && n * SRV_ELEMENT_BYTES <= plan->max_bytes &&
           has_time(bench, false);
         n *= RAMP_STEP) {
        srv_ramp_point *point = &found->ramp[found->ramp_count++];
        *point = (srv_ramp_point){(int)n, 1};
        code = probe_ramp_point(bench, point);
    }
    return code;
}

/* The same sizes at other moments, and larger ones if these now hit. */
static int climb_again(pages_bench *bench)
{
    int code = SERVET_OK;
    for (int pass = 1; pass < RAMP_PASSES && has_time(bench, true) && code == SERVET_OK; pass++) {
        for (int i = 0; i < bench->found->ramp_count && code == SERVET_OK; i++)
            code = probe_ramp_point(bench, &bench->found->ramp[i]);
        if (code == SERVET_OK)
            code = climb(bench);
    }
    return code;
}

/* Elements of which that share is slow, where the share grows; 0: there are none. */
static int size_for(const srv_conflicts *found, double share)
{
    for (int i = found->ramp_count - 1; i > 0; i--) {
        const srv_ramp_point *low = &found->ramp[i - 1], *high = &found->ramp[i];
        if (low->slow_share < share && high->slow_share >= share) {
            double part = (share - low->slow_share) / (high->slow_share - low->slow_share);
            return (int)(low->walked + part * (high->walked - low->walked));
        }
    }
    return 0;
}

/* --- which colours ---------------------------------------------------------------------------- */

static int probe_sizes(pages_bench *bench, const int walked[SHARES], int trials)
{
    int code = SERVET_OK;
    for (int i = 0; i < SHARES && code == SERVET_OK; i++)
        code = probe_random(bench, trials / SHARES, walked[i], &bench->found->trials);
    return code;
}

static int power_of_two(int count)
{
    int power = 1;
    while (power * M_SQRT2 < count)
        power *= 2;
    return power;
}

/* Address bits select the set: an unsliced cache has a power of two of sets, and therefore of
 * colours. A few colours may have too many or too few elements, are over-full in all trials or in
 * none, and are hidden among the remaining elements; a few may appear as two. Another number is
 * accepted if no elements remain. 0: not clear. */
static int count_colours(const srv_conflicts *found)
{
    const srv_colours *colours = &found->colours;
    int power = power_of_two(colours->count), apart = abs(power - colours->count);
    bool explained = power <= colours->count || apart <= colours->left_over;
    if (colours->count < 2 || colours->agreement < AGREEMENT ||
        colours->left_over > LEFT_MOST * found->trials.elements)
        return 0;
    if (apart <= HIDDEN * power && explained)
        return power;
    return colours->left_over <= LEFT_OVER * found->trials.elements ? colours->count : 0;
}

/* Runs trials until both halves agree, or up to the largest number of trials. */
static int find_colours(pages_bench *bench)
{
    srv_conflicts *found = bench->found;
    int walked[SHARES], code = SERVET_OK;
    for (int i = 0; i < SHARES; i++)
        if (!(walked[i] = size_for(found, slow_share[i])))
            return SERVET_OK;
    found->trials.elements = (int)fmin(ELEMENTS_MAX, ELEMENTS_PER_WALKED * walked[SHARES - 1]);
    for (int trials = TRIALS_FIRST;
         code == SERVET_OK && trials <= TRIALS_MAX && has_time(bench, trials > TRIALS_FIRST);
         trials *= 2) {
        code = probe_sizes(bench, walked, trials - found->trials.trials);
        srv_colours_finish(&found->colours);
        if (code == SERVET_OK)
            code = srv_detect_colours(&found->trials, &found->colours, bench->error);
        if (code == SERVET_OK && (found->colour_count = count_colours(found)) > 0)
            break;
    }
    return code;
}

/* --- how many of one colour ------------------------------------------------------------------- */

/* The elements by colours: those of k are order[begin[k]..begin[k+1]-1]. */
typedef struct palette {
    uint32_t *order;
    int *begin;
    int count;
    const int *colour; /* of each of the elements, in the order of their addresses */
    int elements;
} palette;

static bool sort_colours(const srv_conflicts *found, palette *by)
{
    int elements = found->trials.elements, n = 0;
    by->count = found->colours.count;
    by->colour = found->colours.colour;
    by->elements = elements;
    by->order = malloc((size_t)elements * sizeof *by->order);
    by->begin = malloc(((size_t)by->count + 1) * sizeof *by->begin);
    if (!by->order || !by->begin)
        return false;
    for (int k = 0; k < by->count; k++) {
        by->begin[k] = n;
        for (int e = 0; e < elements; e++)
            if (found->colours.colour[e] == k)
                by->order[n++] = (uint32_t)e;
    }
    by->begin[by->count] = n;
    return true;
}

static int size_of(const palette *by, int colour)
{
    return by->begin[colour + 1] - by->begin[colour];
}

/* Prefetchers bring lines of the next page and of the previous one. */
static bool is_beside(const palette *by, uint32_t element, int colour)
{
    int e = (int)element;
    return (e > 0 && by->colour[e - 1] == colour) ||
           (e + 1 < by->elements && by->colour[e + 1] == colour);
}

/* An element of a colour, from `first` on, that has no neighbour of colour `away`. */
static uint32_t take_filler(const palette *by, int colour, int away, int first)
{
    const uint32_t *of = by->order + by->begin[colour];
    int size = size_of(by, colour);
    for (int i = 0; i < size; i++)
        if (!is_beside(by, of[(first + i) % size], away))
            return of[(first + i) % size];
    return of[first];
}

/* A random colour with at least `count` elements; -1: there is none. */
static int some_colour(const palette *by, int count, uint64_t seed)
{
    int first = (int)(seed % (uint64_t)by->count);
    for (int i = 0; i < by->count; i++)
        if (size_of(by, (first + i) % by->count) >= count)
            return (first + i) % by->count;
    return -1;
}

/* `turns` elements of one colour, then fillers; the number selects which. */
static bool choose_turns(const pages_bench *bench, const palette *by, int turns, int fillers,
                         int number, uint32_t *element)
{
    uint64_t seed = srv_mix(bench->plan->seed + (uint64_t)(TURN_CHOICES * turns + number));
    int colour = some_colour(by, turns, seed);
    if (colour < 0)
        return false;
    /* Random elements of a colour; neighbours of each other only where others are few. */
    int size = size_of(by, colour), taken = 0;
    srv_order order = srv_order_of((size_t)size, seed);
    for (int beside = 0; beside < 2; beside++)
        for (int i = 0; i < size && taken < turns; i++) {
            uint32_t e = by->order[by->begin[colour] + (int)srv_order_at(&order, (size_t)i)];
            if (is_beside(by, e, colour) == beside)
                element[taken++] = e;
        }
    for (int i = 0; i < fillers; i++) {
        int other = (colour + 1 + i % (by->count - 1)) % by->count;
        int first =
            (int)(srv_mix(seed + (uint64_t)(i / (by->count - 1))) % (uint64_t)size_of(by, other));
        element[turns + i] = take_filler(by, other, colour, first);
    }
    return true;
}

typedef struct turns_plan {
    int expected, most; /* numbers of elements: about as many fit; the largest that is measured */
    int rounds;
} turns_plan;

/* Plans elements of a colour far enough beyond the expected number to see what misses cost. */
static void expect_turns(turns_plan *plan, double expected)
{
    plan->expected = (int)expected;
    plan->most = (int)fmin(SRV_TURNS_MAX, TURNS_REACH * expected + 2);
}

static int probe_turns(pages_bench *bench, const palette *by, const turns_plan *plan, int lines,
                       int pass, bool *complete)
{
    srv_conflicts *found = bench->found;
    srv_coeviction *turns = &found->turns;
    size_t at;
    int walked = lines + turns->fillers, first = turns->trials,
        choice = pass / PASSES_MIN * TURN_CHOICES;
    int code = srv_coeviction_add(turns, TURN_CHOICES, walked, &at, bench->error);
    for (int t = 0; t < TURN_CHOICES && *complete && code == SERVET_OK; t++)
        *complete = choose_turns(bench, by, lines, turns->fillers, choice + t,
                                 turns->element + at + (size_t)t * (size_t)walked);
    if (!*complete) /* no colour has enough elements: these trials are none */
        turns->trials = first;
    if (!*complete || code != SERVET_OK)
        return code;
    srv_eviction eviction = eviction_of(bench, found->trials.elements);
    eviction.rounds = plan->rounds;
    eviction.trials = TURN_CHOICES;
    eviction.walked = walked;
    eviction.element = turns->element + at;
    return bench->machine->ops->evict(bench->machine, &eviction, turns->ns + at, bench->error);
}

static int probe_pass(pages_bench *bench, const palette *by, const turns_plan *plan, int pass)
{
    bool complete = true;
    int code = tell(bench);
    for (int lines = 1; lines <= plan->most && complete && code == SERVET_OK;
         /* Beyond twice the expected number only the cost of misses matters. */
         lines = lines < 2 * plan->expected ? lines + 1 : lines + 1 + lines / 8)
        code = probe_turns(bench, by, plan, lines, pass, &complete);
    return code;
}

/* True if the elements hit in a cache in front, in spite of the fillers. */
static bool is_in_front(const srv_conflicts *found)
{
    return found->ways.hit_ns < IN_FRONT * found->hit_ns;
}

bool srv_conflicts_counted(const srv_conflicts *conflicts)
{
    return conflicts->colour_count > 0 && conflicts->ways.ways > 0 && !is_in_front(conflicts);
}

static int settle_turns(pages_bench *bench, const palette *by, const turns_plan *plan)
{
    srv_conflicts *found = bench->found;
    int code = SERVET_OK;
    double began = bench->machine->ops->elapsed(bench->machine), passed = 0;
    found->turns.trials = 0;
    found->ways_clear = false;
    for (int pass = 0; (pass < PASSES_MAX || passed < PASSES_SECONDS) && !found->ways_clear &&
                       has_time(bench, pass >= PASSES_MIN) && code == SERVET_OK;
         pass++) {
        code = probe_pass(bench, by, plan, pass);
        passed = bench->machine->ops->elapsed(bench->machine) - began;
        if (code != SERVET_OK || passed < PASSES_SECONDS || pass + 1 < PASSES_MIN)
            continue;
        code = srv_detect_turns(&found->turns, plan->rounds, &found->ways, &found->ways_clear,
                                bench->error);
        if (is_in_front(found))
            break;
    }
    return code;
}

/* Waits for interference to end; `*quiet`: there was hardly any. */
static int wait_a_moment(pages_bench *bench, double seconds, bool *quiet)
{
    srv_noise noise;
    int code = bench->machine->ops->noise(bench->machine, bench->plan->core, seconds, &noise,
                                          bench->error);
    *quiet = code == SERVET_OK && noise.lost < QUIET_LOST;
    return code;
}

/* Readings at several moments, until the largest result is found again. */
static int confirm_turns(pages_bench *bench, const palette *by, turns_plan *plan)
{
    srv_conflicts *found = bench->found;
    bool confirmed = false, in_front = false, quiet = false;
    int code = SERVET_OK, most = 0;
    double moment = 0;
    for (int i = 0; i < TRIES && !confirmed && !in_front && has_time_for(bench, moment, i > 0);
         i++) {
        bench->again = i > 0;
        plan->rounds = found->turn_rounds = turn_rounds[i];
        code = i > 0 ? wait_a_moment(bench, moment, &quiet) : SERVET_OK;
        moment = fmax(MOMENT_SECONDS, 2 * moment);
        if (code == SERVET_OK && quiet && most == 0 && i > 1)
            break; /* neither few nor more rounds were clear, without interference */
        if (code == SERVET_OK)
            code = settle_turns(bench, by, plan);
        if (code != SERVET_OK)
            return code;
        int ways = found->ways_clear ? found->ways.ways : 0;
        in_front = is_in_front(found);
        confirmed = ways > 0 && ways == most && 2 * ways <= plan->most;
        most = ways > most ? ways : most;
        expect_turns(plan, fmax(most, plan->expected));
    }
    found->ways_clear = confirmed;
    return code;
}

static int find_turns(pages_bench *bench)
{
    palette by = {0};
    srv_conflicts *found = bench->found;
    int code = sort_colours(found, &by) ? SERVET_OK : srv_fail_memory(bench->error);
    turns_plan plan = {0};
    found->turns.fillers = (int)fmax(4, FILL * bench->plan->above_bytes / SRV_ELEMENT_BYTES);
    expect_turns(&plan, (double)size_for(found, HALF) / found->colour_count);
    if (code == SERVET_OK)
        code = confirm_turns(bench, &by, &plan);
    free(by.order);
    free(by.begin);
    return code;
}

int srv_probe_pages(srv_machine *machine, const srv_geometry_plan *plan, srv_conflicts *conflicts,
                    servet_error *error)
{
    pages_bench bench = {.machine = machine, .plan = plan, .found = conflicts, .error = error};
    int code = climb(&bench);
    if (code == SERVET_OK)
        code = climb_again(&bench);
    if (code == SERVET_OK)
        code = find_colours(&bench);
    return code == SERVET_OK && conflicts->colour_count > 0 ? find_turns(&bench) : code;
}

void srv_conflicts_finish(srv_conflicts *conflicts)
{
    srv_coeviction_finish(&conflicts->trials);
    srv_coeviction_finish(&conflicts->turns);
    srv_colours_finish(&conflicts->colours);
    *conflicts = (srv_conflicts){0};
}

/* Why sets were not made larger. */
static srv_rule end_of_ramp(const srv_conflicts *found, const srv_geometry_plan *plan)
{
    const srv_ramp_point *last = &found->ramp[found->ramp_count - 1];
    double next = RAMP_STEP * last->walked;
    if (is_beyond(found))
        return (srv_rule){"RAMP_END", last->slow_share, RAMP_END, SERVET_OUTCOME_ACCEPTED};
    if (found->late)
        return (srv_rule){"SHARE_MAX", NAN, NAN, SERVET_OUTCOME_REJECTED};
    if (ELEMENTS_PER_WALKED * next > ELEMENTS_MAX)
        return (srv_rule){"ELEMENTS_MAX", ELEMENTS_PER_WALKED * next, ELEMENTS_MAX,
                          SERVET_OUTCOME_REJECTED};
    return (srv_rule){"max_bytes", next * SRV_ELEMENT_BYTES, plan->max_bytes,
                      SERVET_OUTCOME_REJECTED};
}

/* Explains the size at which this share of the pages is slow, or the largest share of slow ones. */
static void explain_size(const srv_conflicts *found, double share, const srv_account *on)
{
    char size[SRV_SIZE_TEXT_MAX];
    int walked = size_for(found, share);
    double most = 0;
    for (int i = 0; i < found->ramp_count; i++)
        most = fmax(most, found->ramp[i].slow_share);
    if (walked)
        srv_note_rule(on, (srv_rule){"slow_share", NAN, share, SERVET_OUTCOME_ACCEPTED},
                      "%.0f %% of the pages are slow at %s", 100 * share,
                      srv_size_text(walked * SRV_ELEMENT_BYTES, size));
    else
        srv_note_rule(on, (srv_rule){"slow_share", most, share, SERVET_OUTCOME_REJECTED},
                      "at no size are %.0f %% of the pages slow; largest share", 100 * share);
}

static void explain_ramp(const srv_conflicts *found, const srv_geometry_plan *plan,
                         const srv_account *on)
{
    char first[SRV_SIZE_TEXT_MAX], last[SRV_SIZE_TEXT_MAX], above[SRV_SIZE_TEXT_MAX];
    srv_size_text(plan->above_bytes, above);
    if (found->ramp_count == 0) {
        srv_note_rule(
            on,
            (srv_rule){found->late ? "SHARE_MAX" : "max_bytes", NAN, NAN, SERVET_OUTCOME_REJECTED},
            "no working set larger than %s was measured", above);
        return;
    }
    srv_rule end = end_of_ramp(found, plan);
    srv_note_rule(
        on, end, "working sets of %s to %s in random pages (next cache: %s); %s",
        srv_size_text(found->ramp[0].walked * SRV_ELEMENT_BYTES, first),
        srv_size_text(found->ramp[found->ramp_count - 1].walked * SRV_ELEMENT_BYTES, last), above,
        end.outcome == SERVET_OUTCOME_ACCEPTED ? "most pages of the largest are slow"
                                               : "larger ones are not measured");
    for (int i = 0; i < SHARES; i++)
        explain_size(found, slow_share[i], on);
}

static void explain_colours(const srv_conflicts *found, const srv_account *on)
{
    const srv_colours *colours = &found->colours;
    int power = power_of_two(colours->count), apart = abs(power - colours->count);
    double hidden = (double)apart / power,
           left = (double)colours->left_over / found->trials.elements;
    srv_note(
        on, "%d pages have %d colours, after %d trials; fast pages take %.3g ns, slow ones %.3g ns",
        found->trials.elements, colours->count, found->trials.trials, colours->fast_ns,
        colours->slow_ns);
    if (colours->count < 2)
        return;
    srv_note_rule(on,
                  (srv_rule){"AGREEMENT", colours->agreement, AGREEMENT,
                             srv_outcome(colours->agreement >= AGREEMENT)},
                  "share of the pages that both halves of the trials give the same colour");
    srv_note_rule(on, (srv_rule){"HIDDEN", hidden, HIDDEN, srv_outcome(hidden <= HIDDEN)},
                  "%d pages without a colour; relative distance from %d colours, a power of two",
                  colours->left_over, power);
    srv_note_rule(on, (srv_rule){"LEFT_MOST", left, LEFT_MOST, srv_outcome(left <= LEFT_MOST)},
                  "share of the pages without a colour");
    if (found->colour_count != power)
        srv_note_rule(on, (srv_rule){"LEFT_OVER", left, LEFT_OVER, srv_outcome(left <= LEFT_OVER)},
                      "share of the pages without a colour, where there are not %d colours", power);
}

static void explain_answer(const srv_conflicts *found, const srv_account *on)
{
    srv_rule rejected = {NULL, NAN, NAN, SERVET_OUTCOME_REJECTED};
    if (found->trials.trials == 0)
        srv_note_rule(on, rejected,
                      "not determined: at no size are some pages fast and others slow%s",
                      found->late ? "; the time was over" : "");
    else if (found->colour_count == 0)
        srv_note_rule(on, rejected, "not determined: number of colours (TRIALS_MAX %d)%s",
                      TRIALS_MAX, found->late ? "; the time was over" : "");
    else if (found->ways.ways == 0)
        srv_note_rule(on, rejected,
                      "not determined: number of ways; all measured numbers of pages hit%s",
                      found->late ? "; the time was over" : "");
    else if (!found->ways_clear)
        srv_note_rule(on, rejected,
                      "not determined: number of ways; the last result, %d, was not confirmed%s",
                      found->ways.ways, found->late ? "; the time was over" : "");
}

void srv_explain_pages(const srv_conflicts *found, const srv_geometry_plan *plan,
                       const srv_account *on)
{
    if (!on->to)
        return;
    explain_ramp(found, plan, on);
    if (found->trials.trials > 0)
        explain_colours(found, on);
    if (found->colour_count > 0) {
        srv_explain_turns(&found->turns, found->turn_rounds, on);
        double slower = found->ways.hit_ns / found->hit_ns;
        srv_note_rule(on, (srv_rule){"IN_FRONT", slower, IN_FRONT, srv_outcome(slower >= IN_FRONT)},
                      "time of pages that hit, divided by that of pages in smaller working sets");
    }
    explain_answer(found, on);
}
