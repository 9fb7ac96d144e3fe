/* SPDX-License-Identifier: BSD-3-Clause */
/* One profile of what several jobs found out about a cluster: what of which is kept. */
#include "test.h"
#include "core/units.h"
#include "network_sample.h"

#include <time.h>
#include <unistd.h>
#include "../record.h"

/* --- what a job finds out --------------------------------------------------------------------- */

/* All that a test makes, to be closed. */
enum { MADE_MAX = 64 };
static servet_profile *made_so_far[MADE_MAX];
static int made_count;

TEST_FIXTURE(close_all)
{
    while (made_count > 0)
        servet_profile_close(made_so_far[--made_count]);
    return 0;
}

static servet_profile *kept(servet_profile *made)
{
    assert_in_range(made_count, 0, MADE_MAX - 1);
    return made_so_far[made_count++] = made;
}

/* Nodes "a", "b", ... from `first` on, each with a core whose loads from memory take `nanoseconds`;
 * 0: the nodes were not measured. */
static servet_profile *job(char first, int nodes, double nanoseconds)
{
    servet_profile *made;
    servet_machine machine = {.cpu = "P", .cores = "0", .pu_count = 1, .core_count = 1};
    servet_value latency = srv_value_in_seconds(network_value(nanoseconds, SRV_UNIT_NANOSECOND));
    int class, kind;
    machine.hostname[0] = first;
    assert_ok(servet_profile_create(&made, NULL));
    assert_ok(servet_profile_add_class(made, "default", &machine, &class, NULL));
    for (int i = 1; i < nodes; i++)
        assert_ok(servet_profile_add_node(made, class, (char[]){(char)(first + i), 0}, NULL));
    if (nanoseconds > 0) {
        assert_ok(servet_profile_add_kind(made, class, "core", "0", &kind, NULL));
        assert_ok(record_caches(made, class, kind, NULL, 0, &latency, NULL));
    }
    return kept(made);
}

/* The same as a class of this name. */
static servet_profile *named(const char *name, char first, int nodes, double nanoseconds)
{
    servet_profile *made = job(first, nodes, nanoseconds);
    assert_ok(servet_profile_name_class(made, 0, name, NULL));
    return made;
}

/* Adds the network of `nodes` nodes from `first` on; a message of its layer takes `seconds` (0: not
 * measured). */
static void measure_network(servet_profile *made, char first, int nodes, double seconds)
{
    const servet_network about = {"", nodes, nodes, seconds > 0 ? nodes : 0, 1024};
    const servet_network_layer layer = {true,
                                        network_value(seconds, SERVET_UNIT_SECOND),
                                        network_value(1e9, SERVET_UNIT_BYTE_PER_SECOND),
                                        1,
                                        {0, 0},
                                        {1, 0},
                                        true};
    char names[8][2] = {{0}};
    const char *list[8];
    char group[] = "0-1:0";
    const char *const groups[] = {group};
    for (int i = 0; i < nodes; i++) {
        names[i][0] = (char)(first + i);
        list[i] = names[i];
    }
    group[2] = (char)('0' + nodes - 1);
    assert_ok(servet_profile_set_network(made, &about, list, NULL));
    if (seconds > 0) {
        assert_ok(record_network_layers(made, &layer, 1, NULL));
        assert_ok(record_network_groups(made, 1, groups, 1, NULL));
    }
}

/* Adds a job that found this loss at distance 2. */
static void measure_distance(servet_profile *made, int nodes, double bytes, double loss)
{
    const servet_ratios about = {bytes, 0, true};
    const servet_ratio ratios[] = {network_ratio(1, nodes, 1), network_ratio(2, nodes, loss)};
    assert_ok(record_network_ratios(made, SERVET_DEGRADATION_DISTANCE, &about, ratios, 2, NULL));
}

