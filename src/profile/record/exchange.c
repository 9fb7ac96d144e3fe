/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges facts between two profiles of one machine. */
#include "servet/record.h"

#include <string.h>

#include "core/error.h"
#include "profile/index.h"
#include "profile/record/edit.h"
#include "profile/record/named.h"
#include "profile/trust.h"

static void exchange(const srv_shape *shape, const srv_field *field, void *one, void *other)
{
    (void)shape;
    srv_swap((char *)one + field->offset, (char *)other + field->offset, srv_member_size(field));
}

/* Adds the doubts of another profile about the facts of a name. */
static int take_doubts(srv_list *doubts, const srv_list *from, const char *name,
                       servet_error *error)
{
    char fact[SERVET_NAME_MAX];
    const srv_doubt *all = from->items;
    snprintf(fact, sizeof fact, "%.*s", (int)strcspn(name, " "), name);
    for (int i = 0; i < from->count; i++) {
        if (!srv_fact_covers(fact, all[i].fact))
            continue;
        srv_doubt *added = srv_list_add(doubts, sizeof *added);
        if (!added)
            return srv_fail_memory(error);
        *added = all[i];
    }
    return SERVET_OK;
}

int servet_profile_take(servet_profile *profile, servet_profile *from, int node_class,
                        const char *facts, servet_error *error)
{
    int code = servet_profile_forget_doubts(profile, node_class, facts, error);
    srv_class *its = srv_class_at(from, node_class, error), *to = profile->classes.items;
    if (code != SERVET_OK || !its)
        return code != SERVET_OK ? code : SERVET_EARGUMENT;
    to += node_class;
    srv_index_forget(profile);
    srv_index_forget(from);
    for (const char *name = srv_named_first(facts); *name && code == SERVET_OK;
         name = srv_named_next(name)) {
        (void)srv_named_each(&srv_class_shape, to, its, name, exchange);
        code = take_doubts(&to->doubts, &its->doubts, name, error);
    }
    return code;
}
