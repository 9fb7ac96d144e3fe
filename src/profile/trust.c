/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/trust.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the struct of a fact --------------------------------------------------------------------- */

const srv_field *srv_row_named(const srv_shape *shape, const char *name)
{
    const srv_field *field = shape->fields;
    while (field->name && strcmp(field->name, name) != 0)
        field++;
    return field->name ? field : NULL;
}

/* Each query begins here. The lists of later steps are not cleared. */
void srv_site_begin(srv_site *site, const srv_shape *shape, const void *item)
{
    site->shape = shape;
    site->item = item;
    site->doubts = shape == &srv_class_shape ? &((const srv_class *)item)->doubts : NULL;
    site->core = SERVET_ANY_CORE;
    site->of_job = false;
    site->holder = NULL;
    site->index = site->steps = 0;
}

/* Classes and communication have lists of doubts, whose paths begin there. */
void srv_site_enter(srv_site *site, const srv_field *list, int number)
{
    bool is_class = list->shape == &srv_class_shape, is_job = list->shape == &srv_comm_shape;
    site->holder = (const void *)((const char *)site->item + list->offset);
    site->index = number > 0 ? number - 1 : 0;
    site->shape = list->shape;
    site->item = (const char *)site->holder->items + (size_t)site->index * srv_item_size(list);
    if (is_class || is_job) {
        site->doubts = is_class ? &((const srv_class *)site->item)->doubts
                                : &((const srv_comm *)site->item)->doubts;
        site->of_job = is_job;
        site->steps = 0;
        return;
    }
    assert(site->steps < SRV_WAY_STEPS_MAX);
    site->list[site->steps] = list;
    site->number[site->steps++] = number;
}

/* Adds a word, and a number (0: none), to the path of a doubt. */
static void add_word(char path[SERVET_NAME_MAX], const char *name, int number)
{
    size_t used = strlen(path);
    snprintf(path + used, SERVET_NAME_MAX - used, number ? "%s%s.%d" : "%s%s", used ? "." : "",
             name, number);
}

/* Writes the path: "kinds.1.caches.2". */
static void write_path(const srv_site *site, char path[SERVET_NAME_MAX])
{
    *path = '\0';
    for (int i = 0; i < site->steps; i++)
        add_word(path, site->list[i]->name, site->number[i]);
}

void srv_site_path(const srv_site *site, const char *member, char path[SERVET_NAME_MAX])
{
    char within[SERVET_NAME_MAX];
    write_path(site, within);
    add_word(within, member, 0);
    snprintf(path, SERVET_NAME_MAX, "%s%s", site->of_job ? "network." : "", within);
}

/* --- doubts ----------------------------------------------------------------------------------- */

/* Moves `*at` behind its first word; returns the word's length. */
static size_t take_word(const char **at)
{
    const char *word = *at;
    size_t length = strcspn(word, ".");
    *at = word + length + (word[length] == '.');
    return length;
}

bool srv_fact_covers(const char *fact, const char *path)
{
    while (*fact && *path) {
        const char *of_fact = fact, *of_path = path;
        size_t length = take_word(&fact), path_length = take_word(&path);
        bool same = length == path_length && strncmp(of_fact, of_path, length) == 0;
        if (!same && !(*of_path >= '0' && *of_path <= '9'))
            return false;
        fact = same ? fact : of_fact;
    }
    return !*fact;
}

const srv_doubt *srv_site_doubt(const srv_site *site, const srv_field *member, bool count)
{
    char path[SERVET_NAME_MAX];
    if (!site->doubts || site->doubts->count == 0)
        return NULL;
    write_path(site, path);
    if (member)
        add_word(path, member->name, 0);
    if (count)
        add_word(path, "count", 0);
    const srv_doubt *doubts = site->doubts->items;
    for (int i = 0; i < site->doubts->count; i++)
        if (srv_fact_covers(doubts[i].fact, path))
            return &doubts[i];
    return NULL;
}

/* --- answers ---------------------------------------------------------------------------------- */

static servet_trust not_trusted(double confidence, const char *reason)
{
    servet_trust trust = {.trusted = false, .confidence = confidence};
    snprintf(trust.reason, sizeof trust.reason, "%s", reason);
    return trust;
}

