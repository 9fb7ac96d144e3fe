/* SPDX-License-Identifier: BSD-3-Clause */
/** A pair of cores or devices that slow each other down. */
#ifndef SRV_STATS_CONTENTION_H
#define SRV_STATS_CONTENTION_H

/** Two of them by their places, a < b; of its rate alone the slower one keeps `share`. */
typedef struct srv_contention {
    int a, b;
    double share, low, high; /**< median and quartiles */
    double rate;             /**< of the slower one, B/s */
} srv_contention;

#endif
