/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/probes.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/thread_team.h"
#include "machine/samples.h"

enum { SAMPLES_MIN = 5 };

/* Memory that is pinned for all devices, not only for the one that the thread has entered. */
enum { PIN_PORTABLE = 1 };

typedef struct copying {
    int core;
    const srv_driver *driver;
    srv_arena_pool *pool;
    const srv_clock *clock;
    const srv_copy *copy;
    double most; /* bytes of host memory that it may have */
    srv_spread *ns;
    srv_arena *arena;      /* NULL: none */
    void *pinned, *stream; /* NULL: none */
    uint64_t at, peer_at;  /* memory of the device and of the other one; 0: none */
    int status;            /* of the first copy that failed; 0: none did */
} copying;

/* --- memory ----------------------------------------------------------------------------------- */

static int take_device(const copying *on, int device, uint64_t *address, servet_error *error)
{
    int code = srv_driver_enter(on->driver, device, error);
    return code == SERVET_OK
               ? srv_driver_check(on->driver, "take memory of a device",
                                  on->driver->call.take(address, (size_t)on->copy->bytes), error)
               : code;
}

static int take_host(copying *on, servet_error *error)
{
    const srv_copy *copy = on->copy;
    size_t bytes = (size_t)copy->bytes;
    const srv_arena_request request = {.core = copy->core,
                                       .node = copy->node,
                                       .pages = SERVET_PAGES_HUGE,
                                       .room = bytes,
                                       .most = on->most};
    int code = srv_arena_pool_fill(on->pool, &request, copy->bytes, &on->arena, error);
    if (code == SERVET_OK)
        code = srv_driver_check(on->driver, "pin memory",
                                on->driver->call.pin(on->arena->base, bytes, PIN_PORTABLE), error);
    if (code == SERVET_OK)
        on->pinned = on->arena->base;
    return code;
}

/* The other device first: the thread stays with the one whose stream it uses. */
static int prepare(void *self, servet_error *error)
{
    copying *on = self;
    int code =
        on->copy->peer >= 0 ? take_device(on, on->copy->peer, &on->peer_at, error) : SERVET_OK;
    if (code == SERVET_OK)
        code = take_device(on, on->copy->device, &on->at, error);
    if (code == SERVET_OK && on->copy->peer >= 0)
        srv_driver_reach(on->driver, on->copy->device, on->copy->peer);
    else if (code == SERVET_OK)
        code = take_host(on, error);
    return code == SERVET_OK
               ? srv_driver_check(on->driver, "begin a stream",
                                  on->driver->call.begin_stream(&on->stream, 0), error)
               : code;
}

/* A failure is no error here: the device is gone, and its memory with it. */
static void finish(void *self)
{
    copying *on = self;
    const srv_driver_calls *call = &on->driver->call;
    if (on->stream) {
        (void)call->wait(on->stream); /* copies may be in flight if a request failed */
        (void)call->end_stream(on->stream);
    }
    if (on->pinned)
        (void)call->unpin(on->pinned);
    if (on->at)
        (void)call->give(on->at);
    if (on->peer_at && srv_driver_enter(on->driver, on->copy->peer, NULL) == SERVET_OK)
        (void)call->give(on->peer_at);
    srv_arena_pool_give(on->pool, &on->arena);
}

/* --- timing ----------------------------------------------------------------------------------- */

static int request(const copying *on)
{
    const srv_copy *copy = on->copy;
    size_t bytes = (size_t)copy->bytes;
    if (copy->peer >= 0)
        return srv_driver_to_peer(on->driver, on->peer_at, copy->peer, on->at, copy->device, bytes,
                                  on->stream);
    return copy->to_host ? on->driver->call.to_host(on->pinned, on->at, bytes, on->stream)
                         : on->driver->call.to_device(on->at, on->pinned, bytes, on->stream);
}

/* ns of a copy; after a failure no other one is requested. */
static double step(copying *on)
{
    int count = on->copy->in_flight;
    uint64_t start = on->clock->ticks();
    for (int i = 0; i < count && on->status == 0; i++)
        on->status = request(on);
    if (on->status == 0)
        on->status = on->driver->call.wait(on->stream);
    double ns = (double)(on->clock->ticks() - start) * on->clock->ns_per_tick;
    return fmax(ns - on->clock->overhead_ns, on->clock->resolution_ns) / count;
}

static void keep_on(void *self)
{
    step(self);
}

static void warm(void *self)
{
    for (double end = srv_clock_raw_ns() + SRV_COPY_WARM_NS; srv_clock_raw_ns() < end;)
        step(self);
}

static void sample(void *self)
{
    copying *on = self;
    double ns[SRV_SAMPLES_MAX], end = srv_clock_raw_ns() + on->copy->seconds * 1e9;
    size_t n = 0;
    while (n < SAMPLES_MIN || (n < SRV_SAMPLES_MAX && srv_clock_raw_ns() < end))
        ns[n++] = step(on);
    *on->ns = srv_spread_of(ns, n);
}

/* --- all at once ------------------------------------------------------------------------------ */

static const srv_thread_team_job job = {prepare, warm, sample, keep_on, finish};

static int use_devices(srv_driver *driver, const srv_copy *copies, int count, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = srv_driver_use(driver, copies[i].device, error);
        if (code == SERVET_OK && copies[i].peer >= 0)
            code = srv_driver_use(driver, copies[i].peer, error);
    }
    return code;
}

static int check_copies(const copying *all, int count, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = srv_driver_check(all[i].driver, "copy", all[i].status, error);
    return code;
}

int srv_hardware_copy(srv_hardware *hw, const srv_copy *copies, int count, srv_spread *ns,
                      servet_error *error)
{
    int code = srv_check_devices(copies, count, hw->driver.count, error);
    if (code == SERVET_OK)
        code = use_devices(&hw->driver, copies, count, error);
    if (code != SERVET_OK)
        return code;
    copying *all = calloc((size_t)(count > 0 ? count : 1), sizeof *all);
    if (!all)
        return srv_fail_memory(error);
    srv_hardware_traversal_finish(&hw->traversal); /* its memory belongs to all now */
    for (int i = 0; i < count; i++)
        all[i] = (copying){.core = copies[i].core,
                           .driver = &hw->driver,
                           .pool = &hw->arenas,
                           .clock = &hw->clock,
                           .copy = &copies[i],
                           .most = hw->memory_bytes / count,
                           .ns = &ns[i]};
    code = srv_thread_team_run(&hw->topology, &hw->clock, &job, all, sizeof *all, count, error);
    if (code == SERVET_OK)
        code = check_copies(all, count, error);
    free(all);
    return code;
}
