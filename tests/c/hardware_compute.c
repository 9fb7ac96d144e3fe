/* SPDX-License-Identifier: BSD-3-Clause */
/* Computations in registers on this machine. */
#include "test.h"

#include "machine/hardware/compute_sets.h"
#include "two_cores.h"

/* Chains that add in each pass, by four steps: fused ones all do, apart ones half. */
enum { STEPS = 4, PASSES = 1000 };

static double numbers_of(const srv_compute_set *set, int precision)
{
    return set->bits / (precision == SERVET_PRECISION_F32 ? 32. : 64.);
}

/* The sums in the registers are the same number of additions for every number, and no more than 24
 * chains exist. */
TEST(every_addition_is_counted)
{
    for (int precision = 0; precision < SERVET_PRECISION_COUNT; precision++)
        for (int width = 0; width < SERVET_WIDTH_COUNT; width++)
            for (const srv_compute_set *set = srv_compute_sets[precision][width]; set->loop;
                 set++) {
                if (!set->usable())
                    continue;
                double one = STEPS * numbers_of(set, precision), counted = set->loop(1);
                double chains = counted / one;
                assert_true(chains >= 6 && chains <= 24 && chains == floor(chains));
                assert_true(set->loop(0) == 0);
                assert_true(set->loop(PASSES) == PASSES * counted);
            }
}

TEST(the_last_exact_pass)
{
    const srv_compute_set *set = srv_compute_sets[SERVET_PRECISION_F32][SERVET_WIDTH_SCALAR];
    assert_true(set->loop(SRV_COMPUTE_PASSES_MAX) == SRV_COMPUTE_PASSES_MAX * set->loop(1));
}

/* No core does more than eight fused operations of each number of a register in a cycle, or adds
 * more than fifteen integers, and none does less than one in ten cycles: a loop that is left out,
 * or is counted twice, would. Others may take the cores for a while, which only lowers rates. */
static void compute(int count)
{
    srv_computation computations[2];
    srv_computed computed[2];
    for (int precision = 0; precision < SERVET_PRECISION_COUNT; precision++)
        for (int width = 0; width < SERVET_WIDTH_COUNT; width++) {
            if (!srv_is_computation((servet_precision)precision, (servet_width)width))
                continue;
            for (int i = 0; i < count; i++)
                computations[i] = (srv_computation){cores[i], (servet_precision)precision,
                                                    (servet_width)width, 2e-3};
            assert_ok(machine->ops->compute(machine, computations, count, computed, NULL));
            for (int i = 0; i < count; i++) {
                double numbers = computed[i].bits / (precision == SERVET_PRECISION_F32 ? 32. : 64.);
                double each = computed[i].rate.median / (computed[i].ghz * 1e9 * numbers);
                assert_true(computed[i].rate.n >= 9);
                assert_true(each > 0.1 && each < 16);
                assert_true(width == SERVET_WIDTH_SCALAR ? numbers == 1 : numbers > 1);
            }
        }
}

TEST(one_core_computes)
{
    compute(1);
}

TEST(two_cores_compute)
{
    if (core_count < 2)
        test_skip("one core");
    compute(2);
}

TEST(other_computations_are_refused)
{
    srv_computed computed[2];
    const srv_computation twice[] = {{cores[0], 0, 0, 1e-3}, {cores[0], 0, 0, 1e-3}},
                          precision = {cores[0], SERVET_PRECISION_COUNT, 0, 1e-3},
                          width = {cores[0], 0, SERVET_WIDTH_COUNT, 1e-3},
                          integers = {cores[0], SERVET_PRECISION_I64, SERVET_WIDTH_VECTOR, 1e-3};
    assert_int_equal(machine->ops->compute(machine, twice, 2, computed, NULL), SERVET_EARGUMENT);
    assert_int_equal(machine->ops->compute(machine, &precision, 1, computed, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->compute(machine, &width, 1, computed, NULL), SERVET_EARGUMENT);
    assert_int_equal(machine->ops->compute(machine, &integers, 1, computed, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(machine->ops->compute(machine, NULL, 0, computed, NULL), SERVET_EARGUMENT);
}

TEST_GROUP(two_cores_begin, two_cores_end)
