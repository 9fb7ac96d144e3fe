/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cost.h"

#include <math.h>

/* Costs of an exchange: bytes to warm up with, or one message; seconds to command all ranks. */
static const double WARM_BYTES = 256 * 1024, TELL_SECONDS = 2e-3;

double srv_network_cost_probe(double byte_seconds, double bytes, double visit, bool both_ways)
{
    const int samples = both_ways ? 3 : 5;
    double each = (both_ways ? 2 : 1) * byte_seconds;
    return TELL_SECONDS + each * fmax(bytes, WARM_BYTES) + fmax(visit, each * samples * bytes);
}