static void merge(servet_profile *into, servet_profile *from)
{
    servet_error error = SERVET_ERROR_INIT;
    if (servet_profile_merge(into, from, &error) != SERVET_OK)
        fail_msg("%s", error.text);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static void memory_latency_is(const servet_profile *profile, const char *host, double nanoseconds)
{
    int class;
    servet_value latency;
    assert_ok(servet_profile_class_of(profile, host, &class));
    servet_at at = {servet_profile_class_name(profile, class), SERVET_ANY_CORE};
    assert_ok(servet_memory_latency(profile, &at, &latency));
    assert_true(latency.value == srv_seconds(nanoseconds));
}

static void class_of_host_is(const servet_profile *profile, const char *host, const char *name)
{
    int class;
    if (servet_profile_class_of(profile, host, &class) != SERVET_OK)
        fail_msg("no class lists %s", host);
    assert_string_equal(servet_profile_class_name(profile, class), name);
}

/* Nodes called PREFIX0, PREFIX1, ..., in one class that was given a name. */
static servet_profile *many(const char *prefix, int count)
{
    servet_profile *made;
    char path[TEST_PATH_MAX];
    test_path(path, "servet-test-XXXXXX");
    FILE *stream = fdopen(mkstemp(path), "w");
    assert_non_null(stream);
    fprintf(stream, "{\"schema\": 4, \"classes\": [{\"name\": \"many\", \"nodes\": [");
    for (int i = 0; i < count; i++)
        fprintf(stream, "%s\"%s%d\"", i ? ", " : "", prefix, i);
    fputs(
        "], \"kinds\": [], \"machine\": {\"hostname\": \"\", \"os\": \"\", \"architecture\": \"\", "
        "\"cpu\": \"\", \"cores\": \"\", \"pu_count\": 0, \"core_count\": 0, \"package_count\": 0, "
        "\"numa_count\": 0, \"memory_bytes\": 0, \"page_bytes\": 0}}]}",
        stream);
    assert_int_equal(fclose(stream), 0);
    assert_ok(servet_profile_open(&made, path, NULL));
    unlink(path);
    return kept(made);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The processor time of merging `count` names with one more. */
static double merge_many(const char *prefix, int count)
{
    char last[SERVET_NAME_MAX];
    servet_profile *into = many(prefix, count), *from = many(prefix, count + 1);
    double begin = cpu_seconds();
    merge(into, from);
    double seconds = cpu_seconds() - begin;
    assert_int_equal(servet_profile_class_count(into), 1);
    snprintf(last, sizeof last, "%s%d", prefix, count);
    class_of_host_is(into, last, "many");
    close_all(NULL);
    return seconds;
}

/* Disturbances only add to a time. */
static double least_of(const char *prefix, int count)
{
    enum { REPEATS = 5 };
    double least = merge_many(prefix, count);
    for (int i = 1; i < REPEATS; i++)
        least = fmin(least, merge_many(prefix, count));
    return least;
}

TEST_EACH(NULL, close_all)

/* Names may begin alike or be of one host. With FACTOR times as many of them a comparison of all
 * with all takes FACTOR^2 times as long; the bound lies as far from that as from FACTOR. */
TEST(the_time_is_in_proportion_to_the_names)
{
    enum { FEW = 500, FACTOR = 16 };
    const char *const prefixes[] = {"node", "host.site"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        double few = least_of(prefixes[i], FEW), most = few * pow(FACTOR, 1.5);
        double seconds = merge_many(prefixes[i], FEW * FACTOR);
        for (int again = 0; again < 2 && seconds > most; again++)
            seconds = fmin(seconds, merge_many(prefixes[i], FEW * FACTOR));
        print_message("# %s: %.3g s, %.3g s\n", prefixes[i], few, seconds);
        if (seconds > most)
            fail_msg("%s: %d names take %g s, %d take %g s", prefixes[i], FEW, few, FEW * FACTOR,
                     seconds);
    }
}

/* Whatever the order, those two nodes are as the four saw them. */
TEST(nodes_are_as_the_larger_job_saw_them)
{
    for (int larger_first = 0; larger_first < 2; larger_first++) {
        servet_profile *two = job('a', 2, 100), *four = job('a', 4, 110);
        servet_profile *into = larger_first ? four : two;
        merge(into, larger_first ? two : four);
        assert_int_equal(servet_profile_class_count(into), 1);
        memory_latency_is(into, "a", 110);
        memory_latency_is(into, "d", 110);
    }
}

TEST(of_two_alike_the_later_job_counts)
{
    servet_profile *into = job('a', 2, 100);
    merge(into, job('a', 2, 400));
    memory_latency_is(into, "a", 400);
}

/* Alike within the spread of measurements: one class; else one of its own. */
TEST(other_nodes_join_those_that_measure_alike)
{
    servet_profile *into = job('a', 3, 100);
    merge(into, job('c', 2, 105));
    assert_int_equal(servet_profile_class_count(into), 1);
    memory_latency_is(into, "d", 100);
    merge(into, job('e', 1, 300));
    merge(into, job('f', 1, 900));
    assert_int_equal(servet_profile_class_count(into), 3);
    memory_latency_is(into, "a", 100);
    memory_latency_is(into, "e", 300);
    memory_latency_is(into, "f", 900);
}

/* Classes that were given names are queried by them, whatever measures alike. */
TEST(classes_keep_the_names_that_they_were_given)
{
    servet_profile *into = named("fat", 'a', 2, 100);
    merge(into, named("thin", 'c', 4, 100));
    class_of_host_is(into, "a", "fat");
    class_of_host_is(into, "f", "thin");
    assert_int_equal(servet_profile_class_count(into), 2);
    merge(into, named("fat", 'g', 1, 100));
    class_of_host_is(into, "g", "fat");
    merge(into, job('i', 1, 100)); /* joins any that is like it */
    assert_int_equal(servet_profile_class_count(into), 2);
    merge(into, named("fat", 'h', 1, 900));
    class_of_host_is(into, "h", "fat-2");
}

TEST(a_name_is_unique_and_fits)
{
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *into = job('a', 1, 100);
    char name[SERVET_NAME_MAX + 1];
    memset(name, 'x', SERVET_NAME_MAX);
    name[SERVET_NAME_MAX] = '\0';
    merge(into, job('b', 1, 900));
    assert_code(servet_profile_name_class(into, 1, "default", &error), SERVET_EARGUMENT);
    assert_non_null(strstr(error.text, "two node classes are called 'default'"));
    assert_code(servet_profile_name_class(into, 1, "", NULL), SERVET_EARGUMENT);
    assert_code(servet_profile_name_class(into, 1, name, NULL), SERVET_EARGUMENT);
    assert_code(servet_profile_name_class(into, 2, "fat", NULL), SERVET_EARGUMENT);
    class_of_host_is(into, "a", "other-1");
}

/* Jobs that measure the network alone list their nodes; that takes no facts away. */
TEST(nodes_that_were_not_measured_change_nothing)
{
    int class;
    servet_profile *into = job('a', 2, 100);
    merge(into, job('a', 4, 0));
    assert_int_equal(servet_profile_class_count(into), 1);
    memory_latency_is(into, "b", 100);
    assert_code(servet_profile_class_of(into, "c", &class), SERVET_ENOTFOUND);
    into = job('a', 4, 0);
    merge(into, job('a', 2, 0));
    assert_ok(servet_profile_class_of(into, "d", &class));
    merge(into, job('a', 2, 100));
    memory_latency_is(into, "b", 100);
}

/* A user who called the nodes of jobs that measured the network alone finds them by it. */
TEST(named_classes_stay_that_were_not_measured)
{
    for (int measured = 0; measured < 2; measured++) {
        servet_profile *into = named("fat", 'a', 2, measured ? 100 : 0);
        merge(into, named("thin", 'c', 2, 0));
        merge(into, named("fat", 'e', 2, 0));
        assert_int_equal(servet_profile_class_count(into), 2);
        class_of_host_is(into, "a", "fat");
        class_of_host_is(into, "d", "thin");
        class_of_host_is(into, "f", "fat");
    }
}

/* A measurement of some of those nodes takes their place, and their name if it has the same one. */
TEST(measured_nodes_leave_a_class_that_was_only_named)
{
    servet_profile *into = named("fat", 'a', 4, 100);
    merge(into, named("thin", 'e', 2, 0));
    merge(into, named("thin", 'e', 1, 50));
    assert_int_equal(servet_profile_class_count(into), 2);
    class_of_host_is(into, "e", "thin");
    class_of_host_is(into, "f", "thin");
    memory_latency_is(into, "e", 50);
    into = job('a', 4, 100);
    merge(into, named("slow", 'f', 1, 0));
    merge(into, named("thin", 'f', 1, 20));
    assert_int_equal(servet_profile_class_count(into), 2);
    class_of_host_is(into, "f", "thin");
    memory_latency_is(into, "f", 20);
}

/* --- network ---------------------------------------------------------------------------------- */

static void layer_costs(const servet_profile *profile, int nodes, double seconds)
{
    servet_network about;
    servet_network_layer layer;
    int of_pair;
    assert_ok(servet_network_get(profile, &about));
    assert_int_equal(about.nodes, nodes);
    assert_ok(servet_network_layer_get(profile, 1, &layer));
    assert_true(layer.latency.value == seconds);
    assert_ok(servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){nodes - 1, 0},
                                      &of_pair));
}

