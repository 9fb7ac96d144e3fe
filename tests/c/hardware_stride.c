/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "machine/hardware/chase.h"

enum { STRIDE = 1024, COUNT = 48 };

static char *memory;

static int allocate(void **state)
{
    (void)state;
    memory = calloc(COUNT, STRIDE);
    return memory ? 0 : -1;
}

static int release(void **state)
{
    (void)state;
    free(memory);
    return 0;
}

TEST(a_traversal_ascends_by_the_stride_and_starts_again)
{
    for (size_t count = 1; count <= COUNT; count++) {
        srv_slots slots = {.base = memory, .count = count, .stride = STRIDE};
        void *cursor[2] = {memory, NULL};
        srv_stride_build(&slots);
        for (size_t i = 1; i <= 2 * count; i++) {
            srv_stride_kernel(cursor, 1);
            assert_ptr_equal(cursor[0], memory + i % count * STRIDE);
        }
    }
}

TEST(the_stride_is_read_from_the_array)
{
    srv_slots slots = {.base = memory, .count = COUNT, .stride = STRIDE};
    void *cursor[2] = {memory, NULL};
    srv_stride_build(&slots);
    *(ptrdiff_t *)(void *)(memory + 2 * STRIDE) *= 5;
    srv_stride_kernel(cursor, 3);
    assert_ptr_equal(cursor[0], memory + 7 * STRIDE);
}

TEST(nothing_but_the_strides_is_written)
{
    char expected[STRIDE - sizeof(ptrdiff_t)];
    memset(expected, 0x5a, sizeof expected);
    memset(memory, 0x5a, (size_t)COUNT * STRIDE);
    srv_slots slots = {.base = memory, .count = COUNT, .stride = STRIDE};
    srv_stride_build(&slots);
    for (size_t i = 0; i < COUNT; i++)
        assert_memory_equal(memory + i * STRIDE + sizeof(ptrdiff_t), expected, sizeof expected);
}

TEST_GROUP(allocate, release)
