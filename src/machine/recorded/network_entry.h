/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Probes of a network and their answers as lines of text, short ones, for there are many pairs:
 *
 *     pass 0 0 32768 0.005 32 0,63*32+1-1 = 12 -10 23457,12,8,15 23391,7,3,9 ...
 *     batch 8 pass 2 0 512 0.001 1 0,1 = 9 -13 21723,8,5,11
 *     noise 0.05 4 0*4+1 = 0.01,0,0,2.45 ...
 *
 * An exchange is the number of messages of a batch, where it has several, its flow, buffers, bytes
 * and seconds, the number of its pairs, and these (runs.h).
 * The answer is the number of samples, a power of ten, and each pair's time in that unit: the
 * median, and in tens of it by how much the minimum and the lower quartile are less and the upper
 * one is more; without these where all are the same, with a fifth number where there were other
 * samples. A median has 5 digits at least, more than any clock resolves. Noise is the share lost,
 * steal, others and GHz, with 4 digits.
 */
#ifndef SRV_MACHINE_RECORDED_NETWORK_ENTRY_H
#define SRV_MACHINE_RECORDED_NETWORK_ENTRY_H

#include <stdbool.h>
#include <stdio.h>

#include "machine/network.h"

/** "Spin on the cores of these ranks." */
typedef struct srv_glances {
    const int *ranks;
    int count;
    double seconds;
} srv_glances;

/** A probe and the room for its answer. */
typedef struct srv_network_entry {
    const struct srv_network_entry_type *type;
    const void *probe;
    void *answer;
} srv_network_entry;

/** Both probes, with their parameters as in srv_network_ops: noises[rank]. */
srv_network_entry srv_entry_pass(const srv_exchange *exchange, srv_spread *times);
srv_network_entry srv_entry_glances(const srv_glances *glances, srv_rank_noise *noises);

/** Writes the probe, without the answer and the end of the line; loosely: "*" stands for the
 * time to spend. */
void srv_network_probe_write(const srv_network_entry *entry, bool loosely, FILE *stream);

/** Writes " = " and the answer. */
void srv_network_answer_write(const srv_network_entry *entry, FILE *stream);

/** Reads what follows the probe in a line. Errors: SERVET_EFORMAT; that of a refusal (entry.h),
 * which is not explained. */
int srv_network_answer_read(const char *text, const srv_network_entry *entry);

/** The probe in a few words, for people: "12 pairs, 32768 bytes". */
void srv_network_probe_describe(const srv_network_entry *entry, char text[SERVET_NAME_MAX]);

#endif
