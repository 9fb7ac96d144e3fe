/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether a profile is fit for use; all programs that store or install one use this rule.
 */
#include "servet/record.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ranges.h"
#include "core/text.h"
#include "profile/trust.h"

/* --- "L1, L2 and memory bandwidth of node class fat, and L3 of node class thin" ----------------
 */

/* A list of items. The last item is written later, because "and" precedes it. */
typedef struct enumeration {
    FILE *to;              /* NULL: items are only counted */
    const char *benchmark; /* only parts that it measures; NULL: all parts */
    int count, in_group;   /* number of items in all groups, and in the last group */
    char last[SERVET_NAME_MAX];
} enumeration;

static void write_last(enumeration *list, const char *between)
{
    const char *before = list->count > list->in_group ? ", and " : "";
    if (list->to && list->in_group)
        fprintf(list->to, "%s%s", list->in_group > 1 ? between : before, list->last);
}

static void add(enumeration *list, const char *name)
{
    write_last(list, ", ");
    snprintf(list->last, sizeof list->last, "%s", name);
    list->count++;
    list->in_group++;
}

/* Ends a group: the items since the last call belong to node class `of`; "": to the whole profile.
 */
static void end_group(enumeration *list, const char *of)
{
    write_last(list, " and ");
    if (list->to && list->in_group && *of)
        fprintf(list->to, " of node class %s", of);
    list->in_group = 0;
}

/* Adds the doubtful parts of a class, or of the job, that programs use, and that another
 * measurement might decide. */
static void add_parts(enumeration *list, const servet_profile *profile, const servet_at *at,
                      bool of_job)
{
    servet_part part;
    for (int i = 0; servet_profile_part(profile, at, i, &part) == SERVET_OK; i++)
        if (part.of_job == of_job && part.used && *part.doubt &&
            (!list->benchmark || strcmp(list->benchmark, part.benchmark) == 0))
            add(list, part.name);
}

/* Lists doubtful facts of one class, or of all. */
static void list_doubtful(enumeration *list, const servet_profile *profile, const srv_class *one)
{
    const srv_class *classes = one ? one : profile->classes.items;
    int count = one ? 1 : profile->classes.count;
    for (int i = 0; i < count; i++) {
        const servet_at at = {classes[i].name, SERVET_ANY_CORE};
        add_parts(list, profile, &at, false);
        if (count > 1)
            end_group(list, classes[i].name);
    }
    add_parts(list, profile, &(servet_at){NULL, SERVET_ANY_CORE}, true);
    end_group(list, "");
}

/* --- noise ------------------------------------------------------------------------------------ */

/* Least share of lost time that is reported. A quiet virtual machine loses 2-5 % to its host
 * (share/doc/measuring.md); users cannot avoid a share below twice that. */
static const double WORTH_SAYING = 0.1;

static const struct disturbance {
    size_t offset; /* offset of the share in servet_run */
    const char *before, *after;
} disturbances[] = {
    {offsetof(servet_run, noise), "other work took", "of the measuring time"},
    {offsetof(servet_run, others), "other processes had the cores", "of the time"},
    {offsetof(servet_run, steal), "the hypervisor took", "of the time"},
    {offsetof(servet_run, drift), "cores slowed down by", "meanwhile"},
};

/* Writes the largest share of time that the run lost, and the reason; "" if it is small. */
static void say_noise(const servet_run *run, char *text)
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
}

/* --- the rule --------------------------------------------------------------------------------- */

/* Finds the class that `at` names; NULL: it names none. */
static int find_class(const servet_profile *profile, const servet_at *at, const srv_class **class)
{
    bool names = at && at->node_class;
    *class = names ? srv_class_named(profile, at) : NULL;
    return names && !*class ? SERVET_ERANGE : SERVET_OK;
}

int servet_profile_fitness(const servet_profile *profile, const servet_at *at,
                           servet_fitness *fitness)
{
    servet_run run;
    const srv_class *class;
    enumeration doubtful = {.to = NULL};
    int code = find_class(profile, at, &class);
    if (code == SERVET_EARGUMENT)
        return code;
    *fitness = (servet_fitness){.fit = false};
    if (code != SERVET_OK)
        return code;
    if (servet_profile_run(profile, &run) == SERVET_OK)
        say_noise(&run, fitness->noise);
    list_doubtful(&doubtful, profile, class);
    fitness->doubtful_count = doubtful.count;
    fitness->fit = !doubtful.count;
    return SERVET_OK;
}

bool servet_profile_doubts(const servet_profile *profile, const servet_at *at,
                           const char *benchmark)
{
    enumeration doubtful = {.to = NULL, .benchmark = benchmark};
    add_parts(&doubtful, profile, at, false);
    return doubtful.count > 0;
}

typedef struct wanted {
    const servet_profile *profile;
    const srv_class *class;
} wanted;

static void write_doubtful(FILE *to, const void *context)
{
    const wanted *of = context;
    enumeration list = {.to = to};
    list_doubtful(&list, of->profile, of->class);
}

int servet_profile_doubtful(const servet_profile *profile, const servet_at *at, char *text,
                            size_t size)
{
    wanted of = {profile, NULL};
    int code = find_class(profile, at, &of.class);
    if (code != SERVET_OK)
        return code;
    char *list = srv_text_written(write_doubtful, &of);
    if (!list)
        return SERVET_EMEMORY;
    bool fits = strlen(list) < size;
    if (fits)
        memcpy(text, list, strlen(list) + 1);
    free(list);
    return fits ? SERVET_OK : SERVET_ERANGE;
}
