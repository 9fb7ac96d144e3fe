/* SPDX-License-Identifier: BSD-3-Clause */
#include "network_run.h"

#include <math.h>
#include <stdio.h>

#include "sim/messages.h"
#include "run/measure.h"
#include "test.h"
#include "profile_text.h"

srv_network *network;
srv_network_options options;
servet_profile *measured;
network_view facts;

static void forget(void)
{
    servet_run run = srv_run_begin("");
    network_view_free(&facts);
    servet_profile_close(measured);
    assert_ok(servet_profile_create(&measured, NULL));
    assert_ok(servet_profile_set_run(measured, &run, NULL));
}

int network_run_begin(void **state)
{
    (void)state;
    options = (srv_network_options)SRV_NETWORK_OPTIONS_INIT;
    forget();
    return 0;
}

int network_run_end(void **state)
{
    (void)state;
    network_view_free(&facts);
    servet_profile_close(measured);
    srv_network_destroy(network);
    measured = NULL;
    network = NULL;
    return 0;
}

void network_run_open(srv_model *model, int ranks)
{
    network_run_open_places(model, NULL, ranks);
}

void network_run_open_places(srv_model *model, const srv_rank *places, int ranks)
{
    srv_network_destroy(network);
    forget();
    assert_ok(srv_messages_from(&network, model, places, ranks, NULL));
}

void network_run_open_shipped(const char *name, int ranks)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_network_destroy(network);
    forget();
    if (srv_messages_create(&network, name, NULL, ranks, &error) != SERVET_OK)
        fail_msg("%s: %s", name, error.text);
}

void network_run_look(void)
{
    network_view_read(&facts, measured, network);
}

int network_run_try(servet_error *error)
{
    int code = srv_measure_network(network, &options, measured, error);
    network_run_look();
    return code;
}

void network_run_measure(unsigned only)
{
    servet_error error = SERVET_ERROR_INIT;
    options.only = only;
    if (network_run_try(&error) != SERVET_OK)
        fail_msg("%s", error.text);
}

void network_run_reopen(void)
{
    servet_profile *read = profile_reopened(measured);
    network_view_free(&facts);
    servet_profile_close(measured);
    measured = read;
    network_run_look();
}

char *network_run_text(void)
{
    return profile_text(measured);
}

void is_near(const servet_value *value, double truth, double share)
{
    if (!(fabs(value->value / truth - 1) <= share))
        fail_msg("%g is not %g", value->value, truth);
    assert_true(value->low <= value->value && value->value <= value->high);
}

void network_run_has_groups(int layer, const char *const *groups, int count)
{
    const view_groups *found = &facts.layer[layer].groups;
    assert_int_equal(found->count, count);
    for (int i = 0; i < count; i++)
        assert_string_equal(found->set[i], groups[i]);
}
