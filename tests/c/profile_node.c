/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of the cores of a node together, written, read back, and queried. */
#include "test.h"
#include "core/units.h"
#include "profile_sample.h"

#include <limits.h>
#include "profile_fixture.h"

static const servet_at big = {"fat", 1}, fat = {"fat", SERVET_ANY_CORE},
                       thin = {"thin", SERVET_ANY_CORE}, nowhere = {"fat", 77};

/* An answer with its code is the value expected, or unmeasured where that is unknown. */
static void answers(int code, const servet_value *value, servet_value expected)
{
    if (!servet_value_known(&expected)) {
        assert_code(code, SERVET_EUNMEASURED);
        return;
    }
    assert_ok(code);
    assert_true(value->value == expected.value && value->low == expected.low &&
                value->high == expected.high);
    assert_int_equal(value->unit, expected.unit);
    assert_int_equal(value->samples, expected.samples);
}

TEST_EACH(profile_begin, profile_end)

TEST(coherence)
{
    servet_coherence found;
    assert_ok(servet_coherence_get(profile, &big, &found));
    answers(SERVET_OK, &found.line, sample_coherence().line);
    assert_int_equal(found.verdict, SERVET_VERDICT_DIFFERS);
    assert_code(servet_coherence_get(profile, &thin, &found), SERVET_EUNMEASURED);
    assert_code(servet_coherence_get(profile, &nowhere, &found), SERVET_ERANGE);
}

TEST(distances)
{
    int count;
    servet_distance_layer layer;
    assert_ok(servet_distance_layer_count(profile, &fat, &count));
    assert_int_equal(count, 3);
    assert_ok(servet_distance_layer_get(profile, &fat, 2, &layer));
    answers(SERVET_OK, &layer.latency, sample_layer(2).latency);
    assert_int_equal(layer.verdict, SERVET_VERDICT_NOT_VISIBLE);
    const int none[] = {0, -1, 4, INT_MIN, INT_MAX};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_code(servet_distance_layer_get(profile, &fat, none[i], &layer), SERVET_ERANGE);
    assert_code(servet_distance_layer_count(profile, &thin, &count), SERVET_EUNMEASURED);
    assert_code(servet_distance_layer_get(profile, &thin, 1, &layer), SERVET_EUNMEASURED);
}

TEST(groups_of_distances)
{
    int count;
    const char *cores;
    assert_ok(servet_distance_group_count(profile, &fat, 2, &count));
    assert_int_equal(count, 2);
    assert_ok(servet_distance_group(profile, &fat, 2, 1, &cores));
    assert_string_equal(cores, "8-11");
    assert_code(servet_distance_group(profile, &fat, 2, 2, &cores), SERVET_ERANGE);
    assert_code(servet_distance_group(profile, &fat, 2, -1, &cores), SERVET_ERANGE);
    assert_code(servet_distance_group_count(profile, &fat, 3, &count), SERVET_EUNMEASURED);
    assert_code(servet_distance_group(profile, &fat, 3, 0, &cores), SERVET_EUNMEASURED);
    assert_code(servet_distance_group(profile, &fat, 4, 0, &cores), SERVET_ERANGE);
}

TEST(layer_of_a_pair)
{
    static const struct {
        int core, other, code, layer;
    } pairs[] = {
        {0, 1, SERVET_OK, 1},
        {3, 2, SERVET_OK, 1},
        {1, 2, SERVET_OK, 2},
        {11, 8, SERVET_OK, 2},
        {0, 8, SERVET_EUNMEASURED, 0},
        {0, 0, SERVET_EARGUMENT, 0},
        {0, 77, SERVET_ERANGE, 0},
        {77, 0, SERVET_ERANGE, 0},
        {0, SERVET_ANY_CORE, SERVET_EARGUMENT, 0},
        {SERVET_ANY_CORE, 1, SERVET_EARGUMENT, 0},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const servet_at at = {"fat", pairs[i].core};
        int layer = 0;
        assert_int_equal(servet_distance_layer_of(profile, &at, pairs[i].other, &layer),
                         pairs[i].code);
        assert_int_equal(layer, pairs[i].layer);
    }
    const servet_at unmeasured = {"thin", 0};
    int layer;
    assert_code(servet_distance_layer_of(profile, &unmeasured, 1, &layer), SERVET_EUNMEASURED);
}

