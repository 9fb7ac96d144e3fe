/* SPDX-License-Identifier: BSD-3-Clause */
/* Tori in matrices of made-up networks: message times by formula, with noise; networks that are
 * none. */
#include "test.h"

#include "alloc.h"
#include "facts/layers/detect_torus.h"

enum { NODES_MAX = 512 };

static double costs[NODES_MAX * NODES_MAX];
static int node[NODES_MAX];
static srv_found_torus found;
static uint64_t random_state;

static double uniform(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-53;
}

/* 1 +- `deviation`, nearly Gaussian. */
static double noise(double deviation)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform();
    return 1 + deviation * sum;
}

/* The time of a message between two of the nodes. */
typedef double formula(int i, int j);

/* Every `each`th of the nodes is measured. */
static void search(int nodes, formula *of, double deviation, int each)
{
    int rows = (nodes + each - 1) / each;
    const servet_matrix matrix = {(size_t)rows, costs, SERVET_UNIT_SECOND};
    random_state = 1;
    for (int i = 0; i < rows; i++) {
        node[i] = i * each;
        for (int j = 0; j < rows; j++)
            costs[i * rows + j] = i == j ? 0 : noise(deviation) * of(i * each, j * each);
    }
    assert_ok(srv_torus_find(&matrix, node, nodes, &found, NULL));
}

/* --- tori ------------------------------------------------------------------------------------- */

static int extents[SRV_TORUS_DIMENSIONS_MAX + 1];

/* The links between two places of a ring. */
static int on_ring(int extent, int i, int j)
{
    int apart = abs(i - j);
    return 2 * apart < extent ? apart : extent - apart;
}

/* 1.5 us, and a tenth for each link. */
static double torus(int i, int j)
{
    double time = 1.5e-6;
    for (const int *extent = extents; *extent; i /= *extent, j /= *extent++)
        time += 0.1e-6 * on_ring(*extent, i % *extent, j % *extent);
    return time;
}

static void expect_torus(double deviation, int each, int a, int b, int c, int d)
{
    const int expected[] = {a, b, c, d};
    int count = 0, nodes = 1;
    for (; count < 4 && expected[count]; nodes *= expected[count++])
        extents[count] = expected[count];
    extents[count] = 0;
    search(nodes, torus, deviation, each);
    assert_int_equal(found.torus.count, count);
    for (int k = 0; k < count; k++)
        assert_int_equal(found.torus.extent[k], expected[k]);
    assert_true(fabs(found.step.value - 0.1e-6) < 0.01e-6);
    assert_true(found.step.low <= found.step.value && found.step.value <= found.step.high);
}

TEST(tori_of_all_shapes_are_found)
{
    for (int noisy = 0; noisy < 2; noisy++) {
        expect_torus(0.02 * noisy, 1, 4, 4, 4, 0);
        expect_torus(0.02 * noisy, 1, 8, 4, 2, 0);
        expect_torus(0.02 * noisy, 1, 5, 3, 4, 0);
        expect_torus(0.02 * noisy, 1, 6, 6, 0, 0);
        expect_torus(0.02 * noisy, 1, 16, 0, 0, 0);
        expect_torus(0.02 * noisy, 1, 2, 3, 4, 2);
        expect_torus(0.02 * noisy, 1, 8, 8, 8, 0);
    }
}

TEST(a_sample_of_nodes_shows_a_torus)
{
    expect_torus(0.02, 3, 8, 8, 8, 0);
}

/* --- others ----------------------------------------------------------------------------------- */

static double star(int i, int j)
{
    (void)i, (void)j;
    return 1.5e-6;
}

static double leaves(int i, int j)
{
    return i / 8 == j / 8 ? 1.5e-6 : 1.8e-6;
}

/* Groups of four routers with four nodes each; groups and routers are joined all to all. */
static double dragonfly(int i, int j)
{
    int a = i / 4, b = j / 4, from = a / 4, to = b / 4, links = a != b;
    if (from != to)
        links = 1 + (a % 4 != to % 4) + (b % 4 != from % 4);
    return 1.5e-6 + 0.1e-6 * links;
}

/* A torus of 4 x 4 x 4 whose nodes the scheduler listed at random. */
static double shuffled(int i, int j)
{
    return torus(i * 37 % 64 ^ (i * 5 / 8) % 4, j * 37 % 64 ^ (j * 5 / 8) % 4);
}

/* The last quarter of the nodes has another latency. */
static double unlike(int i, int j)
{
    return i >= 48 || j >= 48 ? 2e-6 : 1.5e-6;
}

TEST(other_networks_are_no_tori)
{
    formula *const others[] = {star, leaves, dragonfly, shuffled, unlike};
    extents[0] = extents[1] = extents[2] = 4;
    extents[3] = 0;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        for (int noisy = 0; noisy < 3; noisy++) {
            search(64, others[k], 0.03 * noisy, 1);
            assert_int_equal(found.torus.count, 0);
        }
    for (int nodes = 2; nodes <= 64; nodes++) {
        search(nodes, star, 0.05, 1);
        assert_int_equal(found.torus.count, 0);
    }
}

static int search_again(void *context)
{
    (void)context;
    const servet_matrix matrix = {4, costs, SERVET_UNIT_SECOND};
    return srv_torus_find(&matrix, node, 4, &found, NULL);
}

TEST(memory_may_be_short)
{
    assert_int_equal(alloc_fail_everywhere(search_again, NULL), 1);
}
