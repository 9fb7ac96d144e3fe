/* SPDX-License-Identifier: BSD-3-Clause */
/** Limits of the difference between measurements of the same copies of accelerators. */
#ifndef SRV_STATS_COPY_ALIKE_H
#define SRV_STATS_COPY_ALIKE_H

/** Share by which bandwidths of large copies differ at most if they are of the same link: a link
 * that another program uses a little loses more. */
#define SRV_COPY_RATES_ALIKE 0.05

/** Likewise of the times of small copies, most of which is the driver's work on the core: those of
 * one H100 by different cores, in five runs of two programs, lay within 22 %. */
#define SRV_COPY_TIMES_ALIKE 0.25

#endif
