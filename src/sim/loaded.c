/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/loaded.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "sim/numa.h"
#include "sim/routes.h"
#include "sim/simulated_traversal.h"
#include "sim/system.h"

static int check(const srv_load_request *request, servet_error *error)
{
    bool valid = request->count >= 0 && request->modified >= 0 && request->pause_ns >= 0 &&
                 (request->modified == 0 || SRV_BURST_LINES % request->modified == 0);
    for (int i = 0; i < request->count; i++)
        for (int j = -1; j < i; j++)
            valid = valid && request->cores[i] != (j < 0 ? request->chase.core : request->cores[j]);
    return valid ? SERVET_OK
                 : srv_fail(error, SERVET_EARGUMENT,
                            "the simulator does not support this load of memory");
}

static int find(const srv_model *model, int core, int node, srv_access *access, servet_error *error)
{
    int code = srv_system_pu(model, core, &access->pu, error);
    return code == SERVET_OK ? srv_numa_requested(model, access->pu, node, &access->node, error)
                             : code;
}

/* The rate that a generator requests, B/s. */
static double demand_of(const srv_model *model, const srv_load_request *request,
                        const srv_access *access)
{
    const srv_model_remote *remote = srv_numa_remote(model, access->pu, access->node);
    double alone = remote && remote->core_bytes_per_second > 0
                       ? remote->core_bytes_per_second
                       : model->memory_bytes_per_second_core;
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

static void load(const srv_model *model, const srv_load_request *request, const srv_access *chase,
                 const srv_access *accesses, const double *shares, srv_model_load *answer)
{
    *answer = (srv_model_load){0, 0};
    for (int i = 0; i < request->count; i++)
        answer->rate += fmin(shares[i], demand_of(model, request, &accesses[i]));
    for (int i = 0; i < model->domain_count; i++) {
        crossing at = cross(model, i, request, chase, accesses);
        if (at.generators > 0 && at.capacity > 0)
            answer->wait_ns = fmax(answer->wait_ns, wait_at(model, request, &at) * 1e9);
    }
}

int srv_model_load_of(const srv_model *model, const srv_load_request *request,
                      srv_model_load *answer, servet_error *error)
{
    srv_access chase;
    int code = check(request, error);
    if (code == SERVET_OK)
        code = find(model, request->chase.core, request->chase.node, &chase, error);
    if (code != SERVET_OK)
        return code;
    srv_access *accesses = calloc((size_t)request->count + 1, sizeof *accesses);
    double *shares = calloc((size_t)request->count + 1, sizeof *shares);
    code = accesses && shares ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < request->count && code == SERVET_OK; i++)
        code = find(model, request->cores[i], request->chase.node, &accesses[i], error);
    if (code == SERVET_OK && request->count > 0)
        code = srv_routes_memory(model, accesses, request->count, shares, error);
    if (code == SERVET_OK)
        load(model, request, &chase, accesses, shares, answer);
    free(accesses);
    free(shares);
    return code;
}
