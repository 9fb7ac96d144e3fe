/* SPDX-License-Identifier: BSD-3-Clause */
/* Large sets of which some lines are simulated: their loads take what those of whole sets take. */
#include "test.h"

#include "sample_model.h"
#include "sim/simulated_run.h"
#include "sim/thinning.h"

static const double MIB = 1 << 20;

static srv_traversal of_bytes(srv_pattern pattern, double bytes)
{
    return (srv_traversal){.bytes = bytes,
                           .pattern = pattern,
                           .line_bytes = 64,
                           .chains = 1,
                           .seed = 7,
                           .seconds = 1e-3};
}

/* ns of a load, if one line of `thin` is simulated. */
static double latency(const srv_model *model, const srv_traversal *traversal, size_t thin)
{
    srv_hierarchy *hierarchy;
    srv_simulated_run *run = calloc(1, sizeof *run);
    double ns = 0;
    run->seconds = traversal->seconds;
    assert_ok(srv_hierarchy_create(&hierarchy, model, NULL));
    srv_hierarchy_flush(hierarchy, 1);
    assert_ok(
        srv_simulated_traversal_start(&run->traversal, hierarchy, model, 0, traversal, thin, NULL));
    srv_simulated_runs_execute(run, 1);
    for (int i = 0; i < run->sample_count; i++)
        ns += run->sample_ns[i] / run->sample_count;
    srv_simulated_traversal_finish(&run->traversal);
    srv_hierarchy_destroy(hierarchy);
    free(run);
    return ns;
}

/* Around the L3 of 12 MiB, where a load takes between 27 and 100 ns. */
static void check_loads(double turnover_ms)
{
    const double sizes[] = {6 * MIB, 12 * MIB, 18 * MIB};
    srv_model *model = shipped_model("dunnington");
    model->cache[model->cache_count - 1].turnover_ms = turnover_ms;
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        srv_traversal traversal =
            of_bytes(i % 2 ? SRV_PATTERN_RANDOM : SRV_PATTERN_LINES, sizes[i / 2]);
        size_t thin = srv_simulated_traversal_thin(model, &traversal, 1);
        double whole = latency(model, &traversal, 1), some = latency(model, &traversal, thin);
        assert_true(thin >= 4);
        if (fabs(some / whole - 1) > 0.02)
            fail_msg("turnover %g ms, %g MiB: %g ns, of one line in %d: %g", turnover_ms,
                     sizes[i / 2] / MIB, whole, (int)thin, some);
    }
}

TEST(loads_take_as_long_as_those_of_whole_sets)
{
    check_loads(0);
}

/* A round of 6 MiB takes 3 ms and more. */
TEST(others_replace_as_many_lines_of_thinned_sets)
{
    check_loads(20);
    check_loads(4);
}

/* Lines at the same place of a page never leave each other's sets. */
TEST(lines_keep_their_places)
{
    enum { PERIOD = 4096, THIN = 8, LINE = 64 };
    for (size_t at = 0; at < 1000; at++) {
        size_t address = srv_thinned_address(at, LINE, THIN, PERIOD);
        assert_true(address % PERIOD < PERIOD / THIN);
        assert_true(at == 0 || address > srv_thinned_address(at - 1, LINE, THIN, PERIOD));
    }
    assert_int_equal(srv_thinned_address(8, LINE, THIN, PERIOD), PERIOD);
    assert_int_equal(srv_thinned_address(3, 2112, 1, PERIOD), 3 * 2112);
}

TEST(small_sets_and_those_beside_siblings_are_whole)
{
    srv_model *model = shipped_model("dunnington");
    assert_int_equal(srv_thinning(model, 1 << 14, 64), 1);
    assert_true(srv_thinning(model, 1 << 20, 64) > 1);
    model->noise.sibling.busy = 0.3;
    assert_int_equal(srv_thinning(model, 1 << 20, 64), 1);
}
