/* SPDX-License-Identifier: BSD-3-Clause */
/** Sets of small numbers, such as those of benchmarks, as bits of one unsigned. */
#ifndef SRV_CORE_BIT_H
#define SRV_CORE_BIT_H

/** The set that contains only number `id` (from 0). */
#define SRV_BIT(id) (1u << (id))

#endif
