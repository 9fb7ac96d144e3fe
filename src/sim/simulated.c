/* SPDX-License-Identifier: BSD-3-Clause */
/* A model as a machine: its answers are computed, and the virtual clock adds the time of each
 * probe on hardware. */
#include "sim/simulated.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "sim/simulated_run.h"
#include "sim/noise.h"
#include "sim/accelerators.h"
#include "sim/coherence.h"
#include "sim/compute.h"
#include "sim/concurrent.h"
#include "sim/hierarchy.h"
#include "sim/loaded.h"
#include "sim/numa.h"
#include "sim/random.h"
#include "sim/sibling.h"
#include "sim/streams.h"
#include "sim/system.h"
#include "sim/trials.h"
#include "stats/interval.h"

/* Step of the virtual clock. */
static const double CLOCK_STEP_NS = 1;

/* Costs of a probe on hardware besides its loads (share/doc/measuring.md): waiting until a core
 * has reached its frequency, a page fault, a step of the random order, measuring the frequency. */
static const double SETTLE_NS = 5e6, FAULT_NS = 250, ORDER_NS = 8, FREQUENCY_NS = 110e3;

/* Starting a thread; rounds of a line transfer that are not timed, and the least number of timed
 * ones; increments in a sample of false sharing. */
static const double THREAD_NS = 20e3;
enum { WARM_ROUNDS = 4, ROUNDS_MIN = 9, SHARED_INCREMENTS = 1024 };

/* Choosing instructions for a stream, and running it before it is timed. */
static const double STREAM_WARM_NS = 2e6;

/* Copying before copies of accelerators are timed. */
static const double LINK_WARM_NS = 10e6;

/* Independent stores in flight at a time while a cycle is built. */
static const double STORES_OVERLAP = 8;

/* Memory that a thread touches before the first measurement on a core, as on hardware. */
static const double ARENA_BYTES = 64.0 * (1 << 20);

typedef struct simulated {
    srv_machine machine;
    srv_model *model;
    srv_simulation simulation; /* of it */
    srv_hierarchy *hierarchy;  /* the simulation's */
    int arena_core;            /* the core that touched the arena; -1: there is none */
    servet_pages arena_pages;
    double arena_bytes;
    srv_eviction elements;    /* the last probe, if it was one of eviction: its memory is kept */
    double elements_ns;       /* on the trials' clock */
    srv_traversal chased;     /* the chase of the last probe under load: its memory is kept */
    srv_simulated_run *chase; /* that chase in a memory at rest; NULL: none yet */
    uint64_t random;          /* of the noise */
    double clock_ns;
} simulated;

static simulated *self(srv_machine *machine)
{
    return (simulated *)machine;
}

/* --- what the system reports ------------------------------------------------------------------ */

static int describe(srv_machine *machine, servet_machine *description, servet_error *error)
{
    (void)error;
    *description = self(machine)->model->machine;
    return SERVET_OK;
}

static int core_types(srv_machine *machine, srv_core_type list[SRV_CORE_TYPES_MAX], int *count,
                      servet_error *error)
{
    return srv_system_core_types(self(machine)->model, list, count, error);
}

static int reported(srv_machine *machine, int core, srv_reported *answer, servet_error *error)
{
    int pu;
    int code = srv_system_pu(self(machine)->model, core, &pu, error);
    if (code == SERVET_OK)
        code = srv_system_reported(self(machine)->model, pu, answer, error);
    return code;
}

static int objects(srv_machine *machine, srv_sets *sets, servet_error *error)
{
    return srv_system_objects(self(machine)->model, sets, error);
}

static int nodes(srv_machine *machine, srv_numa numas[SRV_NUMA_MAX], int *count,
                 servet_error *error)
{
    return srv_numa_list(self(machine)->model, numas, count, error);
}

static int clock_facts(srv_machine *machine, srv_clock_facts *facts, servet_error *error)
{
    (void)machine, (void)error;
    *facts = (srv_clock_facts){.name = "virtual", .overhead_ns = 0, .resolution_ns = CLOCK_STEP_NS};
    return SERVET_OK;
}

