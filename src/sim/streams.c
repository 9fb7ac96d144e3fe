/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory kernels. The bandwidths of the model limit moved bytes: an ordinary store fetches its line
 * first, one that bypasses the caches does not, so that a copy with such stores counts all of them.
 * Arrays that are only read and that a cache can hold are loaded from there. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/samples.h"
#include "sim/probes.h"
#include "sim/system.h"

#define KERNEL(name, text, bytes, streaming) {bytes, (name) != SERVET_KERNEL_READ && !(streaming)},
static const struct kernel {
    double bytes; /* of an element */
    bool fetches; /* the line that it stores to, first */
} kernels[] = {SERVET_KERNEL_LIST(KERNEL)};
#undef KERNEL

/* The share of the moved bytes that the kernel counts. */
static double named_share(const srv_stream *stream)
{
    const struct kernel *kernel = &kernels[stream->kernel];
    return kernel->bytes / (kernel->bytes + (kernel->fetches ? 8 : 0));
}

/* The nearest cache that holds lines which a PU only loads; NULL: none. */
static const srv_model_cache *holder_of(const srv_model *model, const srv_stream *stream, int pu)
{
    const srv_model_cache *holder = NULL;
    for (int i = 0; i < model->cache_count; i++) {
        const srv_model_cache *row = &model->cache[i];
        if (srv_system_covers(model, row, pu) && stream->bytes <= row->bytes &&
            (!holder || row->level < holder->level))
            holder = row;
    }
    return stream->kernel == SERVET_KERNEL_READ ? holder : NULL;
}

/* Replaces the rate from memory by that from a cache that holds the arrays. */
static int load_from_cache(const srv_model *model, const srv_stream *stream, int pu, double *rate,
                           servet_error *error)
{
    const srv_model_cache *holder = holder_of(model, stream, pu);
    if (!holder)
        return SERVET_OK;
    *rate = holder->load_bytes_per_cycle * srv_system_ghz(model, pu) * 1e9;
    return *rate > 0 ? SERVET_OK
                     : srv_fail(error, SERVET_EUNSUPPORTED,
                                "the model does not state load_bytes_per_cycle of cache level %d",
                                holder->level);
}

static srv_spread sample(srv_simulated *sim, const srv_stream *stream, double true_rate)
{
    double bytes = SRV_LOOP_SAMPLE_DOUBLES * kernels[stream->kernel].bytes;
    double sample_ns = bytes / true_rate * 1e9;
    double count = fmin(fmax(stream->seconds * 1e9 / sample_ns, SRV_SAMPLES_MIN), SRV_SAMPLES_MAX);
    return srv_simulated_rates(sim, bytes * 1e9, sample_ns, (int)count);
}

static int find_rates(srv_simulated *sim, const srv_stream *streams, int count,
                      srv_access *accesses, double *moved, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = srv_simulated_access(sim, streams[i].core, streams[i].node, &accesses[i], error);
    if (code == SERVET_OK)
        code = srv_routes_memory(sim->model, accesses, count, moved, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = load_from_cache(sim->model, &streams[i], accesses[i].pu, &moved[i], error);
    return code;
}

int srv_simulated_stream(srv_simulated *sim, const srv_stream *streams, int count,
                         srv_spread *rates, servet_error *error)
{
    double sum = 0, bytes = 0, seconds = 0;
    for (int i = 0; i < count; i++) {
        sum += streams[i].bytes;
        bytes = fmax(bytes, streams[i].bytes);
        seconds = fmax(seconds, streams[i].seconds);
    }
    int code = srv_simulated_check_room(sim, sum, error);
    if (code != SERVET_OK)
        return code;
    srv_access *accesses = calloc((size_t)count, sizeof *accesses);
    double *moved = calloc((size_t)count, sizeof *moved);
    code = accesses && moved ? find_rates(sim, streams, count, accesses, moved, error)
                             : srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        rates[i] = sample(sim, &streams[i], moved[i] * named_share(&streams[i]));
    if (code == SERVET_OK)
        srv_simulated_pass(sim, SRV_SETTLE_NS + count * SRV_THREAD_NS +
                                    srv_simulated_fault_ns(sim, bytes) + SRV_LOOP_WARM_NS +
                                    seconds * 1e9);
    free(accesses);
    free(moved);
    return code;
}