TEST(memory_of_one_core)
{
    servet_value value;
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        answers(servet_memory_bandwidth(profile, &fat, (servet_kernel)i, &value), &value,
                sample_kernel((servet_kernel)i));
    assert_code(servet_memory_bandwidth(profile, &fat, SERVET_KERNEL_COUNT, &value),
                SERVET_EARGUMENT);
    assert_code(servet_memory_bandwidth(profile, &fat, (servet_kernel)-1, &value),
                SERVET_EARGUMENT);
    assert_code(servet_memory_bandwidth(profile, &thin, SERVET_KERNEL_READ, &value),
                SERVET_EUNMEASURED);
    assert_string_equal(servet_kernel_name(SERVET_KERNEL_TRIAD_NT), "triad-nt");
}

/* The better of the measured kernels that copy. */
TEST(the_reference_bandwidth)
{
    const double none = -1;
    const struct {
        double copy, streaming, best;
    } cases[] = {{4e9, 6e9, 6e9}, {6e9, 4e9, 6e9}, {none, 4e9, 4e9}, {4e9, none, 4e9}};
    servet_value rates[SERVET_KERNEL_COUNT], best;
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        rates[i] = sample_value(9e9, SERVET_UNIT_BYTE_PER_SECOND);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double pair[] = {cases[i].copy, cases[i].streaming};
        const int kernels[] = {SERVET_KERNEL_COPY, SERVET_KERNEL_COPY_NT};
        for (int j = 0; j < 2; j++)
            rates[kernels[j]] = pair[j] == none
                                    ? servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND)
                                    : sample_value(pair[j], SERVET_UNIT_BYTE_PER_SECOND);
        assert_ok(record_memory(profile, 0, rates, SERVET_KERNEL_COUNT, NULL));
        assert_ok(servet_memory_single(profile, &fat, &best));
        assert_true(best.value == cases[i].best);
    }
    rates[SERVET_KERNEL_COPY] = rates[SERVET_KERNEL_COPY_NT] =
        servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    assert_ok(record_memory(profile, 0, rates, SERVET_KERNEL_COUNT, NULL));
    assert_code(servet_memory_single(profile, &fat, &best), SERVET_EUNMEASURED);
    assert_code(servet_memory_single(profile, &thin, &best), SERVET_EUNMEASURED);
}

/* 4 GB/s without a doubt and 3 with one: so it is not known whether 4 are the best. */
TEST(a_doubtful_copy_makes_the_reference_doubtful)
{
    static const int pair[] = {SERVET_KERNEL_COPY, SERVET_KERNEL_COPY_NT};
    for (int sure = 0; sure < 2; sure++) {
        servet_value rates[SERVET_KERNEL_COUNT], best;
        for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
            rates[i] = sample_value(9e9, SERVET_UNIT_BYTE_PER_SECOND);
        rates[pair[sure]] = sample_value(4e9, SERVET_UNIT_BYTE_PER_SECOND);
        rates[pair[1 - sure]] = sample_value(3e9, SERVET_UNIT_BYTE_PER_SECOND);
        rates[pair[1 - sure]].trusted = false;
        assert_ok(record_memory(profile, 0, rates, SERVET_KERNEL_COUNT, NULL));
        assert_ok(servet_memory_single(profile, &fat, &best));
        assert_false(best.trusted);
    }
}

/* A program that was built when there were fewer kernels. */
TEST(fewer_kernels)
{
    const servet_value rate = sample_value(9e9, SERVET_UNIT_BYTE_PER_SECOND);
    servet_value stored;
    assert_ok(record_memory(profile, 0, &rate, 1, NULL));
    assert_ok(servet_memory_bandwidth(profile, &fat, SERVET_KERNEL_READ, &stored));
    assert_true(stored.value == 9e9);
    for (int i = SERVET_KERNEL_READ + 1; i < SERVET_KERNEL_COUNT; i++)
        assert_code(servet_memory_bandwidth(profile, &fat, (servet_kernel)i, &stored),
                    SERVET_EUNMEASURED);
}

