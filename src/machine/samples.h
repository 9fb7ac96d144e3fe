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

/** Bytes of the arena that small working sets of a core share, so that each visit can be on other
 * physical pages. */
#define SRV_ARENA_BYTES (64.0 * (1 << 20))

#endif
