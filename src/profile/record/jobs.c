/* SPDX-License-Identifier: BSD-3-Clause */
/* One profile of what several jobs have found out about a cluster. */
#include "servet/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/record/edit.h"
#include "profile/record/compare.h"
#include "profile/here.h"
#include "profile/index.h"

static void swap(void *a, void *b, size_t size)
{
    char *x = a, *y = b;
    for (size_t i = 0; i < size; i++) {
        char kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* A job that measured only the network lists its nodes in a class without cores. */
static bool is_measured(const srv_class *class)
{
    return class->kinds.count > 0;
}

/* Whether somebody gave the class its name, in place of a measurement. */
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

static bool has_more_nodes(const servet_profile *a, const servet_profile *b)
{
    int more = count_nodes(a, true) - count_nodes(b, true);
    return more > 0 || (more == 0 && count_nodes(a, false) >= count_nodes(b, false));
}

/* Whether the profile lists the node, in a class with facts if only those count. */
static bool lists(const servet_profile *profile, const char *host, bool only_measured)
{
    const srv_class *classes = profile->classes.items;
    int class;
    return servet_profile_class_of(profile, host, &class) == SERVET_OK &&
           (!only_measured || is_measured(&classes[class]));
}

/* Of the nodes of a class those stay that the profile does not list so. */
static void drop_listed(const servet_profile *profile, srv_class *class, bool only_measured)
{
    char **nodes = class->nodes.items;
    int left = 0;
    for (int i = 0; i < class->nodes.count; i++)
        if (lists(profile, nodes[i], only_measured))
            free(nodes[i]);
        else
            nodes[left++] = nodes[i];
    class->nodes.count = left;
}

/* A class with a name of its own is queried by it, and is not merged with others. */
static bool may_join(const srv_class *class, const srv_class *other)
{
    return !is_named(class) || strcmp(class->name, other->name) == 0;
}

/* The class whose nodes measure like those of the first class of `from`, as far as that was
 * measured; -1 for none. */
static int find_alike(const servet_profile *profile, const servet_profile *from)
{
    const srv_class *classes = profile->classes.items, *class = from->classes.items;
    for (int i = 0; i < profile->classes.count; i++)
        if ((is_measured(&classes[i]) || is_named(class)) && may_join(class, &classes[i]) &&
            srv_compare_classes(profile, i, from, 0).alike)
            return i;
    return -1;
}

/* The class keeps the name that it was given, with a number if that is taken. */
static int adopt(servet_profile *profile, servet_profile *from, servet_error *error)
{
    const srv_class *class = from->classes.items;
    char name[SERVET_NAME_MAX];
    servet_at at = {.node_class = name, .core = SERVET_ANY_CORE};
    bool named = is_named(class);
    int number = profile->classes.count;
    snprintf(name, sizeof name, "%s", class->name);
    if (!named || srv_class_named(profile, &at))
        do
            snprintf(name, sizeof name, "%.50s-%d", named ? class->name : "other", number++);
        while (srv_class_named(profile, &at));
    return servet_profile_adopt_class(profile, from, name, error);
}

/* Takes the first class of `from` to those of the profile, which does not list its nodes. */
static int join_class(servet_profile *profile, servet_profile *from, servet_error *error)
{
    srv_class *class = from->classes.items;
    int alike = find_alike(profile, from), code = SERVET_OK;
    if (alike < 0)
        return adopt(profile, from, error);
    srv_class *classes = profile->classes.items;
    if (is_measured(class) && !is_measured(&classes[alike]))
        swap(class, &classes[alike], sizeof *class);
    char *const *nodes = class->nodes.items;
    for (int i = 0; i < class->nodes.count && code == SERVET_OK; i++)
        code = servet_profile_add_node(profile, alike, nodes[i], error);
    return code;
}

static void remove_class(servet_profile *profile, int number)
{
    srv_class *class = (srv_class *)profile->classes.items + number;
    srv_shape_free(&srv_class_shape, class);
    profile->classes.count--;
    memmove(class, class + 1, (size_t)(profile->classes.count - number) * sizeof *class);
    srv_find_here(profile);
}

/* A class that was not measured gives up the nodes that `from` has measured. */
static void give_up(servet_profile *profile, const servet_profile *from)
{
    srv_class *classes = profile->classes.items;
    for (int i = profile->classes.count - 1; i >= 0; i--) {
        if (is_measured(&classes[i]))
            continue;
        drop_listed(from, &classes[i], true);
        if (!classes[i].nodes.count)
            remove_class(profile, i);
    }
}

/* Nodes that both have measured are as the job on more nodes saw them, for it could compare more.
 */
static int merge_nodes(servet_profile *profile, servet_profile *from, servet_error *error)
{
    int code = SERVET_OK;
    if (has_more_nodes(from, profile)) {
        swap(&profile->run, &from->run, sizeof from->run);
        swap(&profile->classes, &from->classes, sizeof from->classes);
        srv_find_here(profile);
        srv_find_here(from);
    }
    give_up(profile, from);
    while (from->classes.count && code == SERVET_OK) {
        srv_class *class = from->classes.items;
        int before = from->classes.count;
        drop_listed(profile, class, false);
        if ((is_measured(class) || is_named(class)) && class->nodes.count)
            code = join_class(profile, from, error);
        if (code == SERVET_OK && from->classes.count == before)
            remove_class(from, 0);
    }
    return code;
}

/* --- network ---------------------------------------------------------------------------------- */

/* Layers, and all that belongs to them, are those of the job on more nodes. */
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

/* Moves those measurements to the end of `all` that it has none like. */
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

/* Moves all measurements of a job to those `all->others` that it has none like. */
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

/* Their values have their own mark of trust; the job that they come from is no longer known. */
static void forget_doubts_of_ratios(srv_comm *comm)
{
    srv_doubt *doubts = comm->doubts.items;
    int left = 0;
    for (int i = 0; i < comm->doubts.count; i++)
        if (strncmp(doubts[i].fact, "layers", strlen("layers")) == 0)
            doubts[left++] = doubts[i];
    comm->doubts.count = left;
}

/* The first measurement becomes the one that queries read. */
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

/* Puts all measurements in the place of those of the job. */
static int store_ratios(srv_comm *comm, srv_comm *all, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < SERVET_DEGRADATION_COUNT && code == SERVET_OK; i++) {
        if (!all->others[i].count)
            continue;
        code = split(&all->others[i], &all->degradation[i], error);
        add_benchmark(&comm->fact, servet_degradation_name((servet_degradation)i));
    }
    swap(comm->degradation, all->degradation, sizeof comm->degradation);
    swap(comm->others, all->others, sizeof comm->others);
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
        swap(&profile->network, &from->network, sizeof from->network);
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