static int memory(srv_machine *machine, double *bytes, servet_error *error)
{
    (void)error;
    *bytes = self(machine)->model->machine.memory_bytes;
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return self(machine)->clock_ns * 1e-9;
}

/* Advances the clock by undisturbed time and the time stolen meanwhile. */
static void pass(simulated *sim, double ns)
{
    const srv_model_noise *noise = &sim->model->noise;
    sim->clock_ns += ns * srv_noise_drift(noise, sim->clock_ns) / (1 - noise->steal);
}

/* The frequency of a core, changed by drift. */
static double ghz_now(const simulated *sim, int pu)
{
    return srv_system_ghz(sim->model, pu) / srv_noise_drift(&sim->model->noise, sim->clock_ns);
}

/* The share of the work of a thread in the next `ns` that the sibling of its core takes. */
static double slowed_share(const simulated *sim, int pu, double ns)
{
    srv_sibling *sibling = srv_hierarchy_sibling(sim->hierarchy, pu);
    if (!sibling)
        return 0;
    srv_sibling_leap(sibling, 0, sim->clock_ns);
    double before = sibling->worked_ns;
    srv_sibling_follow(sibling, sim->clock_ns + ns);
    return (sibling->worked_ns - before) / ns * (1 - 1 / SRV_SIBLING_SLOWDOWN);
}

static int noise(srv_machine *machine, int core, double seconds, srv_noise *answer,
                 servet_error *error)
{
    simulated *sim = self(machine);
    int pu;
    int code = srv_system_pu(sim->model, core, &pu, error);
    if (code != SERVET_OK)
        return code;
    double share = srv_noise_stolen(&sim->model->noise, &sim->random, seconds * 1e9);
    double slowed = slowed_share(sim, pu, seconds * 1e9);
    sim->clock_ns += seconds * 1e9;
    *answer =
        (srv_noise){.lost = share + slowed, .steal = share, .others = 0, .ghz = ghz_now(sim, pu)};
    return SERVET_OK;
}

static void watch(srv_machine *machine, int (*call)(void *context), void *context)
{
    srv_hierarchy_watch(self(machine)->hierarchy, call, context);
}

static int check_ended(const simulated *sim, servet_error *error)
{
    return srv_hierarchy_ended(sim->hierarchy) ? srv_fail(error, SERVET_EINTERRUPTED, "interrupted")
                                               : SERVET_OK;
}

/* --- traversals ------------------------------------------------------------------------------- */

/* True if this machine has such a traversal, by the rules of hardware. */
static bool is_valid(const srv_traversal *traversal)
{
    if (traversal->bytes < 1 || traversal->line_bytes < (double)sizeof(void *) ||
        traversal->chains < 1 || traversal->chains > SRV_CHAINS_MAX)
        return false;
    if (traversal->pattern == SRV_PATTERN_PAIRS && traversal->stride < (double)sizeof(void *))
        return false;
    if (!srv_traversal_has_sets(traversal))
        return false;
    if (traversal->pattern == SRV_PATTERN_RANDOM)
        return traversal->chains == 1 && traversal->delay == 0 &&
               traversal->bytes / traversal->line_bytes < UINT32_MAX;
    if (traversal->pattern == SRV_PATTERN_STRIDE)
        return traversal->chains == 1 && traversal->delay == 0 &&
               traversal->stride >= (double)sizeof(void *);
    return traversal->delay == 0 || traversal->chains == 1;
}

