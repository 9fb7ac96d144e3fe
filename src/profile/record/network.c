/* SPDX-License-Identifier: BSD-3-Clause */
/* Records facts of communication. */
#include "servet/record.h"

#include <assert.h>
#include <string.h>

#include "profile/record/edit.h"
#include "profile/index.h"
#include "profile/spans.h"
#include "core/utf8.h"

/* --- the job ---------------------------------------------------------------------------------- */

/* Host names come from the kernel; JSON takes UTF-8 only. */
static void clean_names(const srv_list *names)
{
    char *const *name = names->items;
    for (int i = 0; i < names->count; i++)
        srv_utf8_clean(name[i]);
}

static void fill_fact(srv_comm *comm, const servet_network *network)
{
    comm->fact = *network;
    comm->fact.benchmarks[sizeof comm->fact.benchmarks - 1] = '\0';
    srv_utf8_clean(comm->fact.benchmarks);
}

static void fill_job(srv_edit *edit, srv_comm *comm, const servet_network *network,
                     const char *const *nodes)
{
    fill_fact(comm, network);
    srv_edit_texts(edit, &comm->nodes, nodes, network->nodes);
    if (edit->code == SERVET_OK)
        clean_names(&comm->nodes);
}

static const srv_way job_way = {SRV_OF_PROFILE, {offsetof(servet_profile, network)}};

/* True if the stored facts are from a job with as many processes on the same nodes. */
static bool is_same_job(const servet_profile *profile, const servet_network *network,
                        const char *const *nodes)
{
    const srv_comm *comm = profile->network.count ? profile->network.items : NULL;
    if (!comm || comm->nodes.count != network->nodes || comm->fact.ranks != network->ranks)
        return false;
    char *const *name = comm->nodes.items;
    for (int i = 0; i < network->nodes; i++)
        if (!srv_utf8_is_clean_of(name[i], nodes[i]))
            return false;
    return true;
}

int servet_profile_set_network(servet_profile *profile, const servet_network *network,
                               const char *const *nodes, servet_error *error)
{
    srv_edit edit;
    if (is_same_job(profile, network, nodes)) {
        fill_fact(srv_edit_begin(&edit, profile, &job_way, NULL, error), network);
        return srv_edit_end(&edit);
    }
    srv_index_forget(profile);
    servet_profile *changed = srv_edit_begin(&edit, profile, NULL, NULL, error);
    srv_comm *comm = srv_edit_list(&edit, &changed->network, 1, sizeof *comm);
    if (comm)
        fill_job(&edit, comm, network, nodes);
    return srv_edit_end(&edit);
}

void servet_profile_adopt_network(servet_profile *profile, servet_profile *from)
{
    if (!from->network.count)
        return;
    srv_index_forget(profile);
    srv_index_forget(from);
    const srv_list before = profile->network;
    profile->network = from->network;
    from->network = before;
}

static const srv_way layers_way = {SRV_OF_PROFILE,
                                   {offsetof(servet_profile, network), offsetof(srv_comm, layers)}};

int servet_profile_set_network_slowness(servet_profile *profile, const servet_value *slowness,
                                        int count, servet_error *error)
{
    srv_edit edit;
    srv_comm *changed = srv_edit_begin(&edit, profile, &job_way, NULL, error);
    srv_edit_values(&edit, &changed->slowness, slowness, count);
    return srv_edit_end(&edit);
}

static const srv_way links_way = {
    SRV_OF_PROFILE, {offsetof(servet_profile, network), offsetof(srv_comm, slow_links)}};

int servet_profile_set_network_slow_links(servet_profile *profile, const servet_slow_link *links,
                                          int count, servet_error *error)
{
    return srv_set_items(profile, &links_way, NULL, links, sizeof *links, count, error);
}

/* --- what is replaced ------------------------------------------------------------------------- */

static_assert(offsetof(srv_doubt, fact) == 0 && offsetof(srv_bimodal, fact) == 0,
              "doubts and modes begin with the fact that they are about");

