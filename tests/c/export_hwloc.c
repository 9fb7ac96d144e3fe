/* SPDX-License-Identifier: BSD-3-Clause */
/* hwloc reads an exported topology back. In together.json cores 0,2 1,3 4,6 5,7 are nearest to
 * each other, 22.5 ns, then each half of the eight cores, then all, 110 ns. */
#include "test.h"

#include <locale.h>
#include <hwloc.h>
#include <hwloc/distances.h>
#include <hwloc/memattrs.h>

#include "folder.h"
#include "servet/export.h"

static servet_profile *profile;
static const servet_export_request quad = {SERVET_EXPORT_HWLOC_XML, "default",
                                           "pack:2 [numa] core:4 pu:1"};

static int setup(void **state)
{
    char path[1024];
    (void)state;
    snprintf(path, sizeof path, "%s/tests/data/profiles/together.json", getenv("SOURCE_ROOT"));
    return servet_profile_open(&profile, path, NULL);
}

static int teardown(void **state)
{
    (void)state;
    servet_profile_close(profile);
    return 0;
}

/* The topology as another program gets it. */
static hwloc_topology_t read_back(void)
{
    char *text = NULL;
    size_t size;
    hwloc_topology_t topology;
    FILE *stream = open_memstream(&text, &size);
    assert_ok(servet_export_write(profile, &quad, stream, NULL));
    fclose(stream);
    assert_int_equal(hwloc_topology_init(&topology), 0);
    assert_int_equal(hwloc_topology_set_xmlbuffer(topology, text, (int)size + 1), 0);
    assert_int_equal(hwloc_topology_load(topology), 0);
    free(text);
    return topology;
}

TEST_EACH(setup, teardown)

TEST(exported_distances_are_read_back)
{
    hwloc_topology_t topology = read_back();
    struct hwloc_distances_s *matrix;
    unsigned count = 1;
    assert_int_equal(
        hwloc_distances_get_by_name(topology, "Servet:LineLatency:ps", &count, &matrix, 0), 0);
    assert_int_equal(count, 1);
    assert_int_equal(matrix->nbobjs, 8);
    assert_int_equal(matrix->kind,
                     HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(matrix->objs[i]->os_index, i);
    assert_int_equal(matrix->values[0], 0);
    assert_int_equal(matrix->values[2], 22500);
    assert_int_equal(matrix->values[4], 110000);
    assert_int_equal(matrix->values[7 * 8 + 5], 22500);
    hwloc_distances_release(topology, matrix);
    count = 1;
    assert_int_equal(
        hwloc_distances_get_by_name(topology, "Servet:MessageLatency:ps", &count, &matrix, 0), 0);
    assert_int_equal(count, 0);
    hwloc_topology_destroy(topology);
}

static hwloc_uint64_t of_memory(hwloc_topology_t topology, const char *name, unsigned node,
                                unsigned first)
{
    hwloc_memattr_id_t id;
    hwloc_uint64_t value = 0;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_bitmap_set_range(set, first, (int)first + 3);
    struct hwloc_location initiator = {.type = HWLOC_LOCATION_TYPE_CPUSET, .location.cpuset = set};
    assert_int_equal(hwloc_memattr_get_by_name(topology, name, &id), 0);
    assert_int_equal(hwloc_memattr_get_value(topology, id,
                                             hwloc_get_numanode_obj_by_os_index(topology, node),
                                             &initiator, 0, &value),
                     0);
    hwloc_bitmap_free(set);
    return value;
}

/* 90 ns near, 155 ns from the second half to the first; 4.5 GB/s the other way; four times 3 GB/s.
 */
TEST(exported_memory_results_are_read_back)
{
    hwloc_topology_t topology = read_back();
    assert_int_equal(of_memory(topology, "Latency", 0, 0), 90);
    assert_int_equal(of_memory(topology, "Latency", 0, 4), 155);
    assert_int_equal(of_memory(topology, "CoreReadBandwidth", 1, 0), 4292);
    assert_int_equal(of_memory(topology, "Bandwidth", 1, 4), 11444);
    hwloc_topology_destroy(topology);
}

TEST(profiles_that_cannot_be_exported_are_refused)
{
    servet_error error = SERVET_ERROR_INIT;
    const servet_export_request none = {SERVET_EXPORT_COUNT, NULL, NULL};
    const servet_export_request small = {SERVET_EXPORT_HWLOC_XML, "default", "core:2 pu:1"};
    FILE *stream = fopen("/dev/full", "r+"); /* does not create it */
    if (!stream)
        test_skip("there is no /dev/full");
    assert_int_equal(servet_export_write(profile, &none, stream, NULL), SERVET_EARGUMENT);
    assert_int_equal(servet_export_write(profile, &small, stream, &error), SERVET_EMACHINE);
    assert_non_null(strstr(error.text, "no PU 2"));
    assert_int_equal(servet_export_write(profile, &quad, stream, NULL), SERVET_EIO);
    fclose(stream);
    assert_string_equal(servet_export_name(SERVET_EXPORT_HWLOC_XML), "hwloc-xml");
    assert_string_equal(servet_export_name(SERVET_EXPORT_COUNT), "?");
}

/* The head of the table comes before the rows, of which this profile has none. */
TEST(a_refused_file_leaves_nothing_in_the_stream)
{
    const servet_export_request table = {SERVET_EXPORT_SYS_SAGE, "default", NULL, 1};
    char path[1024], *text = NULL;
    size_t size;
    servet_profile *poor;
    snprintf(path, sizeof path, "%s/tests/data/profiles/node.json", getenv("SOURCE_ROOT"));
    assert_ok(servet_profile_open(&poor, path, NULL));
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(servet_export_write(poor, &table, stream, NULL), SERVET_EUNMEASURED);
    fclose(stream);
    assert_int_equal(size, 0);
    free(text);
    servet_profile_close(poor);
}

/* The table separates numbers by commas, and its latencies have digits behind the point. */
TEST(numbers_of_an_export_have_a_point_in_every_locale)
{
    const servet_export_request table = {SERVET_EXPORT_SYS_SAGE, "default",
                                         "pack:2 [numa] core:4 pu:1", 2};
    char *text = NULL;
    size_t size;
    if (!use_comma_locale())
        test_skip("this system makes no locales");
    FILE *stream = open_memstream(&text, &size);
    assert_ok(servet_export_write(profile, &table, stream, NULL));
    fclose(stream);
    setlocale(LC_NUMERIC, "C");
    assert_non_null(strstr(text, "\n0,2,22.50\n"));
    free(text);
}
