/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement of the threads of a process. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "core/ranges.h"
#include "place/choose.h"
#include "profile/types.h"
#include "servet/node.h"

SRV_NAMES(servet_policy_name, servet_policy, SERVET_POLICY_LIST)

/* --- the node --------------------------------------------------------------------------------- */

/* What a placement is about. */
typedef struct wanted {
    const servet_profile *profile;
    servet_at at; /* the class, and no core */
    int node_class;
    servet_policy policy;
    const int *among;
    int among_count;
} wanted;

static int begin_request(wanted *request, const servet_profile *profile, const servet_at *at,
                         servet_policy policy, const int *among, int among_count,
                         servet_error *error)
{
    const srv_class *class = srv_class_named(profile, at);
    if ((unsigned)policy >= SERVET_POLICY_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown policy %d", (int)policy);
    if (!class)
        return srv_no_class(profile, at, error);
    request->profile = profile;
    request->at = (servet_at){.node_class = class->name, .core = SERVET_ANY_CORE};
    request->node_class = (int)(class - (const srv_class *)profile->classes.items);
    request->policy = policy;
    request->among = among;
    request->among_count = among_count;
    return SERVET_OK;
}

/* The rules leave out what they do not know; a policy that is about memory needs to know it. */
static int check_memory(const wanted *request, const srv_thread_cores *candidates,
                        servet_error *error)
{
    int levels;
    if (request->policy != SERVET_POLICY_MEMORY || candidates->class.core_count == 1)
        return SERVET_OK;
    int code = servet_memory_level_count(request->profile, &request->at, &levels);
    return code == SERVET_OK
               ? SERVET_OK
               : srv_fail(error, code, "which cores contend for memory was not measured%s",
                          code == SERVET_EUNTRUSTED ? " without noise" : "");
}

/* Cores for up to `threads` threads; `cores` has that room. */
static int choose(const wanted *request, int threads, int *cores, int *count, servet_error *error)
{
    srv_thread_cores candidates = {0};
    int code = srv_thread_cores_begin(&candidates, request->profile, request->node_class,
                                      request->among, request->among_count, error);
    int most = candidates.class.core_count < threads ? candidates.class.core_count : threads;
    int *chosen = calloc((size_t)most + 1, sizeof *chosen);
    if (code == SERVET_OK && !chosen)
        code = srv_fail_memory(error);
    if (code == SERVET_OK)
        code = check_memory(request, &candidates, error);
    if (code == SERVET_OK)
        code = srv_choose(&candidates, request->policy, most, chosen, count, error);
    for (int i = 0; code == SERVET_OK && i < *count; i++)
        cores[i] = candidates.class.cores[chosen[i]];
    free(chosen);
    srv_thread_cores_finish(&candidates);
    return code;
}

/* --- placements ------------------------------------------------------------------------------- */

/* A placement that is the same without doubtful facts depends on none of them. */
static int check_sure(const wanted *request, const int *cores, int threads, bool *sure,
                      servet_error *error)
{
    servet_profile trusted = *request->profile;
    int count, *again = calloc((size_t)threads, sizeof *again);
    if (!again)
        return srv_fail_memory(error);
    trusted.trusted_only = true;
    wanted sure_only = *request;
    sure_only.profile = &trusted;
    int code = choose(&sure_only, threads, again, &count, NULL);
    *sure = code == SERVET_OK && count == threads &&
            memcmp(again, cores, (size_t)threads * sizeof *cores) == 0;
    free(again);
    return code == SERVET_EMEMORY ? srv_fail_memory(error) : SERVET_OK;
}

static int place(const wanted *request, int *cores, int threads, bool *sure, servet_error *error)
{
    int count;
    int code = choose(request, threads, cores, &count, error);
    if (code == SERVET_OK && count < threads)
        code = srv_fail(error, SERVET_ERANGE, "%d threads do not fit: %s has cores for %d", threads,
                        servet_policy_name(request->policy), count);
    return code == SERVET_OK ? check_sure(request, cores, threads, sure, error) : code;
}

int servet_thread_place(const servet_profile *profile, const servet_at *at, servet_policy policy,
                        const int *among, int among_count, int cores[], int threads, bool *trusted,
                        servet_error *error)
{
    wanted request;
    servet_profile all = *profile;
    bool sure = false;
    if (threads < 1)
        return srv_fail(error, SERVET_EARGUMENT, "the number of threads must be at least 1");
    int *placed = calloc((size_t)threads, sizeof *placed);
    int code = placed ? begin_request(&request, &all, at, policy, among, among_count, error)
                      : srv_fail_memory(error);
    all.trusted_only = false;
    if (code == SERVET_OK)
        code = place(&request, placed, threads, &sure, error);
    if (code == SERVET_OK && profile->trusted_only && !sure)
        code = srv_fail(error, SERVET_EUNTRUSTED,
                        "the placement depends on facts that are not trusted");
    if (code == SERVET_OK) {
        memcpy(cores, placed, (size_t)threads * sizeof *cores);
        if (trusted)
            *trusted = sure;
    }
    free(placed);
    return code;
}

/* --- how many --------------------------------------------------------------------------------- */

/* How many of the cores from `first` on are in a set (NULL: all) and not yet counted; they are
 * then. */
static int count_in(const char *set, const int *cores, int count, bool *counted)
{
    int members = 0;
    for (int i = 0; i < count; i++)
        if (!counted[i] && (!set || srv_ranges_contain(set, cores[i]))) {
            counted[i] = true;
            members++;
        }
    return members;
}

/* Of each group of cores that contend those that saturate its memory; cores in none count all. */
static int saturating(const wanted *request, const int *cores, int count, bool *counted,
                      int *threads)
{
    int enough = 0, code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        servet_at at = request->at;
        servet_saturation advice;
        at.core = cores[i];
        if (counted[i])
            continue;
        code = servet_memory_saturation_of(request->profile, &at, &advice);
        int members = code == SERVET_OK ? count_in(advice.cores, cores, count, counted) : 1;
        enough += code == SERVET_OK && advice.enough < members ? advice.enough : members;
        counted[i] = true;
        code = code == SERVET_EUNMEASURED ? SERVET_OK : code;
    }
    if (code == SERVET_OK)
        *threads = enough;
    return code;
}

static int core_count(const wanted *request)
{
    const srv_class *classes = request->profile->classes.items;
    return srv_ranges_count(classes[request->node_class].machine.cores);
}

int servet_thread_room(const servet_profile *profile, const servet_at *at, servet_policy policy,
                       const int *among, int among_count, int *threads, servet_error *error)
{
    wanted request;
    int count, code = begin_request(&request, profile, at, policy, among, among_count, error);
    int most = code == SERVET_OK ? core_count(&request) : 0;
    int *cores = calloc((size_t)most + 1, sizeof *cores);
    bool *counted = calloc((size_t)most + 1, sizeof *counted);
    if (code == SERVET_OK && (!cores || !counted))
        code = srv_fail_memory(error);
    if (code == SERVET_OK)
        code = choose(&request, most, cores, &count, error);
    if (code == SERVET_OK && policy == SERVET_POLICY_MEMORY) {
        code = saturating(&request, cores, count, counted, threads);
        if (code != SERVET_OK)
            code = srv_fail(error, code, "how many cores saturate memory is not trusted");
    } else if (code == SERVET_OK) {
        *threads = count;
    }
    free(cores);
    free(counted);
    return code;
}
