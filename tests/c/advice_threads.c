/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on the number of threads of code that memory bandwidth limits. */
#include "test.h"

#include "map_machine.h"
#include "servet/advice.h"
#include "servet/node.h"
#include "../record.h"

static servet_value rate(double bytes_per_second)
{
    return (servet_value){bytes_per_second,
                          bytes_per_second,
                          bytes_per_second,
                          9,
                          SERVET_UNIT_BYTE_PER_SECOND,
                          SERVET_METHOD_TIMED,
                          true};
}

/* Four pairs of PUs that contend; one PU saturates its pair, and `of_node` PUs saturate the node
 * (0: not measured). */
static servet_profile *four_pairs(int of_node, bool trusted)
{
    static const map_machine machine = {.nodes = 1, .cores = "0-7"};
    static const char *const groups[] = {"0-1", "2-3", "4-5", "6-7"};
    servet_memory_level level = {.bandwidth = rate(2e9), .saturation = 1, .trusted = trusted};
    servet_profile *profile = map_profile(&machine, 1);
    level.bandwidth.trusted = trusted;
    assert_ok(record_memory_levels(profile, 0, &level, 1, NULL));
    assert_ok(record_memory_groups(profile, 0, 1, groups, 4, NULL));
    servet_value each[8];
    for (int i = 0; i < 8; i++)
        each[i] = rate(8e9 / (i + 1));
    if (of_node > 0)
        assert_ok(record_memory_scaling(profile, 0, 0, each, 8, of_node, NULL));
    return profile;
}

static int room(const servet_profile *profile, const int *among, int count, bool *trusted)
{
    int threads = -1;
    const servet_at at = {.core = SERVET_ANY_CORE,
                          .node_class = servet_profile_class_name(profile, 0)};
    assert_ok(servet_thread_room(profile, &at, SERVET_POLICY_MEMORY, among, count, &threads,
                                 trusted, NULL));
    return threads;
}

TEST(each_group_is_saturated)
{
    bool trusted = false;
    servet_profile *profile = four_pairs(0, true);
    assert_int_equal(room(profile, NULL, 0, &trusted), 4);
    assert_true(trusted);
}

/* Three of the four PUs already reach the bandwidth of the node's memory. */
TEST(together_they_do_not_exceed_the_node)
{
    const int two_pairs[] = {4, 5, 6, 7};
    servet_profile *profile = four_pairs(3, true);
    assert_int_equal(room(profile, NULL, 0, NULL), 3);
    assert_int_equal(room(profile, two_pairs, 4, NULL), 2);
}

TEST(doubtful_groups_make_a_doubtful_number)
{
    bool trusted = true;
    int threads = -1;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile = four_pairs(0, false);
    const servet_at at = {.core = SERVET_ANY_CORE,
                          .node_class = servet_profile_class_name(profile, 0)};
    assert_int_equal(room(profile, NULL, 0, &trusted), 4);
    assert_false(trusted);
    servet_profile_trusted_only(profile, true);
    assert_int_equal(
        servet_thread_room(profile, &at, SERVET_POLICY_MEMORY, NULL, 0, &threads, NULL, &error),
        SERVET_EUNTRUSTED);
    assert_int_equal(threads, -1);
}
