/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/trusted.h"

#include <stdlib.h>

/* The marks of a list: for its content, for the number of its items, for each struct in it. */
enum { OF_LIST, OF_COUNT, OF_FIRST_ITEM };

/* --- computing the marks ---------------------------------------------------------------------- */

/* The marks in the order of the walk. Without room, they are only counted. */
typedef struct notes {
    bool *trust;
    int count;
} notes;

static bool is_list(const srv_field *field)
{
    return srv_has_structs(field) || field->type == SRV_VALUES || field->type == SRV_SETS ||
           field->type == SRV_PLACES;
}

static void note_member(notes *to, const srv_site *site, const srv_field *member, bool count)
{
    if (to->trust)
        to->trust[to->count] = srv_trust_member(site, member, count).trusted;
    to->count++;
}

static srv_site item_of(const srv_site *site, const srv_field *list, int index)
{
    srv_site item = *site;
    srv_site_enter(&item, list, list->type == SRV_MAYBE ? 0 : index + 1);
    return item;
}

static void note_items(notes *to, const srv_site *site, const srv_field *list, int items)
{
    for (int i = 0; i < items; i++, to->count++)
        if (to->trust) {
            const srv_site item = item_of(site, list, i);
            to->trust[to->count] = srv_trust_item(&item).trusted;
        }
}

/* Notes the marks of the struct of the site, `item`. */
static void note_struct(notes *to, const srv_site *site, void *item)
{
    for (const srv_field *field = site->shape->fields; field->name; field++) {
        srv_list *list = (void *)((char *)item + field->offset);
        if (!is_list(field))
            continue;
        list->trust_at = to->count;
        note_member(to, site, field, false);
        note_member(to, site, field, true);
        if (!srv_has_structs(field))
            continue;
        note_items(to, site, field, list->count);
        for (int i = 0; i < list->count; i++) {
            const srv_site below = item_of(site, field, i);
            note_struct(to, &below, (char *)list->items + (size_t)i * field->shape->size);
        }
    }
}

static const srv_field *saturation_row(void)
{
    return srv_row_named(&srv_class_shape, "memory.saturation");
}

static void note_all(notes *to, servet_profile *profile)
{
    srv_site site;
    srv_class *classes = profile->classes.items;
    srv_site_begin(&site, &srv_profile_shape, profile);
    note_struct(to, &site, profile);
    for (int i = 0; i < profile->classes.count; i++) {
        srv_site_begin(&site, &srv_class_shape, &classes[i]);
        classes[i].saturation_trust_at = to->count;
        note_member(to, &site, saturation_row(), false);
    }
}

int srv_trusted_note(servet_profile *profile)
{
    notes counted = {NULL, 0};
    note_all(&counted, profile);
    notes made = {malloc((size_t)counted.count * sizeof *made.trust), 0};
    if (!made.trust)
        return SERVET_EMEMORY;
    note_all(&made, profile);
    free(profile->trust);
    profile->trust = made.trust;
    return SERVET_OK;
}

void srv_trusted_forget(servet_profile *profile)
{
    free(profile->trust);
    profile->trust = NULL;
}

/* --- queries ---------------------------------------------------------------------------------- */

bool srv_trusts_item(const servet_profile *profile, const srv_site *site)
{
    return profile->trust ? profile->trust[site->holder->trust_at + OF_FIRST_ITEM + site->index]
                          : srv_trust_item(site).trusted;
}

bool srv_trusts_list(const servet_profile *profile, const srv_site *site, size_t offset, bool count)
{
    const srv_list *of = (const void *)((const char *)site->item + offset);
    return profile->trust ? profile->trust[of->trust_at + (count ? OF_COUNT : OF_LIST)]
                          : srv_trust_member(site, srv_row_at(site->shape, offset), count).trusted;
}

bool srv_trusts_saturation(const servet_profile *profile, const srv_class *class)
{
    srv_site site;
    srv_site_begin(&site, &srv_class_shape, class);
    return profile->trust ? profile->trust[class->saturation_trust_at]
                          : srv_trust_member(&site, saturation_row(), false).trusted;
}
