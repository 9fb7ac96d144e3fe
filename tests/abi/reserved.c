/* SPDX-License-Identifier: BSD-3-Clause */
/* Reserved room of public structs: zero in all that the library fills in, and refused where it is
 * not zero in what a program gives. */
#include "../c/test.h"

#include <stdio.h>
#include <string.h>

#include <servet/export.h>
#include <servet/measure.h>
#include <servet/servet.h>

#include "../c/folder.h"
#include "known.h"

#define WORDS(struct_) (sizeof((struct_ *)NULL)->reserved / sizeof(uint64_t))

static const servet_at here = {.node_class = "thin", .core = 0};
static servet_error error;

static void assert_zero(const uint64_t *reserved, size_t words)
{
    for (size_t i = 0; i < words; i++)
        assert_int_equal(reserved[i], 0);
}

/* The call fills in `out`, which held something else. */
#define ZERO_IN(struct_, call)                                                                     \
    do {                                                                                           \
        struct_ out;                                                                               \
        memset(&out, 0xff, sizeof out);                                                            \
        assert_int_equal(call, SERVET_OK);                                                         \
        assert_zero(out.reserved, WORDS(struct_));                                                 \
    } while (0)

/* The call accepts `in` with zeros only, whatever else it says; `error` says so, where it takes
 * one. */
#define REFUSED(struct_, given, call)                                                              \
    do {                                                                                           \
        struct_ in = given;                                                                        \
        error = (servet_error)SERVET_ERROR_INIT;                                                   \
        assert_int_not_equal(call, SERVET_EARGUMENT);                                              \
        assert_zero(in.reserved, WORDS(struct_));                                                  \
        for (size_t word = 0; word < WORDS(struct_); word++) {                                     \
            in.reserved[word] = 1;                                                                 \
            error = (servet_error)SERVET_ERROR_INIT;                                               \
            assert_int_equal(call, SERVET_EARGUMENT);                                              \
            assert_true(!error.code || strstr(error.text, "reserved room is not zero"));           \
            in.reserved[word] = 0;                                                                 \
        }                                                                                          \
    } while (0)

