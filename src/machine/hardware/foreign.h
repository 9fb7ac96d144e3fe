/* SPDX-License-Identifier: BSD-3-Clause */
/** The share of all processors that other programs use. */
#ifndef SRV_HARDWARE_FOREIGN_H
#define SRV_HARDWARE_FOREIGN_H

#include <stdio.h>

/** Times in seconds since some beginning. */
typedef struct srv_processor_use {
    double busy;       /**< of all processors, in all programs and the kernel; NaN: not reported */
    double interrupts; /**< of that, in interrupts */
    double own;        /**< of this process, all its threads */
    double wall;
    int processors; /**< of the node, not only those that the job may use */
} srv_processor_use;

/** Reads `busy`, `interrupts` and `processors` from a text such as /proc/stat; a second has
 * `ticks`. Time that a hypervisor takes is not busy. */
void srv_processor_use_read(srv_processor_use *use, FILE *stream, double ticks);

/** How they are used now. */
srv_processor_use srv_processor_use_now(void);

/** Share (0..1) of the time of all processors, from one moment to a later one, that others than
 * this process used; NaN where it is not reported, or no time went by. */
double srv_processor_use_foreign(const srv_processor_use *from, const srv_processor_use *to);

#endif