static int check(const simulated *sim, const srv_traversal *traversals, int count,
                 servet_error *error)
{
    double bytes = 0;
    for (int i = 0; i < count; i++) {
        if (!is_valid(&traversals[i]))
            return srv_fail(error, SERVET_EARGUMENT,
                            "the simulator does not support this traversal");
        for (int j = 0; j < i; j++)
            if (traversals[i].core == traversals[j].core)
                return srv_fail(error, SERVET_EARGUMENT, "core %d is given twice",
                                traversals[i].core);
        bytes += traversals[i].bytes;
    }
    if (bytes > sim->model->machine.memory_bytes)
        return srv_fail(error, SERVET_EMEMORY,
                        "%.0f MiB exceed the memory of this machine (%.0f MiB)", bytes / (1 << 20),
                        sim->model->machine.memory_bytes / (1 << 20));
    return count > 0 ? SERVET_OK
                     : srv_fail(error, SERVET_EARGUMENT, "there must be at least one traversal");
}

/* Touches memory of a core that was not touched yet. */
static double fault_ns(simulated *sim, const srv_traversal *traversal, bool alone)
{
    double bytes = fmax(ARENA_BYTES, traversal->bytes);
    bool same = alone && sim->arena_core == traversal->core && sim->arena_pages == traversal->pages;
    double touched = same ? sim->arena_bytes : 0;
    sim->arena_core = alone ? traversal->core : -1;
    sim->arena_pages = traversal->pages;
    sim->arena_bytes = fmax(touched, bytes);
    return fmax(0, bytes - touched) / sim->model->machine.page_bytes * FAULT_NS +
           (same ? 0 : SETTLE_NS);
}

/* The steps on hardware before the caches are measured. */
static double prepare_ns(simulated *sim, const srv_traversal *traversal,
                         const srv_simulated_run *run, bool alone)
{
    double order = run->traversal.random ? 0 : ORDER_NS;
    double slots = (double)run->traversal.count * (double)run->traversal.thin;
    double build = slots * (order + run->ns_per_load / STORES_OVERLAP);
    return fault_ns(sim, traversal, alone) + build;
}

/* Samples with the noise of the machine, each at its time. */
static void read_samples(simulated *sim, const srv_traversal *traversal, srv_simulated_run *run,
                         srv_timing *timing)
{
    const srv_model *model = sim->model;
    for (int i = 0; i < run->sample_count; i++) {
        double stretch = SRV_SAMPLE_NS / run->sample_ns[i];
        double now_ns = sim->clock_ns + i * SRV_SAMPLE_NS;
        run->sample_ns[i] =
            srv_noise_apply(&model->noise, &sim->random, SRV_SAMPLE_NS, now_ns) / stretch;
    }
    bool huge = traversal->pages == SERVET_PAGES_HUGE && model->huge_bytes > 0;
    double loads = (double)run->enough * run->traversal.chains;
    double round = run->traversal.random ? 1 : fmax(1, (double)run->traversal.count / loads);
    timing->mean = srv_round_mean(run->sample_ns, (size_t)run->sample_count, round);
    timing->spread = srv_spread_of(run->sample_ns, (size_t)run->sample_count);
    timing->error = srv_median_error(&timing->spread, CLOCK_STEP_NS / loads);
    timing->huge_share = huge ? 1 : 0;
    timing->ghz = ghz_now(sim, run->traversal.pu);
    timing->busy = run->others ? SRV_SIBLING_SLOWDOWN : 1;
}

/* Adds the noise of this moment to the simulated times. */
static void answer(simulated *sim, const srv_traversal *traversals, int count,
                   srv_simulated_run *runs, srv_timing *timings)
{
    double prepare = 0, measure = 0;
    for (int i = 0; i < count; i++)
        prepare = fmax(prepare, prepare_ns(sim, &traversals[i], &runs[i], count == 1));
    pass(sim, prepare + runs->warm_ns);
    for (int i = 0; i < count; i++) {
        read_samples(sim, &traversals[i], &runs[i], &timings[i]);
        measure = fmax(measure, runs[i].sample_count * SRV_SAMPLE_NS);
    }
    pass(sim, measure + FREQUENCY_NS);
}

/* Each other probe has memory of its own. */
static void drop_elements(simulated *sim)
{
    sim->elements.elements = 0;
}

