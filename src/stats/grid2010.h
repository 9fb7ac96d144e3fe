/* SPDX-License-Identifier: BSD-3-Clause */
/** The sizes that the papers' method knows: the arrays it walks and the caches it can name. */
#ifndef SRV_STATS_GRID2010_H
#define SRV_STATS_GRID2010_H

/** The size after `bytes` > 0: twice as much below 2 MiB, then 1 MiB more (IPDPS'10, Fig. 1). */
double srv_grid2010_next(double bytes);

#endif
