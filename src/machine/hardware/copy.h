/* SPDX-License-Identifier: BSD-3-Clause */
/** Copies between the host's memory and accelerators, and between two of these. */
#ifndef SRV_HARDWARE_COPY_H
#define SRV_HARDWARE_COPY_H

#include "machine/hardware/arena_pool.h"
#include "machine/hardware/clock.h"
#include "machine/hardware/driver.h"

/**
 * srv_machine_ops.copy: a thread for each copy, on its core, with a stream and pinned memory of its
 * own. Errors: those of srv_copy_check() and srv_thread_team_run(), SERVET_EMEMORY,
 * SERVET_EUNSUPPORTED (the driver fails: no memory on the device, a device that is gone; or no
 * memory on that node).
 */
int srv_copy_run(srv_driver *driver, srv_arena_pool *pool, const srv_clock *clock,
                 const srv_copy *copies, int count, srv_spread *ns, servet_error *error);

#endif
