/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/here.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/host.h"
#include "core/names.h"

_Static_assert((int)SRV_FINGERPRINT_MAX == (int)SERVET_TEXT_MAX,
               "a fingerprint is a text of the profile");

SRV_NAMES(servet_identity_name, servet_identity, SERVET_IDENTITY_LIST)

int servet_node_fingerprint(char *text, size_t size)
{
    char whole[SRV_FINGERPRINT_MAX];
    srv_host_fingerprint("", whole);
    snprintf(text, size, "%s", whole);
    return strlen(whole) < size ? SERVET_OK : SERVET_ERANGE;
}

/* --- one class -------------------------------------------------------------------------------- */

/* Returns true if both fingerprints have this word, with different values. */
static bool contradicts(const char *a, const char *b, const char *word)
{
    char of_a[SRV_FINGERPRINT_MAX], of_b[SRV_FINGERPRINT_MAX];
    return srv_fingerprint_word(a, word, of_a, sizeof of_a) &&
           srv_fingerprint_word(b, word, of_b, sizeof of_b) && strcmp(of_a, of_b) != 0;
}

static bool other_processor(const char *a, const char *b)
{
    return contradicts(a, b, "arch") || contradicts(a, b, "cpu") || contradicts(a, b, "model");
}

bool servet_fingerprints_differ(const char *was, const char *is, char *text, size_t size)
{
    char name[32], of_was[SRV_FINGERPRINT_MAX], of_is[SRV_FINGERPRINT_MAX];
    *text = '\0';
    if (!*was || !*is || !srv_fingerprint_differs(was, is, name, sizeof name))
        return false;
    srv_fingerprint_word(was, name, of_was, sizeof of_was);
    srv_fingerprint_word(is, name, of_is, sizeof of_is);
    snprintf(text, size, "%s was %.48s and is %.48s", name, *of_was ? of_was : "unknown",
             *of_is ? of_is : "unknown");
    return true;
}

/* Returns true, and writes the difference, if a node with this fingerprint has another type than
 * the nodes of a class. If the class's fingerprint is missing, or names no processor, every node
 * differs. */
static bool differs(const srv_class *class, const char *fingerprint, char *text, size_t size)
{
    const char *known = class->machine.fingerprint;
    char word[SRV_FINGERPRINT_MAX];
    if (servet_fingerprints_differ(known, fingerprint, text, size))
        return true;
    if (!*known)
        snprintf(text, size, "it was measured by an older Servet, which recorded no fingerprint");
    else if (!srv_fingerprint_word(known, "cpu", word, sizeof word))
        snprintf(text, size, "the processor is not known");
    return *text != '\0';
}

/* --- all classes ------------------------------------------------------------------------------ */

/* Returns true if a simulated machine was measured: its clock is virtual. */
static bool is_model(const servet_profile *profile)
{
    const servet_run *run = profile->run.items;
    return profile->run.count > 0 && strcmp(run->clock, "virtual") == 0;
}

/* Returns the number of classes whose nodes have this fingerprint, and the last of these classes in
 * `*found` (-1 if there is none). */
static int count_alike(const servet_profile *profile, const char *fingerprint, int *found)
{
    const srv_class *classes = profile->classes.items;
    char difference[SERVET_TEXT_MAX];
    int count = 0;
    *found = -1;
    for (int i = 0; i < profile->classes.count; i++)
        if (!differs(&classes[i], fingerprint, difference, sizeof difference)) {
            *found = i;
            count++;
        }
    return count;
}

static servet_identity identify(const servet_profile *profile, const char *host,
                                const char *fingerprint, int *index)
{
    const srv_class *classes = profile->classes.items;
    servet_identity how = SERVET_IDENTITY_NONE;
    int found = -1;
    if (servet_profile_class_of(profile, host, &found) == SERVET_OK) {
        if (!other_processor(classes[found].machine.fingerprint, fingerprint))
            how = SERVET_IDENTITY_LISTED;
    } else if (is_model(profile) && profile->classes.count == 1) {
        found = 0;
        how = SERVET_IDENTITY_MODEL;
    } else if (count_alike(profile, fingerprint, &found) == 1) {
        how = SERVET_IDENTITY_ALIKE;
    }
    *index = how == SERVET_IDENTITY_NONE ? -1 : found;
    return how;
}

static int fail_other(const servet_profile *profile, const char *host, const char *fingerprint,
                      servet_error *error)
{
    const srv_class *classes = profile->classes.items;
    char what[SERVET_TEXT_MAX];
    int last, index = 0, alike = count_alike(profile, fingerprint, &last);
    bool listed = servet_profile_class_of(profile, host, &index) == SERVET_OK;
    if (listed || profile->classes.count == 1)
        (void)differs(&classes[index], fingerprint, what, sizeof what);
    else if (alike > 1)
        snprintf(what, sizeof what, "%d node classes have nodes of this type", alike);
    else
        snprintf(what, sizeof what, "no node class has nodes of this type");
    return srv_fail_at(
        error, SERVET_EOTHER, profile->path, 0,
        "not of this node: %.40s %s: %.114s; measure this node, or name a node class", host,
        listed ? "is listed, but has changed" : "is not listed", what);
}

int servet_profile_identify(const servet_profile *profile, const char *host,
                            const char *fingerprint, int *index, servet_identity *identity,
                            servet_error *error)
{
    int found;
    servet_identity how = identify(profile, host, fingerprint, &found);
    if (identity)
        *identity = how;
    if (found < 0)
        return fail_other(profile, host, fingerprint, error);
    if (index)
        *index = found;
    return SERVET_OK;
}

/* --- this node -------------------------------------------------------------------------------- */

servet_identity servet_profile_identity(const servet_profile *profile)
{
    return profile->identity;
}

int servet_profile_here(const servet_profile *profile, int *index, servet_error *error)
{
    char host[SRV_HOST_NAME_MAX], fingerprint[SRV_FINGERPRINT_MAX];
    if (profile->here < 0) {
        srv_host_name(host);
        srv_host_fingerprint("", fingerprint);
        return fail_other(profile, host, fingerprint, error);
    }
    if (index)
        *index = profile->here;
    return SERVET_OK;
}

void srv_find_here(servet_profile *profile)
{
    char host[SRV_HOST_NAME_MAX], fingerprint[SRV_FINGERPRINT_MAX];
    srv_host_name(host);
    srv_host_fingerprint("", fingerprint);
    profile->identity = identify(profile, host, fingerprint, &profile->here);
    if (*profile->path || profile->classes.count == 0)
        return;
    profile->identity = SERVET_IDENTITY_RECORDED;
    if (servet_profile_class_of(profile, host, &profile->here) != SERVET_OK)
        profile->here = 0;
}

bool srv_is_here(const servet_profile *profile, int node_class)
{
    char host[SRV_HOST_NAME_MAX];
    int listing;
    if (node_class < 0 || node_class != profile->here || is_model(profile))
        return false;
    if (profile->identity != SERVET_IDENTITY_RECORDED)
        return true;
    srv_host_name(host);
    return servet_profile_class_of(profile, host, &listing) == SERVET_OK && listing == node_class;
}
