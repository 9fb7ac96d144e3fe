/* SPDX-License-Identifier: BSD-3-Clause */
/** The largest profile that measurements lead to, made without measuring. */
#ifndef SRV_BENCHMARKS_LARGEST_H
#define SRV_BENCHMARKS_LARGEST_H

#include "servet/record.h"

/**
 * A cluster of 256 nodes of 256 cores in four classes, the first of which is of this node. It is as
 * large as the largest shipped model or larger in each respect, everything that can be stored is
 * known, and each class has doubted facts. The caller closes it. A failure ends the program.
 */
servet_profile *make_largest(void);

/** Ends the program if `code` is an error of `what`. */
void check(int code, const char *what);

#endif
