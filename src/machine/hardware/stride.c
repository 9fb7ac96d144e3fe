/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/stride.h"

void srv_stride_build(const srv_slots *slots)
{
    ptrdiff_t stride = (ptrdiff_t)(slots->stride / sizeof(ptrdiff_t));
    ptrdiff_t last = (ptrdiff_t)slots->count - 1;
    ptrdiff_t *array = (ptrdiff_t *)(void *)slots->base;
    for (ptrdiff_t slot = 0; slot < last; slot++)
        array[slot * stride] = stride;
    array[last * stride] = -last * stride;
}

void srv_stride_kernel(void **cursor, size_t loads)
{
    ptrdiff_t *at = cursor[0];
    uintptr_t dummy = (uintptr_t)cursor[1];
    for (size_t i = 0; i < loads; i++) {
        ptrdiff_t stride = *at;
        dummy ^= (uintptr_t)stride;
        at += stride;
    }
    cursor[0] = at;
    cursor[1] = (void *)dummy;
}
