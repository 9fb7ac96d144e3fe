/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording what is known of communication. */
#include "servet/record.h"

#include "profile/record/edit.h"
#include "profile/index.h"
#include "profile/memberships.h"
#include "profile/utf8.h"

/* --- the job ---------------------------------------------------------------------------------- */

/* Host names come from the kernel; JSON takes UTF-8 only. */
static void clean_names(const srv_list *names)
{
    char *const *name = names->items;
    for (int i = 0; i < names->count; i++)
        srv_utf8_clean(name[i]);
}

static void forget_memberships(servet_profile *profile)
{
    srv_memberships_destroy(profile->memberships);
    profile->memberships = NULL;
}

static int fill_job(srv_comm *comm, const servet_network *network, const char *const *nodes,
                    servet_error *error)
{
    comm->fact = *network;
    comm->fact.benchmarks[sizeof comm->fact.benchmarks - 1] = '\0';
    srv_utf8_clean(comm->fact.benchmarks);
    int code = srv_copy_sets(nodes, network->nodes, &comm->nodes, error);
    if (code == SERVET_OK)
        clean_names(&comm->nodes);
    return code;
}

int servet_profile_set_network(servet_profile *profile, const servet_network *network,
                               const char *const *nodes, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_list made;
    srv_index_forget_hosts(profile);
    int code = srv_new_list(1, sizeof(srv_comm), &made, error);
    if (code != SERVET_OK)
        return code;
    srv_comm *comm = made.items;
    code = fill_job(comm, network, nodes, error);
    servet_profile changed = *profile;
    changed.network = made;
    code = srv_change(&srv_profile_shape, profile, &changed, code, &where);
    if (code == SERVET_OK)
        forget_memberships(profile);
    return code;
}

#define JOB    SRV_THE_ONE(servet_profile, network, srv_comm)
#define LAYERS JOB, SRV_STEP(srv_comm, layers, srv_comm_layer)
static const srv_way job_way = {SRV_OF_PROFILE, 1, {JOB}};
static const srv_way layers_way = {SRV_OF_PROFILE, 2, {LAYERS}};

int servet_profile_set_network_slowness(servet_profile *profile, const servet_value *slowness,
                                        int count, servet_error *error)
{
    srv_edit edit;
    srv_comm *changed = srv_edit_begin(&edit, profile, &job_way, NULL, error);
    if (!changed)
        return SERVET_EARGUMENT;
    return srv_edit_end(&edit, srv_copy_values(slowness, count, &changed->slowness, error));
}

/* --- layers ----------------------------------------------------------------------------------- */

int servet_profile_set_network_layers(servet_profile *profile, const servet_network_layer *layers,
                                      int count, servet_error *error)
{
    int code = srv_set_items(profile, &layers_way, NULL, layers, sizeof *layers, count, error);
    if (code == SERVET_OK)
        forget_memberships(profile);
    return code;
}

/* The memberships with the groups that are stored now. */
static int take_memberships(servet_profile *profile, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_memberships *memberships;
    int code = srv_memberships_create(profile->network.items, &memberships, &where);
    if (code == SERVET_OK) {
        srv_memberships_destroy(profile->memberships);
        profile->memberships = memberships;
    }
    return code;
}

/* The groups are checked by the memberships, so they stand in the profile meanwhile. */
int servet_profile_set_network_groups(servet_profile *profile, int layer, const char *const *groups,
                                      int count, servet_error *error)
{
    srv_edit edit;
    srv_comm_layer *changed = srv_edit_begin(&edit, profile, &layers_way, (long[]){layer}, error);
    if (!changed)
        return SERVET_EARGUMENT;
    srv_comm_layer *stored = edit.stored, before = *stored;
    int code = srv_copy_sets(groups, count, &changed->groups, error);
    if (code == SERVET_OK)
        code = srv_check(&srv_comm_layer_shape, changed, &edit.where);
    if (code == SERVET_OK) {
        *stored = *changed;
        code = take_memberships(profile, error);
        *stored = before;
    }
    return srv_edit_end(&edit, code);
}

/* --- what a layer costs ----------------------------------------------------------------------- */

int servet_profile_set_network_curve(servet_profile *profile, int layer,
                                     const servet_message *points, int count,
                                     const servet_protocol *protocols, int protocol_count,
                                     servet_error *error)
{
    srv_edit edit;
    srv_comm_layer *changed = srv_edit_begin(&edit, profile, &layers_way, (long[]){layer}, error);
    if (!changed)
        return SERVET_EARGUMENT;
    changed->protocols = (srv_list){0};
    int code =
        srv_copy_items(points, sizeof *points, count, sizeof *points, &changed->curve, error);
    if (code == SERVET_OK)
        code = srv_copy_items(protocols, sizeof *protocols, protocol_count, sizeof *protocols,
                              &changed->protocols, error);
    return srv_edit_end(&edit, code);
}

int servet_profile_set_network_together(servet_profile *profile, int layer,
                                        const servet_together *together, int count,
                                        const servet_gather *gathers, int gather_count,
                                        servet_error *error)
{
    srv_edit edit;
    srv_comm_layer *changed = srv_edit_begin(&edit, profile, &layers_way, (long[]){layer}, error);
    if (!changed)
        return SERVET_EARGUMENT;
    changed->gathers = (srv_list){0};
    int code = srv_copy_items(together, sizeof *together, count, sizeof *together,
                              &changed->together, error);
    if (code == SERVET_OK)
        code = srv_copy_items(gathers, sizeof *gathers, gather_count, sizeof *gathers,
                              &changed->gathers, error);
    return srv_edit_end(&edit, code);
}

/* --- degradation ------------------------------------------------------------------------------ */

int servet_profile_set_network_ratios(servet_profile *profile, servet_degradation degradation,
                                      const servet_ratios *about, const servet_ratio *ratios,
                                      int count, servet_error *error)
{
    srv_edit edit;
    srv_comm *changed = srv_edit_begin(&edit, profile, &job_way, NULL, error);
    if (!changed)
        return SERVET_EARGUMENT;
    if ((unsigned)degradation >= SERVET_DEGRADATION_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "no degradation has number %d", (int)degradation);
    srv_list *list = &changed->degradation[degradation];
    int code = srv_new_list(1, sizeof(srv_degradation), list, error);
    srv_degradation *made = list->items;
    if (code == SERVET_OK) {
        made->fact = *about;
        code = srv_copy_items(ratios, sizeof *ratios, count, sizeof *ratios, &made->ratios, error);
    }
    return srv_edit_end(&edit, code);
}