/* The list, of srv_doubt or srv_bimodal, without what it says of a member. */
static void forget(srv_edit *edit, srv_list *list, size_t size, const char *member)
{
    const srv_list before = *list;
    size_t length = strlen(member);
    char *kept = before.count ? srv_edit_list(edit, list, before.count, size) : NULL;
    if (!kept)
        return;
    list->count = 0;
    for (int i = 0; i < before.count; i++) {
        const char *item = (const char *)before.items + (size_t)i * size; /* begins with its fact */
        bool is_of = strncmp(item, member, length) == 0 && strchr(".", item[length]);
        if (!is_of)
            memcpy(kept + (size_t)list->count++ * size, item, size);
    }
}

/* --- layers ----------------------------------------------------------------------------------- */

int servet_profile_set_network_layers(servet_profile *profile, const servet_network_layer *layers,
                                      int count, servet_error *error)
{
    srv_edit edit;
    srv_comm *changed = srv_edit_begin(&edit, profile, &job_way, NULL, error);
    forget(&edit, &changed->doubts, sizeof(srv_doubt), "layers");
    forget(&edit, &changed->modes, sizeof(srv_bimodal), "layers");
    srv_edit_items(&edit, &changed->layers, layers, sizeof *layers, count, sizeof(srv_comm_layer));
    return srv_edit_end(&edit);
}

int servet_profile_set_network_groups(servet_profile *profile, int layer, const char *const *groups,
                                      int count, servet_error *error)
{
    srv_edit edit;
    srv_comm_layer *changed = srv_edit_begin(&edit, profile, &layers_way, (long[]){layer}, error);
    srv_edit_texts(&edit, &changed->groups, groups, count);
    if (edit.code == SERVET_OK)
        edit.code = srv_check(&srv_comm_layer_shape, changed, &edit.where);
    if (edit.code == SERVET_OK)
        edit.code = srv_spans_note_groups(&changed->groups, profile->network.items, &edit.where);
    return srv_edit_end(&edit);
}

/* --- what a layer costs ----------------------------------------------------------------------- */

int servet_profile_set_network_curve(servet_profile *profile, int layer,
                                     const servet_message *points, int count,
                                     const servet_protocol *protocols, int protocol_count,
                                     servet_error *error)
{
    srv_edit edit;
    srv_comm_layer *changed = srv_edit_begin(&edit, profile, &layers_way, (long[]){layer}, error);
    srv_edit_items(&edit, &changed->curve, points, sizeof *points, count, sizeof *points);
    srv_edit_items(&edit, &changed->protocols, protocols, sizeof *protocols, protocol_count,
                   sizeof *protocols);
    return srv_edit_end(&edit);
}

int servet_profile_set_network_together(servet_profile *profile, int layer,
                                        const servet_together *together, int count,
                                        servet_error *error)
{
    srv_edit edit;
    srv_comm_layer *changed = srv_edit_begin(&edit, profile, &layers_way, (long[]){layer}, error);
    srv_edit_items(&edit, &changed->together, together, sizeof *together, count, sizeof *together);
    return srv_edit_end(&edit);
}

int servet_profile_set_network_aggregation(servet_profile *profile, int layer,
                                           const servet_batch *batches, int count,
                                           const servet_aggregation *ranges, int range_count,
                                           servet_error *error)
{
    srv_edit edit;
    srv_comm_layer *changed = srv_edit_begin(&edit, profile, &layers_way, (long[]){layer}, error);
    srv_edit_items(&edit, &changed->batches, batches, sizeof *batches, count, sizeof *batches);
    srv_edit_items(&edit, &changed->aggregation, ranges, sizeof *ranges, range_count,
                   sizeof *ranges);
    return srv_edit_end(&edit);
}

/* --- degradation ------------------------------------------------------------------------------ */

int servet_profile_set_network_ratios(servet_profile *profile, servet_degradation degradation,
                                      const servet_ratios *about, const servet_ratio *ratios,
                                      int count, servet_error *error)
{
    srv_edit edit;
    if ((unsigned)degradation >= SERVET_DEGRADATION_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "no degradation has number %d", (int)degradation);
    srv_comm *changed = srv_edit_begin(&edit, profile, &job_way, NULL, error);
    forget(&edit, &changed->doubts, sizeof(srv_doubt), servet_degradation_name(degradation));
    srv_degradation *made =
        srv_edit_list(&edit, &changed->degradation[degradation], 1, sizeof *made);
    if (made) {
        made->fact = *about;
        srv_edit_items(&edit, &made->ratios, ratios, sizeof *ratios, count, sizeof *ratios);
    }
    return srv_edit_end(&edit);
}
