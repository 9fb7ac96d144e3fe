/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores the run, classes and core types. */
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "profile/here.h"
#include "profile/index.h"
#include "profile/record/edit.h"
#include "servet/record.h"

/* Cleans texts, which come from the kernel and the command line and may be cut: JSON accepts only
 * UTF-8. */
static void clean_texts(const srv_shape *shape, void *item)
{
    for (const srv_field *field = shape->fields; field->name; field++) {
        char *at = (char *)item + field->offset;
        if (field->type == SRV_OBJECT)
            clean_texts(field->shape, at);
        if (field->type != SRV_TEXT)
            continue;
        at[field->size - 1] = '\0';
        srv_utf8_clean(at);
    }
}

int servet_profile_create(servet_profile **profile, servet_error *error)
{
    servet_profile *created = calloc(1, sizeof *created);
    if (!created)
        return srv_fail_memory(error);
    created->schema = SRV_SCHEMA;
    created->classes.known = true;
    *profile = created;
    return SERVET_OK;
}

int servet_profile_set_run(servet_profile *profile, const servet_run *run, servet_error *error)
{
    srv_edit edit;
    servet_profile *changed = srv_edit_begin(&edit, profile, NULL, NULL, error);
    servet_run *copy = srv_edit_list(&edit, &changed->run, 1, sizeof *copy);
    if (copy) {
        *copy = *run;
        clean_texts(&srv_run_shape, copy);
    }
    return srv_edit_end(&edit);
}

static int fill_class(srv_class *class, const char *name, const servet_machine *machine,
                      servet_error *error)
{
    strcpy(class->name, name);
    class->machine = *machine;
    class->kinds.known = true;
    clean_texts(&srv_class_shape, class);
    char **node = srv_list_add(&class->nodes, sizeof *node);
    if (!node)
        return srv_fail_memory(error);
    *node = srv_copy_text(class->machine.hostname);
    return *node ? SERVET_OK : srv_fail_memory(error);
}

int servet_profile_add_class(servet_profile *profile, const char *name,
                             const servet_machine *machine, int *index, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_index_forget(profile);
    if (strlen(name) >= SERVET_NAME_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "the name of the node class is too long: %.64s",
                        name);
    srv_class *class = srv_list_add(&profile->classes, sizeof *class);
    if (!class)
        return srv_fail_memory(error);
    int code = fill_class(class, name, machine, error);
    if (code == SERVET_OK)
        code = srv_check(&srv_profile_shape, profile, &where);
    if (code != SERVET_OK) {
        srv_shape_free(&srv_class_shape, class);
        profile->classes.count--;
        return code;
    }
    *index = profile->classes.count - 1;
    srv_find_here(profile);
    return SERVET_OK;
}

int servet_profile_add_kind(servet_profile *profile, int node_class, const char *name,
                            const char *cores, int *kind, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_class *class = srv_class_at(profile, node_class, error);
    srv_trusted_forget(profile);
    if (!class)
        return SERVET_EARGUMENT;
    if (strlen(name) >= SERVET_NAME_MAX || class->kinds.count == SRV_PROFILE_KINDS_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "name too long or too many core kinds: %.64s",
                        name);
    char *copy = srv_copy_text(cores);
    srv_core_kind *added = copy ? srv_list_add(&class->kinds, sizeof *added) : NULL;
    if (!added) {
        free(copy);
        return srv_fail_memory(error);
    }
    strcpy(added->name, name);
    srv_utf8_clean(added->name);
    added->cores = copy;
    added->memory_latency = servet_value_unknown(SERVET_UNIT_SECOND);
    int code = srv_check(&srv_class_shape, class, &where);
    if (code == SERVET_OK && srv_index_kinds(&class->kinds) != SERVET_OK)
        code = srv_fail_memory(error);
    if (code != SERVET_OK) {
        srv_shape_free(&srv_kind_shape, added);
        class->kinds.count--;
        return code;
    }
    *kind = class->kinds.count - 1;
    return SERVET_OK;
}

static void fill_fact(srv_comm *comm, const servet_network *network)
{
    comm->fact = *network;
    comm->fact.benchmarks[sizeof comm->fact.benchmarks - 1] = '\0';
    srv_utf8_clean(comm->fact.benchmarks);
}

/* Host names come from the kernel: JSON accepts only UTF-8. */
static void fill_job(srv_edit *edit, srv_comm *comm, const servet_network *network,
                     const char *const *nodes)
{
    fill_fact(comm, network);
    srv_edit_texts(edit, &comm->nodes, nodes, network->nodes);
    for (int i = 0; i < comm->nodes.count && edit->code == SERVET_OK; i++)
        srv_utf8_clean(((char **)comm->nodes.items)[i]);
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
