/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/store.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ranges.h"

int srv_store(servet_profile *profile, int node_class, const void *facts, size_t size, int count,
              servet_error *error, const char *path, ...)
{
    char text[SERVET_TEXT_MAX];
    va_list numbers;
    va_start(numbers, path);
    vsnprintf(text, sizeof text, path, numbers);
    va_end(numbers);
    return servet_profile_set(profile, node_class, text, facts, size, count, error);
}

int srv_doubt_facts(servet_profile *profile, int node_class, const char *reason,
                    servet_error *error, const char *paths, ...)
{
    char text[SERVET_TEXT_MAX];
    va_list numbers;
    va_start(numbers, paths);
    vsnprintf(text, sizeof text, paths, numbers);
    va_end(numbers);
    return servet_profile_distrust(profile, node_class, text, reason, error);
}

/* The reason of the doubt about a core type's memory; "" if it was shown to be memory. */
static void find_doubt(const servet_profile *profile, const servet_kind *kind, servet_at at,
                       servet_trust *trust)
{
    const char *cores = kind->cores;
    int last;
    (void)srv_ranges_next(&cores, &at.core, &last);
    int code = servet_profile_trust(profile, &at, "caches.count", trust, NULL);
    if (code != SERVET_OK || strncmp(trust->reason, SRV_HIDDEN_CACHE, strlen(SRV_HIDDEN_CACHE)))
        *trust->reason = '\0';
}

int srv_doubt_memory(servet_profile *profile, int node_class, int number, const char *facts,
                     servet_error *error)
{
    const servet_at any = {.node_class = servet_profile_class_name(profile, node_class),
                           .core = SERVET_ANY_CORE};
    servet_kind kind;
    int code = SERVET_OK;
    for (int i = 0; code == SERVET_OK && servet_kind_get(profile, &any, i, &kind) == SERVET_OK;
         i++) {
        servet_trust trust;
        find_doubt(profile, &kind, any, &trust);
        if (*trust.reason && (number == 0 || number == i + 1))
            code = servet_profile_distrust(profile, node_class, facts, trust.reason, error);
    }
    return code;
}

int srv_add_groups(srv_sets *sets, const int *number, const int *group, int items, int groups,
                   int least, servet_error *error)
{
    enum { DIGITS_MAX = 8 }; /* of a number, with its comma */
    size_t room = (size_t)items + 1;
    int code = SERVET_OK, *member = calloc(room, sizeof *member);
    char *text = malloc(room * DIGITS_MAX);
    if (!member || !text)
        code = srv_fail_memory(error);
    for (int k = 0; k < groups && code == SERVET_OK; k++) {
        int members = 0;
        for (int i = 0; i < items; i++)
            if (group[i] == k)
                member[members++] = number[i];
        if (members >= least) {
            srv_ranges_write(member, members, text, room * DIGITS_MAX);
            code = srv_sets_add(sets, text, error);
        }
    }
    free(member);
    free(text);
    return code;
}

static bool is_reported(const srv_sets *sets, const char *group)
{
    for (int i = 0; i < sets->count; i++)
        if (strcmp(sets->set[i], group) == 0)
            return true;
    return false;
}

servet_verdict srv_compare_groups(const srv_sets *sets, const srv_sets *groups)
{
    int joined = 0, reported = 0;
    for (int i = 0; i < groups->count; i++)
        if (srv_ranges_count(groups->set[i]) > 1) {
            joined++;
            reported += is_reported(sets, groups->set[i]);
        }
    if (reported == joined)
        return SERVET_VERDICT_AGREES;
    return reported > 0 ? SERVET_VERDICT_DIFFERS : SERVET_VERDICT_NOT_VISIBLE;
}

servet_verdict srv_compare_instances(const srv_sets *instances, const char *const *groups,
                                     int count)
{
    if (instances->count == 0)
        return SERVET_VERDICT_NOT_VISIBLE;
    for (int i = 0; i < count; i++)
        if (!is_reported(instances, groups[i]))
            return SERVET_VERDICT_DIFFERS;
    return SERVET_VERDICT_AGREES;
}
