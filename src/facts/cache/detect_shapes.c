/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "facts/cache/detect_model.h"

/* Independent loads hit for the share of lines that the set holds, with every policy. */
static double kept(double x, double ways)
{
    (void)ways;
    return x > 1 ? 1 - 1 / x : 0;
}

/* Cyclic chase where new lines make way for old ones: all of them go through one way (bimodal
   insertion: Qureshi et al., ISCA 2007). */
static double all_but_one_kept(double x, double ways)
{
    return x > 1 ? 1 - (1 - 1 / ways) / x : 0;
}

/* Cyclic chase: a line survives a turn, m * S evictions at random among C lines, with probability
   exp(-m x), which is 1 - m. */
static double evicted_at_random(double x, double ways)
{
    (void)ways;
    if (x <= 1)
        return 0;
    double low = 0, high = 1;
    for (int i = 0; i < 26; i++) {
        double m = (low + high) / 2;
        if (1 - m > exp(-m * x))
            low = m;
        else
            high = m;
    }
    return low;
}

/* Cyclic chase, LRU and tree-PLRU: a set with one line more than ways loses all of them. */
static double oldest(double x, double ways)
{
    (void)ways;
    return x > 1 ? 1 : 0;
}

/* The same with a few lines that survive, as tree-like replacement may let them. */
static double mostly_oldest(double x, double ways)
{
    (void)ways;
    return x > 1 ? 1 - pow(x, -8) : 0;
}

/* --- many sets -------------------------------------------------------------------------------- */

typedef double miss_share(double x, double ways);

/* At 12 octaves above the capacity every set has overflowed long since. */
enum { PAGES_MAX = 256 };

static double at(int i)
{
    return (double)i / SRV_SHAPE_PER_OCTAVE - SRV_SHAPE_BELOW;
}

static void fill_smooth(double *table, miss_share *miss, double unused, double colours)
{
    (void)unused, (void)colours;
    for (int i = 0; i < SRV_SHAPE_POINTS; i++)
        table[i] = miss(exp2(at(i)), INFINITY);
}

static void fill_even(double *table, miss_share *miss, double ways, double colours)
{
    (void)colours;
    /* Some sets have one line more than the others. */
    for (int i = 0; i < SRV_SHAPE_POINTS; i++) {
        double x = exp2(at(i));
        double lines = floor(x * ways), more = x * ways - lines;
        double misses = (1 - more) * lines * miss(lines / ways, ways);
        table[i] = (misses + more * (lines + 1) * miss((lines + 1) / ways, ways)) / (x * ways);
    }
}

/* Averages over sets whose load is normally distributed in octaves. */
static double averaged(const double *sharp, double log2_x, double octaves)
{
    double sum = 0, total = 0;
    for (int i = -10; i <= 10; i++) {
        double z = i / 4.0, p = exp(-z * z / 2);
        sum += p * srv_table_miss(sharp, log2_x + octaves * z);
        total += p;
    }
    return sum / total;
}

static void fill_octaves(double *table, miss_share *miss, double octaves, double colours)
{
    (void)colours;
    double sharp[SRV_SHAPE_POINTS];
    fill_smooth(sharp, miss, 0, 1);
    for (int i = 0; i < SRV_SHAPE_POINTS; i++)
        table[i] = averaged(sharp, at(i), octaves);
}

/* Smaller probabilities are neglected. */
static const double NEGLIGIBLE = 1e-9;

/* A load shares its set with those of `pages` other pages that have its colour: their number is
   binomial. `misses` are those of a set by its lines. */
static double shared_with(const double *misses, double pages, double colours)
{
    double p = exp(pages * log1p(-1 / colours)), sum = 0, rest = 1;
    for (int others = 0; others + 1 < PAGES_MAX && others <= pages && rest > NEGLIGIBLE; others++) {
        sum += p * misses[others + 1];
        rest -= p;
        p *= (pages - others) / (others + 1) / (colours - 1);
    }
    return sum + (pages >= PAGES_MAX ? fmax(0, rest) : 0);
}

