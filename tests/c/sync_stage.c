/* SPDX-License-Identifier: BSD-3-Clause */
/* The family from the distances of a model to the profile. The times follow by hand from the
 * transfers of the model, as sim/coherence.h describes. */
#include "test.h"

#include "facts/stages.h"
#include "known_node.h"
#include "sim/model.h"
#include "sim/simulated.h"

static const servet_at at = {"default", SERVET_ANY_CORE};

/* Distances, then synchronization, which ends `seconds` later, or has ended; 0: no limit. */
static void measure(known_node *node, const char *model, double seconds)
{
    srv_machine *machine;
    assert_ok(srv_simulated_create(&machine, model, NULL));
    known_node_of(node, machine);
    srv_stage stage = known_node_stage(node, 0);
    assert_ok(srv_measure_distances(&stage, &node->place, NULL));
    double now = machine->ops->elapsed(machine);
    stage = known_node_stage(node, seconds == 0 ? 0 : now + seconds);
    assert_ok(srv_measure_sync(&stage, &node->place, NULL));
}

/* The times of all sets of an operation, in the order of the list. */
typedef struct truth {
    servet_sync_op op;
    int threads, layer;
    double ns;
} truth;

static void list_is(const known_node *node, const truth *expected, int count)
{
    int found;
    assert_ok(servet_profile_count(node->place.profile, &at, "sync", NULL, &found));
    assert_int_equal(found, count);
    for (int i = 1; i <= count; i++) {
        const truth *of = &expected[i - 1];
        servet_sync sync;
        assert_ok(servet_profile_item(node->place.profile, &at, "sync", &i, &sync, sizeof sync));
        if (sync.op != of->op || sync.threads != of->threads || sync.layer != of->layer ||
            fabs(1e9 * sync.time.value / of->ns - 1) > 0.01)
            fail_msg("item %d: %s, %d threads, layer %d: %g ns, not %s, %d, %d: %g", i,
                     servet_sync_name(sync.op), sync.threads, sync.layer, 1e9 * sync.time.value,
                     servet_sync_name(of->op), of->threads, of->layer, of->ns);
        assert_true(sync.time.trusted && sync.time.samples == 6);
    }
}

/* 0 and 12 share an L2 (13 ns), 0-2 and 12-14 a processor (42 ns), all the node (120 ns). A core
 * has one partner in its L2, four others on its processor, 18 beyond. A hit takes 3 cycles at
 * 2.4 GHz. The rounds of six cores have steps of 1, 2, 4, those of 24 also 8 and 16. */
TEST(times_of_pairs_and_groups_follow_from_the_transfers)
{
    const double hit = 3 / 2.4, six = (13 + 4 * 42) / 5.0, all = (13 + 4 * 42 + 18 * 120) / 23.0;
    const truth expected[] = {
        {SERVET_SYNC_ADD, 1, 0, hit},
        {SERVET_SYNC_ADD, 2, 1, 13},
        {SERVET_SYNC_ADD, 2, 2, 42},
        {SERVET_SYNC_ADD, 2, 3, 120},
        {SERVET_SYNC_ADD, 6, 2, six},
        {SERVET_SYNC_ADD, 24, 3, all},
        {SERVET_SYNC_CAS, 1, 0, hit},
        {SERVET_SYNC_CAS, 2, 1, 13},
        {SERVET_SYNC_CAS, 2, 2, 42},
        {SERVET_SYNC_CAS, 2, 3, 120},
        {SERVET_SYNC_CAS, 6, 2, six},
        {SERVET_SYNC_CAS, 24, 3, all},
        {SERVET_SYNC_LOCK, 1, 0, 2 * hit},
        {SERVET_SYNC_LOCK, 2, 1, 2 * 13},
        {SERVET_SYNC_LOCK, 2, 2, 2 * 42},
        {SERVET_SYNC_LOCK, 2, 3, 2 * 120},
        {SERVET_SYNC_LOCK, 6, 2, 2 * six},
        {SERVET_SYNC_LOCK, 24, 3, 2 * all},
        {SERVET_SYNC_CENTRAL, 2, 1, 3 * 13},
        {SERVET_SYNC_CENTRAL, 2, 2, 3 * 42},
        {SERVET_SYNC_CENTRAL, 2, 3, 3 * 120},
        {SERVET_SYNC_CENTRAL, 6, 2, 6 * six + 42},
        {SERVET_SYNC_CENTRAL, 24, 3, 24 * all + 120},
        {SERVET_SYNC_DISSEMINATION, 2, 1, 13},
        {SERVET_SYNC_DISSEMINATION, 2, 2, 42},
        {SERVET_SYNC_DISSEMINATION, 2, 3, 120},
        {SERVET_SYNC_DISSEMINATION, 6, 2, 3 * 42},
        {SERVET_SYNC_DISSEMINATION, 24, 3, 5 * 120},
    };
    known_node node;
    measure(&node, "dunnington", 0);
    list_is(&node, expected, sizeof expected / sizeof *expected);
    known_node_finish(&node);
}

/* Eight cores of four threads, 20 ns from any to any other: the pair is two threads of a core, the
 * group has one of each. A hit takes 3 cycles at 1.2 GHz. */
TEST(a_core_has_one_thread_in_a_group)
{
    const truth expected[] = {
        {SERVET_SYNC_ADD, 1, 0, 2.5},          {SERVET_SYNC_ADD, 2, 1, 20},
        {SERVET_SYNC_ADD, 8, 1, 20},           {SERVET_SYNC_CAS, 1, 0, 2.5},
        {SERVET_SYNC_CAS, 2, 1, 20},           {SERVET_SYNC_CAS, 8, 1, 20},
        {SERVET_SYNC_LOCK, 1, 0, 5},           {SERVET_SYNC_LOCK, 2, 1, 40},
        {SERVET_SYNC_LOCK, 8, 1, 40},          {SERVET_SYNC_CENTRAL, 2, 1, 60},
        {SERVET_SYNC_CENTRAL, 8, 1, 180},      {SERVET_SYNC_DISSEMINATION, 2, 1, 20},
        {SERVET_SYNC_DISSEMINATION, 8, 1, 60},
    };
    known_node node;
    measure(&node, "niagara-t1", 0);
    list_is(&node, expected, sizeof expected / sizeof *expected);
    known_node_finish(&node);
}

/* A probe takes 9 ms and more: 40 ms have room for the first ones. */
TEST(what_has_no_time_is_not_measured)
{
    known_node node;
    int count;
    measure(&node, "dempsey", 40e-3);
    assert_ok(servet_profile_count(node.place.profile, &at, "sync", NULL, &count));
    assert_in_range(count, 1, 4);
    known_node_finish(&node);
    measure(&node, "dempsey", -1e-3);
    known_node_prints(&node, 0, "sync.count", NULL);
    known_node_finish(&node);
}
