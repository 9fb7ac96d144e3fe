/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests keep here what they made, until they end. */
#include "test.h"

enum { KEPT_MAX = 1 << 14 };

static struct kept {
    void *made;
    void (*end)(void *made);
} kept[KEPT_MAX];
static size_t count;

void test_keep(void *made, void (*end)(void *made))
{
    if (count == KEPT_MAX)
        fail_msg("more than %d things are kept", KEPT_MAX);
    kept[count++] = (struct kept){made, end};
}

void test_end_kept(void)
{
    while (count > 0) {
        count--;
        kept[count].end(kept[count].made);
    }
}
