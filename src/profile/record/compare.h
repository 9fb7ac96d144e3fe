/* SPDX-License-Identifier: BSD-3-Clause */
/** Compares nodes that may measure alike. */
#ifndef SRV_PROFILE_RECORD_COMPARE_H
#define SRV_PROFILE_RECORD_COMPARE_H

#include <stdbool.h>
#include "servet/profile.h"

/** How a node differs from another one. */
typedef struct srv_difference {
    bool alike;
    int compared; /**< number of facts that are known and trusted in both */
    bool slower;  /**< no difference of hardware was measured, but something takes longer */
    char text[SERVET_TEXT_MAX]; /**< "memory.single is 4.1e+09 instead of 9.8e+09" */
} srv_difference;

/**
 * Compares classes of two profiles, given by their numbers. These are not differences: a fact that
 * only one of them has, because a budget may have ended before; a fact that is not trusted in both;
 * a turnover. Of several differences, the text names one of hardware, or else the greatest.
 */
srv_difference srv_compare_classes(const servet_profile *usual, int usual_class,
                                   const servet_profile *other, int other_class);

#endif
