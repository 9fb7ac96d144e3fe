/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the miss curves with caches that are simulated access by access. */
#include "test.h"

#include "facts/cache/detect_model.h"
#include "sim/set_cache.h"

enum { LINES_PER_PAGE = 64, WAYS = 8, COLOURS = 16, ROUNDS_WARM = 4, ROUNDS = 2, PLACEMENTS = 60 };
enum { SETS = COLOURS * LINES_PER_PAGE };
static const double PAGE = 4096, BYTES = SETS * WAYS * 64.0;

static uint64_t state_of_chance;

static uint32_t chance_below(uint32_t n)
{
    state_of_chance =
        state_of_chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state_of_chance >> 33) % n);
}

typedef struct cycle {
    uint32_t count, *line; /* where each lies; its tag is its number + 1 */
} cycle;

static void shuffle(cycle *chase)
{
    for (uint32_t i = chase->count - 1; i > 0; i--) {
        uint32_t j = chance_below(i + 1), line = chase->line[i];
        chase->line[i] = chase->line[j];
        chase->line[j] = line;
    }
}

/* Pages of random colours, or one after the other; their lines in random order. */
static cycle placed(uint32_t pages, bool by_chance)
{
    cycle made = {pages * LINES_PER_PAGE, malloc(pages * LINES_PER_PAGE * sizeof *made.line)};
    for (uint32_t page = 0; page < pages; page++) {
        uint32_t frame = page * COLOURS + (by_chance ? chance_below(COLOURS) : page % COLOURS);
        for (uint32_t i = 0; i < LINES_PER_PAGE; i++)
            made.line[page * LINES_PER_PAGE + i] = frame * LINES_PER_PAGE + i;
    }
    shuffle(&made);
    return made;
}

static uint32_t go_round(srv_set_cache *cache, const cycle *chase)
{
    uint32_t misses = 0, victim;
    for (uint32_t i = 0; i < chase->count; i++)
        misses += !srv_set_cache_access(cache, chase->line[i], chase->line[i] + 1, &victim);
    return misses;
}

static double missed(srv_replacement policy, uint32_t pages, bool by_chance)
{
    srv_set_cache_shape shape = {.sets = SETS, .ways = WAYS, .slices = 1, .replacement = policy};
    double sum = 0;
    srv_set_cache *cache;
    assert_ok(srv_set_cache_create(&cache, &shape, 7, NULL));
    const int placements = (int)test_cases(PLACEMENTS / 3, PLACEMENTS);
    for (int i = 0; i < placements; i++) {
        cycle chase = placed(pages, by_chance);
        srv_set_cache_flush(cache, (uint64_t)i + 1);
        for (int round = 0; round < ROUNDS_WARM; round++)
            go_round(cache, &chase);
        for (int round = 0; round < ROUNDS; round++)
            sum += (double)go_round(cache, &chase) / chase.count;
        free(chase.line);
    }
    srv_set_cache_destroy(cache);
    return sum / placements / ROUNDS;
}

static srv_shapes *shapes;

static void predicts(srv_knee_shape shape, srv_replacement policy, bool by_chance, double tolerance)
{
    static const double loads[] = {0.875, 1.25, 2, 0.5, 0.75, 1, 1.125, 1.5, 3};
    const size_t all = sizeof loads / sizeof *loads;
    double knee = log2(BYTES);
    for (size_t i = 0; i < test_cases(4, all); i++) {
        uint32_t pages = (uint32_t)(loads[i] * BYTES / PAGE);
        double size = log2(pages * PAGE);
        double predicted = srv_table_miss(srv_shape_table(shapes, shape, knee), size - knee);
        assert_float_equal(predicted, missed(policy, pages, by_chance), tolerance);
    }
}

TEST(random_pages_miss_as_simulated)
{
    predicts(SRV_SHAPE_LRU_PAGES_8, SRV_REPLACE_LRU, true, 0.03);
    predicts(SRV_SHAPE_LRU_PAGES_8, SRV_REPLACE_PLRU, true, 0.04);
    predicts(SRV_SHAPE_EVICT_PAGES_8, SRV_REPLACE_RANDOM, true, 0.03);
    predicts(SRV_SHAPE_KEEP_PAGES_8, SRV_REPLACE_ADAPTIVE, true, 0.04);
}

TEST(contiguous_pages_miss_as_simulated)
{
    predicts(SRV_SHAPE_LRU_8, SRV_REPLACE_LRU, false, 0.05); /* the table's steps where it turns */
    predicts(SRV_SHAPE_KEEP_8, SRV_REPLACE_ADAPTIVE, false, 0.04);
}

TEST(every_miss_curve_rises_from_0_to_1)
{
    static const double knees[] = {14, 18, 21, 25};
    for (int s = 0; s < SRV_SHAPE_COUNT; s++)
        for (size_t k = 0; k < sizeof knees / sizeof *knees; k++) {
            const double *table = srv_shape_table(shapes, (srv_knee_shape)s, knees[k]);
            assert_float_equal(srv_table_miss(table, -4), 0, 1e-3);
            assert_float_equal(srv_table_miss(table, 12), 1, 1e-3);
            for (double x = -4; x < 12; x += 1.0 / 64)
                assert_true(srv_table_miss(table, x) <= srv_table_miss(table, x + 1.0 / 64) + 1e-9);
        }
}

