/* SPDX-License-Identifier: BSD-3-Clause */
/** Groups of items that pairs connect: the connected components of a graph. */
#ifndef SRV_STATS_COMPONENTS_H
#define SRV_STATS_COMPONENTS_H

/** Puts each of `n` items into a separate group: group[i] = i. */
void srv_components_init(int *group, int n);

/** Connects items a and b: their groups become one. */
void srv_components_join(int *group, int a, int b);

/** Numbers the groups from 0 in the order of their first members: afterwards group[i] is the number
 * of the group of item i. Returns the number of groups. Nothing can be joined afterwards. */
int srv_components_number(int *group, int n);

#endif
