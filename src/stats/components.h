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

/** The same from any numbers that items of a group have in common; `work` has room for each number.
 */
int srv_components_renumber(int *group, int n, int *work);

/** Sorts items 0..n-1 by group (0..groups-1), keeping their order: those of group k are
 * order[start[k]] up to order[start[k + 1] - 1]. `start` has groups + 1 entries. */
void srv_components_sort(const int *group, int n, int groups, int *start, int *order);

#endif
