/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/grid2010.h"

static const double MIB = 1 << 20;

double srv_grid2010_next(double bytes)
{
    return bytes < 2 * MIB ? 2 * bytes : bytes + MIB;
}
