/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of cores as text, numbers and masks; threads that bind themselves, seen by the system. */
#define _GNU_SOURCE /* for sched_getaffinity(), and before it what cmocka includes */
#include <sched.h>

#include "test.h"

#include <hwloc.h>
#include <pthread.h>

#include "servet/place.h"

/* --- sets ------------------------------------------------------------------------------------- */

TEST(a_text_becomes_numbers)
{
    int cores[8], count = -1;
    const int expected[] = {0, 1, 2, 12, 30, 31};
    assert_ok(servet_cores_from_text("0-2,12,30-31", cores, 8, &count));
    assert_int_equal(count, 6);
    assert_memory_equal(cores, expected, sizeof expected);
    assert_ok(servet_cores_from_text("", cores, 8, &count));
    assert_int_equal(count, 0);
}

TEST(without_room_the_number_is_returned)
{
    int cores[4] = {-1, -1, -1, -1}, count;
    assert_ok(servet_cores_from_text("0-2,12,30-31", NULL, 0, &count));
    assert_int_equal(count, 6);
    assert_ok(servet_cores_from_text("5-9", cores, 3, &count));
    assert_int_equal(count, 5);
    assert_int_equal(cores[2], 7);
    assert_int_equal(cores[3], -1);
    assert_ok(servet_cores_from_text("0-1048575", cores, 3, &count));
    assert_int_equal(count, 1048576);
}

TEST(malformed_sets_are_refused)
{
    static const char *const texts[] = {"x", "1-", "3-1", "1,1", "2,1", "1,,2", " 1", "1,", "0x1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int cores[4] = {-1}, count = -1;
        assert_code(servet_cores_from_text(texts[i], cores, 4, &count), SERVET_EFORMAT);
        assert_int_equal(count, -1);
        assert_int_equal(cores[0], -1);
    }
}

TEST(numbers_become_a_text)
{
    const int cores[] = {31, 12, 0, 2, 1, 12, 30};
    char text[13] = "before";
    assert_ok(servet_cores_to_text(cores, 7, text, sizeof text));
    assert_string_equal(text, "0-2,12,30-31");
    assert_ok(servet_cores_to_text(NULL, 0, text, sizeof text));
    assert_string_equal(text, "");
}

TEST(a_buffer_that_is_too_small_is_unchanged)
{
    const int cores[] = {31, 12, 0, 2, 1, 12, 30}, negative[] = {3, -1};
    char text[12] = "before";
    assert_code(servet_cores_to_text(cores, 7, text, sizeof text), SERVET_ERANGE);
    assert_code(servet_cores_to_text(cores, 7, text, 0), SERVET_ERANGE);
    assert_code(servet_cores_to_text(negative, 2, text, sizeof text), SERVET_EARGUMENT);
    assert_code(servet_cores_to_text(cores, -1, text, sizeof text), SERVET_EARGUMENT);
    assert_string_equal(text, "before");
}

TEST(masks_are_those_of_the_system)
{
    const int cores[] = {7, 0, 64, 1023};
    int read[4], count;
    cpu_set_t set;
    memset(&set, 0xff, sizeof set);
    assert_ok(servet_cores_to_mask(cores, 4, &set, sizeof set));
    assert_int_equal(CPU_COUNT(&set), 4);
    for (int i = 0; i < 4; i++)
        assert_true(CPU_ISSET(cores[i], &set));
    assert_ok(servet_cores_from_mask(&set, sizeof set, read, 4, &count));
    assert_int_equal(count, 4);
    const int sorted[] = {0, 7, 64, 1023};
    assert_memory_equal(read, sorted, sizeof sorted);
}

TEST(a_mask_that_is_too_small_is_unchanged)
{
    const int beyond[] = {3, CPU_SETSIZE}, negative[] = {-1};
    cpu_set_t set, before;
    memset(&set, 0x55, sizeof set);
    before = set;
    assert_code(servet_cores_to_mask(beyond, 2, &set, sizeof set), SERVET_ERANGE);
    assert_code(servet_cores_to_mask(negative, 1, &set, sizeof set), SERVET_EARGUMENT);
    assert_code(servet_cores_to_mask(beyond, 1, &set, 3), SERVET_EARGUMENT);
    assert_memory_equal(&set, &before, sizeof set);
}

/* --- threads ---------------------------------------------------------------------------------- */

/* The mask of the calling thread, as the system knows it. */
static cpu_set_t system_mask(void)
{
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

TEST(usable_cores_are_those_of_the_mask)
{
    cpu_set_t set = system_mask(), told;
    int cores[CPU_SETSIZE], count;
    assert_ok(servet_cores_usable(cores, CPU_SETSIZE, &count, NULL));
    assert_ok(servet_cores_to_mask(cores, count, &told, sizeof told));
    assert_true(CPU_EQUAL(&set, &told));
}

/* hwloc, which reads the topology itself, agrees: bound to this PU alone, and running there. */
static void assert_hwloc_agrees(int core)
{
    hwloc_topology_t topology;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    assert_non_null(set);
    assert_int_equal(hwloc_topology_init(&topology), 0);
    assert_int_equal(hwloc_topology_load(topology), 0);
    assert_int_equal(hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_THREAD), 0);
    assert_int_equal(hwloc_bitmap_weight(set), 1);
    assert_int_equal(hwloc_bitmap_first(set), core);
    assert_int_equal(hwloc_get_last_cpu_location(topology, set, HWLOC_CPUBIND_THREAD), 0);
    assert_int_equal(hwloc_bitmap_first(set), core);
    hwloc_topology_destroy(topology);
    hwloc_bitmap_free(set);
}

/* A thread of its own, so that others stay where they are. */
static void *bind_and_look(void *argument)
{
    int core = *(int *)argument, here = -1;
    servet_error error = SERVET_ERROR_INIT;
    assert_ok(servet_bind_thread(&core, 1, &error));
    cpu_set_t set = system_mask();
    assert_int_equal(CPU_COUNT(&set), 1);
    assert_true(CPU_ISSET(core, &set));
    assert_ok(servet_core_here(&here));
    assert_int_equal(here, core);
    assert_int_equal(sched_getcpu(), core);
    assert_hwloc_agrees(core);
    return NULL;
}

TEST(each_thread_binds_itself)
{
    int cores[CPU_SETSIZE], count;
    cpu_set_t before = system_mask();
    assert_ok(servet_cores_usable(cores, CPU_SETSIZE, &count, NULL));
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, bind_and_look, &cores[i]), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    cpu_set_t after = system_mask();
    assert_true(CPU_EQUAL(&before, &after));
}

/* No machine that runs these tests has core 16383. */
TEST(a_binding_that_is_refused_changes_nothing)
{
    cpu_set_t before = system_mask();
    int cores[2] = {sched_getcpu(), 16383};
    servet_error error = SERVET_ERROR_INIT;
    assert_code(servet_bind_thread(&cores[1], 1, &error), SERVET_ERANGE);
    assert_string_equal(error.text, "the process may not use core 16383");
    assert_code(servet_bind_thread(cores, 2, NULL), SERVET_ERANGE);
    cores[1] = -1;
    assert_code(servet_bind_thread(cores, 2, NULL), SERVET_EARGUMENT);
    assert_code(servet_bind_thread(cores, 0, NULL), SERVET_EARGUMENT);
    cores[1] = 1 << 20;
    assert_code(servet_bind_thread(&cores[1], 1, NULL), SERVET_ERANGE);
    cpu_set_t after = system_mask();
    assert_true(CPU_EQUAL(&before, &after));
}
