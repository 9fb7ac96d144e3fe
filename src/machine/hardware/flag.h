/* SPDX-License-Identifier: BSD-3-Clause */
/** A number that one thread raises and another one waits for, on lines that hold nothing else. */
#ifndef SRV_HARDWARE_FLAG_H
#define SRV_HARDWARE_FLAG_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/** Wider than two of the largest lines known (256 B): other data shares no line with a flag, nor a
 * pair of lines that a prefetcher fetches together. */
enum { SRV_FLAG_BYTES = 512 };

typedef struct srv_flag {
    char before[SRV_FLAG_BYTES];
    atomic_uint number;
    char behind[SRV_FLAG_BYTES];
} srv_flag;

/** A waiting thread spins first, for about 20 us: after giving its core away it would be late. From
 * then on the other thread has probably lost its core, perhaps to this one. */
enum { SRV_FLAG_SPINS = 10000 };

/** Raises the flag: all that this thread loaded and stored before is done when the other sees it.
 */
static inline void srv_flag_raise(srv_flag *flag, unsigned number)
{
    atomic_store_explicit(&flag->number, number, memory_order_release);
}

/** Its number now, and with it all that was done before. */
static inline unsigned srv_flag_see(srv_flag *flag)
{
    return atomic_load_explicit(&flag->number, memory_order_acquire);
}

/** Waits until another thread has raised `*of` to `number` or beyond; false if `left` is raised
 * before. */
static inline bool srv_number_wait(atomic_uint *of, unsigned number, srv_flag *left)
{
    for (unsigned spins = 0; atomic_load_explicit(of, memory_order_acquire) < number; spins++) {
        if (spins % 64 == 63 && srv_flag_see(left))
            return atomic_load_explicit(of, memory_order_acquire) >= number;
        if (spins > SRV_FLAG_SPINS)
            sched_yield();
    }
    return true;
}

/** The same of a flag. */
static inline bool srv_flag_wait(srv_flag *flag, unsigned number, srv_flag *left)
{
    return srv_number_wait(&flag->number, number, left);
}

#endif
