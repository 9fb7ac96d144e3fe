/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated nodes; survey.h has the arguments. */
#include "machine/model/simulated.h"
#include "node.h"
#include "run/measure.h"
#include "survey.h"

static json_t *model_of(int index, double noise)
{
    node made = node_generate(index, noise);
    return node_model(&made, index);
}

static int measure(int index, double noise, const char *path, servet_profile **profile,
                   truths *known, servet_error *error)
{
    node made = node_generate(index, noise);
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    srv_machine *machine;
    int code = srv_simulated_create(&machine, path, error);
    if (code != SERVET_OK)
        return code;
    node_truths(&made, known);
    code = srv_measure_on(machine, &options, profile, error);
    srv_machine_destroy(machine);
    return code;
}

int main(int argc, char **argv)
{
    static const survey_kind nodes = {"node", 0.02, 0.02, model_of, measure};
    return survey_main(argc, argv, &nodes);
}