TEST(memory_of_several_cores)
{
    int count;
    const char *cores;
    servet_memory_level level;
    assert_ok(servet_memory_level_count(profile, &fat, &count));
    assert_int_equal(count, 2);
    assert_ok(servet_memory_level_get(profile, &fat, 1, &level));
    answers(SERVET_OK, &level.bandwidth, sample_overhead(1).bandwidth);
    assert_int_equal(level.saturation, 3);
    assert_code(servet_memory_level_get(profile, &fat, 3, &level), SERVET_ERANGE);
    assert_code(servet_memory_level_count(profile, &thin, &count), SERVET_EUNMEASURED);
    assert_ok(servet_memory_group_count(profile, &fat, 1, &count));
    assert_int_equal(count, 2);
    assert_ok(servet_memory_group(profile, &fat, 1, 1, &cores));
    assert_string_equal(cores, "2-3");
    assert_code(servet_memory_group(profile, &fat, 1, 2, &cores), SERVET_ERANGE);
    assert_code(servet_memory_group_count(profile, &fat, 2, &count), SERVET_EUNMEASURED);
    assert_code(servet_memory_group_count(profile, &fat, 0, &count), SERVET_ERANGE);
}

TEST(scaling)
{
    servet_value value;
    int cores = -1;
    for (int i = 1; i <= 8; i++)
        answers(servet_memory_scaling(profile, &fat, 0, i, &value), &value,
                sample_rate(SAMPLE_NODE, i));
    for (int i = 1; i <= 4; i++)
        answers(servet_memory_scaling(profile, &fat, 1, i, &value), &value,
                sample_rate(SAMPLE_LEVEL, i));
    assert_code(servet_memory_scaling(profile, &fat, 0, 9, &value), SERVET_ERANGE);
    assert_code(servet_memory_scaling(profile, &fat, 0, 0, &value), SERVET_ERANGE);
    assert_code(servet_memory_scaling(profile, &fat, 1, 5, &value), SERVET_ERANGE);
    assert_code(servet_memory_scaling(profile, &fat, 2, 1, &value), SERVET_EUNMEASURED);
    assert_code(servet_memory_scaling(profile, &fat, 3, 1, &value), SERVET_ERANGE);
    assert_code(servet_memory_scaling(profile, &fat, -1, 1, &value), SERVET_ERANGE);
    assert_code(servet_memory_scaling(profile, &thin, 0, 1, &value), SERVET_EUNMEASURED);
    assert_ok(servet_memory_saturation(profile, &fat, &cores));
    assert_int_equal(cores, 6);
    assert_code(servet_memory_saturation(profile, &thin, &cores), SERVET_EUNMEASURED);
}

/* Halfway between 0 and 20 GB/s, and between 20 and 40: the point between those is behind. */
TEST(latency_under_load)
{
    servet_value value;
    assert_ok(servet_loaded_latency(profile, &fat, 0, 1, 10e9, &value));
    assert_float_equal(value.value, 110e-9, 1e-15);
    assert_float_equal(value.low, 100e-9, 1e-15);
    assert_float_equal(value.high, 120e-9, 1e-15);
    assert_int_equal(value.method, SERVET_METHOD_INTERPOLATED);
    assert_ok(servet_loaded_latency(profile, &fat, 0, 1, 30e9, &value));
    assert_float_equal(value.value, 210e-9, 1e-15);
    assert_code(servet_loaded_latency(profile, &fat, 0, 1, 41e9, &value), SERVET_ERANGE);
    assert_code(servet_loaded_latency(profile, &fat, 1, 1, 1e9, &value), SERVET_EUNMEASURED);
    assert_code(servet_loaded_latency(profile, &fat, 0, 3, 1e9, &value), SERVET_ERANGE);
    assert_code(servet_loaded_latency(profile, &thin, 0, 0, 1e9, &value), SERVET_EUNMEASURED);
}

