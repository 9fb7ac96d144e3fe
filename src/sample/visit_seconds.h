/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Time on the samples of a visit, in seconds, by kind of probe. A sample on a core takes some 20 us
 * (share/doc/measuring.md), a small message some us.
 */
#ifndef SRV_SAMPLE_VISIT_SECONDS_H
#define SRV_SAMPLE_VISIT_SECONDS_H

/** Few samples of a tiny set: more places and moments help more. */
#define SRV_SPOT_SECONDS 1e-5

/** Some 50 samples, or hundreds of small messages. Bursts of other threads last 5 ms and more: a
 * visit should fit between them. */
#define SRV_MOMENT_SECONDS 1e-3

/** One of very many pairs or sizes: some hundred samples. */
#define SRV_PAIR_SECONDS 2e-3

/** Some 200 samples, of which the median is exact to 0.1 %. */
#define SRV_VISIT_SECONDS 4e-3

/** Cores or ranks at once, which begin and end apart. */
#define SRV_TOGETHER_SECONDS 10e-3

/** Large messages of all nodes at once. */
#define SRV_SHIFT_SECONDS 50e-3

#endif
