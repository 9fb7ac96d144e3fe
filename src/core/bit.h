/* SPDX-License-Identifier: BSD-3-Clause */
/** Sets of few numbers, as of benchmarks, in one unsigned. */
#ifndef SRV_CORE_BIT_H
#define SRV_CORE_BIT_H

/** The set of number `id`, from 0, alone. */
#define SRV_BIT(id) (1u << (id))

#endif
