/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/accelerators.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "sim/noise.h"
#include "sim/probes.h"
#include "sim/system.h"

_Static_assert((int)SRV_MODEL_ACCELERATORS_MAX <= (int)SRV_DEVICES_MAX, "all of them are listed");

enum { SAMPLES = 16 };

/* Copying before copies are timed, as on hardware. */
static const double WARM_NS = 10e6;

/* --- devices ---------------------------------------------------------------------------------- */

static bool reach_each_other(const srv_model_accelerator *a, const srv_model_accelerator *b)
{
    return (a->peer_bytes_per_second > 0 && b->peer_bytes_per_second > 0) ||
           (a->uplink >= 0 && a->uplink == b->uplink);
}

static srv_device describe(const srv_model *model, int number, const srv_numa *numas)
{
    const srv_model_accelerator *of = &model->accelerator[number];
    srv_device made = {.node = -1};
    snprintf(made.bus, sizeof made.bus, "0000:%02x:00.0", number + 1);
    memcpy(made.name, of->name, sizeof made.name);
    memcpy(made.cards, of->cards, sizeof made.cards);
    if (of->reported >= 0) {
        made.node = numas[of->reported].number;
        memcpy(made.cores, numas[of->reported].cores, sizeof made.cores);
    }
    for (int i = 0; i < model->accelerator_count; i++)
        if (i != number && reach_each_other(of, &model->accelerator[i]))
            made.reaches |= 1 << i;
    return made;
}

int srv_model_devices(const srv_model *model, srv_device devices[SRV_DEVICES_MAX], int *count,
                      servet_error *error)
{
    srv_numa numas[SRV_NUMA_MAX];
    int nodes, code = srv_numa_list(model, numas, &nodes, error);
    *count = code == SERVET_OK ? model->accelerator_count : 0;
    for (int i = 0; i < *count; i++)
        devices[i] = describe(model, i, numas);
    return code;
}

/* --- copies ----------------------------------------------------------------------------------- */

/* B/s of the link alone, without an uplink that it shares. */
static double rate_of(const srv_model_accelerator *of, bool to_host)
{
    double rate = to_host ? of->to_host_bytes_per_second : of->to_device_bytes_per_second;
    return of->uplink_bytes_per_second > 0 ? fmin(rate, of->uplink_bytes_per_second) : rate;
}

/* Between devices a copy leaves one of them as if to the host, and enters the other one. */
static double peer_rate(const srv_model_accelerator *from, const srv_model_accelerator *to)
{
    if (from->peer_bytes_per_second > 0 && to->peer_bytes_per_second > 0)
        return fmin(from->peer_bytes_per_second, to->peer_bytes_per_second);
    if (reach_each_other(from, to))
        return fmin(from->to_host_bytes_per_second, to->to_device_bytes_per_second);
    return fmin(rate_of(from, true), rate_of(to, false));
}

static int count_sharing(const srv_model *model, const srv_copy *copies, int count, int number)
{
    const srv_copy *copy = &copies[number];
    int uplink = model->accelerator[copy->device].uplink, sharing = 0;
    for (int i = 0; i < count; i++)
        sharing +=
            copies[i].peer < 0 && copies[i].to_host == copy->to_host &&
            (i == number || (uplink >= 0 && model->accelerator[copies[i].device].uplink == uplink));
    return sharing;
}

/* ns of one copy; `node` is that of the host's memory. */
static double host_ns(const srv_model *model, const srv_copy *copies, int count, int number,
                      int node)
{
    const srv_copy *copy = &copies[number];
    const srv_model_accelerator *of = &model->accelerator[copy->device];
    bool remote = of->node >= 0 && of->node != node;
    double rate = rate_of(of, copy->to_host);
    if (of->uplink_bytes_per_second > 0)
        rate =
            fmin(rate, of->uplink_bytes_per_second / count_sharing(model, copies, count, number));
    if (remote && of->remote_bytes_per_second > 0)
        rate = fmin(rate, of->remote_bytes_per_second);
    double latency = of->latency_us + (remote ? of->remote_us : 0);
    return copy->bytes / rate * 1e9 + latency * 1e3 / copy->in_flight;
}

static double peer_ns(const srv_model *model, const srv_copy *copy)
{
    const srv_model_accelerator *from = &model->accelerator[copy->device],
                                *to = &model->accelerator[copy->peer];
    return copy->bytes / peer_rate(from, to) * 1e9 +
           fmax(from->latency_us, to->latency_us) * 1e3 / copy->in_flight;
}

static srv_spread sample(srv_simulated *sim, double true_ns)
{
    double ns[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        ns[i] =
            srv_noise_apply(&sim->model->noise, &sim->random, true_ns, sim->clock_ns + i * true_ns);
    return srv_spread_of(ns, SAMPLES);
}

int srv_simulated_copy(srv_simulated *sim, const srv_copy *copies, int count, srv_spread *ns,
                       servet_error *error)
{
    const srv_model *model = sim->model;
    double seconds = 0, bytes = 0;
    srv_access access;
    int code = srv_check_devices(copies, count, model->accelerator_count, error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = srv_simulated_access(sim, copies[i].core, copies[i].node, &access, error);
        if (code != SERVET_OK)
            break;
        ns[i] = sample(sim, copies[i].peer >= 0 ? peer_ns(model, &copies[i])
                                                : host_ns(model, copies, count, i, access.node));
        seconds = fmax(seconds, copies[i].seconds);
        bytes = fmax(bytes, copies[i].bytes);
    }
    if (code == SERVET_OK)
        srv_simulated_pass(sim, SRV_SETTLE_NS + count * SRV_THREAD_NS +
                                    srv_simulated_fault_ns(sim, bytes) + WARM_NS + seconds * 1e9);
    return code;
}
