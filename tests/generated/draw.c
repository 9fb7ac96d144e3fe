/* SPDX-License-Identifier: BSD-3-Clause */
#include "draw.h"

enum { SEED = 2010 };

uint64_t draw_begin(int index)
{
    return SEED + (uint64_t)index * 1000003;
}

uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int draw_below(uint64_t *state, size_t count)
{
    return (int)(draw(state) % count);
}

double draw_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(draw(state) >> 11) * 0x1p-53;
}

bool draw_chance(uint64_t *state, double probability)
{
    return draw_between(state, 0, 1) < probability;
}
