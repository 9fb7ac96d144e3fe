/* SPDX-License-Identifier: BSD-3-Clause */
/* Combines the profiles of several jobs on a cluster into one. */
#include "servet/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/record/edit.h"
#include "profile/record/compare.h"
#include "profile/here.h"
#include "profile/hosts.h"
#include "profile/index.h"

/* --- nodes ------------------------------------------------------------------------------------ */

/* Returns false for the class of a job that measured only the network: it has no cores. */
static bool is_measured(const srv_class *class)
{
    return class->kinds.count > 0;
}

/* Returns true if a user gave the class its name; otherwise a measurement did. */
static bool is_named(const srv_class *class)
{
    return strcmp(class->name, "default") != 0 && strncmp(class->name, "other-", 6) != 0;
}

static int count_nodes(const servet_profile *profile, bool measured)
{
    const srv_class *classes = profile->classes.items;
    int count = 0;
    for (int i = 0; i < profile->classes.count; i++)
        if (is_measured(&classes[i]) == measured)
            count += classes[i].nodes.count;
    return count;
}

static void add_names(srv_hosts *listed, const srv_class *class, int number)
{
    for (int i = 0; i < class->nodes.count; i++)
        srv_hosts_add(listed, ((char *const *)class->nodes.items)[i], number);
}

static bool has_more_nodes(const servet_profile *a, const servet_profile *b)
{
    int more = count_nodes(a, true) - count_nodes(b, true);
    return more > 0 || (more == 0 && count_nodes(a, false) >= count_nodes(b, false));
}

/* Lists the nodes of the profile, or only those of measured classes, with room for the nodes of
 * `other`; NULL without memory. */
static srv_hosts *list_nodes(const servet_profile *profile, bool only_measured,
                             const servet_profile *other)
{
    const srv_class *classes = profile->classes.items;
    srv_hosts *listed =
        srv_hosts_create(count_nodes(profile, true) + count_nodes(profile, false) +
                         (other ? count_nodes(other, true) + count_nodes(other, false) : 0));
    for (int i = 0; i < profile->classes.count && listed; i++)
        if (!only_measured || is_measured(&classes[i]))
            add_names(listed, &classes[i], i);
    return listed;
}

/* Removes the nodes of a class that are listed already. */
static void drop_listed(const srv_hosts *listed, srv_class *class)
{
    char **nodes = class->nodes.items;
    int left = 0;
    for (int i = 0; i < class->nodes.count; i++)
        if (srv_hosts_find(listed, nodes[i]) >= 0)
            free(nodes[i]);
        else
            nodes[left++] = nodes[i];
    class->nodes.count = left;
}

/* Returns true if `class` may be merged with `other`. A class that a user named is queried by this
 * name, and is merged only with a class of the same name. */
static bool may_join(const srv_class *class, const srv_class *other)
{
    return !is_named(class) || strcmp(class->name, other->name) == 0;
}

/* Returns the class whose nodes measure like the nodes of class `number` of `from`; -1 if there is
 * none. */
static int find_alike(const servet_profile *profile, const servet_profile *from, int number)
{
    const srv_class *classes = profile->classes.items;
    const srv_class *class = (const srv_class *)from->classes.items + number;
    for (int i = 0; i < profile->classes.count; i++)
        if ((is_measured(&classes[i]) || is_named(class)) && may_join(class, &classes[i]) &&
            srv_compare_classes(profile, i, from, number).alike)
            return i;
    return -1;
}

/* Adopts a class. It keeps the name that a user gave it, with a number if the name is taken. */
static int adopt(servet_profile *profile, srv_class *class, servet_error *error)
{
    char name[SERVET_NAME_MAX];
    servet_at at = {.node_class = name, .core = SERVET_ANY_CORE};
    bool named = is_named(class);
    int number = profile->classes.count;
    snprintf(name, sizeof name, "%s", class->name);
    if (!named || srv_class_named(profile, &at))
        do
            snprintf(name, sizeof name, "%.50s-%d", named ? class->name : "other", number++);
        while (srv_class_named(profile, &at));
    return srv_class_adopt(profile, class, name, error);
}

