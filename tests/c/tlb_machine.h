/* SPDX-License-Identifier: BSD-3-Clause */
/** A machine with the TLBs that a test gives it, whose answers are counted in them: a first cache
 * and a second one by size alone, and for each page whether the TLBs hold it. */
#ifndef SRV_TESTS_TLB_MACHINE_H
#define SRV_TESTS_TLB_MACHINE_H

#include "machine/machine.h"

enum { TLBS_MAX = 3 };

/** A TLB. */
typedef struct tlb {
    int sets, ways;
    bool random; /**< evicts a random page, else the one used least recently */
    bool hashed; /**< sets are chosen by all bits of the page number */
    double ns;   /**< that a miss adds */
} tlb;

typedef struct tlb_machine {
    srv_machine machine;
    int count;
    tlb tlb[TLBS_MAX];
    double page_bytes; /**< that an entry translates, whatever pages are requested */
    double hit_ns;     /**< of a load that hits the first cache, of `lines` lines */
    int lines;
    bool prefetched; /**< lines side by side hit the first cache, however many they are */
    bool old;        /**< a recording without packed lines */
    double walks;    /**< ns that a miss in the last TLB costs more for each line of the set */
    double walk_ns;  /**< of the set in use */
    double jitter;   /**< relative, uniform, of every answer */
    double foreign;  /**< pages of others that come in for each load */
    /** share of the time in which others make all loads slower by up to 2.3 times */
    double bursts;

    double seconds; /**< the clock: half a millisecond for each probe */
    int fail_at;    /**< this probe (from 1) fails; 0: none */
    int probes;
    double most_bytes; /**< requested so far */
    int most_lines;
    uint64_t random;
    bool burst;
    double burst_end;
    struct answer {
        double stride;
        int lines;
        double ns;
    } * answer; /**< without noise, given so far */
    size_t answers, room;
} tlb_machine;

/** A machine without TLBs and noise: 4 KiB pages, 512 lines of 64 bytes at 1 ns. Everything may be
 * set. */
void tlb_machine_init(tlb_machine *on, uint64_t seed);

/** A number from 0 to less than 1. */
double tlb_machine_chance(tlb_machine *on);

void tlb_machine_finish(tlb_machine *on);

#endif
