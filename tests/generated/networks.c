/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated networks; survey.h has the arguments. */
#include <stdlib.h>

#include "core/error.h"
#include "sim/messages.h"
#include "network.h"
#include "run/network/network.h"
#include "servet/record.h"
#include "survey.h"

static json_t *model_of(int index, const condition *noise)
{
    network made = network_generate(index, noise);
    return network_model(&made, index);
}

static int measure(int index, const condition *noise, const char *path, const char *raw,
                   servet_profile **profile, servet_error *error)
{
    network made = network_generate(index, noise);
    srv_rank *ranks = network_ranks(&made);
    srv_network_options options = SRV_NETWORK_OPTIONS_INIT;
    srv_network *on;
    (void)raw;
    if (!ranks)
        return srv_fail_memory(error);
    int code = srv_messages_create(&on, path, ranks, made.job_nodes * made.cores, error);
    free(ranks);
    if (code != SERVET_OK)
        return code;
    code = servet_profile_create(profile, error);
    if (code == SERVET_OK)
        code = srv_measure_network(on, &options, *profile, error);
    srv_network_destroy(on);
    return code;
}

static void truths_of(int index, const condition *noise, const servet_profile *profile,
                      truths *known)
{
    network made = network_generate(index, noise);
    network_truths(&made, profile, known);
}

int main(int argc, char **argv)
{
    static const survey_kind networks = {"network", "0.05", 0.005,    model_of,
                                         measure,   NULL,   truths_of};
    return survey_main(argc, argv, &networks);
}