static int move_nodes(srv_list *from, srv_list *into, servet_error *error)
{
    size_t count = (size_t)into->count + (size_t)from->count;
    char **nodes = realloc(into->items, (count + 1) * sizeof *nodes);
    if (!nodes)
        return srv_fail_memory(error);
    into->items = nodes;
    if (from->count)
        memcpy(nodes + into->count, from->items, (size_t)from->count * sizeof *nodes);
    into->count = (int)count;
    from->count = 0;
    return SERVET_OK;
}

/* Adds class `number` of `from`, whose nodes the profile does not list, to the profile. */
static int join_class(servet_profile *profile, servet_profile *from, int number,
                      servet_error *error)
{
    srv_class *class = (srv_class *)from->classes.items + number;
    int alike = find_alike(profile, from, number);
    if (alike < 0)
        return adopt(profile, class, error);
    srv_class *classes = profile->classes.items;
    if (is_measured(class) && !is_measured(&classes[alike]))
        srv_swap(class, &classes[alike], sizeof *class);
    return move_nodes(&class->nodes, &classes[alike].nodes, error);
}

/* Removes measured nodes from classes that were not measured; a class without nodes goes. */
static void give_up(servet_profile *profile, const srv_hosts *measured)
{
    srv_class *classes = profile->classes.items;
    int left = 0;
    for (int i = 0; i < profile->classes.count; i++) {
        if (!is_measured(&classes[i]))
            drop_listed(measured, &classes[i]);
        if (is_measured(&classes[i]) || classes[i].nodes.count) {
            srv_class kept = classes[i];
            classes[i] = (srv_class){.name = ""};
            classes[left++] = kept;
        } else {
            srv_shape_free(&srv_class_shape, &classes[i]);
        }
    }
    profile->classes.count = left;
}

/* Takes the classes of `from` that have unlisted nodes, and lists these. */
static int take_classes(servet_profile *profile, servet_profile *from, srv_hosts *listed,
                        servet_error *error)
{
    srv_class *classes = from->classes.items;
    int code = SERVET_OK;
    for (int i = 0; i < from->classes.count && code == SERVET_OK; i++) {
        drop_listed(listed, &classes[i]);
        if ((is_measured(&classes[i]) || is_named(&classes[i])) && classes[i].nodes.count) {
            add_names(listed, &classes[i], 0);
            code = join_class(profile, from, i, error);
        }
    }
    for (int i = 0; i < from->classes.count; i++)
        srv_shape_free(&srv_class_shape, &classes[i]);
    from->classes.count = 0;
    srv_find_here(profile);
    return code;
}

/* Merges the nodes. A node that both jobs measured is taken from the job on more nodes, which could
 * compare more. */
static int merge_nodes(servet_profile *profile, servet_profile *from, servet_error *error)
{
    if (has_more_nodes(from, profile)) {
        srv_swap(&profile->run, &from->run, sizeof from->run);
        srv_swap(&profile->classes, &from->classes, sizeof from->classes);
        srv_find_here(profile);
        srv_find_here(from);
    }
    srv_hosts *measured = list_nodes(from, true, NULL);
    if (measured)
        give_up(profile, measured);
    srv_hosts *listed = measured ? list_nodes(profile, false, from) : NULL;
    int code = listed ? take_classes(profile, from, listed, error) : srv_fail_memory(error);
    srv_hosts_destroy(measured);
    srv_hosts_destroy(listed);
    return code;
}

/* --- network ---------------------------------------------------------------------------------- */

/* Returns true if the layers, with all their facts, are taken from `a`: the job on more nodes. */
static bool has_better_layers(const srv_comm *a, const srv_comm *b)
{
    if (a->layers.known != b->layers.known)
        return a->layers.known;
    return a->nodes.count >= b->nodes.count;
}

static bool has_like(const srv_list *all, const srv_degradation *one)
{
    const srv_degradation *items = all->items;
    for (int i = 0; i < all->count; i++)
        if (srv_degradation_order(&items[i], one) == 0)
            return true;
    return false;
}

