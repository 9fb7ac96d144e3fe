/* SPDX-License-Identifier: BSD-3-Clause */
/* The family from the probes to the profile, on models whose rates follow by hand from their flops
 * and clocks. */
#include "test.h"

#include "facts/stages.h"
#include "known_node.h"
#include "sim/simulated.h"

static const servet_at at = {"default", SERVET_ANY_CORE};

typedef struct truth {
    servet_precision precision;
    servet_width width;
    int bits, cores, core;
    double gflops, ghz;
} truth;

static void measure(known_node *node, const char *model, double seconds)
{
    srv_machine *machine;
    assert_ok(srv_simulated_create(&machine, model, NULL));
    known_node_of(node, machine);
    double now = machine->ops->elapsed(machine);
    srv_stage stage = known_node_stage(node, seconds == 0 ? 0 : now + seconds);
    assert_ok(srv_measure_peaks(&stage, &node->place, NULL));
}

static int count_of(const known_node *node)
{
    int count = 0;
    int code = servet_profile_count(node->place.profile, &at, "peak", NULL, &count);
    assert_true(code == SERVET_OK || code == SERVET_EUNMEASURED);
    return count;
}

static void list_is(const char *model, double tolerance, const truth *expected, int count)
{
    known_node node;
    measure(&node, model, 0);
    assert_int_equal(count_of(&node), count);
    for (int i = 1; i <= count; i++) {
        const truth *of = &expected[i - 1];
        servet_peak peak;
        assert_ok(servet_profile_item(node.place.profile, &at, "peak", &i, &peak, sizeof peak));
        if (peak.precision != of->precision || peak.width != of->width || peak.bits != of->bits ||
            peak.cores != of->cores || (of->core >= 0 && peak.core != of->core) ||
            fabs(peak.rate.value / of->gflops / 1e9 - 1) > tolerance ||
            fabs(peak.clock.value / of->ghz / 1e9 - 1) > tolerance)
            fail_msg("item %d: %d bits, %d cores from %d, %g GFLOP/s at %g GHz, not %d, %d, %d, "
                     "%g, %g",
                     i, peak.bits, peak.cores, peak.core, peak.rate.value / 1e9,
                     peak.clock.value / 1e9, of->bits, of->cores, of->core, of->gflops, of->ghz);
        assert_true(peak.rate.trusted);
    }
    known_node_finish(&node);
}

#define F64S SERVET_PRECISION_F64, SERVET_WIDTH_SCALAR, 64
#define F32S SERVET_PRECISION_F32, SERVET_WIDTH_SCALAR, 32
#define I64S SERVET_PRECISION_I64, SERVET_WIDTH_SCALAR, 64
#define F64V SERVET_PRECISION_F64, SERVET_WIDTH_VECTOR
#define F32V SERVET_PRECISION_F32, SERVET_WIDTH_VECTOR

/* Intel's Xeon E7450: a multiplication and an addition of 128 bits in a cycle, 24 cores of 2.4 GHz:
 * 9.6 GFLOP/s each. */
TEST(a_core_and_all)
{
    static const truth expected[] = {{F64S, 1, -1, 4.8, 2.4},       {F64S, 24, 0, 115.2, 2.4},
                                     {F64V, 128, 1, -1, 9.6, 2.4},  {F64V, 128, 24, 0, 230.4, 2.4},
                                     {F32S, 1, -1, 4.8, 2.4},       {F32S, 24, 0, 115.2, 2.4},
                                     {F32V, 128, 1, -1, 19.2, 2.4}, {F32V, 128, 24, 0, 460.8, 2.4}};
    list_is("dunnington", 0.02, expected, 8);
}

/* Eight cores with 16 operations a cycle at 5.4 GHz, two PUs each, and sixteen with 8 at 4.2 GHz:
 * 1228.8 GFLOP/s; their PUs have a mean clock of 4.8 GHz. Of integers they add 5 and 4 a cycle. */
TEST(types_of_cores_have_rates_of_their_own)
{
    static const truth expected[] = {{F64S, 1, -1, 21.6, 5.4},      {F64S, 1, -1, 16.8, 4.2},
                                     {F64S, 32, 0, 441.6, 4.8},     {F64V, 256, 1, -1, 86.4, 5.4},
                                     {F64V, 256, 1, -1, 33.6, 4.2}, {F64V, 256, 32, 0, 1228.8, 4.8},
                                     {F32S, 1, -1, 21.6, 5.4},      {F32S, 1, -1, 16.8, 4.2},
                                     {F32S, 32, 0, 441.6, 4.8},     {F32V, 256, 1, -1, 172.8, 5.4},
                                     {F32V, 256, 1, -1, 67.2, 4.2}, {F32V, 256, 32, 0, 2457.6, 4.8},
                                     {I64S, 1, -1, 27, 5.4},        {I64S, 1, -1, 16.8, 4.2},
                                     {I64S, 32, 0, 484.8, 4.8}};
    list_is("hybrid-desktop", 0.02, expected, 15);
}

/* Four cores of a guest with two PUs each, which lower their clock from 2.7 to 2.5 GHz under wide
 * vectors; samples scatter by 3 %. */
TEST(the_clock_is_that_under_the_load)
{
    static const truth expected[] = {{F64S, 1, -1, 10.8, 2.7},     {F64S, 8, 0, 43.2, 2.7},
                                     {F64V, 512, 1, -1, 80, 2.5},  {F64V, 512, 8, 0, 320, 2.5},
                                     {F32S, 1, -1, 10.8, 2.7},     {F32S, 8, 0, 43.2, 2.7},
                                     {F32V, 512, 1, -1, 160, 2.5}, {F32V, 512, 8, 0, 640, 2.5}};
    list_is("cloud-vm", 0.04, expected, 8);
}

TEST(rates_that_a_model_does_not_state_are_not_measured)
{
    known_node node;
    measure(&node, "athlon3200", 0);
    assert_int_equal(count_of(&node), 0);
    known_node_finish(&node);
}

/* With more and more time, from none on, there are more and more of the eight rows. */
TEST(a_short_time_leaves_rows_out)
{
    int before = 0, some = 0;
    for (double seconds = 10e-3; before < 8 && seconds < 2; seconds += 20e-3) {
        known_node node;
        measure(&node, "dunnington", seconds);
        int count = count_of(&node);
        assert_true(count >= before);
        some += count > 0 && count < 8;
        before = count;
        known_node_finish(&node);
    }
    assert_int_equal(before, 8);
    assert_true(some > 0);
}
