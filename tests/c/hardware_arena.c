/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "machine/hardware/arena.h"

static const size_t MIB = (size_t)1 << 20;

TEST(base_pages_are_forced)
{
    srv_arena arena;
    assert_ok(srv_arena_init(&arena, 64 * MIB, SERVET_PAGES_BASE, NULL));
    assert_ok(srv_arena_grow(&arena, 16 * MIB, NULL));
    assert_true(isnan(arena.huge_share) || arena.huge_share == 0);
    srv_arena_finish(&arena);
}

/* Is true if the kernel gives huge pages to programs that request them. */
static int huge_pages_offered(void)
{
    char mode[64] = "";
    FILE *stream = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (!stream)
        return 0;
    char *read = fgets(mode, sizeof mode, stream);
    fclose(stream);
    return read && !strstr(mode, "[never]");
}

/* Bytes on huge pages of the whole process; NaN where the kernel does not say. */
static double huge_bytes(void)
{
    char line[256];
    double kilobytes = NAN;
    FILE *stream = fopen("/proc/self/smaps_rollup", "r");
    if (!stream)
        return NAN;
    while (isnan(kilobytes) && fgets(line, sizeof line, stream))
        (void)sscanf(line, "AnonHugePages: %lf kB", &kilobytes);
    fclose(stream);
    return kilobytes * 1024;
}

/* The kernel may have few huge pages left, or none. */
TEST(huge_pages_are_counted)
{
    double before = huge_bytes();
    if (!huge_pages_offered() || isnan(before))
        test_skip("the kernel gives no huge pages to those who request them, or does not say so");
    srv_arena arena;
    assert_ok(srv_arena_init(&arena, 64 * MIB, SERVET_PAGES_HUGE, NULL));
    assert_ok(srv_arena_grow(&arena, 32 * MIB, NULL));
    double share = (huge_bytes() - before) / (32.0 * (double)MIB);
    assert_float_equal(arena.huge_share, fmin(1, share), 1e-9);
    srv_arena_finish(&arena);
}

TEST(an_arena_grows_in_place_and_keeps_its_contents)
{
    srv_arena arena;
    assert_ok(srv_arena_init(&arena, 8 * MIB, SERVET_PAGES_BASE, NULL));
    assert_ok(srv_arena_grow(&arena, MIB, NULL));
    char *base = arena.base;
    memset(base, 7, MIB);
    assert_ok(srv_arena_grow(&arena, 8 * MIB, NULL));
    assert_ok(srv_arena_grow(&arena, 2 * MIB, NULL));
    assert_ptr_equal(arena.base, base);
    assert_int_equal(arena.bytes, 8 * MIB);
    assert_int_equal(base[MIB - 1], 7);
    srv_arena_finish(&arena);
}

TEST(more_than_its_room_is_refused)
{
    srv_arena arena;
    servet_error error = SERVET_ERROR_INIT;
    assert_ok(srv_arena_init(&arena, 8 * MIB, SERVET_PAGES_BASE, NULL));
    assert_int_equal(srv_arena_grow(&arena, 9 * MIB, &error), SERVET_EMEMORY);
    assert_non_null(strstr(error.text, "9 MiB"));
    srv_arena_finish(&arena);
    srv_arena_finish(&arena);
}

TEST(invalid_addresses_are_refused)
{
    srv_arena arena;
    assert_int_equal(srv_arena_init(&arena, SIZE_MAX / 2, SERVET_PAGES_BASE, NULL), SERVET_EMEMORY);
    srv_arena_finish(&arena);
}
