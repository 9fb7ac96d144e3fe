/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a profile is fit for use: the one rule, for all that store or install one.
 */
#include "servet/node.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "profile/trust.h"

/* --- facts ------------------------------------------------------------------------------------ */

static bool untrusted(const servet_value *value)
{
    return servet_value_known(value) && !value->trusted;
}

/* The reachable part of a cache with turnover is no capacity, and never trusted as one. */
static bool doubtful_cache(const servet_cache *cache)
{
    return (cache->kind == SERVET_CACHE_CAPACITY && untrusted(&cache->bytes)) ||
           untrusted(&cache->latency);
}

/* What a profile lists, and the value that each item rests on; NULL: that of the list's own key. */
typedef struct part {
    const char *name, *list, *value;
} part;

/* Placements and block sizes rest on these and on caches; the rest (TLBs, loads in flight, curves)
 * refines them. */
static const part of_class[] = {
    {"coherence block", "coherence", "line"},
    {"distances between cores", "distances", "latency"},
    {"memory bandwidth", "memory_bandwidth", NULL},
    {"memory overhead of several cores", "memory_levels", "bandwidth"},
};
static const part of_job = {"communication layers", "layers", "latency"};

/* Whether the value of any item in the list of a struct is not trusted. */
static bool doubtful_part(const srv_shape *shape, const void *item, const part *of)
{
    const srv_field *row = srv_row_named(shape, of->list);
    const srv_list *list = (const void *)((const char *)item + row->offset);
    bool doubtful = false;
    if (!of->value) {
        const servet_value *value = row->derived->pick(item);
        return value && untrusted(value);
    }
    size_t at = srv_row_named(row->shape, of->value)->offset;
    for (int i = 0; i < list->count; i++) {
        const char *start = (const char *)list->items + (size_t)i * row->shape->size;
        doubtful = doubtful || untrusted((const void *)(start + at));
    }
    return doubtful;
}

/* --- "L1, L2 and memory bandwidth" ------------------------------------------------------------ */

/* The last one is kept back, because "and" precedes it. What is too long is cut. */
typedef struct enumeration {
    char *text; /* of SERVET_TEXT_MAX bytes */
    char last[SERVET_TEXT_MAX];
} enumeration;

static void append(enumeration *list, const char *before)
{
    size_t used = strlen(list->text);
    snprintf(list->text + used, SERVET_TEXT_MAX - used, "%s%s", used ? before : "", list->last);
}

static void add(enumeration *list, const char *name, const char *of)
{
    if (*list->last)
        append(list, ", ");
    snprintf(list->last, sizeof list->last, "%s%s%.*s", name, *of ? " of node class " : "",
             SERVET_NAME_MAX, of);
}

/* --- a class ---------------------------------------------------------------------------------- */

/* Levels of any core kind that are doubtful, as bits. */
static unsigned doubtful_levels(const srv_class *class)
{
    const srv_core_kind *kinds = class->kinds.items;
    unsigned levels = 0;
    for (int i = 0; i < class->kinds.count; i++) {
        const srv_cache *caches = kinds[i].caches.items;
        for (int j = 0; j < kinds[i].caches.count; j++)
            levels |= (unsigned)doubtful_cache(&caches[j].fact) << (j + 1);
    }
    return levels;
}

/* `of` is the class's name where there are several, else "". */
static void add_class(enumeration *list, const srv_class *class, const char *of)
{
    unsigned levels = doubtful_levels(class);
    char name[SERVET_NAME_MAX];
    for (int level = 1; level <= SERVET_CACHE_LEVELS_MAX; level++)
        if (levels >> level & 1) {
            snprintf(name, sizeof name, "L%d", level);
            add(list, name, of);
        }
    for (size_t i = 0; i < sizeof of_class / sizeof *of_class; i++)
        if (doubtful_part(&srv_class_shape, class, &of_class[i]))
            add(list, of_class[i].name, of);
}

/* Of one class, or of all. */
static void list_doubtful(const servet_profile *profile, const srv_class *one, char *text)
{
    enumeration list = {text, ""};
    const srv_class *classes = profile->classes.items;
    int count = profile->classes.count;
    if (one)
        add_class(&list, one, "");
    for (int i = 0; i < count && !one; i++)
        add_class(&list, &classes[i], count > 1 ? classes[i].name : "");
    if (profile->network.count && doubtful_part(&srv_comm_shape, profile->network.items, &of_job))
        add(&list, of_job.name, "");
    append(&list, " and ");
}

/* --- noise ------------------------------------------------------------------------------------ */

/* As for each fact (SRV_DISTURBED in machine/machine.h): medians survive when up to half of the
 * samples are disturbed, and the noise between two samples may exceed theirs. A share that a quiet
 * virtual machine loses, too, is not reported (share/doc/measuring.md). */
static const double TOO_MUCH = 0.25, WORTH_SAYING = 0.05;

static const struct disturbance {
    size_t offset; /* of the share in servet_run */
    const char *before, *after;
} disturbances[] = {
    {offsetof(servet_run, noise), "other work took", "of the measuring time"},
    {offsetof(servet_run, others), "other processes had the cores", "of the time"},
    {offsetof(servet_run, steal), "the hypervisor took", "of the time"},
    {offsetof(servet_run, drift), "cores slowed down by", "meanwhile"},
};

/* The greatest share that the run lost, and how. */
static double worst_share(const servet_run *run, char *text)
{
    double worst = 0;
    for (size_t i = 0; i < sizeof disturbances / sizeof *disturbances; i++) {
        const struct disturbance *what = &disturbances[i];
        const servet_value *share = (const void *)((const char *)run + what->offset);
        if (!servet_value_known(share) || share->value <= worst)
            continue;
        worst = share->value;
        snprintf(text, SERVET_TEXT_MAX, "%s %.0f %% %s", what->before, 100 * worst, what->after);
    }
    if (worst <= WORTH_SAYING)
        *text = '\0';
    return worst;
}

/* The noise of a run is that of its noisiest node, which need not be one that speaks for a class.
 */
static bool has_one_node(const servet_profile *profile)
{
    const srv_class *classes = profile->classes.items;
    return profile->classes.count == 1 && classes[0].nodes.count < 2;
}

/* --- the rule --------------------------------------------------------------------------------- */

int servet_profile_fitness(const servet_profile *profile, const servet_at *at,
                           servet_fitness *fitness)
{
    servet_run run;
    const srv_class *class = at && at->node_class ? srv_class_named(profile, at) : NULL;
    int code = SRV_CHECK_RESERVED(servet_at, at, NULL);
    if (code != SERVET_OK)
        return code;
    *fitness = (servet_fitness){.fit = false};
    if (at && at->node_class && !class)
        return SERVET_ERANGE;
    double lost =
        servet_profile_run(profile, &run) == SERVET_OK ? worst_share(&run, fitness->noise) : 0;
    list_doubtful(profile, class, fitness->doubtful);
    fitness->fit = !*fitness->doubtful && !(has_one_node(profile) && lost > TOO_MUCH);
    return SERVET_OK;
}
