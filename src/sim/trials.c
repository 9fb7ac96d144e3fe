/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/trials.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/order.h"
#include "sim/noise.h"
#include "sim/probes.h"
#include "sim/set_policy.h"
#include "sim/system.h"

/* Simulated lines come from the first part of the element; each is followed by the lines that it
 * represents, from the other parts. */
uint64_t *srv_trials_lines(const srv_eviction *eviction, int together)
{
    uint64_t *line = calloc((size_t)eviction->lines, sizeof *line);
    size_t part = (size_t)(eviction->element_bytes / eviction->line_bytes) / (size_t)together;
    srv_order order = srv_order_of(part, eviction->seed);
    for (int i = 0; line && i < eviction->lines; i++) {
        size_t number = srv_order_at(&order, (size_t)(i / together));
        line[i] = (number + part * (size_t)(i % together)) * (uint64_t)eviction->line_bytes;
    }
    return line;
}

/* --- which lines are simulated ---------------------------------------------------------------- */

/* The time of an element is the mean of at least this number of lines if others replace lines at
 * random: a few more or less then make no element look like one that was evicted. */
enum { LINES_BESIDE_OTHERS = 16 };

/* Sets repeat after a multiple of the element, so that each of its lines has sets of its own. The
 * slice follows from the bits above, in the same way for all lines of two elements. */
static bool has_sets_of_lines(const srv_model_cache *cache, const srv_eviction *eviction)
{
    return cache->line_bytes <= eviction->line_bytes &&
           fmod(srv_system_sets(cache) * cache->line_bytes, eviction->element_bytes) == 0;
}

/* Among SRV_DUEL_PERIOD neighbouring sets each policy leads in one. */
static bool has_leaders(const srv_model_cache *cache, const srv_eviction *eviction)
{
    return cache->line_bytes == eviction->line_bytes &&
           eviction->lines * eviction->line_bytes == eviction->element_bytes;
}

/* The least number of lines of an element that a cache requires to be simulated. */
static int lines_in(const srv_model_cache *cache, const srv_eviction *eviction)
{
    const int policy[SRV_REPLACEMENT_COUNT] = {
        [SRV_REPLACE_LRU] = 1,
        [SRV_REPLACE_PLRU] = 1,
        [SRV_REPLACE_RANDOM] = eviction->lines,
        [SRV_REPLACE_ADAPTIVE] = has_leaders(cache, eviction) ? SRV_DUEL_PERIOD : eviction->lines,
    };
    int lines = policy[cache->replacement];
    if (cache->turnover_ms > 0 && lines < LINES_BESIDE_OTHERS)
        lines = LINES_BESIDE_OTHERS;
    return has_sets_of_lines(cache, eviction) ? lines : eviction->lines;
}

int srv_trials_together(const srv_model *model, const srv_eviction *eviction)
{
    int lines = srv_system_is_timeless(model) ? 1 : eviction->lines;
    for (int i = 0; i < model->cache_count; i++) {
        int own = lines_in(&model->cache[i], eviction);
        lines = own > lines ? own : lines;
    }
    return lines < eviction->lines && eviction->lines % lines == 0 ? eviction->lines / lines : 1;
}

/* --- loads ------------------------------------------------------------------------------------ */

/* The lines of an element. A share 1 / `overlap` of a load's time passes before the next one. */
static void load(srv_trials *trials, int pu, uint32_t element, double overlap)
{
    uint64_t base = element * (uint64_t)trials->eviction->element_bytes;
    int lines = trials->eviction->lines, together = trials->together;
    for (int i = 0; i < lines; i += together)
        trials->now_ns = srv_hierarchy_bring_alike(trials->hierarchy, pu, base + trials->line[i],
                                                   together, overlap, trials->now_ns);
}

/* Independent loads. */
static void visit(srv_trials *trials, int pu, const uint32_t *element, int count)
{
    for (int round = 0; round < trials->eviction->rounds; round++)
        for (int e = 0; e < count; e++)
            load(trials, pu, element[e], SRV_OVERLAP);
}

/* Dependent loads; the translation is known. */
static double chase(srv_trials *trials, uint32_t element)
{
    double began = trials->now_ns;
    load(trials, trials->pu, element, 1);
    return trials->now_ns - began;
}

/* If lines stand for others, they also stand for others that no trial visits. */
void srv_trials_fill(srv_trials *trials)
{
    const srv_eviction *eviction = trials->eviction;
    int lines = (int)(eviction->element_bytes / eviction->line_bytes);
    int simulated = trials->together > 1 ? eviction->lines / trials->together : lines;
    for (int e = 0; e < eviction->elements && !srv_hierarchy_ended(trials->hierarchy); e++)
        for (int i = 0; i < simulated; i++) {
            uint64_t line = trials->together > 1 ? trials->line[i * trials->together]
                                                 : (uint64_t)(i * eviction->line_bytes);
            trials->now_ns = srv_hierarchy_bring_alike(
                trials->hierarchy, trials->pu, (uint64_t)(e * eviction->element_bytes) + line,
                lines / simulated, SRV_OVERLAP, trials->now_ns);
        }
}

