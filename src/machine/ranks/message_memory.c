/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/message_memory.h"

#include <string.h>
#include <sys/mman.h>

void *srv_message_memory_take(size_t bytes)
{
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return base == MAP_FAILED ? NULL : memset(base, 1, bytes);
}

void srv_message_memory_release(void *base, size_t bytes)
{
    munmap(base, bytes);
}
