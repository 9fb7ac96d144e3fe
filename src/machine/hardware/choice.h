/* SPDX-License-Identifier: BSD-3-Clause */
/** Chooses one of several loops that do the same with other instructions. */
#ifndef SRV_HARDWARE_CHOICE_H
#define SRV_HARDWARE_CHOICE_H

enum { SRV_LOOPS_MAX = 4 };

/** The loop that is fastest on a core. */
typedef struct srv_choice {
    int loop; /**< from 1; 0: to be chosen */
    int core;
    double bytes; /**< of the working set */
} srv_choice;

/** The cost of some work by a loop (from 1), which runs for some 50 us, in any unit. */
typedef double srv_loop_step(void *self, int loop);

/** The choice of one of `count` threads: a thread alone chooses for its core and working set unless
 * that is what is `known`; several take what is known, as the last one alone chose. */
srv_choice srv_choice_of(const srv_choice *known, int core, double bytes, int count);

/** Chooses, where that is still to be done, the loop that is fastest in the median, and runs it
 * until the core has the frequency that it keeps. */
void srv_choice_warm(srv_choice *choice, int loops, srv_loop_step *step, void *self);

#endif
