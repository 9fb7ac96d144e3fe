/* SPDX-License-Identifier: BSD-3-Clause */
/** Sizes of caches and their prior probabilities. */
#ifndef SRV_FACTS_CACHE_DETECT_SIZES_H
#define SRV_FACTS_CACHE_DETECT_SIZES_H

enum { SRV_BUILT_SIZES_MAX = 128 };

/** Largest deviation of a knee from a size, in standard deviations. */
#define SRV_SIZE_ERRORS_MAX 5.0

/** A size that caches are built with. */
typedef struct srv_size {
    double bytes;
    double prior; /**< logarithm of how common it is, power of two: 0 */
} srv_size;

/** Lists the sizes from `low` to `high` bytes, no order; returns how many, SRV_BUILT_SIZES_MAX at
 * most.
 */
int srv_sizes_list(double low, double high, srv_size sizes[SRV_BUILT_SIZES_MAX]);

/** How common caches are, per octave, whose knee is at `knee` (log2 bytes): it deviates from the
 * size by `error` octaves (standard deviation). A power of two counts 1. */
double srv_sizes_density(double knee, double error);

/** Logarithm of how common all other sizes of an octave are together. */
double srv_sizes_other(void);

#endif