static void write_file(const char *name, const char *text)
{
    FILE *stream = fopen(name, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static const char *in_folder(const char *name)
{
    static char path[TEST_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static servet_profile *open_known(int (*write)(const char *path))
{
    servet_profile *profile;
    assert_int_equal(write(in_folder("profile.json")), SERVET_OK);
    assert_int_equal(servet_profile_open(&profile, in_folder("profile.json"), &error), SERVET_OK);
    return profile;
}

/* --- queries ---------------------------------------------------------------------------------- */

static void answers_have_room(void **state)
{
    (void)state;
    servet_profile *known = open_known(known_write_profile);
    const char *const key = "distance.layers.2.latency_ns";
    ZERO_IN(servet_run, servet_profile_run(known, &out));
    ZERO_IN(servet_machine, servet_profile_machine(known, &here, &out));
    ZERO_IN(servet_fitness, servet_profile_fitness(known, &here, &out));
    ZERO_IN(servet_kind, servet_kind_get(known, &here, 0, &out));
    ZERO_IN(servet_modes, servet_profile_modes(known, &here, key, &out, NULL));
    ZERO_IN(servet_modes, servet_profile_modes(known, &here, "caches.1.bytes", &out, NULL));
    ZERO_IN(servet_trust, servet_profile_trust(known, &here, key, &out, NULL));
    ZERO_IN(servet_cache, servet_cache_get(known, &here, 2, &out));
    ZERO_IN(servet_sharing, servet_cache_sharing(known, &here, 2, &out));
    ZERO_IN(servet_coherence, servet_coherence_get(known, &here, &out));
    ZERO_IN(servet_distance_layer, servet_distance_layer_get(known, &here, 1, &out));
    ZERO_IN(servet_memory_level, servet_memory_level_get(known, &here, 1, &out));
    ZERO_IN(servet_saturation, servet_memory_saturation_of(known, &here, &out));
    ZERO_IN(servet_numa, servet_numa_get(known, &here, 1, &out));
    ZERO_IN(servet_concurrency, servet_concurrency_get(known, &here, 0, &out));
    ZERO_IN(servet_concurrency, servet_concurrency_get(known, &here, 1, &out));
    ZERO_IN(servet_translation, servet_translation_get(known, &here, SERVET_PAGES_BASE, &out));
    ZERO_IN(servet_advice, servet_advise(known, &here, SERVET_ADVICE_FOR_NODE, &out, 1, &(int){0}));
    ZERO_IN(servet_block, servet_cache_block(known, &here, 2, 3, 8, 1, &out));
    ZERO_IN(servet_tlb, servet_tlb_get(known, &here, SERVET_PAGES_BASE, 1, &out));
    servet_profile_close(known);
}

static void answers_on_communication_have_room(void **state)
{
    (void)state;
    const servet_degradation far = SERVET_DEGRADATION_DISTANCE;
    servet_profile *known = open_known(known_write_profile);
    ZERO_IN(servet_network, servet_network_get(known, &out));
    ZERO_IN(servet_slow_link, servet_network_slow_link(known, 0, &out));
    ZERO_IN(servet_network_layer, servet_network_layer_get(known, 1, &out));
    ZERO_IN(servet_message, servet_network_point(known, 1, 1, &out));
    ZERO_IN(servet_protocol, servet_network_protocol(known, 1, 0, &out));
    ZERO_IN(servet_together, servet_network_together(known, 1, 0, &out));
    ZERO_IN(servet_batch, servet_network_batch(known, 1, 0, &out));
    ZERO_IN(servet_batch, servet_network_aggregate(known, 1, 64, 3, &out));
    ZERO_IN(servet_aggregation, servet_network_aggregation(known, 1, 0, &out));
    ZERO_IN(servet_ratios, servet_network_ratios(known, far, &out));
    ZERO_IN(servet_ratio, servet_network_ratio(known, far, 1, &out));
    ZERO_IN(servet_ratio, servet_network_ratio(known, far, 2, &out));
    servet_profile_close(known);
}

static void a_failure_has_room(void **state)
{
    (void)state;
    servet_profile *profile;
    servet_error failure = SERVET_ERROR_INIT;
    assert_int_equal(servet_profile_open(&profile, "nowhere.json", &failure), SERVET_ENOTFOUND);
    assert_int_equal(failure.code, SERVET_ENOTFOUND);
    assert_zero(failure.reserved, WORDS(servet_error));
}

static void degr_desc_has_room(void **state)
{
    (void)state;
    servet_profile_close(open_known(known_write_profile));
    setenv("SERVET_PROFILE", in_folder("profile.json"), 1);
    ZERO_IN(degr_desc, load_degr_info(&out) || (release_degr_info(&out), 0));
    setenv("SERVET_PROFILE", "nowhere.json", 1);
}

static void queries_refuse(void **state)
{
    (void)state;
    servet_profile *known = open_known(known_write_profile);
    char text[64];
    int i;
    const char *cores;
    servet_machine machine;
    servet_fitness fitness;
    servet_kind kind;
    servet_cache cache;
    servet_coherence coherence;
    servet_trust trust;
    servet_modes modes;
    servet_value value;
    REFUSED(servet_at, here, servet_profile_machine(known, &in, &machine));
    REFUSED(servet_at, here, servet_profile_fitness(known, &in, &fitness));
    REFUSED(servet_at, {.core = SERVET_ANY_CORE}, servet_profile_fitness(known, &in, &fitness));
    REFUSED(servet_at, here, servet_kind_get(known, &in, 0, &kind));
    REFUSED(servet_at, here, servet_cache_count(known, &in, &i));
    REFUSED(servet_at, here, servet_cache_get(known, &in, 1, &cache));
    REFUSED(servet_at, {.core = SERVET_ANY_CORE}, servet_cache_get(known, &in, 1, &cache));
    REFUSED(servet_at, here, servet_cache_group(known, &in, 2, 0, &cores));
    REFUSED(servet_at, here, servet_cache_group_of(known, &in, 2, &i));
    REFUSED(servet_at, here, servet_memory_latency(known, &in, &value));
    REFUSED(servet_at, here, servet_memory_single(known, &in, &value));
    REFUSED(servet_at, here, servet_memory_saturation(known, &in, &i));
    REFUSED(servet_at, here, servet_memory_scaling(known, &in, 0, 1, &value));
    REFUSED(servet_at, here, servet_coherence_get(known, &in, &coherence));
    REFUSED(servet_at, here, servet_distance_layer_of(known, &in, 2, &i));
    REFUSED(servet_at, here, servet_distance_nearest(known, &in, &i, 1, &i));
    REFUSED(servet_at, here, servet_numa_latency(known, &in, 0, 1, &value));
    REFUSED(servet_at, here, servet_profile_get(known, &in, "caches.1.bytes", text, 64, &error));
    REFUSED(servet_at, here, servet_profile_get(known, &in, "run.clock", text, 64, &error));
    REFUSED(servet_at, here, servet_profile_trust(known, &in, "caches.1.bytes", &trust, &error));
    REFUSED(servet_at, here, servet_profile_modes(known, &in, "caches.1.bytes", &modes, &error));
    servet_profile_close(known);
}

/* --- recording: what was queried is stored again ----------------------------------------------
 */

static void recording_refuses(void **state)
{
    (void)state;
    servet_profile *p = open_known(known_write_profile);
    const servet_value rates[8] = {{.method = SERVET_METHOD_NONE}};
    const servet_value none = servet_value_unknown(SERVET_UNIT_SECOND);
    const char *const groups[] = {"0,2", "1,3"};
    const char *const key = "distance.layers.2.latency_ns";
    int i;
    servet_run run;
    servet_machine machine;
    servet_cache cache;
    servet_sharing sharing;
    servet_concurrency loads;
    servet_translation pages;
    servet_tlb tlb;
    servet_coherence line;
    servet_distance_layer layer;
    servet_memory_level level;
    servet_numa numa;
    servet_modes modes;
    servet_profile_run(p, &run);
    servet_profile_machine(p, &here, &machine);
    servet_cache_get(p, &here, 1, &cache);
    servet_cache_sharing(p, &here, 2, &sharing);
    servet_concurrency_get(p, &here, 0, &loads);
    servet_translation_get(p, &here, SERVET_PAGES_BASE, &pages);
    servet_tlb_get(p, &here, SERVET_PAGES_BASE, 1, &tlb);
    servet_coherence_get(p, &here, &line);
    servet_distance_layer_get(p, &here, 2, &layer);
    servet_memory_level_get(p, &here, 1, &level);
    servet_numa_get(p, &here, 0, &numa);
    servet_profile_modes(p, &here, key, &modes, NULL);

    strcpy(machine.hostname, "of-no-class");
    REFUSED(servet_run, run, servet_profile_set_run(p, &in, &error));
    REFUSED(servet_machine, machine, servet_profile_add_class(p, "new", &in, &i, &error));
    REFUSED(servet_modes, modes,
            servet_profile_set_repeats(p, 0, key, &layer.latency, &in, &error));
    REFUSED(servet_sharing, sharing,
            servet_profile_set_cache_groups(p, 0, 0, 2, groups, 2, &in, &error));
    loads.threads = 0;
    REFUSED(servet_concurrency, loads,
            servet_profile_set_concurrency(p, 0, 0, 0, &in, rates, NULL, &error));
    REFUSED(servet_translation, pages,
            servet_profile_set_translation(p, 0, 0, SERVET_PAGES_BASE, &in, &tlb, 1, &error));
    REFUSED(servet_tlb, tlb,
            servet_profile_set_translation(p, 0, 0, SERVET_PAGES_BASE, &pages, &in, 1, &error));
    REFUSED(servet_coherence, line, servet_profile_set_coherence(p, 0, &in, &error));
    REFUSED(servet_distance_layer, layer, servet_profile_set_distances(p, 0, &in, 1, &error));
    REFUSED(servet_memory_level, level, servet_profile_set_memory_levels(p, 0, &in, 1, &error));
    REFUSED(servet_numa, numa, servet_profile_set_numa(p, 0, &in, 1, rates, rates, &error));
    REFUSED(servet_cache, cache, servet_profile_set_caches(p, 0, 0, &in, 1, &none, &error));
    servet_profile_close(p);
}

static void recording_of_communication_refuses(void **state)
{
    (void)state;
    const servet_degradation far = SERVET_DEGRADATION_DISTANCE;
    const char *const nodes[] = {"left", "right"};
    servet_profile *p = open_known(known_write_profile);
    servet_network network;
    servet_slow_link link;
    servet_network_layer layer;
    servet_message point;
    servet_protocol protocol;
    servet_together together;
    servet_batch batch;
    servet_aggregation range;
    servet_ratios about;
    servet_ratio ratio;
    servet_network_get(p, &network);
    servet_network_slow_link(p, 0, &link);
    servet_network_layer_get(p, 1, &layer);
    servet_network_point(p, 1, 0, &point);
    servet_network_protocol(p, 1, 0, &protocol);
    servet_network_together(p, 1, 0, &together);
    servet_network_batch(p, 1, 0, &batch);
    servet_network_aggregation(p, 1, 0, &range);
    servet_network_ratios(p, far, &about);
    servet_network_ratio(p, far, 1, &ratio);

    REFUSED(servet_message, point,
            servet_profile_set_network_curve(p, 1, &in, 1, &protocol, 1, &error));
    REFUSED(servet_protocol, protocol,
            servet_profile_set_network_curve(p, 1, &point, 1, &in, 1, &error));
    REFUSED(servet_together, together, servet_profile_set_network_together(p, 1, &in, 1, &error));
    REFUSED(servet_batch, batch,
            servet_profile_set_network_aggregation(p, 1, &in, 1, &range, 1, &error));
    REFUSED(servet_aggregation, range,
            servet_profile_set_network_aggregation(p, 1, &batch, 1, &in, 1, &error));
    REFUSED(servet_ratios, about,
            servet_profile_set_network_ratios(p, far, &in, &ratio, 1, &error));
    REFUSED(servet_ratio, ratio, servet_profile_set_network_ratios(p, far, &about, &in, 1, &error));
    REFUSED(servet_slow_link, link, servet_profile_set_network_slow_links(p, &in, 1, &error));
    REFUSED(servet_network_layer, layer, servet_profile_set_network_layers(p, &in, 1, &error));
    REFUSED(servet_network, network, servet_profile_set_network(p, &in, nodes, &error));
    servet_profile_close(p);
}

/* --- placement, comparison, export --------------------------------------------------------------
 */

static int place(const servet_profile *profile, const servet_map_request *request)
{
    servet_map *map = NULL;
    int code = servet_map_create(&map, profile, request, &error);
    servet_map_destroy(map);
    return code;
}

static void placement(void **state)
{
    (void)state;
    servet_profile *cluster = open_known(known_write_cluster);
    const servet_map_request request = {.processes = 2};
    servet_traffic *traffic;
    servet_map *map = NULL;
    int slot_of[2];
    assert_int_equal(servet_map_create(&map, cluster, &request, &error), SERVET_OK);
    assert_int_equal(servet_traffic_pattern(&traffic, SERVET_PATTERN_RING, 2, 1, &error),
                     SERVET_OK);
    ZERO_IN(servet_map_process, servet_map_process_get(map, 1, &out));
    ZERO_IN(servet_map_weight, servet_map_weight_get(map, 0, 0, &out));
    ZERO_IN(servet_map_cost, servet_map_predict(map, cluster, NULL, &out, &error));
    ZERO_IN(servet_map_idle, servet_map_idle_get(map, cluster, SERVET_RESOURCE_MEMORY, &out));
    servet_map_destroy(map);

    const servet_map_seat first = {.host = "n1", .core = 0};
    REFUSED(servet_map_request, request, place(cluster, &in));
    REFUSED(servet_map_seat, {.host = "n2"},
            servet_map_reorder(cluster, traffic, (servet_map_seat[]){first, in}, slot_of, &error));
    servet_traffic_destroy(traffic);
    servet_profile_close(cluster);
}

static void comparison_and_export(void **state)
{
    (void)state;
    servet_profile *known = open_known(known_write_profile);
    servet_profile *cluster = open_known(known_write_cluster);
    servet_diff *diff;
    assert_int_equal(servet_diff_create(&diff, known, cluster, NULL, 0, &error), SERVET_OK);
    ZERO_IN(servet_diff_fact, servet_diff_get(diff, 0, &out));
    REFUSED(servet_export_request, {.node_class = "thin"},
            servet_export_write(known, &in, stdout, &error));
    servet_diff_destroy(diff);
    servet_profile_close(cluster);
    servet_profile_close(known);
}

/* --- analysis --------------------------------------------------------------------------------- */

static void read_lines(servet_curve *curve)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/curves/milan-1-lines.csv", getenv("SOURCE_ROOT"));
    assert_int_equal(servet_curve_read(path, curve, &error), SERVET_OK);
}

static void analysis_of_caches(void **state)
{
    (void)state;
    servet_curve lines;
    servet_cache_analysis found;
    servet_explanation why;
    memset(&lines, 0xff, sizeof lines);
    memset(&found, 0xff, sizeof found);
    memset(&why, 0xff, sizeof why);
    read_lines(&lines);
    assert_zero(lines.reserved, WORDS(servet_curve));
    const servet_cache_evidence evidence = {.lines = &lines};
    assert_int_equal(servet_explain_cache(&evidence, &found, &why, &error), SERVET_OK);
    assert_zero(found.reserved, WORDS(servet_cache_analysis));
    assert_zero(why.reserved, WORDS(servet_explanation));
    assert_true(found.level_count > 0 && why.n > 0);
    for (int i = 0; i < SERVET_CACHE_LEVELS_MAX; i++) {
        assert_zero(found.level[i].reserved, WORDS(servet_cache_level));
        assert_zero(found.tlb[i].reserved, WORDS(servet_tlb_step));
    }
    for (size_t i = 0; i < why.n; i++)
        assert_zero(why.reason[i].reserved, WORDS(servet_reason));
    servet_explanation_free(&why);

    REFUSED(servet_cache_evidence, evidence, servet_analyze_cache(&in, &found, &error));
    REFUSED(servet_curve, lines,
            servet_analyze_cache(&(servet_cache_evidence){.lines = &in}, &found, &error));
    REFUSED(servet_curve, lines, servet_curve_write(in_folder("curve.csv"), &in, &error));
    REFUSED(servet_2010_options, SERVET_2010_OPTIONS_INIT,
            servet_analyze_cache_2010(&lines, &in, &found, &error));
    servet_curve_free(&lines);
}

static int group(const servet_matrix *matrix)
{
    servet_layers layers = {0};
    int code = servet_analyze_layers(matrix, &layers, &error);
    servet_layers_free(&layers);
    return code;
}

static void analysis_of_layers(void **state)
{
    (void)state;
    servet_matrix matrix;
    servet_layers layers;
    memset(&matrix, 0xff, sizeof matrix);
    memset(&layers, 0xff, sizeof layers);
    write_file(in_folder("matrix.csv"), "0,1,5\n1,0,5\n5,5,0\n");
    assert_int_equal(servet_matrix_read(in_folder("matrix.csv"), &matrix, &error), SERVET_OK);
    assert_zero(matrix.reserved, WORDS(servet_matrix));
    assert_int_equal(servet_analyze_layers(&matrix, &layers, &error), SERVET_OK);
    assert_zero(layers.reserved, WORDS(servet_layers));
    for (int i = 0; i < SERVET_LAYERS_MAX; i++)
        assert_zero(layers.layer[i].reserved, WORDS(servet_layer));
    servet_layers_free(&layers);
    REFUSED(servet_matrix, matrix, group(&in));
    servet_matrix_free(&matrix);
}

/* --- measurement ------------------------------------------------------------------------------ */

static int stop(void *context, const servet_progress *progress)
{
    assert_zero(progress->reserved, WORDS(servet_progress));
    *(bool *)context = true;
    return 1;
}

/* Measures until the progress stops it; what was found until then is freed. */
static int find(servet_measure_options *options, servet_findings *findings)
{
    servet_profile *profile = NULL;
    options->findings = findings;
    int code = servet_measure(options, &profile, &error);
    servet_findings_free(findings);
    return code;
}

static void measurement(void **state)
{
    (void)state;
    bool stopped = false;
    double seconds;
    servet_profile *profile = NULL;
    servet_findings findings = SERVET_FINDINGS_INIT;
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    options.machine = "dempsey";
    options.progress = stop;
    options.context = &stopped;
    options.findings = &findings;
    ZERO_IN(servet_machine, servet_machine_here(&out, &error));
    ZERO_IN(servet_machine, servet_machine_of_model("dempsey", &out, &error));
    REFUSED(servet_measure_options, options, servet_measure_cost(&in, &seconds, &error));
    REFUSED(servet_measure_options, options, servet_measure(&in, &profile, &error));
    assert_true(stopped);
    REFUSED(servet_findings, SERVET_FINDINGS_INIT, find(&options, &in));
    servet_findings_free(&findings);
    assert_zero(findings.reserved, WORDS(servet_findings));
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(answers_have_room),
        IN_FOLDER(answers_on_communication_have_room),
        cmocka_unit_test(a_failure_has_room),
        IN_FOLDER(degr_desc_has_room),
        IN_FOLDER(queries_refuse),
        IN_FOLDER(recording_refuses),
        IN_FOLDER(recording_of_communication_refuses),
        IN_FOLDER(placement),
        IN_FOLDER(comparison_and_export),
        IN_FOLDER(analysis_of_caches),
        IN_FOLDER(analysis_of_layers),
        cmocka_unit_test(measurement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
