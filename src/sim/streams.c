/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/streams.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "sim/noise.h"
#include "sim/numa.h"
#include "sim/routes.h"
#include "sim/system.h"

/* The same sizes as on hardware (hardware/stream.c). */
enum { SAMPLE_ELEMENTS = (512 << 10) / 8, SAMPLES_MIN = 9, SAMPLES_MAX = 1024 };

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

static void sample(const srv_model *model, const srv_stream *stream, double true_rate,
                   double now_ns, uint64_t *random, srv_spread *rate)
{
    double rates[SAMPLES_MAX], bytes = SAMPLE_ELEMENTS * kernels[stream->kernel].bytes;
    double sample_ns = bytes / true_rate * 1e9;
    double count = fmin(fmax(stream->seconds * 1e9 / sample_ns, SAMPLES_MIN), SAMPLES_MAX);
    size_t n = (size_t)count;
    for (size_t i = 0; i < n; i++)
        rates[i] =
            bytes * 1e9 /
            srv_noise_apply(&model->noise, random, sample_ns, now_ns + (double)i * sample_ns);
    *rate = srv_spread_of(rates, n);
}

static int check(const srv_model *model, const srv_stream *streams, int count, servet_error *error)
{
    double bytes = 0;
    for (int i = 0; i < count; i++) {
        if ((unsigned)streams[i].kernel >= SERVET_KERNEL_COUNT || !(streams[i].bytes > 0))
            return srv_fail(error, SERVET_EARGUMENT,
                            "the simulator does not support this memory kernel");
        for (int j = 0; j < i; j++)
            if (streams[i].core == streams[j].core)
                return srv_fail(error, SERVET_EARGUMENT, "core %d is given twice", streams[i].core);
        bytes += streams[i].bytes;
    }
    if (bytes > model->machine.memory_bytes)
        return srv_fail(error, SERVET_EMEMORY,
                        "%.0f MiB exceed the memory of this machine (%.0f MiB)", bytes / (1 << 20),
                        model->machine.memory_bytes / (1 << 20));
    return count > 0 ? SERVET_OK
                     : srv_fail(error, SERVET_EARGUMENT, "there must be at least one core");
}

/* Finds the PU of each stream and the node of its memory. */
static int find(const srv_model *model, const srv_stream *streams, int count, srv_access *accesses,
                servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = srv_system_pu(model, streams[i].core, &accesses[i].pu, error);
        if (code == SERVET_OK)
            code = srv_numa_requested(model, accesses[i].pu, streams[i].node, &accesses[i].node,
                                      error);
    }
    return code;
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

int srv_model_streams(const srv_model *model, const srv_stream *streams, int count, double now_ns,
                      uint64_t *random, srv_spread *rates, servet_error *error)
{
    int code = check(model, streams, count, error);
    if (code != SERVET_OK)
        return code;
    srv_access *accesses = calloc((size_t)count, sizeof *accesses);
    double *moved = calloc((size_t)count, sizeof *moved);
    code =
        accesses && moved ? find(model, streams, count, accesses, error) : srv_fail_memory(error);
    if (code == SERVET_OK)
        code = srv_routes_memory(model, accesses, count, moved, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = load_from_cache(model, &streams[i], accesses[i].pu, &moved[i], error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        sample(model, &streams[i], moved[i] * named_share(&streams[i]), now_ns, random, &rates[i]);
    free(accesses);
    free(moved);
    return code;
}
