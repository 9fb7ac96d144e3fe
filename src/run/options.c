/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a measurement and their names. */
#include "run/stage.h"

#include "core/error.h"
#include "core/names.h"

SRV_NAMES(servet_approach_name, servet_approach, SERVET_APPROACH_LIST)
SRV_NAMES(servet_benchmark_name, servet_benchmark, SERVET_BENCHMARK_LIST)

int srv_check_options(const servet_measure_options *options, servet_error *error)
{
    if (!(options->min_bytes > 0) || options->max_bytes < 0 || options->budget_seconds < 0 ||
        (unsigned)options->pages >= SERVET_PAGES_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "sizes and budget must be positive");
    if (options->max_bytes > 0 && options->max_bytes < SRV_RANGE_MIN * options->min_bytes)
        return srv_fail(
            error, SERVET_EARGUMENT,
            "the largest working set (%.0f B) must be twice the smallest (%.0f B) or more",
            options->max_bytes, options->min_bytes);
    if ((unsigned)options->approach >= SERVET_APPROACH_COUNT ||
        options->only >= 1u << SERVET_BENCHMARK_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown method or benchmark");
    if (!(options->sharing_ratio >= 1))
        return srv_fail(error, SERVET_EARGUMENT, "the sharing ratio must be at least 1");
    if (options->votes < 1 || options->votes > SERVET_2010_VOTES_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "votes must be between 1 and %d",
                        SERVET_2010_VOTES_MAX);
    return SERVET_OK;
}