servet_trust srv_trust_value(const servet_value *value, const srv_doubt *doubt)
{
    if (value->trusted)
        return (servet_trust){.trusted = true, .confidence = NAN};
    if (doubt)
        return not_trusted(NAN, doubt->reason);
    if (value->method == SERVET_METHOD_OS)
        return not_trusted(NAN, SRV_ONLY_REPORTED);
    if (value->method == SERVET_METHOD_TURNOVER)
        return not_trusted(NAN, "others use the cache: it is what they leave");
    if (value->method == SERVET_METHOD_INTERPOLATED)
        return not_trusted(NAN, "beyond what was measured, or between values not trusted");
    return not_trusted(NAN, "the measurements do not determine it");
}

/* Returns the main value of the struct: the first known one; NULL: there is none. */
static const servet_value *main_value(const srv_shape *shape, const void *item)
{
    for (const srv_field *field = shape->fields; field->name; field++) {
        const servet_value *value = (const void *)((const char *)item + field->offset);
        if (field->type == SRV_VALUE && servet_value_known(value) &&
            value->method != SERVET_METHOD_OS)
            return value;
    }
    return NULL;
}

bool srv_is_counted(const srv_shape *shape, const void *item)
{
    const servet_value *value = main_value(shape, item);
    return value && value->trusted && value->method == SERVET_METHOD_CONFLICT;
}

/* The confidence in the struct; NaN if it has none. */
static double confidence_of(const srv_shape *shape, const void *item)
{
    const srv_field *field = srv_row_named(shape, "confidence");
    return field ? *(const double *)(const void *)((const char *)item + field->offset) : NAN;
}

double srv_site_confidence(const srv_site *site)
{
    return confidence_of(site->shape, site->item);
}

/* The least confidence of the items of a list; NaN if they have none. */
static double confidence_in(const srv_field *field, const srv_list *list)
{
    double least = NAN;
    for (int i = 0; i < list->count; i++)
        least = fmin(least, confidence_of(field->shape, (const char *)list->items +
                                                            (size_t)i * field->shape->size));
    return least;
}

/* Returns the confidence in a member that is not a value: the confidence in its struct, in members
 * beside it, or in its items. The confidence in the groups of a level is at most that in the level.
 */
static double confidence_at(const srv_site *site, const srv_field *member, bool count)
{
    const srv_field *about = member->about ? srv_row_named(site->shape, member->about) : NULL;
    const srv_field *list = about ? about : member;
    double own = member->type == SRV_OBJECT ? NAN : confidence_of(site->shape, site->item);
    if (about || (count && list->shape && list->shape != &srv_value_shape))
        return fmin(own,
                    confidence_in(list, (const void *)((const char *)site->item + list->offset)));
    return own;
}

static servet_trust trust_confidence(double confidence)
{
    servet_trust trust = {.trusted = !(confidence < SRV_CONFIDENCE_LEAST),
                          .confidence = confidence};
    if (!trust.trusted)
        snprintf(trust.reason, sizeof trust.reason, "confidence of %.0f %%", confidence * 100);
    return trust;
}

/* Returns true for words and numbers: their trust depends on the struct's values. */
static bool is_scalar(srv_type type)
{
    return type == SRV_INTEGER || type == SRV_COUNT || type == SRV_NUMBER || type == SRV_BOOL ||
           type == SRV_WORD;
}

servet_trust srv_trust_member(const srv_site *site, const srv_field *member, bool count)
{
    double confidence = confidence_at(site, member, count);
    const srv_doubt *doubt = srv_site_doubt(site, member, count);
    const servet_value *of = is_scalar(member->type) ? main_value(site->shape, site->item) : NULL;
    if (of && srv_is_counted(site->shape, site->item))
        return (servet_trust){.trusted = true, .confidence = confidence};
    if (doubt)
        return not_trusted(confidence, doubt->reason);
    servet_trust trust = of ? srv_trust_value(of, NULL) : trust_confidence(confidence);
    trust.confidence = confidence;
    return trust;
}

servet_trust srv_trust_item(const srv_site *site)
{
    servet_trust trust = {.trusted = true, .confidence = NAN};
    const srv_doubt *doubt = srv_site_doubt(site, NULL, false);
    if (site->shape == &srv_value_shape)
        return srv_trust_value(site->item, doubt);
    const servet_value *of = main_value(site->shape, site->item);
    if (of)
        trust = srv_trust_value(of, doubt);
    for (const srv_field *field = site->shape->fields; field->name && trust.trusted; field++)
        if (is_scalar(field->type))
            trust = srv_trust_member(site, field, false);
    return trust;
}