static int traverse(srv_machine *machine, const srv_traversal *traversals, int count,
                    srv_timing *timings, servet_error *error)
{
    simulated *sim = self(machine);
    int code = check(sim, traversals, count, error);
    if (code != SERVET_OK)
        return code;
    srv_simulated_run *runs = calloc((size_t)count, sizeof *runs);
    if (!runs)
        return srv_fail_memory(error);
    drop_elements(sim);
    code = srv_concurrent_traverse(&sim->simulation, traversals, count, sim->clock_ns, runs, error);
    if (code == SERVET_OK)
        answer(sim, traversals, count, runs, timings);
    free(runs);
    return code;
}

/* --- line transfers --------------------------------------------------------------------------- */

/* Samples of `sample_ns` each, seen through the noise; `loads` of them are one. */
static void read_rounds(simulated *sim, double sample_ns, double round_ns, double loads, int count,
                        srv_timing *timing)
{
    double samples[SRV_SAMPLES_MAX];
    for (int i = 0; i < count; i++)
        samples[i] = srv_noise_apply(&sim->model->noise, &sim->random, sample_ns,
                                     sim->clock_ns + i * round_ns) /
                     loads;
    timing->spread = srv_spread_of(samples, (size_t)count);
    timing->mean = srv_mean_of(samples + count / 4, (size_t)(count - count / 4 * 2)).value;
    timing->huge_share = 0;
    timing->error = NAN;
    timing->busy = NAN;
}

static int rounds_in(double seconds, double round_ns)
{
    return (int)fmin(fmax(seconds * 1e9 / round_ns, ROUNDS_MIN), SRV_SAMPLES_MAX);
}

static void answer_transfers(simulated *sim, const srv_line_transfer *transfers, int count,
                             const srv_coherence_cost *costs, srv_timing *timings)
{
    double prepare = 0, measure = 0;
    for (int i = 0; i < count; i++) {
        double faults = transfers[i].bytes / sim->model->machine.page_bytes * FAULT_NS;
        prepare = fmax(prepare, faults + costs[i].lines * ORDER_NS);
    }
    pass(sim, SETTLE_NS + 2 * count * THREAD_NS + prepare);
    for (int i = 0; i < count; i++) {
        const srv_coherence_cost *one = &costs[i];
        int pu = 0, rounds = rounds_in(transfers[i].seconds, one->round_ns);
        read_rounds(sim, one->load_ns, one->round_ns, one->lines, rounds, &timings[i]);
        measure = fmax(measure, (rounds + WARM_ROUNDS) * one->round_ns);
        srv_system_pu(sim->model, transfers[i].reader, &pu, NULL);
        timings[i].ghz = ghz_now(sim, pu);
    }
    pass(sim, measure + FREQUENCY_NS);
}

static int transfer_lines(srv_machine *machine, const srv_line_transfer *transfers, int count,
                          srv_timing *timings, servet_error *error)
{
    simulated *sim = self(machine);
    srv_coherence_cost *costs = calloc((size_t)(count > 0 ? count : 1), sizeof *costs);
    if (!costs)
        return srv_fail_memory(error);
    drop_elements(sim);
    srv_hierarchy_set_clock(sim->hierarchy, sim->clock_ns);
    int code = srv_concurrent_transfer(&sim->simulation, transfers, count, costs, error);
    if (code == SERVET_OK)
        answer_transfers(sim, transfers, count, costs, timings);
    free(costs);
    return code;
}

static int false_sharing(srv_machine *machine, const srv_false_sharing *probe, srv_timing *timing,
                         servet_error *error)
{
    simulated *sim = self(machine);
    double ns;
    int pu = 0, code = srv_coherence_false_sharing(sim->model, probe, &ns, error);
    if (code != SERVET_OK)
        return code;
    double sample_ns = SHARED_INCREMENTS * ns;
    int count = rounds_in(probe->seconds, sample_ns);
    pass(sim, SETTLE_NS + 2 * THREAD_NS + sim->model->memory_latency_ns);
    read_rounds(sim, sample_ns, sample_ns, SHARED_INCREMENTS, count, timing);
    srv_system_pu(sim->model, probe->core, &pu, NULL);
    timing->ghz = ghz_now(sim, pu);
    pass(sim, count * sample_ns + FREQUENCY_NS);
    return SERVET_OK;
}