TEST(layers_are_those_of_the_job_on_more_nodes)
{
    for (int larger_first = 0; larger_first < 2; larger_first++) {
        servet_profile *two = job('a', 2, 100), *four = job('a', 4, 100);
        measure_network(two, 'a', 2, 2e-6);
        measure_network(four, 'a', 4, 4e-6);
        servet_profile *into = larger_first ? four : two;
        merge(into, larger_first ? two : four);
        layer_costs(into, 4, 4e-6);
        servet_profile *without = job('a', 6, 100);
        measure_network(without, 'a', 6, 0);
        merge(into, without);
        layer_costs(into, 4, 4e-6);
    }
}

static void degradation_is(const servet_profile *profile, int index, int nodes, double bytes,
                           double loss)
{
    servet_ratios about;
    servet_ratio ratio;
    assert_ok(servet_network_ratios_at(profile, SERVET_DEGRADATION_DISTANCE, index, &about));
    assert_true(about.bytes == bytes);
    assert_ok(servet_network_ratio_at(profile, SERVET_DEGRADATION_DISTANCE, index, 2, &ratio));
    assert_int_equal(ratio.nodes, nodes);
    assert_true(ratio.ratio.value == loss);
}

static servet_profile *distance_job(int nodes, double bytes, double loss)
{
    servet_profile *made = job('a', nodes, 0);
    measure_network(made, 'a', nodes, 0);
    measure_distance(made, nodes, bytes, loss);
    return made;
}

/* Two numbers of nodes, two sizes, in no order; one of them a second time. */
TEST(every_measurement_of_degradation_stays)
{
    int count;
    servet_ratio ratio;
    servet_network about;
    servet_profile *into = distance_job(4, 1024, 3), *nothing = job('a', 2, 100);
    merge(into, distance_job(2, 65536, 2));
    merge(into, distance_job(4, 65536, 4));
    merge(into, distance_job(2, 1024, 1.5));
    merge(into, distance_job(4, 1024, 3.5));
    merge(nothing, into);
    assert_ok(servet_network_ratios_count(nothing, SERVET_DEGRADATION_DISTANCE, &count));
    assert_int_equal(count, 4);
    degradation_is(nothing, 0, 4, 65536, 4);
    degradation_is(nothing, 1, 4, 1024, 3.5);
    degradation_is(nothing, 2, 2, 65536, 2);
    degradation_is(nothing, 3, 2, 1024, 1.5);
    assert_ok(servet_network_ratio(nothing, SERVET_DEGRADATION_DISTANCE, 2, &ratio));
    assert_true(ratio.ratio.value == 4);
    assert_ok(servet_network_get(nothing, &about));
    assert_string_equal(about.benchmarks, "distance");
}
