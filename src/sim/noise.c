/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/noise.h"

#include <math.h>

#include "sim/random.h"

/* Time is stolen in slices as long as the time slices of schedulers. */
static const double SLICE_NS = 4e6;

/* All times grow by `drift` within a minute and shrink back in the next. */
static const double DRIFT_NS = 60e9;

double srv_noise_drift(const srv_model_noise *noise, double now_ns)
{
    return 1 + noise->drift * 0.5 * (1 - cos(M_PI * now_ns / DRIFT_NS));
}

/* Standard normal (Box and Muller). */
static double normal(uint64_t *random)
{
    double radius = sqrt(-2 * log(1 - srv_random_unit(random)));
    return radius * cos(2 * M_PI * srv_random_unit(random));
}

/* Time stolen from work that takes `ns` undisturbed: whole slices, at the rate that gives the
 * share of all time. */
static double stolen_ns(const srv_model_noise *noise, uint64_t *random, double ns)
{
    double slices = ns / SLICE_NS * noise->steal / (1 - noise->steal);
    double whole = floor(slices);
    return (whole + (srv_random_unit(random) < slices - whole)) * SLICE_NS;
}

double srv_noise_apply(const srv_model_noise *noise, uint64_t *random, double true_ns,
                       double now_ns)
{
    double ns = true_ns * srv_noise_drift(noise, now_ns);
    if (noise->jitter > 0)
        ns *= fmax(0, 1 + noise->jitter * normal(random));
    if (noise->outlier_share > 0 && srv_random_unit(random) < noise->outlier_share)
        ns *= noise->outlier_factor;
    return noise->steal > 0 ? ns + stolen_ns(noise, random, ns) : ns;
}

double srv_noise_stolen(const srv_model_noise *noise, uint64_t *random, double ns)
{
    return fmin(1, stolen_ns(noise, random, ns * (1 - noise->steal)) / ns);
}