/* --- synchronization -------------------------------------------------------------------------- */

static int synchronize(srv_machine *machine, const srv_sync *sync, srv_spread *ns,
                       servet_error *error)
{
    simulated *sim = self(machine);
    srv_timing timing;
    double one_ns;
    int code = srv_coherence_sync(sim->model, sync, &one_ns, error);
    if (code != SERVET_OK)
        return code;
    int count = rounds_in(sync->seconds, SRV_SAMPLE_NS);
    pass(sim, SETTLE_NS + sync->count * THREAD_NS);
    read_rounds(sim, SRV_SAMPLE_NS, SRV_SAMPLE_NS, SRV_SAMPLE_NS / one_ns, count, &timing);
    *ns = timing.spread;
    pass(sim, count * SRV_SAMPLE_NS);
    return SERVET_OK;
}

/* --- eviction --------------------------------------------------------------------------------- */

static bool has_trials(const srv_model *model, const srv_eviction *eviction)
{
    return eviction->elements > 0 && eviction->lines > 0 && eviction->trials > 0 &&
           eviction->walked > 0 && eviction->rounds >= 0 && eviction->others >= 0 &&
           eviction->core != eviction->other && (eviction->other >= 0 || eviction->others == 0) &&
           eviction->line_bytes >= (double)sizeof(void *) &&
           eviction->lines * eviction->line_bytes <= eviction->element_bytes &&
           eviction->element_bytes <= model->machine.page_bytes;
}

/* True if the memory of the last probe is kept and fits this one, too. */
static bool has_elements(const simulated *sim, const srv_eviction *eviction)
{
    const srv_eviction *last = &sim->elements;
    return eviction->seed == last->seed && eviction->core == last->core &&
           eviction->other == last->other && eviction->pages == last->pages &&
           eviction->elements == last->elements && eviction->element_bytes == last->element_bytes &&
           eviction->line_bytes == last->line_bytes;
}

/* Memory is written before it is used, so the caches are full at the start. */
static int make_elements(simulated *sim, srv_trials *trials, servet_error *error)
{
    const srv_eviction *eviction = trials->eviction;
    srv_address_range range = {.pu = trials->pu,
                               .bytes = eviction->elements * eviction->element_bytes,
                               .huge = eviction->pages == SERVET_PAGES_HUGE};
    drop_elements(sim);
    srv_hierarchy_flush(sim->hierarchy, srv_mix(eviction->seed));
    int code = srv_hierarchy_enter(sim->hierarchy, &range, error);
    if (code == SERVET_OK && trials->other >= 0)
        code = srv_hierarchy_join(sim->hierarchy, trials->other, trials->pu, error);
    if (code != SERVET_OK)
        return code;
    srv_trials_fill(trials);
    code = check_ended(sim, error);
    if (code != SERVET_OK)
        return code;
    pass(sim, SETTLE_NS + range.bytes / sim->model->machine.page_bytes * FAULT_NS);
    sim->elements = *eviction;
    sim->elements.element = NULL;
    return SERVET_OK;
}

static int enter_elements(simulated *sim, srv_trials *trials, servet_error *error)
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

static void run_trials(simulated *sim, srv_trials *trials, float *ns)
{
    const srv_eviction *eviction = trials->eviction;
    for (int trial = 0; trial < eviction->trials && !srv_hierarchy_ended(sim->hierarchy); trial++) {
        float *row = ns + (size_t)trial * (size_t)eviction->walked;
        double before = trials->now_ns;
        srv_trials_run(trials, trial, row);
        for (int i = 0; i < eviction->walked; i++)
            row[i] =
                (float)srv_noise_apply(&sim->model->noise, &sim->random, row[i], sim->clock_ns);
        pass(sim, trials->now_ns - before);
    }
}