/* Moves measurements to the end of `all`, unless it has a similar one. */
static int collect(srv_list *from, srv_list *all, servet_error *error)
{
    srv_degradation *items = from->items;
    for (int i = 0; i < from->count; i++) {
        if (has_like(all, &items[i]))
            continue;
        srv_degradation *room = srv_list_add(all, sizeof *room);
        if (!room)
            return srv_fail_memory(error);
        *room = items[i];
        items[i].ratios = (srv_list){0};
    }
    return SERVET_OK;
}

static int most_first(const void *a, const void *b)
{
    return srv_degradation_order(b, a);
}

/* Moves all measurements of a job to `all->others`, unless it has similar ones. */
static int collect_all(srv_comm *comm, srv_comm *all, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < SERVET_DEGRADATION_COUNT && code == SERVET_OK; i++) {
        srv_list *list = &all->others[i];
        code = collect(&comm->degradation[i], list, error);
        if (code == SERVET_OK)
            code = collect(&comm->others[i], list, error);
        if (list->count)
            qsort(list->items, (size_t)list->count, sizeof(srv_degradation), most_first);
    }
    return code;
}

static void add_benchmark(servet_network *network, const char *name)
{
    size_t n = strlen(network->benchmarks);
    if (!strstr(network->benchmarks, name))
        snprintf(network->benchmarks + n, sizeof network->benchmarks - n, "%s%s", n ? "," : "",
                 name);
}

/* Removes the doubts about ratios: their values are marked themselves, and their job is no longer
 * known. */
static void forget_doubts_of_ratios(srv_comm *comm)
{
    static const char *const names[] = {SERVET_DEGRADATION_LIST(SRV_TEXT_OF)};
    char other[SERVET_NAME_MAX];
    for (int i = 0; i < SERVET_DEGRADATION_COUNT; i++) {
        snprintf(other, sizeof other, "other_%s", names[i]);
        srv_forget(&comm->doubts, sizeof(srv_doubt), names[i]);
        srv_forget(&comm->doubts, sizeof(srv_doubt), other);
    }
}

/* Moves the first measurement to the list that queries read. */
static int split(srv_list *others, srv_list *first, servet_error *error)
{
    srv_degradation *items = others->items;
    srv_degradation *room = srv_list_add(first, sizeof *room);
    if (!room)
        return srv_fail_memory(error);
    *room = items[0];
    memmove(items, items + 1, (size_t)--others->count * sizeof *items);
    others->known = others->count > 0;
    return SERVET_OK;
}

/* Replaces the measurements of the job by all measurements. */
static int store_ratios(srv_comm *comm, srv_comm *all, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < SERVET_DEGRADATION_COUNT && code == SERVET_OK; i++) {
        if (!all->others[i].count)
            continue;
        code = split(&all->others[i], &all->degradation[i], error);
        add_benchmark(&comm->fact, servet_degradation_name((servet_degradation)i));
    }
    srv_swap(comm->degradation, all->degradation, sizeof comm->degradation);
    srv_swap(comm->others, all->others, sizeof comm->others);
    return code;
}

static int merge_network(servet_profile *profile, servet_profile *from, servet_error *error)
{
    srv_comm all = {.nodes = {0}};
    if (!from->network.count)
        return SERVET_OK;
    srv_comm *later = from->network.items, *earlier = profile->network.items;
    int code = collect_all(later, &all, error);
    if (code == SERVET_OK && earlier)
        code = collect_all(earlier, &all, error);
    if (!earlier || has_better_layers(later, earlier))
        srv_swap(&profile->network, &from->network, sizeof from->network);
    if (earlier)
        forget_doubts_of_ratios(profile->network.items);
    if (code == SERVET_OK)
        code = store_ratios(profile->network.items, &all, error);
    srv_shape_free(&srv_comm_shape, &all);
    return code;
}

int servet_profile_merge(servet_profile *profile, servet_profile *from, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_index_forget(profile);
    srv_index_forget(from);
    int code = merge_nodes(profile, from, error);
    if (code == SERVET_OK)
        code = merge_network(profile, from, error);
    return code == SERVET_OK ? srv_check(&srv_profile_shape, profile, &where) : code;
}
