/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the number of threads that a policy can use. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/quota.h"
#include "core/ranges.h"
#include "place/request.h"
#include "profile/here.h"
#include "profile/types.h"
#include "servet/advice.h"
#include "servet/node.h"

/* The number of cores in a set (NULL: all) that are not yet counted; marks them as counted. */
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

/* Adds to `*threads` the number of PUs that saturate the memory of the group of cores[first],
 * limited to the PUs of the group among `cores`; 1 for a core in no group. */
static int saturate_group(const srv_core_request *request, const int *cores, int count, int first,
                          bool *counted, int *threads)
{
    const servet_at at = {.node_class = request->at.node_class, .core = cores[first]};
    servet_saturation group;
    int code = servet_memory_saturation_of(request->profile, &at, &group);
    int members = code == SERVET_OK ? count_in(group.cores, cores, count, counted) : 1;
    counted[first] = true;
    *threads += code == SERVET_OK && group.enough < members ? group.enough : members;
    return code == SERVET_EUNMEASURED ? SERVET_OK : code;
}

/* Adds up the numbers of threads that saturate each group. The sum is limited to the number that
 * saturates the node. */
static int saturate(const srv_core_request *request, const int *cores, int count, int *threads)
{
    bool *counted = calloc((size_t)count + 1, sizeof *counted);
    int code = counted ? SERVET_OK : SERVET_EMEMORY, enough = 0, of_node;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        if (!counted[i])
            code = saturate_group(request, cores, count, i, counted, &enough);
    free(counted);
    if (code != SERVET_OK)
        return code;
    code = servet_memory_saturation(request->profile, &request->at, &of_node);
    *threads = code == SERVET_OK && of_node < enough ? of_node : enough;
    return code == SERVET_EUNMEASURED ? SERVET_OK : code;
}

/* Limits the number to the CPU quota. A process with a quota below one CPU still has one thread. */
static int limit_by_quota(const srv_core_request *request, int threads)
{
    if (request->among || !srv_is_here(request->profile, request->node_class))
        return threads;
    return (int)fmax(1, fmin(threads, floor(srv_cpu_quota(""))));
}

static int find_room(const srv_core_request *request, int *threads, servet_error *error)
{
    int count = 0, most = srv_core_request_most(request),
        *cores = calloc((size_t)most + 1, sizeof *cores);
    int code = cores ? srv_core_request_cores(request, most, cores, &count, error)
                     : srv_fail_memory(error);
    *threads = count;
    if (code == SERVET_OK && request->policy == SERVET_POLICY_MEMORY) {
        code = saturate(request, cores, count, threads);
        if (code != SERVET_OK)
            code = srv_fail(error, code, "how many cores saturate memory: %s",
                            servet_error_text(code));
    }
    free(cores);
    return code;
}

/* Sets `*sure` if the number is the same without the facts that are not trusted. */
static int check_sure(const srv_core_request *request, int threads, bool *sure, servet_error *error)
{
    servet_profile trusted = *request->profile;
    srv_core_request sure_only = *request;
    int again;
    trusted.trusted_only = true;
    sure_only.profile = &trusted;
    int code = find_room(&sure_only, &again, NULL);
    *sure = code == SERVET_OK && again == threads;
    return code == SERVET_EMEMORY ? srv_fail_memory(error) : SERVET_OK;
}

int servet_thread_room(const servet_profile *profile, const servet_at *at, servet_policy policy,
                       const int *among, int among_count, int *threads, bool *trusted,
                       servet_error *error)
{
    servet_profile all = *profile;
    srv_core_request request;
    int found;
    all.trusted_only = false;
    int code = srv_core_request_begin(&request, &all, at, policy, among, among_count, error);
    if (code == SERVET_OK)
        code = find_room(&request, &found, error);
    if (code != SERVET_OK)
        return code;
    bool sure;
    code = check_sure(&request, found, &sure, error);
    if (code != SERVET_OK)
        return code;
    found = limit_by_quota(&request, found);
    if (profile->trusted_only && !sure)
        return srv_fail(error, SERVET_EUNTRUSTED,
                        "the number of threads depends on facts that are not trusted");
    *threads = found;
    if (trusted)
        *trusted = sure;
    return SERVET_OK;
}