static int evict(srv_machine *machine, const srv_eviction *probe, float *ns, servet_error *error)
{
    simulated *sim = self(machine);
    srv_trials trials = {.hierarchy = sim->hierarchy,
                         .eviction = probe,
                         .together = srv_trials_together(sim->model, probe),
                         .other = -1};
    if (!has_trials(sim->model, probe))
        return srv_fail(error, SERVET_EARGUMENT, "the simulator does not support these trials");
    uint64_t *lines = srv_trials_lines(probe, trials.together);
    trials.line = lines;
    int code = lines ? enter_elements(sim, &trials, error) : srv_fail_memory(error);
    if (code == SERVET_OK) {
        srv_hierarchy_set_clock(sim->hierarchy, sim->clock_ns - trials.now_ns);
        run_trials(sim, &trials, ns);
        sim->elements_ns = trials.now_ns;
        code = check_ended(sim, error);
    }
    free(lines);
    return code;
}

/* --- streams ---------------------------------------------------------------------------------- */

static int stream(srv_machine *machine, const srv_stream *streams, int count, srv_spread *rates,
                  servet_error *error)
{
    simulated *sim = self(machine);
    double bytes = 0, seconds = 0;
    int code =
        srv_model_streams(sim->model, streams, count, sim->clock_ns, &sim->random, rates, error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        bytes = fmax(bytes, streams[i].bytes);
        seconds = fmax(seconds, streams[i].seconds);
    }
    if (code == SERVET_OK)
        pass(sim, SETTLE_NS + count * THREAD_NS +
                      bytes / sim->model->machine.page_bytes * FAULT_NS + STREAM_WARM_NS +
                      seconds * 1e9);
    return code;
}

/* --- a chase under load ----------------------------------------------------------------------- */

static bool is_chased(const simulated *sim, const srv_traversal *chase)
{
    const srv_traversal *last = &sim->chased;
    return sim->chase && last->core == chase->core && last->node == chase->node &&
           last->bytes == chase->bytes && last->line_bytes == chase->line_bytes &&
           last->pages == chase->pages && last->seed == chase->seed &&
           last->seconds == chase->seconds;
}

/* Touching the memory of the generators takes no longer than building that of the chase. */
static int chase_at_rest(simulated *sim, const srv_traversal *chase, servet_error *error)
{
    int code = check(sim, chase, 1, error);
    if (code != SERVET_OK || is_chased(sim, chase))
        return code;
    if (!sim->chase && !(sim->chase = malloc(sizeof *sim->chase)))
        return srv_fail_memory(error);
    *sim->chase = (srv_simulated_run){.seconds = 0};
    sim->chased = (srv_traversal){.bytes = 0};
    drop_elements(sim);
    code = srv_concurrent_traverse(&sim->simulation, chase, 1, sim->clock_ns, sim->chase, error);
    if (code != SERVET_OK)
        return code;
    sim->chased = *chase;
    pass(sim, prepare_ns(sim, chase, sim->chase, false));
    return SERVET_OK;
}

/* The rate of all generators, in the same number of samples as the chase. */
static srv_spread read_rate(simulated *sim, double rate, int count)
{
    double rates[SRV_SAMPLES_MAX];
    for (int i = 0; i < count; i++)
        rates[i] = rate * SRV_SAMPLE_NS /
                   srv_noise_apply(&sim->model->noise, &sim->random, SRV_SAMPLE_NS,
                                   sim->clock_ns + i * SRV_SAMPLE_NS);
    return srv_spread_of(rates, (size_t)count);
}

