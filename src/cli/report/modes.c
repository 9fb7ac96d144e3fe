/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports facts with two modes: their value alternated between two values while they were measured.
 */
#include "cli/report/parts.h"

#include <limits.h>
#include <stdio.h>

#include "core/human.h"
#include "servet/network.h"

/* The scale and the unit in which people read a value. */
typedef struct people {
    double factor;
    const char *unit;
} people;

static const people in_ns = {HUMAN_NS, "ns"}, in_us = {HUMAN_US, "us"}, in_rates = {1e-9, "GB/s"};

/* Appends " 6.9 ns (51 %), 28.9 ns (49 %)" to the last warning. */
static void append_modes(document *to, const servet_modes *modes, people read)
{
    for (int i = 0; i < modes->count; i++)
        document_append(to, "%s %s %s (%s %%)", i > 0 ? "," : "",
                        HUMAN(modes->value[i] * read.factor, 4), read.unit,
                        HUMAN(100 * modes->share[i], 2));
}

static bool has_modes(const servet_profile *profile, const servet_at *at, const char *key,
                      servet_modes *modes)
{
    return servet_profile_modes(profile, at, key, modes, NULL) == SERVET_OK && modes->count > 0;
}

/* Adds a warning if the fact has two modes; returns true if so. */
static bool warn(document *to, const servet_profile *profile, const servet_at *at, const char *key,
                 people read, const char *what)
{
    servet_modes modes;
    if (!has_modes(profile, at, key, &modes))
        return false;
    document_warning(to, "%s: two modes:", what);
    append_modes(to, &modes, read);
    return true;
}

/* --- a node ----------------------------------------------------------------------------------- */

/* Explains two modes of a distance. The way of a line between two cores hardly changes, unless the
 * cores do. A line from another core comes through a cache behind L2: if a mode is faster than two
 * loads from L2, it is between two threads of one core, which no process can change. */
static void explain_modes(document *to, const servet_profile *profile, const servet_at *at,
                          const char *key)
{
    servet_modes modes;
    servet_cache second;
    if (!has_modes(profile, at, key, &modes) || modes.value[1] < 2 * modes.value[0])
        return;
    bool shares = servet_cache_get(profile, at, 2, &second) == SERVET_OK &&
                  modes.value[0] <= 2 * second.latency.value;
    document_append(to, "; %s: pin them on the host, or count on the slower mode",
                    shares ? "the hypervisor moves the virtual CPUs, which share a core at times"
                           : "if this is a virtual machine, the hypervisor moves its CPUs");
}

static void warn_layers(document *to, const servet_profile *profile, const servet_at *at)
{
    int count = 0;
    char key[64], what[64];
    (void)servet_distance_layer_count(profile, at, &count);
    for (int i = 1; i <= count; i++) {
        snprintf(key, sizeof key, "distance.layers.%d.latency_ns", i);
        snprintf(what, sizeof what, "distance layer %d", i);
        if (warn(to, profile, at, key, in_ns, what))
            explain_modes(to, profile, at, key);
    }
}

static void warn_bandwidths(document *to, const servet_profile *profile, const servet_at *at)
{
    char key[64], what[64];
    servet_value each;
    int levels = 0;
    int most = servet_memory_scaling(profile, at, 0, 1, &each) == SERVET_OK ? INT_MAX : 0;
    (void)servet_memory_level_count(profile, at, &levels);
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++) {
        const char *name = servet_kernel_name((servet_kernel)i);
        snprintf(key, sizeof key, "memory.%s", name);
        snprintf(what, sizeof what, "%s of one core", name);
        (void)warn(to, profile, at, key, in_rates, what);
    }
    for (int i = 1; i <= levels; i++) {
        snprintf(key, sizeof key, "memory.levels.%d.bandwidth", i);
        snprintf(what, sizeof what, "memory overhead level %d", i);
        (void)warn(to, profile, at, key, in_rates, what);
    }
    for (int i = 1; servet_memory_scaling(profile, at, 0, i, &each) != SERVET_ERANGE && i <= most;
         i++) {
        snprintf(key, sizeof key, "memory.scaling.%d", i);
        snprintf(what, sizeof what, "%d concurrent core%s", i, i > 1 ? "s" : "");
        (void)warn(to, profile, at, key, in_rates, what);
    }
}

void report_modes_node(document *to, const servet_profile *profile, const servet_at *at)
{
    warn_layers(to, profile, at);
    warn_bandwidths(to, profile, at);
}

/* --- communication ---------------------------------------------------------------------------- */

static bool point_modes(const servet_profile *profile, int layer, int point, servet_modes *modes)
{
    char key[64];
    snprintf(key, sizeof key, "layers.%d.points.%d.time_us", layer, point);
    return has_modes(profile, NULL, key, modes);
}

static void append_size(document *to, const char *before, const servet_profile *profile, int layer,
                        int point, const servet_modes *modes)
{
    servet_message message;
    char bytes[HUMAN_MAX];
    if (SERVET_ITEM(profile, "network.layers.points", &message, layer, point) != SERVET_OK)
        return;
    human_bytes(message.bytes, bytes);
    document_append(to, "%s%s:", before, bytes);
    append_modes(to, modes, in_us);
}

/* Warns about the curve of a layer; only its smallest and its largest size are named. */
static void warn_points(document *to, const servet_profile *profile, int layer)
{
    servet_modes modes;
    int points = 0, count = 0, first = 0, last = 0;
    (void)servet_profile_count(profile, NULL, "network.layers.points", (int[]){layer}, &points);
    for (int i = 1; i <= points; i++)
        if (point_modes(profile, layer, i, &modes)) {
            first = first > 0 ? first : i;
            last = i;
            count++;
        }
    if (count == 0)
        return;
    document_warning(
        to, "communication layer %d: two modes in the times of %d of %d message sizes:", layer,
        count, points);
    (void)point_modes(profile, layer, first, &modes);
    append_size(to, "  ", profile, layer, first, &modes);
    if (last > first && point_modes(profile, layer, last, &modes))
        append_size(to, "; ", profile, layer, last, &modes);
}

void report_modes_network(document *to, const servet_profile *profile)
{
    int layers = 0;
    char key[64], what[64];
    (void)servet_network_layer_count(profile, &layers);
    for (int i = 1; i <= layers; i++) {
        snprintf(key, sizeof key, "layers.%d.latency_us", i);
        snprintf(what, sizeof what, "communication layer %d", i);
        (void)warn(to, profile, NULL, key, in_us, what);
        warn_points(to, profile, i);
    }
}
