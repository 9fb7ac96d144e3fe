/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chase beside generators of load. A generator moves a burst at the rate that its core gets
 * alone, then pauses; no more than its share of the links and controllers that all of them use at
 * once (srv_routes_memory()). A load of the chase waits at the busiest link on its way. That is a
 * queue with one server, which takes s = line / bandwidth for a line: at a share u of the bandwidth
 * it waits u s / (2 (1 - u)) (M/D/1), but no longer than for the lines that all generators on the
 * link can have in flight, which they have where they request more than the link carries.
 */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/samples.h"
#include "sim/system.h"
#include "sim/probes.h"

/* Result of a load. */
typedef struct loading {
    double rate;    /* of all generators together, B/s */
    double wait_ns; /* that a load of the chase waits longer than in a memory at rest */
} loading;

/* The rate that a generator requests, B/s. */
static double demand_of(const srv_model *model, const srv_load_request *request,
                        const srv_access *access)
{
    const srv_model_remote *remote = srv_numa_remote(model, access->pu, access->node);
    double alone = remote && remote->core_bytes_per_second > 0
                       ? remote->core_bytes_per_second
                       : srv_system_memory_rate(model, access->pu);
    double bytes = SRV_BURST_LINES * request->chase.line_bytes * srv_load_moved(request);
    return bytes / (bytes / alone + request->pause_ns * 1e-9);
}

/* A link on the way of the chase. */
typedef struct crossing {
    double capacity, demand; /* B/s; of the generators that use it */
    int generators;
} crossing;

static crossing cross(const srv_model *model, int domain, const srv_load_request *request,
                      const srv_access *chase, const srv_access *accesses)
{
    const srv_model_domain *of = &model->domain[domain];
    int instance = srv_numa_domain(model, domain, chase->pu, chase->node);
    crossing made = {0};
    for (int i = 0; i < request->count; i++)
        if (srv_numa_domain(model, domain, accesses[i].pu, accesses[i].node) == instance) {
            made.generators++;
            made.demand += demand_of(model, request, &accesses[i]);
        }
    bool several = made.generators > 1 && of->contended_bytes_per_second > 0;
    made.capacity = several ? of->contended_bytes_per_second : of->bytes_per_second;
    return made;
}

/* Seconds that a line of the chase waits there. */
static double wait_at(const srv_model *model, const srv_load_request *request, const crossing *at)
{
    int flight = model->misses_in_flight > 0 ? model->misses_in_flight : SRV_OVERLAP;
    double serve = request->chase.line_bytes / at->capacity, share = at->demand / at->capacity;
    double full = fmax(0, at->generators * flight * serve - model->memory_latency_ns * 1e-9);
    return share < 1 ? fmin(full, share * serve / (2 * (1 - share))) : full;
}

static loading sum_up(const srv_model *model, const srv_load_request *request,
                      const srv_access *chase, const srv_access *accesses, const double *shares)
{
    loading answer = {0, 0};
    for (int i = 0; i < request->count; i++)
        answer.rate += fmin(shares[i], demand_of(model, request, &accesses[i]));
    for (int i = 0; i < model->domain_count; i++) {
        crossing at = cross(model, i, request, chase, accesses);
        if (at.generators > 0 && at.capacity > 0)
            answer.wait_ns = fmax(answer.wait_ns, wait_at(model, request, &at) * 1e9);
    }
    return answer;
}

static int find_load(const srv_simulated *sim, const srv_load_request *request, loading *answer,
                     servet_error *error)
{
    srv_access chase;
    int node = request->chase.node;
    int code = srv_simulated_access(sim, request->chase.core, node, &chase, error);
    if (code != SERVET_OK)
        return code;
    srv_access *accesses = calloc((size_t)request->count + 1, sizeof *accesses);
    double *shares = calloc((size_t)request->count + 1, sizeof *shares);
    code = accesses && shares ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < request->count && code == SERVET_OK; i++)
        code = srv_simulated_access(sim, request->cores[i], node, &accesses[i], error);
    if (code == SERVET_OK && request->count > 0)
        code = srv_routes_memory(sim->model, accesses, request->count, shares, error);
    if (code == SERVET_OK)
        *answer = sum_up(sim->model, request, &chase, accesses, shares);
    free(accesses);
    free(shares);
    return code;
}

static bool is_chased(const srv_simulated *sim, const srv_traversal *chase)
{
    const srv_traversal *last = &sim->chased;
    return sim->chase && last->core == chase->core && last->node == chase->node &&
           last->bytes == chase->bytes && last->line_bytes == chase->line_bytes &&
           last->pages == chase->pages && last->seed == chase->seed &&
           last->seconds == chase->seconds;
}

/* Touching the memory of the generators takes no longer than building that of the chase. */
static int chase_at_rest(srv_simulated *sim, const srv_traversal *chase, servet_error *error)
{
    int code = srv_simulated_check_room(sim, chase->bytes, error);
    if (code != SERVET_OK || is_chased(sim, chase))
        return code;
    if (!sim->chase && !(sim->chase = malloc(sizeof *sim->chase)))
        return srv_fail_memory(error);
    *sim->chase = (srv_simulated_run){.seconds = 0};
    sim->chased = (srv_traversal){.bytes = 0};
    srv_simulated_drop_elements(sim);
    code = srv_simulated_run_together(sim, chase, 1, sim->chase, error);
    if (code != SERVET_OK)
        return code;
    sim->chased = *chase;
    srv_simulated_pass(sim, srv_simulated_prepare_ns(sim, chase, sim->chase, false));
    return SERVET_OK;
}

int srv_simulated_load(srv_simulated *sim, const srv_load_request *request, srv_load_answer *answer,
                       servet_error *error)
{
    loading found;
    int code = find_load(sim, request, &found, error);
    if (code == SERVET_OK)
        code = chase_at_rest(sim, &request->chase, error);
    if (code != SERVET_OK)
        return code;
    srv_simulated_run run = *sim->chase;
    for (int i = 0; i < run.sample_count; i++)
        run.sample_ns[i] += found.wait_ns;
    srv_simulated_pass(sim,
                       SRV_SETTLE_NS + (request->count + 1) * SRV_THREAD_NS + SRV_LOOP_WARM_NS);
    *answer = (srv_load_answer){0};
    srv_simulated_read(sim, &request->chase, &run, &answer->chase);
    if (request->count > 0)
        answer->rate =
            srv_simulated_rates(sim, found.rate * SRV_SAMPLE_NS, SRV_SAMPLE_NS, run.sample_count);
    srv_simulated_pass(sim, request->chase.seconds * 1e9 + SRV_FREQUENCY_NS);
    return SERVET_OK;
}