static int load(srv_machine *machine, const srv_load_request *request, srv_load_answer *answer,
                servet_error *error)
{
    simulated *sim = self(machine);
    srv_model_load found;
    int code = srv_model_load_of(sim->model, request, &found, error);
    if (code == SERVET_OK)
        code = chase_at_rest(sim, &request->chase, error);
    if (code != SERVET_OK)
        return code;
    srv_simulated_run run = *sim->chase;
    for (int i = 0; i < run.sample_count; i++)
        run.sample_ns[i] += found.wait_ns;
    pass(sim, SETTLE_NS + (request->count + 1) * THREAD_NS + STREAM_WARM_NS);
    *answer = (srv_load_answer){0};
    read_samples(sim, &request->chase, &run, &answer->chase);
    if (request->count > 0)
        answer->rate = read_rate(sim, found.rate, run.sample_count);
    pass(sim, request->chase.seconds * 1e9 + FREQUENCY_NS);
    return SERVET_OK;
}

/* --- computations ----------------------------------------------------------------------------- */

static int compute(srv_machine *machine, const srv_computation *computations, int count,
                   srv_computed *computed, servet_error *error)
{
    simulated *sim = self(machine);
    double seconds = 0;
    int code = srv_model_compute(sim->model, computations, count, sim->clock_ns, &sim->random,
                                 computed, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        seconds = fmax(seconds, computations[i].seconds);
    if (code == SERVET_OK)
        pass(sim, SETTLE_NS + count * THREAD_NS + STREAM_WARM_NS + seconds * 1e9 + FREQUENCY_NS);
    return code;
}

/* --- accelerators ----------------------------------------------------------------------------- */

static int devices(srv_machine *machine, srv_device list[SRV_DEVICES_MAX], int *count,
                   servet_error *error)
{
    return srv_model_devices(self(machine)->model, list, count, error);
}

static int copy(srv_machine *machine, const srv_copy *copies, int count, srv_spread *ns,
                servet_error *error)
{
    simulated *sim = self(machine);
    double seconds = 0, bytes = 0;
    int code = srv_model_copy(sim->model, copies, count, sim->clock_ns, &sim->random, ns, error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        seconds = fmax(seconds, copies[i].seconds);
        bytes = fmax(bytes, copies[i].bytes);
    }
    if (code == SERVET_OK)
        pass(sim, SETTLE_NS + count * THREAD_NS +
                      bytes / sim->model->machine.page_bytes * FAULT_NS + LINK_WARM_NS +
                      seconds * 1e9);
    return code;
}

/* --- life ------------------------------------------------------------------------------------- */

static void destroy(srv_machine *machine)
{
    srv_hierarchy_destroy(self(machine)->hierarchy);
    srv_remembered_forget(&self(machine)->simulation.found);
    srv_model_free(self(machine)->model);
    free(self(machine)->chase);
    free(machine);
}

int srv_simulated_from(srv_machine **machine, srv_model *model, servet_error *error)
{
    static const srv_machine_ops ops = {
        .describe = describe,
        .core_types = core_types,
        .reported = reported,
        .clock = clock_facts,
        .memory = memory,
        .noise = noise,
        .traverse = traverse,
        .stream = stream,
        .load = load,
        .nodes = nodes,
        .transfer_lines = transfer_lines,
        .false_sharing = false_sharing,
        .synchronize = synchronize,
        .evict = evict,
        .compute = compute,
        .objects = objects,
        .devices = devices,
        .copy = copy,
        .elapsed = elapsed,
        .watch = watch,
        .destroy = destroy,
    };
    simulated *sim = calloc(1, sizeof *sim);
    if (!sim) {
        srv_model_free(model);
        return srv_fail_memory(error);
    }
    sim->machine.ops = &ops;
    sim->model = model;
    sim->arena_core = -1;
    int code = srv_hierarchy_create(&sim->hierarchy, model, error);
    if (code != SERVET_OK) {
        destroy(&sim->machine);
        return code;
    }
    sim->simulation.model = model;
    sim->simulation.hierarchy = sim->hierarchy;
    *machine = &sim->machine;
    return SERVET_OK;
}

int srv_simulated_create(srv_machine **machine, const char *path, servet_error *error)
{
    srv_model *model;
    int code = srv_model_read(&model, path, error);
    return code == SERVET_OK ? srv_simulated_from(machine, model, error) : code;
}
