/* SPDX-License-Identifier: BSD-3-Clause */
/** Divides effects of elements on each other into those of different colours and of one. */
#ifndef SRV_FACTS_GEOMETRY_DETECT_MODES_H
#define SRV_FACTS_GEOMETRY_DETECT_MODES_H

/** Two normal distributions of effects. */
typedef struct srv_modes {
    double other, same; /**< means: of elements of different colours, and of one */
    double spread[2];   /**< standard deviations of these two */
    double share;       /**< of the pairs (0..0.5) that are of one colour */
} srv_modes;

/** Reads the pairs i > j of `effect`, which has n * n. Most are of different colours. */
srv_modes srv_find_modes(const float *effect, int n);

#endif