TEST(numa_nodes)
{
    int count;
    servet_numa node;
    servet_value value;
    assert_ok(servet_numa_count(profile, &fat, &count));
    assert_int_equal(count, 3);
    for (int from = 0; from < 3; from++) {
        assert_ok(servet_numa_get(profile, &fat, from, &node));
        assert_int_equal(node.number, sample_numa[from].number);
        assert_string_equal(node.cores, sample_numa[from].cores);
    }
    for (int from = 0; from < 2; from++)
        for (int to = 0; to < 3; to++) {
            answers(servet_numa_bandwidth(profile, &fat, from, to, &value), &value,
                    sample_rate(SAMPLE_NUMA + from, to + 1));
            answers(servet_numa_latency(profile, &fat, from, to, &value), &value,
                    srv_value_in_seconds(sample_value(90 + 3 * from + to, SRV_UNIT_NANOSECOND)));
        }
    assert_code(servet_numa_bandwidth(profile, &fat, 2, 0, &value), SERVET_EUNMEASURED);
    assert_code(servet_numa_latency(profile, &fat, 2, 0, &value), SERVET_EUNMEASURED);
    assert_code(servet_numa_bandwidth(profile, &fat, 0, 3, &value), SERVET_ERANGE);
    assert_code(servet_numa_latency(profile, &fat, 3, 0, &value), SERVET_ERANGE);
    assert_code(servet_numa_get(profile, &fat, -1, &node), SERVET_ERANGE);
    assert_code(servet_numa_count(profile, &thin, &count), SERVET_EUNMEASURED);
}

/* These are a cache, and memory behind it, which is level 0. */
TEST(concurrency)
{
    const servet_at little = {"fat", 9};
    servet_value value;
    servet_concurrency found;
    assert_ok(servet_concurrency_get(profile, &big, 1, &found));
    answers(SERVET_OK, &found.best, sample_concurrency().best);
    assert_true(found.requests == 2 && found.chains == 4 && found.threads == 2);
    answers(servet_concurrency_of_chains(profile, &big, 1, 2, &value), &value,
            sample_rate(SAMPLE_CHAINS, 2));
    answers(servet_concurrency_of_chains(profile, &big, 1, 3, &value), &value,
            sample_rate(SAMPLE_CHAINS, 3));
    answers(servet_concurrency_of_threads(profile, &big, 1, 2, &value), &value,
            sample_rate(SAMPLE_THREADS, 2));
    assert_code(servet_concurrency_of_chains(profile, &big, 1, 5, &value), SERVET_ERANGE);
    assert_code(servet_concurrency_of_threads(profile, &big, 1, 0, &value), SERVET_ERANGE);
    assert_code(servet_concurrency_get(profile, &big, 2, &found), SERVET_EUNMEASURED);
    assert_code(servet_concurrency_get(profile, &big, 4, &found), SERVET_ERANGE);
    assert_code(servet_concurrency_get(profile, &big, -1, &found), SERVET_ERANGE);
    assert_ok(servet_concurrency_get(profile, &big, 0, &found));
    assert_true(found.requests == 5 && found.chains == 5 && found.threads == 0);
    answers(servet_concurrency_of_chains(profile, &big, 0, 5, &value), &value,
            sample_rate(SAMPLE_MEMORY_CHAINS, 5));
    assert_code(servet_concurrency_of_threads(profile, &big, 0, 1, &value), SERVET_EUNMEASURED);
    assert_code(servet_concurrency_get(profile, &little, 0, &found), SERVET_EUNMEASURED);
    assert_code(servet_concurrency_get(profile, &thin, 0, &found), SERVET_EUNMEASURED);
}

/* --- advice ----------------------------------------------------------------------------------- */

static const servet_at far = {"fat", 9};

TEST(groups_of_a_core)
{
    int index = -1;
    assert_ok(servet_distance_group_of(profile, &big, 2, &index));
    assert_int_equal(index, 0);
    assert_ok(servet_distance_group_of(profile, &far, 2, &index));
    assert_int_equal(index, 1);
    assert_code(servet_distance_group_of(profile, &far, 1, &index), SERVET_EUNMEASURED);
    assert_code(servet_distance_group_of(profile, &far, 3, &index), SERVET_EUNMEASURED);
    assert_code(servet_distance_group_of(profile, &far, 4, &index), SERVET_ERANGE);
    assert_code(servet_distance_group_of(profile, &fat, 1, &index), SERVET_EARGUMENT);
    assert_code(servet_distance_group_of(profile, &nowhere, 1, &index), SERVET_ERANGE);
    assert_ok(servet_memory_group_of(profile, &big, 1, &index));
    assert_int_equal(index, 0);
    assert_code(servet_memory_group_of(profile, &far, 1, &index), SERVET_EUNMEASURED);
    assert_code(servet_memory_group_of(profile, &big, 3, &index), SERVET_ERANGE);
    assert_int_equal(index, 0);
}

