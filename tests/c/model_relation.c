/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a probe that are alike: one group of them is simulated for all. */
#include "test.h"

#include "sim/relation.h"
#include "sample_model.h"

enum { THREADS_MAX = 64, CHAINS = 10 };

static const double MIB = 1 << 20;

/* The threads that are simulated of those on PUs 0, `step`, 2 * step... */
static int simulated_of(const char *name, int count, int step, double *share, int domain)
{
    srv_model *model = shipped_model(name);
    srv_member member[THREADS_MAX];
    int group[THREADS_MAX], like[THREADS_MAX], simulated = 0;
    double shares[THREADS_MAX][SRV_MODEL_DOMAINS_MAX];
    for (int i = 0; i < count; i++) {
        member[i] = (srv_member){.pu = i * step};
        group[i] = i;
    }
    srv_relation_groups(model, member, count, group);
    srv_relation_find(model, member, group, count, like, shares);
    for (int i = 0; i < count; i++)
        simulated += like[i] == i;
    *share = shares[0][domain];
    return simulated;
}

/* EPYC 9654: complexes of 16 PUs share an L3, all PUs the memory (domain 1). */
TEST(one_group_stands_for_those_that_are_like_it)
{
    double share;
    assert_int_equal(simulated_of("zen4-server", 64, 1, &share, 1), 16);
    assert_float_equal(share, 4, 0);
    assert_int_equal(simulated_of("zen4-server", 12, 16, &share, 1), 1);
    assert_float_equal(share, 12, 0);
    assert_int_equal(simulated_of("zen4-server", 16, 1, &share, 1), 16);
    assert_float_equal(share, 1, 0);
    assert_int_equal(simulated_of("zen4-server", 24, 1, &share, 1), 24);
    assert_float_equal(share, 1, 0);
}

static double rate_of(srv_model *model, int count)
{
    srv_machine *machine = machine_of_model(model);
    srv_traversal traversal[THREADS_MAX];
    srv_timing timing[THREADS_MAX];
    double rate = 0;
    for (int i = 0; i < count; i++)
        traversal[i] = (srv_traversal){.core = model->os_index[i],
                                       .bytes = 12 * MIB,
                                       .line_bytes = 64,
                                       .chains = CHAINS,
                                       .seed = 7 + (uint64_t)i,
                                       .seconds = 1e-3};
    assert_ok(machine->ops->traverse(machine, traversal, count, timing, NULL));
    for (int i = 0; i < count; i++)
        rate += 64 / (timing[i].mean * 1e-9);
    return rate;
}

/* Without prefetchers, each load moves one line, so that loads get the bandwidth of the memory. */
TEST(groups_share_the_bandwidth_of_memory)
{
    const double limit = 20e9;
    for (int count = 32; count <= THREADS_MAX; count += 32) {
        srv_model *model;
        assert_ok(srv_model_read(&model, "zen4-server", NULL));
        model->prefetcher_count = 0;
        model->domain[1].bytes_per_second = limit;
        double rate = rate_of(model, count), most = limit / 0.8;
        if (rate < 0.9 * limit || rate > most)
            fail_msg("%d threads: %g GB/s", count, rate * 1e-9);
    }
}
