/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/collective.h"

typedef struct schedule {
    int ranks;
    int power; /* the largest power of two of ranks */
    srv_collective_round *round;
    int count;
} schedule;

static void add(schedule *to, srv_collective_way way, int distance, double times, double bytes)
{
    to->round[to->count++] = (srv_collective_round){way, distance, times, bytes};
}

/* Returns the smaller number of blocks on the two sides of a distance. */
static int blocks(const schedule *to, int distance)
{
    return distance < to->ranks - distance ? distance : to->ranks - distance;
}

/* --- parts of algorithms ---------------------------------------------------------------------- */

/* Ranks beyond the power of two send their part to a neighbour first, and receive the result at the
 * end.
 */
static void fold(schedule *to, double bytes)
{
    if (to->ranks > to->power)
        add(to, SRV_COLLECTIVE_EXCHANGE, 1, 2, bytes);
}

/* Adds the rounds of recursive halving of the whole, or of recursive doubling of the parts. */
static void halve(schedule *to, double bytes)
{
    for (int d = 1; d < to->power; d *= 2)
        add(to, SRV_COLLECTIVE_EXCHANGE, d, 1, bytes * d / to->power);
}

/* Adds the rounds of a binomial tree that distributes the whole, or collects it. */
static void scatter(schedule *to, double bytes)
{
    for (int d = 1; d < to->ranks; d *= 2)
        add(to, SRV_COLLECTIVE_TREE, d, 1, bytes * blocks(to, d) / to->ranks);
}

static void ring(schedule *to, double bytes)
{
    add(to, SRV_COLLECTIVE_SHIFT, 1, to->ranks - 1, bytes);
}

/* --- algorithms ------------------------------------------------------------------------------- */

static void disseminate(schedule *to, double bytes)
{
    (void)bytes;
    for (int d = 1; d < to->ranks; d *= 2)
        add(to, SRV_COLLECTIVE_SHIFT, d, 1, 0);
}

static void binomial_tree(schedule *to, double bytes)
{
    for (int d = 1; d < to->ranks; d *= 2)
        add(to, SRV_COLLECTIVE_TREE, d, 1, bytes);
}

static void scatter_and_ring(schedule *to, double bytes)
{
    scatter(to, bytes);
    ring(to, bytes / to->ranks);
}

static void halve_and_gather(schedule *to, double bytes)
{
    fold(to, bytes);
    halve(to, bytes);
    scatter(to, bytes);
}

static void recursive_doubling(schedule *to, double bytes)
{
    fold(to, bytes);
    for (int d = 1; d < to->power; d *= 2)
        add(to, SRV_COLLECTIVE_EXCHANGE, d, 1, bytes);
}

static void halve_and_double(schedule *to, double bytes)
{
    fold(to, bytes);
    halve(to, bytes);
    halve(to, bytes);
}

static void two_rings(schedule *to, double bytes)
{
    ring(to, bytes / to->ranks);
    ring(to, bytes / to->ranks);
}

static void bruck_gather(schedule *to, double bytes)
{
    for (int d = 1; d < to->ranks; d *= 2)
        add(to, SRV_COLLECTIVE_SHIFT, d, 1, bytes * blocks(to, d));
}

/* Adds the rounds of Bruck's exchange: round d sends the blocks whose number has bit d. */
static void bruck_exchange(schedule *to, double bytes)
{
    for (int d = 1; d < to->ranks; d *= 2) {
        int rest = to->ranks % (2 * d) - d;
        add(to, SRV_COLLECTIVE_SHIFT, d, 1,
            bytes * (to->ranks / (2 * d) * d + (rest > 0 ? rest : 0)));
    }
}

static void pairwise(schedule *to, double bytes)
{
    srv_collective_way way =
        to->ranks == to->power ? SRV_COLLECTIVE_EXCHANGE : SRV_COLLECTIVE_SHIFT;
    for (int d = 1; d < to->ranks; d *= 2)
        add(to, way, d, blocks(to, d), bytes);
}

enum { ALGORITHMS_MAX = 3 };

typedef void algorithm_of(schedule *to, double bytes);
static algorithm_of *const algorithms[SERVET_COLLECTIVE_COUNT][ALGORITHMS_MAX] = {
    [SERVET_COLLECTIVE_BARRIER] = {disseminate},
    [SERVET_COLLECTIVE_BROADCAST] = {binomial_tree, scatter_and_ring},
    [SERVET_COLLECTIVE_REDUCE] = {binomial_tree, halve_and_gather},
    [SERVET_COLLECTIVE_ALLREDUCE] = {recursive_doubling, halve_and_double, two_rings},
    [SERVET_COLLECTIVE_ALLGATHER] = {bruck_gather, ring},
    [SERVET_COLLECTIVE_ALLTOALL] = {bruck_exchange, pairwise},
};

int srv_collective_algorithms(servet_collective_op op)
{
    int count = 0;
    while (count < ALGORITHMS_MAX && algorithms[op][count])
        count++;
    return count;
}

int srv_collective_rounds(servet_collective_op op, int algorithm, int ranks, double bytes,
                          srv_collective_round rounds[SRV_COLLECTIVE_ROUNDS_MAX])
{
    schedule to = {.ranks = ranks, .power = 1, .round = rounds};
    while (to.power <= ranks / 2)
        to.power *= 2;
    if (ranks > 1)
        algorithms[op][algorithm](&to, bytes);
    return to.count;
}

int srv_collective_receiver(const srv_collective_round *round, int rank, int ranks)
{
    int d = round->distance, to = rank + d;
    if (round->way == SRV_COLLECTIVE_SHIFT)
        return to % ranks;
    if (round->way == SRV_COLLECTIVE_EXCHANGE)
        to = rank ^ d;
    else if (rank % (2 * d) != 0)
        return -1;
    return to < ranks ? to : -1;
}

int srv_collective_messages(const srv_collective_round *round, int ranks)
{
    int d = round->distance;
    return round->way == SRV_COLLECTIVE_TREE ? (ranks - d + 2 * d - 1) / (2 * d) : ranks;
}
