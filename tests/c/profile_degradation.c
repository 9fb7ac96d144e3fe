/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the third paper, on ratios that are known. */
#include "test.h"
#include "profile_sample.h"

#include "servet/degradation.h"
#include "../record.h"

static char path[TEST_PATH_MAX];

TEST_FIXTURE(setup)
{
    sample_path(path);
    return setenv("SERVET_PROFILE", path, 1);
}

TEST_FIXTURE(teardown)
{
    return sample_remove(path);
}

/* Writes a profile with ratDist 1 and 3 at 1 and 5, ratNC 1, 1.25, 2 for 1, 2, 4, as told. */
static void store(bool distance, bool access)
{
    servet_profile *profile;
    servet_ratio distances[2] = {network_ratio(1, 10, 1), network_ratio(5, 10, 3)};
    servet_ratio processes[3] = {network_ratio(1, 8, 1), network_ratio(2, 4, 1.25),
                                 network_ratio(4, 2, 2)};
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_set_network(profile, &network_job, network_nodes, NULL));
    if (distance)
        assert_ok(record_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &network_about[0],
                                        distances, 2, NULL));
    if (access)
        assert_ok(record_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &network_about[1],
                                        processes, 3, NULL));
    assert_ok(servet_profile_write(profile, path, NULL));
    servet_profile_close(profile);
}

TEST_EACH(setup, teardown)

TEST(both_ratios)
{
    static const double by_distance[] = {1, 1.5, 2, 2.5, 3}, by_processes[] = {1, 1.25, 1.625, 2};
    degr_desc degr;
    store(true, true);
    assert_int_equal(load_degr_info(&degr), 0);
    for (int i = 0; i < 5; i++)
        assert_true(get_network_dist_ratio(&degr, i + 1) == by_distance[i]);
    for (int i = 0; i < 4; i++)
        assert_true(get_network_access_ratio(&degr, i + 1) == by_processes[i]);
    assert_true(isnan(get_network_dist_ratio(&degr, 0)));
    assert_true(isnan(get_network_dist_ratio(&degr, 6)));
    assert_true(isnan(get_network_dist_ratio(&degr, -1)));
    assert_true(isnan(get_network_access_ratio(&degr, 0)));
    assert_true(isnan(get_network_access_ratio(&degr, 5)));
    release_degr_info(&degr);
    assert_true(isnan(get_network_dist_ratio(&degr, 1)));
    assert_true(isnan(get_network_access_ratio(&degr, 1)));
    release_degr_info(&degr);
}

TEST(one_of_them)
{
    degr_desc degr;
    store(true, false);
    assert_int_equal(load_degr_info(&degr), 0);
    assert_true(get_network_dist_ratio(&degr, 5) == 3);
    assert_true(isnan(get_network_access_ratio(&degr, 1)));
    release_degr_info(&degr);
    store(false, true);
    assert_int_equal(load_degr_info(&degr), 0);
    assert_true(isnan(get_network_dist_ratio(&degr, 1)));
    assert_true(get_network_access_ratio(&degr, 4) == 2);
    release_degr_info(&degr);
}

TEST(none_of_them)
{
    degr_desc degr;
    assert_code(load_degr_info(&degr), SERVET_ENOTFOUND); /* there is no such file */
    assert_true(isnan(get_network_dist_ratio(&degr, 1)));
    release_degr_info(&degr);
    store(false, false);
    assert_code(load_degr_info(&degr), SERVET_EUNMEASURED);
    assert_true(isnan(get_network_access_ratio(&degr, 1)));
    release_degr_info(&degr);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fclose(stream), 0);
    assert_code(load_degr_info(&degr), SERVET_EFORMAT);
    release_degr_info(&degr);
}
