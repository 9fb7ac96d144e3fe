/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the miss curves with caches that are simulated access by access. */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "facts/cache/detect_shapes.h"
#include "machine/model/set_cache.h"

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
    assert_int_equal(srv_set_cache_create(&cache, &shape, 7, NULL), SERVET_OK);
    for (int i = 0; i < PLACEMENTS; i++) {
        cycle chase = placed(pages, by_chance);
        srv_set_cache_flush(cache, (uint64_t)i + 1);
        for (int round = 0; round < ROUNDS_WARM; round++)
            go_round(cache, &chase);
        for (int round = 0; round < ROUNDS; round++)
            sum += (double)go_round(cache, &chase) / chase.count;
        free(chase.line);
    }
    srv_set_cache_destroy(cache);
    return sum / PLACEMENTS / ROUNDS;
}

static srv_shapes *shapes;

static void predicts(srv_knee_shape shape, srv_replacement policy, bool by_chance, double tolerance)
{
    static const double loads[] = {0.5, 0.75, 0.875, 1, 1.125, 1.25, 1.5, 2, 3};
    double knee = log2(BYTES);
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        uint32_t pages = (uint32_t)(loads[i] * BYTES / PAGE);
        double size = log2(pages * PAGE);
        double predicted = srv_table_miss(srv_shape_table(shapes, shape, knee), size - knee);
        assert_float_equal(predicted, missed(policy, pages, by_chance), tolerance);
    }
}

static void random_pages_miss_as_simulated(void **state)
{
    (void)state;
    predicts(SRV_SHAPE_LRU_PAGES_8, SRV_REPLACE_LRU, true, 0.03);
    predicts(SRV_SHAPE_LRU_PAGES_8, SRV_REPLACE_PLRU, true, 0.04);
    predicts(SRV_SHAPE_EVICT_PAGES_8, SRV_REPLACE_RANDOM, true, 0.03);
    predicts(SRV_SHAPE_KEEP_PAGES_8, SRV_REPLACE_ADAPTIVE, true, 0.04);
}

static void contiguous_pages_miss_as_simulated(void **state)
{
    (void)state;
    predicts(SRV_SHAPE_LRU_8, SRV_REPLACE_LRU, false, 0.05); /* the table's steps where it turns */
    predicts(SRV_SHAPE_KEEP_8, SRV_REPLACE_ADAPTIVE, false, 0.04);
}

static void every_miss_curve_rises_from_0_to_1(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pages_miss_as_simulated),
        cmocka_unit_test(contiguous_pages_miss_as_simulated),
        cmocka_unit_test(every_miss_curve_rises_from_0_to_1),
    };
    return cmocka_run_group_tests(tests, make, drop);
}