/* Near are 0-1 | 2-3, farther 0-3 | 8-11. */
TEST(nearest_cores)
{
    int cores[4] = {-1, -1, -1, -1}, count = -1;
    assert_ok(servet_distance_nearest(profile, &big, cores, 4, &count));
    assert_int_equal(count, 3);
    assert_memory_equal(cores, ((int[]){0, 2, 3, -1}), sizeof cores);
    assert_ok(servet_distance_nearest(profile, &far, cores, 2, &count));
    assert_int_equal(count, 2);
    assert_memory_equal(cores, ((int[]){8, 10, 3, -1}), sizeof cores);
    assert_ok(servet_distance_nearest(profile, &far, cores, 0, &count));
    assert_int_equal(count, 0);
    assert_code(servet_distance_nearest(profile, &fat, cores, 4, &count), SERVET_EARGUMENT);
    assert_code(servet_distance_nearest(profile, &nowhere, cores, 4, &count), SERVET_ERANGE);
    const servet_at other = {"thin", 0};
    assert_code(servet_distance_nearest(profile, &other, cores, 4, &count), SERVET_EUNMEASURED);
    assert_int_equal(count, 0);
}

/* Three cores saturate 0-1,8, six the node; what each then gets was not measured. */
TEST(how_many_cores_are_enough)
{
    servet_saturation advice;
    assert_ok(servet_memory_saturation_of(profile, &big, &advice));
    assert_int_equal(advice.level, 1);
    assert_string_equal(advice.cores, "0-1,8");
    assert_int_equal(advice.enough, 3);
    assert_false(servet_value_known(&advice.bandwidth));
    for (int i = 0; i < 2; i++) {
        assert_ok(servet_memory_saturation_of(profile, i ? &far : &fat, &advice));
        assert_int_equal(advice.level, 0);
        assert_null(advice.cores);
        assert_int_equal(advice.enough, 6);
    }
    assert_code(servet_memory_saturation_of(profile, &thin, &advice), SERVET_EUNMEASURED);
    assert_code(servet_memory_saturation_of(profile, &nowhere, &advice), SERVET_ERANGE);
}

/* The group that memory slows down most among nested groups. */
TEST(the_tightest_group)
{
    servet_saturation advice;
    servet_memory_level levels[2] = {sample_overhead(1), sample_overhead(1)};
    const char *const inner[] = {"0-1"};
    servet_value rates[3];
    levels[1].saturation = 2;
    for (int i = 0; i < 3; i++)
        rates[i] = sample_value(7e9 - 1e9 * i, SERVET_UNIT_BYTE_PER_SECOND);
    assert_ok(record_memory_levels(profile, 0, levels, 2, NULL));
    assert_ok(record_memory_groups(profile, 0, 1, sample_overhead_groups, 2, NULL));
    assert_ok(record_memory_groups(profile, 0, 2, inner, 1, NULL));
    assert_ok(record_memory_scaling(profile, 0, 2, rates, 3, 0, NULL));
    assert_ok(servet_memory_saturation_of(profile, &big, &advice));
    assert_int_equal(advice.level, 2);
    assert_string_equal(advice.cores, "0-1");
    assert_int_equal(advice.enough, 2);
    assert_true(advice.bandwidth.value == 6e9);
}