/* The same between whole numbers of pages. */
static double shared_between(const double *misses, double pages, double colours)
{
    double whole = floor(fmax(0, pages)), part = fmax(0, pages) - whole;
    if (pages >= PAGES_MAX)
        return shared_with(misses, pages, colours);
    return (1 - part) * shared_with(misses, whole, colours) +
           part * shared_with(misses, whole + 1, colours);
}

/* Colours that stand for infinitely many: from 64 on the binomial law is Poisson's within 1 %. */
static const double MANY_COLOURS = 1 << 20;

/* Loads of a set above CERTAIN leave nothing to chance, below NEVER nothing misses. */
static const double CERTAIN = 8, NEVER = 0.09;

static void fill_pages(double *table, miss_share *miss, double ways, double colours)
{
    double misses[PAGES_MAX];
    if (colours == 1) { /* every page has it */
        fill_even(table, miss, ways, colours);
        return;
    }
    for (int pages = 0; pages < PAGES_MAX; pages++)
        misses[pages] = miss(pages / ways, ways);
    for (int i = 0; i < SRV_SHAPE_POINTS; i++) {
        double x = exp2(at(i));
        table[i] = x > CERTAIN ? miss(x, ways)
                   : x < NEVER ? 0
                               : shared_between(misses, ways * x * colours - 1, colours);
    }
}

#define SMOOTH  fill_smooth
#define EVEN    fill_even
#define PAGES   fill_pages
#define OCTAVES fill_octaves
static const struct {
    miss_share *miss;
    void (*fill)(double *table, miss_share *miss, double amount, double colours);
    double amount;
} shapes_of[SRV_SHAPE_COUNT] = {
#define ROW(name, miss, placement, amount) {miss, placement, amount},
    SRV_SHAPE_LIST(ROW)
#undef ROW
};

static int first_class(const srv_shapes *shapes, int shape)
{
    bool many = shapes_of[shape].fill == fill_pages && !(shapes->page_bytes > 0);
    return many ? SRV_COLOURS_COUNT - 1 : 0;
}

static int last_class(int shape)
{
    return shapes_of[shape].fill == fill_pages ? SRV_COLOURS_COUNT - 1 : 0;
}

void srv_shapes_init(srv_shapes *shapes, double page_bytes)
{
    shapes->page_bytes = page_bytes;
    for (int s = 0; s < SRV_SHAPE_COUNT; s++)
        for (int class = first_class(shapes, s); class <= last_class(s); class ++)
            shapes_of[s].fill(shapes->miss[s][class], shapes_of[s].miss, shapes_of[s].amount,
                              class + 1 < SRV_COLOURS_COUNT ? exp2(class) : MANY_COLOURS);
}

/* The table for as many colours as a cache of 2^`knee` bytes has, about. */
static int class_of(const srv_shapes *shapes, srv_knee_shape shape, double knee)
{
    if (shapes_of[shape].fill != fill_pages)
        return 0;
    if (!(shapes->page_bytes > 0))
        return SRV_COLOURS_COUNT - 1;
    double class = knee - log2(shapes_of[shape].amount * shapes->page_bytes);
    return (int)fmin(fmax(class + 0.5, 0), SRV_COLOURS_COUNT - 1);
}

/* Size (log2 bytes) from which on no cache with randomly placed pages has only 4 ways; the wide
 * smear of their shape would absorb the knees of others. */
static const double FEW_WAYS_BELOW = 19;

bool srv_shape_fits(srv_knee_shape shape, double knee)
{
    return shape != SRV_SHAPE_RANDOM_PAGES_4 || knee < FEW_WAYS_BELOW;
}

const double *srv_shape_table(const srv_shapes *shapes, srv_knee_shape shape, double knee)
{
    return shapes->miss[shape][class_of(shapes, shape, knee)];
}
