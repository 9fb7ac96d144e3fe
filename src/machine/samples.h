/* SPDX-License-Identifier: BSD-3-Clause */
/** Samples and memory of a visit of a core, on hardware and in the simulator. */
#ifndef SRV_MACHINE_SAMPLES_H
#define SRV_MACHINE_SAMPLES_H

/** Numbers of samples, whatever the time of the visit. */
enum { SRV_SAMPLES_MIN = 9, SRV_SAMPLES_MAX = 1024 };

/** Length of a sample in ns: ten times the cost of an interrupt, but it rarely meets one (timer
 * ticks come 4 ms apart at worst), so that the median of many is exact. It is also shorter than the
 * time for which a core is taken away, and long beside the clock. */
#define SRV_SAMPLE_NS 20e3

/** Length of a sample of memory kernels and computations in ns: long beside the clock and beside
 * stores still in flight, and few samples meet an interrupt. */
#define SRV_LOOP_SAMPLE_NS 50e3

/** Doubles of each array that a sample of a memory kernel takes: so long at today's rates. */
enum { SRV_LOOP_SAMPLE_DOUBLES = (512 << 10) / 8 };

/** Time for which a loop runs before it is timed, in ns: a core gives the units of wide
 * instructions power in 20 us and lowers its frequency within some 0.5 ms. */
#define SRV_LOOP_WARM_NS 2e6

/** Copying before copies to devices are timed, in ns: a link that saves power needs some ms of it
 * until it has its full rate. */
#define SRV_COPY_WARM_NS 10e6

/** Loads by which a traversal finds its rate, and rounds of a line transfer that are not timed. */
enum { SRV_PILOT_LOADS = 2048, SRV_TRANSFER_WARM_ROUNDS = 4 };

/** Bytes of the arena that small working sets of a core share, so that each visit can be on other
 * physical pages. */
#define SRV_ARENA_BYTES (64.0 * (1 << 20))

#endif
