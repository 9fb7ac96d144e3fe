/* SPDX-License-Identifier: BSD-3-Clause */
/** How many of something are worth having at once. */
#ifndef SRV_DETECT_CONCURRENCY_H
#define SRV_DETECT_CONCURRENCY_H

/** What was reached with `count` at once: a rate and its interval. */
typedef struct srv_rate {
    int count;
    double rate, low, high;
} srv_rate;

/** What is within this share of the best is as good: measurements of a rate repeat to some percent.
 */
#define SRV_SATURATED 0.95

/**
 * Which of `n` > 0 rates, by ascending counts, is the best. Where several cannot be told apart,
 * their intervals reaching the largest one's, it is the one of median rate: the largest of many
 * measurements of the same thing is too large.
 */
int srv_detect_best(const srv_rate *rates, int n);

/** The first of them that gets SRV_SATURATED or more of the best. */
int srv_detect_saturation(const srv_rate *rates, int n);

#endif
