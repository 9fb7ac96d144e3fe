/* SPDX-License-Identifier: BSD-3-Clause */
/** The levels of translation (TLBs), out of what it costs by the number of pages and by their
 * distance.
 *
 * When loads begin to miss a level, their cost rises to a plateau. Pages twice as far from each
 * other share half as many of its sets, so that it begins to miss at half their number, until all
 * of them share one set: what is left are its ways, which are few and therefore exact. A level that
 * begins at the same number at every distance is fully associative (or hashes its sets). */
#ifndef SRV_FACTS_TRANSLATION_DETECT_H
#define SRV_FACTS_TRANSLATION_DETECT_H

#include <stdbool.h>

#include "servet/value.h"
#include "stats/page_visits.h"

enum { SRV_TRANSLATION_LEVELS_MAX = 4 };

/** A level: a TLB. */
typedef struct srv_translation_level {
    servet_value entries; /**< pages that it translates (of `granule` bytes); an interval of one
                             number: exact */
    servet_value ways;  /**< the number of entries: fully associative; unknown if conflicts did not
                           show them */
    servet_value reach; /**< bytes that are translated without a miss: entries times granule */
    servet_value miss;  /**< additional seconds of a load that misses here, if the next level (or,
                           after the last one, the page tables) serves it */
    double confidence;  /**< 0..1: that the level exists and its entries are in their interval */
    bool counted; /**< the number of pages that begin to miss halves where their distance doubles,
                     from some distance on: nothing but translation does that */
} srv_translation_level;

/** Levels of translation, nearest first. */
typedef struct srv_translation {
    int count; /**< 0: no level was seen up to `pages_asked` */
    srv_translation_level level[SRV_TRANSLATION_LEVELS_MAX];
    servet_value granule; /**< bytes that an entry translates: those of the requested pages; more,
                             if neighbouring pages share one; less, if a host backs huge pages by
                             smaller ones. Unknown without a level */
    /** Seconds that a load which misses all levels takes longer than one that misses none: of the
     * last level seen; high is that of the most pages. Unknown without a level; not trusted where
     * it grows with the pages, or one more level may serve these misses. */
    servet_value walk;
    bool goes_on;    /**< one more level may serve the misses of the last */
    int pages_asked; /**< levels with more entries cannot be seen; pages of the requested size */
} srv_translation;

/** Reads a series, with this control (srv_page_curve()). Too few visits show no level. */
srv_translation srv_detect_translation(const srv_page_visits *series, bool packed);

#endif
