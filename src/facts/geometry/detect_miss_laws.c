/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/geometry/detect_lines.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Random replacement with more lines than LINES_MAX is taken as settled after SETTLED_STEPS;
 * RANDOM_SETS sets make a share known to about one per cent. */
enum { LINES_MAX = 128, SETTLED_STEPS = 64, RANDOM_SETS = 128 };

/* The iteration has converged when a step changes the value by less than this. */
static const double SETTLED = 1e-9;

/* LRU has always just evicted the next line. */
static double misses_of_lru(int rounds, int ways, int lines)
{
    (void)rounds;
    return lines > ways;
}

/* Misses with random replacement in the steady state: each miss evicts a line with a probability of
 * 1 / ways, so a line survives the misses of a round with exp(-lines * misses / ways). */
static double settled_misses(int ways, int lines)
{
    double misses = 1, before = 0;
    if (lines <= ways)
        return 0;
    for (int step = 0; step < SETTLED_STEPS && fabs(misses - before) > SETTLED; step++) {
        before = misses;
        misses = 1 - exp(-lines * misses / ways);
    }
    return misses;
}

/* A set of random replacement: the way of each line (-1: none), the line of each way. */
typedef struct random_set {
    int way[LINES_MAX], line[LINES_MAX];
    uint64_t random;
} random_set;

/* Visits a line, which is in the set afterwards. True if it missed. */
static bool visit(random_set *set, int ways, int line)
{
    if (set->way[line] >= 0)
        return false;
    set->random = set->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    int way = (int)((set->random >> 33) % (uint64_t)ways);
    if (set->line[way] >= 0)
        set->way[set->line[way]] = -1;
    set->line[way] = line;
    set->way[line] = way;
    return true;
}

static int misses_of_set(random_set *set, int rounds, int ways, int lines)
{
    int misses = 0;
    for (int i = 0; i < LINES_MAX; i++)
        set->way[i] = set->line[i] = -1;
    for (int round = 0; round < rounds; round++) {
        misses = 0;
        for (int line = 0; line < lines; line++)
            misses += visit(set, ways, line);
    }
    return misses;
}

/* With random replacement, lines of few rounds evict each other although all fit. This law is
 * simulated on enough sets to know it five times better than the points. */
static double misses_of_random(int rounds, int ways, int lines)
{
    random_set set = {.random = 1};
    double misses = 0;
    if (rounds == 0 || lines >= LINES_MAX)
        return settled_misses(ways, lines);
    for (int i = 0; i < RANDOM_SETS; i++)
        misses += misses_of_set(&set, rounds + 1, ways, lines);
    return misses / RANDOM_SETS / lines;
}

const srv_miss_law srv_miss_laws[SRV_MISS_LAWS] = {{"LRU", misses_of_lru},
                                                   {"random replacement", misses_of_random}};
