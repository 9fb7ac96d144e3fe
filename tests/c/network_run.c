/* SPDX-License-Identifier: BSD-3-Clause */
#include "network_run.h"

#include <math.h>

#include "sim/messages.h"
#include "test.h"

srv_network *network;
srv_network_options options;
srv_network_facts facts;

int network_run_begin(void **state)
{
    (void)state;
    options = (srv_network_options)SRV_NETWORK_OPTIONS_INIT;
    facts = (srv_network_facts){0};
    return 0;
}

void network_run_open(srv_model *model, int ranks)
{
    assert_int_equal(srv_messages_from(&network, model, NULL, ranks, NULL), SERVET_OK);
}

void network_run_open_shipped(const char *name, int ranks)
{
    servet_error error = SERVET_ERROR_INIT;
    if (srv_messages_create(&network, name, NULL, ranks, &error) != SERVET_OK)
        fail_msg("%s: %s", name, error.text);
}

void network_run_measure(unsigned only)
{
    servet_error error = SERVET_ERROR_INIT;
    options.only = only;
    if (srv_measure_network(network, &options, &facts, &error) != SERVET_OK)
        fail_msg("%s", error.text);
}

void network_run_end(void)
{
    srv_network_facts_finish(&facts);
    srv_network_destroy(network);
}

void is_near(const servet_value *value, double truth, double share)
{
    if (!(fabs(value->value / truth - 1) <= share))
        fail_msg("%g is not %g", value->value, truth);
    assert_true(value->low <= value->value && value->value <= value->high);
}
