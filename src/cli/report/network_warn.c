/* SPDX-License-Identifier: BSD-3-Clause */
/* What of communication was measured while others disturbed the ranks. */
#include "cli/report/parts.h"

#include <stdio.h>

#include "servet/network.h"

static bool doubtful_curve(const servet_profile *profile, int layer)
{
    servet_message point;
    for (int i = 0; servet_network_point(profile, layer, i, &point) == SERVET_OK; i++)
        if (!point.time.trusted)
            return true;
    return false;
}

static bool doubtful_together(const servet_profile *profile, int layer)
{
    servet_together point;
    for (int i = 0; servet_network_together(profile, layer, i, &point) == SERVET_OK; i++)
        if (!point.ratio.trusted)
            return true;
    return false;
}

static void warn_layers(const servet_profile *profile)
{
    servet_network_layer layer;
    for (int i = 1; servet_network_layer_get(profile, i, &layer) == SERVET_OK; i++) {
        const struct {
            bool doubtful;
            const char *what;
        } parts[] = {
            {servet_value_known(&layer.latency) && !layer.latency.trusted, "latency"},
            {doubtful_curve(profile, i), "message size curve"},
            {doubtful_together(profile, i), "concurrent messages"},
        };
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (parts[k].doubtful)
                printf("! layer %d: %s not trusted\n", i, parts[k].what);
    }
}

/* Ratios between measured ones are trusted as far as these are. */
static void warn_ratios(const servet_profile *profile, servet_degradation degradation,
                        const char *what)
{
    servet_ratio ratio;
    for (int at = 1; servet_network_ratio(profile, degradation, at, &ratio) == SERVET_OK; at++)
        if (!ratio.ratio.trusted) {
            printf("! %s: not trusted\n", what);
            return;
        }
}

void report_warn_network(const servet_profile *profile)
{
    warn_layers(profile);
    report_modes_network(profile);
    warn_ratios(profile, SERVET_DEGRADATION_DISTANCE, "bandwidth loss by distance");
    warn_ratios(profile, SERVET_DEGRADATION_ACCESS, "bandwidth loss by processes per node");
}