/* Lists of structs are answered by their paths, as by the functions that name them. */
TEST(items_by_their_paths)
{
    const servet_at no_class = {"none", SERVET_ANY_CORE};
    const int second[] = {1, 2};
    servet_cache found, expected;
    int count, levels;
    assert_ok(servet_profile_count(profile, &fat, "kinds.caches", second, &count));
    assert_ok(servet_cache_count(profile, &fat, &levels));
    assert_int_equal(count, levels);
    assert_ok(servet_profile_item(profile, &fat, "kinds.caches", second, &found, sizeof found));
    assert_ok(servet_cache_get(profile, &fat, 2, &expected));
    answers(SERVET_OK, &found.bytes, expected.bytes);
    assert_int_equal(found.trusted, expected.trusted);
    assert_code(servet_profile_count(profile, &no_class, "kinds.caches", second, &count),
                SERVET_ERANGE);
    static const int beyond[][2] = {{0, 1}, {9, 1}, {1, 0}, {1, 99}, {1, INT_MIN}};
    for (int i = 0; i < 5; i++)
        assert_code(
            servet_profile_item(profile, &fat, "kinds.caches", beyond[i], &found, sizeof found),
            SERVET_ERANGE);
    assert_code(
        servet_profile_item(profile, &fat, "kinds.caches", second, &found, sizeof found - 1),
        SERVET_EARGUMENT);
}

/* A value, sets, a single struct, lists without a public struct, and names that are none. */
TEST(other_paths_have_no_items)
{
    static const int ones[] = {1, 1, 1};
    static const char *const paths[] = {"",
                                        ".",
                                        "kinds",
                                        "doubts",
                                        "modes",
                                        "coherence",
                                        "caches",
                                        "kinds.",
                                        "kinds.caches.",
                                        "network",
                                        "network.lakes",
                                        "kinds.1.caches",
                                        "kinds.caches.bytes",
                                        "kinds.caches.groups"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        servet_cache found;
        int count;
        assert_code(servet_profile_count(profile, &fat, paths[i], ones, &count), SERVET_EKEY);
        assert_code(servet_profile_item(profile, &fat, paths[i], ones, &found, sizeof found),
                    SERVET_EKEY);
    }
}

