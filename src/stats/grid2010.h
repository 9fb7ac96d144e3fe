/* SPDX-License-Identifier: BSD-3-Clause */
/** The grid of sizes of the papers' method: of its arrays, and of the caches that it can find. */
#ifndef SRV_STATS_GRID2010_H
#define SRV_STATS_GRID2010_H

/** The size after `bytes` > 0: twice as much below 2 MiB, then 1 MiB more (IPDPS'10, Fig. 1). */
double srv_grid2010_next(double bytes);

#endif