void srv_trials_run(srv_trials *trials, int trial, float *ns)
{
    const srv_eviction *eviction = trials->eviction;
    size_t in_trial = (size_t)eviction->walked + (size_t)eviction->others;
    const uint32_t *element = eviction->element + (size_t)trial * in_trial;
    visit(trials, trials->pu, element, eviction->walked);
    if (trials->other >= 0)
        visit(trials, trials->other, element + eviction->walked, eviction->others);
    for (int i = 0; i < eviction->walked; i++)
        ns[i] = (float)chase(trials, element[i]);
}

/* --- the probe -------------------------------------------------------------------------------- */

/* True if the memory of the last probe is kept and fits this one, too. */
static bool has_elements(const srv_simulated *sim, const srv_eviction *eviction)
{
    const srv_eviction *last = &sim->elements;
    return eviction->seed == last->seed && eviction->core == last->core &&
           eviction->other == last->other && eviction->pages == last->pages &&
           eviction->elements == last->elements && eviction->element_bytes == last->element_bytes &&
           eviction->line_bytes == last->line_bytes;
}

/* Memory is written before it is used, so the caches are full at the start. */
static int make_elements(srv_simulated *sim, srv_trials *trials, servet_error *error)
{
    const srv_eviction *eviction = trials->eviction;
    srv_address_range range = {.pu = trials->pu,
                               .bytes = eviction->elements * eviction->element_bytes,
                               .huge = eviction->pages == SERVET_PAGES_HUGE};
    srv_simulated_drop_elements(sim);
    srv_hierarchy_flush(sim->hierarchy, srv_mix(eviction->seed));
    int code = srv_hierarchy_enter(sim->hierarchy, &range, error);
    if (code == SERVET_OK && trials->other >= 0)
        code = srv_hierarchy_join(sim->hierarchy, trials->other, trials->pu, error);
    if (code != SERVET_OK)
        return code;
    srv_trials_fill(trials);
    code = srv_simulated_check_ended(sim, error);
    if (code != SERVET_OK)
        return code;
    srv_simulated_pass(sim, SRV_SETTLE_NS + srv_simulated_fault_ns(sim, range.bytes));
    sim->elements = *eviction;
    sim->elements.element = NULL;
    return SERVET_OK;
}

static int enter_elements(srv_simulated *sim, srv_trials *trials, servet_error *error)
{
    const srv_eviction *eviction = trials->eviction;
    int code = srv_system_pu(sim->model, eviction->core, &trials->pu, error);
    if (code == SERVET_OK && eviction->other >= 0)
        code = srv_system_pu(sim->model, eviction->other, &trials->other, error);
    if (code != SERVET_OK)
        return code;
    if (!has_elements(sim, eviction))
        return make_elements(sim, trials, error);
    trials->now_ns = sim->elements_ns;
    return SERVET_OK;
}

static void run_trials(srv_simulated *sim, srv_trials *trials, float *ns)
{
    const srv_eviction *eviction = trials->eviction;
    for (int trial = 0; trial < eviction->trials && !srv_hierarchy_ended(sim->hierarchy); trial++) {
        float *row = ns + (size_t)trial * (size_t)eviction->walked;
        double before = trials->now_ns;
        srv_trials_run(trials, trial, row);
        for (int i = 0; i < eviction->walked; i++)
            row[i] =
                (float)srv_noise_apply(&sim->model->noise, &sim->random, row[i], sim->clock_ns);
        srv_simulated_pass(sim, trials->now_ns - before);
    }
}

int srv_simulated_evict(srv_simulated *sim, const srv_eviction *probe, float *ns,
                        servet_error *error)
{
    srv_trials trials = {.hierarchy = sim->hierarchy,
                         .eviction = probe,
                         .together = srv_trials_together(sim->model, probe),
                         .other = -1};
    if (probe->element_bytes > sim->model->machine.page_bytes)
        return srv_fail(error, SERVET_EARGUMENT, "an element is larger than a page");
    uint64_t *lines = srv_trials_lines(probe, trials.together);
    trials.line = lines;
    int code = lines ? enter_elements(sim, &trials, error) : srv_fail_memory(error);
    if (code == SERVET_OK) {
        srv_hierarchy_set_clock(sim->hierarchy, sim->clock_ns - trials.now_ns);
        run_trials(sim, &trials, ns);
        sim->elements_ns = trials.now_ns;
        code = srv_simulated_check_ended(sim, error);
    }
    free(lines);
    return code;
}