static double miss_at(srv_knee_shape shape, double knee, double x)
{
    return srv_table_miss(srv_shape_table(shapes, shape, knee), log2(x));
}

/* At the places of the table, where no line between two of them is in the way. */
static double place(int i)
{
    return exp2(i / 32.0);
}

/* Working sets of a whole number of lines in each set; with one more in a part of the sets, LRU
 * misses all of theirs, and replacement through one way all but what the others keep. */
TEST(even_shapes_have_lines_more_in_some_sets)
{
    static const struct {
        srv_knee_shape lru, keep;
        double ways;
    } pairs[] = {{SRV_SHAPE_LRU_4, SRV_SHAPE_KEEP_4, 4},
                 {SRV_SHAPE_LRU_8, SRV_SHAPE_KEEP_8, 8},
                 {SRV_SHAPE_LRU, SRV_SHAPE_KEEP_12, 12}};
    for (int k = 0; k < 3; k++)
        for (int i = -32; i < 64; i++) {
            double ways = pairs[k].ways, x = place(i), lines = floor(x * ways + 1e-12);
            double more = x * ways - lines; /* share of the sets */
            double loads[2] = {(1 - more) * lines / (x * ways), more * (lines + 1) / (x * ways)};
            double lru = 0, kept = 0;
            for (int with = 0; with < 2; with++) {
                double in_set = lines + with;
                lru += in_set > ways ? loads[with] : 0;
                kept += in_set > ways ? loads[with] * (1 - (ways - 1) / in_set) : 0;
            }
            assert_float_equal(miss_at(pairs[k].lru, 20, x), lru, 1e-9);
            assert_float_equal(miss_at(pairs[k].keep, 20, x), kept, 1e-9);
        }
}

/* The probability that at least `least` of `pages` other pages have a colour of `colours`. */
static double binomial_tail(double pages, double colours, int least)
{
    double sum = 0;
    for (int k = 0; k < least; k++)
        sum += exp(lgamma(pages + 1) - lgamma(k + 1) - lgamma(pages - k + 1) - k * log(colours) +
                   (pages - k) * log1p(-1 / colours));
    return 1 - sum;
}

/* A load of LRU misses if 8 other pages have its colour. How many colours there are follows from
 * the size: 2^15 bytes, 8 ways of a page, have one. */
TEST(pages_by_chance_are_binomial)
{
    for (int class = 1; class < 6; class ++)
        for (int i = -48; i < 64; i += 16) {
            double colours = exp2(class), x = place(i), pages = 8 * x * colours - 1;
            double below = floor(pages), part = pages - below;
            double expected = (1 - part) * (below < 8 ? 0 : binomial_tail(below, colours, 8)) +
                              part * (below + 1 < 8 ? 0 : binomial_tail(below + 1, colours, 8));
            if (below < 255) /* of more, the same with a broken number */
                assert_float_equal(miss_at(SRV_SHAPE_LRU_PAGES_8, 15 + class, x), expected, 1e-6);
            assert_float_equal(miss_at(SRV_SHAPE_LRU_PAGES_8, 15 + class + 0.4, x),
                               miss_at(SRV_SHAPE_LRU_PAGES_8, 15 + class, x), 0);
            assert_float_equal(miss_at(SRV_SHAPE_LRU_PAGES_8, 15 + class - 0.4, x),
                               miss_at(SRV_SHAPE_LRU_PAGES_8, 15 + class, x), 0);
        }
    for (int i = -32; i < 64; i++) {
        assert_float_equal(miss_at(SRV_SHAPE_LRU_PAGES_8, 15, place(i)),
                           miss_at(SRV_SHAPE_LRU_8, 15, place(i)), 1e-9);
        assert_float_equal(miss_at(SRV_SHAPE_LRU_PAGES_8, 12, place(i)),
                           miss_at(SRV_SHAPE_LRU_8, 15, place(i)), 1e-9);
    }
}

TEST(large_caches_do_not_have_few_ways)
{
    assert_true(srv_shape_fits(SRV_SHAPE_RANDOM_PAGES_4, 18.9));
    assert_false(srv_shape_fits(SRV_SHAPE_RANDOM_PAGES_4, 19.1));
    assert_true(srv_shape_fits(SRV_SHAPE_RANDOM_PAGES_8, 25));
    assert_true(srv_shape_fits(SRV_SHAPE_KEEP, 25));
}

static int make(void **state)
{
    (void)state;
    shapes = malloc(sizeof *shapes);
    if (shapes)
        srv_shapes_init(shapes, PAGE);
    return shapes ? 0 : 1;
}

static int drop(void **state)
{
    (void)state;
    free(shapes);
    return 0;
}

TEST_GROUP(make, drop)
