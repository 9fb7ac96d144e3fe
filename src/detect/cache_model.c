/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/cache_model.h"

#include <math.h>
#include <stddef.h>

/* --- shapes ----------------------------------------------------------------------------------- */

/* Independent loads hit what the cache holds, whatever it chose to keep. */
static double random_loads(double x)
{
    return x > 1 ? 1 - 1 / x : 0;
}

/* Cyclic chase: a line survives a turn, m * S evictions at random among C lines, with probability
   exp(-m x), which is 1 - m. */
static double random_eviction(double x)
{
    if (x <= 1)
        return 0;
    double low = 0, high = 1;
    for (int i = 0; i < 40; i++) {
        double m = (low + high) / 2;
        if (1 - m > exp(-m * x))
            low = m;
        else
            high = m;
    }
    return low;
}

/* Cyclic chase, LRU: a set with one line more than ways loses all of them, so that nothing hits
   from one way above the capacity on. Most first-level caches have 8 to 12 ways. */
static double oldest_first(double x)
{
    const int ways = 12;
    return x > 1 ? fmin(1, (ways + 1) * (1 - 1 / x)) : 0;
}

/* The same with a few lines that survive, as tree-like replacement lets them. */
static double mostly_oldest_first(double x)
{
    return x > 1 ? 1 - pow(x, -8) : 0;
}

/* Cyclic chase through sets that pages fill by chance: at least `ways` other pages in the load's
   set, whose mean is ways * x. The binomial of the page-set model in its Poisson limit, which is
   within a percent from some ten sets on. */
static double page_sets(double x, int ways)
{
    double term = exp(-ways * x), below = 0;
    for (int k = 0; k < ways; k++) {
        below += term;
        term *= ways * x / (k + 1);
    }
    return 1 - below;
}

static double page_sets_8(double x)
{
    return page_sets(x, 8);
}

static double page_sets_16(double x)
{
    return page_sets(x, 16);
}

/* --- tables ----------------------------------------------------------------------------------- */

static const struct {
    double (*miss)(double x);
    double smear;
} shapes[] = {
#define ROW(name, miss, smear) {miss, smear},
    SRV_SHAPE_LIST(ROW)
#undef ROW
};

static double look_up(const double *table, double log2_x)
{
    double position = (log2_x + SRV_MODEL_BELOW) * SRV_MODEL_PER_OCTAVE;
    if (position <= 0)
        return 0;
    if (position >= SRV_MODEL_SIZE - 1)
        return 1;
    int below = (int)position;
    return table[below] + (position - below) * (table[below + 1] - table[below]);
}

static double at(int i)
{
    return (double)i / SRV_MODEL_PER_OCTAVE - SRV_MODEL_BELOW;
}

/* Averages the sharp table over sets whose load is normally distributed in octaves. */
static double smeared(const double *sharp, double log2_x, double smear)
{
    double sum = 0, total = 0;
    for (int i = -10; i <= 10; i++) {
        double z = i / 4.0, p = exp(-z * z / 2);
        sum += p * look_up(sharp, log2_x + smear * z);
        total += p;
    }
    return sum / total;
}

void srv_model_init(srv_model *model)
{
    const double *sharp = NULL;
    for (int s = 0; s < SRV_SHAPE_COUNT; s++) {
        double *table = model->miss[s];
        for (int i = 0; i < SRV_MODEL_SIZE; i++)
            if (shapes[s].smear > 0)
                table[i] = smeared(sharp, at(i), shapes[s].smear);
            else
                table[i] = shapes[s].miss(exp2(at(i)));
        if (shapes[s].smear == 0)
            sharp = table;
    }
}

double srv_model_miss(const srv_model *model, srv_shape shape, double log2_x)
{
    return look_up(model->miss[shape], log2_x);
}
