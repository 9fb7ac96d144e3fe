/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries about peak rates, and about speeds of core types and ridge points, which follow from
 * them.
 */
#include <math.h>
#include <stdlib.h>

#include "core/ranges.h"
#include "profile/query/find.h"

static const srv_way peaks_way = {SRV_OF_CLASS, {offsetof(srv_class, peak)}};

/* --- peak rates ------------------------------------------------------------------------------- */

static int count_cores(const srv_class *class)
{
    const srv_core_kind *kinds = class->kinds.items;
    int count = 0;
    for (int i = 0; i < class->kinds.count; i++)
        count += srv_ranges_count(kinds[i].cores);
    return count;
}

/* True for the rate of a core of this type, or of all cores. */
static bool is_of(const srv_class *class, const servet_peak *peak, int core)
{
    if (core == SERVET_ANY_CORE)
        return peak->cores == count_cores(class);
    return peak->cores == 1 && srv_kind_with(class, peak->core) == srv_kind_with(class, core);
}

int servet_peak_get(const servet_profile *profile, const servet_at *at, servet_precision precision,
                    servet_width width, servet_peak *peak)
{
    srv_target target;
    if ((unsigned)precision >= SERVET_PRECISION_COUNT || (unsigned)width >= SERVET_WIDTH_COUNT)
        return SERVET_EARGUMENT;
    int code = srv_target_find(profile, at, &target, NULL);
    if (code != SERVET_OK)
        return code;
    const srv_class *class = target.node_class;
    const servet_peak *peaks = class->peak.items;
    for (int i = 0; i < class->peak.count; i++)
        if (peaks[i].precision == precision && peaks[i].width == width &&
            is_of(class, &peaks[i], target.core))
            return srv_fetch(profile, at, &peaks_way, (long[]){i + 1}, peak, sizeof *peak);
    return SERVET_EUNMEASURED;
}

/* --- speeds of core types --------------------------------------------------------------------- */

/* The rate of a core type that decides on this work. */
static int find_rate(const servet_profile *profile, const servet_at *at, servet_work work,
                     servet_value *rate)
{
    servet_concurrency memory;
    servet_peak peak;
    int code;
    if (work == SERVET_WORK_MEMORY) {
        code = servet_concurrency_get(profile, at, 0, &memory);
        return code == SERVET_OK ? srv_answer_value(profile, &memory.bandwidth, rate) : code;
    }
    code = work == SERVET_WORK_INTEGER
               ? servet_peak_get(profile, at, SERVET_PRECISION_I64, SERVET_WIDTH_SCALAR, &peak)
               : servet_peak_get(profile, at, SERVET_PRECISION_F64, SERVET_WIDTH_VECTOR, &peak);
    if (code == SERVET_OK)
        *rate = peak.rate;
    return code;
}

/* The largest rate of any core type; it is trusted if all are. */
static int find_fastest(const servet_profile *profile, const srv_class *class, servet_work work,
                        servet_value *fastest)
{
    const srv_core_kind *kinds = class->kinds.items;
    servet_value rate;
    bool trusted = true;
    int code = SERVET_OK;
    *fastest = servet_value_unknown(SERVET_UNIT_NONE);
    for (int i = 0; i < class->kinds.count && code == SERVET_OK; i++) {
        const servet_at at = {class->name, atoi(kinds[i].cores)};
        code = find_rate(profile, &at, work, &rate);
        trusted = code == SERVET_OK && trusted && rate.trusted;
        if (code == SERVET_OK && !(rate.value <= fastest->value))
            *fastest = rate;
    }
    fastest->trusted = trusted;
    return code;
}

int servet_core_speed(const servet_profile *profile, const servet_at *at, servet_work work,
                      servet_value *speed)
{
    srv_target target;
    servet_value own, fastest;
    servet_profile all = *profile; /* only the rates need to be trusted, not all of their structs */
    all.trusted_only = false;
    if ((unsigned)work >= SERVET_WORK_COUNT)
        return SERVET_EARGUMENT;
    int code = srv_target_find(profile, at, &target, NULL);
    if (code == SERVET_OK && !target.kind)
        code = SERVET_EUNMEASURED;
    if (code != SERVET_OK)
        return code;
    const servet_at of_kind = {target.node_class->name, atoi(target.kind->cores)};
    code = find_fastest(&all, target.node_class, work, &fastest);
    if (code == SERVET_OK)
        code = find_rate(&all, &of_kind, work, &own);
    if (code != SERVET_OK)
        return code;
    bool is_fastest = own.value == fastest.value;
    *speed = (servet_value){.value = own.value / fastest.value,
                            .low = is_fastest ? 1 : own.low / fastest.high,
                            .high = is_fastest ? 1 : own.high / fastest.low,
                            .samples = (int)fmin(own.samples, fastest.samples),
                            .unit = SERVET_UNIT_NONE,
                            .method = SERVET_METHOD_TIMED,
                            .trusted = fastest.trusted};
    return srv_demand(profile, speed->trusted);
}

/* --- ridge points ----------------------------------------------------------------------------- */

/* The best bandwidth of any number of the cores that copy. */
static int find_copies(const servet_profile *profile, const servet_at *at, int cores,
                       servet_value *bandwidth)
{
    servet_value each;
    int code = SERVET_EUNMEASURED;
    *bandwidth = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    for (int n = 1; n <= cores; n++) {
        int found = servet_memory_scaling(profile, at, 0, n, &each);
        if (found == SERVET_EUNTRUSTED)
            code = found;
        if (found != SERVET_OK || each.value * n <= bandwidth->value)
            continue;
        *bandwidth = each;
        bandwidth->value *= n;
        bandwidth->low *= n;
        bandwidth->high *= n;
    }
    return servet_value_known(bandwidth) ? SERVET_OK : code;
}

/* The bandwidth of the widest loads of one core. */
static int find_loads(const servet_profile *profile, const servet_at *at, int level,
                      servet_value *bandwidth)
{
    servet_concurrency concurrency;
    if (level == 0)
        return servet_memory_bandwidth(profile, at, SERVET_KERNEL_READ, bandwidth);
    int code = servet_concurrency_get(profile, at, level, &concurrency);
    if (code == SERVET_OK)
        code = srv_answer_value(profile, &concurrency.bandwidth, bandwidth);
    return code;
}

int servet_ridge(const servet_profile *profile, const servet_at *at, servet_precision precision,
                 int level, servet_value *ridge)
{
    servet_peak peak;
    servet_value bytes;
    srv_target target;
    int code = servet_peak_get(profile, at, precision, SERVET_WIDTH_VECTOR, &peak);
    if (code == SERVET_OK)
        code = srv_target_find(profile, at, &target, NULL);
    if (code != SERVET_OK)
        return code;
    if (target.core != SERVET_ANY_CORE)
        code = find_loads(profile, at, level, &bytes);
    else
        code = level == 0 ? find_copies(profile, at, peak.cores, &bytes) : SERVET_EUNMEASURED;
    if (code != SERVET_OK)
        return code;
    *ridge = (servet_value){.value = peak.rate.value / bytes.value,
                            .low = peak.rate.low / bytes.high,
                            .high = peak.rate.high / bytes.low,
                            .samples = (int)fmin(peak.rate.samples, bytes.samples),
                            .unit = SERVET_UNIT_FLOP_PER_BYTE,
                            .method = SERVET_METHOD_TIMED,
                            .trusted = peak.rate.trusted && bytes.trusted};
    return SERVET_OK;
}
