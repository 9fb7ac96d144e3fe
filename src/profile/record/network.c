/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores the job that measured communication. */
#include "servet/record.h"

#include "core/utf8.h"
#include "profile/index.h"
#include "profile/record/edit.h"

/* Cleans host names, which come from the kernel: JSON accepts only UTF-8. */
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

bool servet_profile_has_job(const servet_profile *profile, int ranks, const char *const *nodes,
                            int count)
{
    const srv_comm *comm = profile->network.count ? profile->network.items : NULL;
    bool same = comm && comm->nodes.count == count && comm->fact.ranks == ranks;
    for (int i = 0; i < count && same; i++)
        same = srv_utf8_is_clean_of(((char *const *)comm->nodes.items)[i], nodes[i]);
    return same;
}

int servet_profile_set_network(servet_profile *profile, const servet_network *network,
                               const char *const *nodes, servet_error *error)
{
    srv_edit edit;
    if (servet_profile_has_job(profile, network->ranks, nodes, network->nodes)) {
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
