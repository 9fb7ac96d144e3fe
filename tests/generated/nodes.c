/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated nodes; survey.h has the arguments. */
#include "node.h"
#include "servet/measure.h"
#include "survey.h"

static json_t *model_of(int index, const condition *noise)
{
    node made = node_generate(index, noise);
    return node_model(&made, index);
}

/* All but the memory-level parallelism, which has no truth and takes a sixth of the time. */
static int measure(int index, const condition *noise, const char *path, const char *raw,
                   servet_profile **profile, servet_error *error)
{
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    (void)index;
    (void)noise;
    options.machine = path;
    options.raw_dir = raw;
    options.only = ~(~0u << SERVET_BENCHMARK_COUNT) & ~(1u << SERVET_BENCHMARK_CONCURRENCY);
    return servet_measure(&options, profile, error);
}

static int again(const char *raw, servet_profile **profile, servet_error *error)
{
    return servet_replay(raw, NULL, NULL, profile, error);
}

static void truths_of(int index, const condition *noise, const servet_profile *profile,
                      truths *known)
{
    node made = node_generate(index, noise);
    (void)profile;
    node_truths(&made, known);
}

int main(int argc, char **argv)
{
    static const survey_kind nodes = {"node", "0.05", 0.005, model_of, measure, again, truths_of};
    return survey_main(argc, argv, &nodes);
}