TEST(peak_rates)
{
    servet_peak peak;
    const struct {
        servet_at at;
        servet_precision precision;
        servet_width width;
        int item; /* 0: not measured */
    } rows[] = {{{"fat", 3}, SERVET_PRECISION_F64, SERVET_WIDTH_VECTOR, 1},
                {{"fat", 11}, SERVET_PRECISION_F64, SERVET_WIDTH_VECTOR, 2},
                {fat, SERVET_PRECISION_F64, SERVET_WIDTH_VECTOR, 3},
                {fat, SERVET_PRECISION_F32, SERVET_WIDTH_SCALAR, 4},
                {big, SERVET_PRECISION_F32, SERVET_WIDTH_SCALAR, 0},
                {thin, SERVET_PRECISION_F64, SERVET_WIDTH_VECTOR, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int code = servet_peak_get(profile, &rows[i].at, rows[i].precision, rows[i].width, &peak);
        answers(code, &peak.rate,
                rows[i].item ? sample_peak(rows[i].item).rate
                             : servet_value_unknown(SERVET_UNIT_FLOP_PER_SECOND));
    }
    assert_code(servet_peak_get(profile, &nowhere, 0, 0, &peak), SERVET_ERANGE);
    assert_code(servet_peak_get(profile, &fat, SERVET_PRECISION_COUNT, 0, &peak), SERVET_EARGUMENT);
    assert_code(servet_peak_get(profile, &fat, 0, SERVET_WIDTH_COUNT, &peak), SERVET_EARGUMENT);
    assert_string_equal(servet_precision_name(SERVET_PRECISION_F32), "f32");
    assert_string_equal(servet_width_name(SERVET_WIDTH_SCALAR), "scalar");
}

/* One core has 8 GFLOP/s by loads from the first cache (25 GB/s) and from memory; all have 24 by
 * the best copies, of 8 cores with 6.008 GB/s each. */
TEST(ridge_points)
{
    servet_value ridge;
    assert_ok(servet_ridge(profile, &big, SERVET_PRECISION_F64, 1, &ridge));
    assert_float_equal(ridge.value, 8. / 25, 1e-9);
    assert_int_equal(ridge.unit, SERVET_UNIT_FLOP_PER_BYTE);
    assert_true(ridge.trusted && ridge.low < ridge.value && ridge.value < ridge.high);
    assert_ok(servet_ridge(profile, &big, SERVET_PRECISION_F64, 0, &ridge));
    assert_float_equal(ridge.value, 8e9 / sample_kernel(SERVET_KERNEL_READ).value, 1e-9);
    assert_ok(servet_ridge(profile, &fat, SERVET_PRECISION_F64, 0, &ridge));
    assert_float_equal(ridge.value, 24 / (8 * 6.008), 1e-9);
    assert_code(servet_ridge(profile, &fat, SERVET_PRECISION_F64, 1, &ridge), SERVET_EUNMEASURED);
    assert_code(servet_ridge(profile, &big, SERVET_PRECISION_F32, 1, &ridge), SERVET_EUNMEASURED);
    assert_code(servet_ridge(profile, &big, SERVET_PRECISION_F64, 9, &ridge), SERVET_ERANGE);
}

TEST(caches_of_an_accelerator)
{
    servet_accelerator_cache cache;
    assert_ok(servet_profile_item(profile, &fat, "accelerators.devices.caches", (const int[]){1, 1},
                                  &cache, sizeof cache));
    assert_string_equal(servet_device_cache_name(cache.cache), "constant-l1.5");
    assert_true(cache.bytes.value == 65536 && cache.line.value == 256 &&
                cache.latency.value == 104);
    assert_code(servet_profile_item(profile, &fat, "accelerators.devices.caches",
                                    (const int[]){2, 1}, &cache, sizeof cache),
                SERVET_EUNMEASURED);
}

/* The core type "big" has half of the rate of the other one; no core type has integers. */
TEST(speeds_of_core_types)
{
    servet_value speed;
    const servet_at other = {"fat", 11};
    assert_ok(servet_core_speed(profile, &big, SERVET_WORK_VECTOR, &speed));
    assert_float_equal(speed.value, 0.5, 1e-9);
    assert_true(speed.trusted && speed.low < 0.5 && speed.high > 0.5);
    assert_int_equal(speed.unit, SERVET_UNIT_NONE);
    assert_ok(servet_core_speed(profile, &other, SERVET_WORK_VECTOR, &speed));
    assert_true(speed.value == 1 && speed.low == 1 && speed.high == 1);
    assert_code(servet_core_speed(profile, &big, SERVET_WORK_INTEGER, &speed), SERVET_EUNMEASURED);
    assert_code(servet_core_speed(profile, &big, SERVET_WORK_MEMORY, &speed), SERVET_EUNMEASURED);
    assert_code(servet_core_speed(profile, &big, SERVET_WORK_COUNT, &speed), SERVET_EARGUMENT);
    assert_code(servet_core_speed(profile, &nowhere, SERVET_WORK_VECTOR, &speed), SERVET_ERANGE);
    servet_profile_trusted_only(profile, true);
    assert_ok(servet_profile_distrust(profile, 0, "peak.2.bits", "busy", NULL));
    assert_ok(servet_core_speed(profile, &big, SERVET_WORK_VECTOR, &speed));
    servet_profile_trusted_only(profile, false);
    assert_ok(servet_profile_distrust(profile, 0, "peak.2.rate", "busy", NULL));
    assert_ok(servet_core_speed(profile, &big, SERVET_WORK_VECTOR, &speed));
    assert_false(speed.trusted);
    servet_profile_trusted_only(profile, true);
    assert_code(servet_core_speed(profile, &big, SERVET_WORK_VECTOR, &speed), SERVET_EUNTRUSTED);
    assert_string_equal(servet_work_name(SERVET_WORK_MEMORY), "memory");
}

/* A doubt about one core's rate leaves the rates of the others. */
TEST(a_doubtful_peak_makes_its_ridge_doubtful)
{
    servet_value ridge;
    assert_ok(servet_profile_distrust(profile, 0, "peak.1.rate", "busy", NULL));
    assert_ok(servet_ridge(profile, &big, SERVET_PRECISION_F64, 1, &ridge));
    assert_false(ridge.trusted);
    servet_profile_trusted_only(profile, true);
    assert_code(servet_ridge(profile, &big, SERVET_PRECISION_F64, 1, &ridge), SERVET_EUNTRUSTED);
    assert_ok(servet_ridge(profile, &fat, SERVET_PRECISION_F64, 0, &ridge));
}
