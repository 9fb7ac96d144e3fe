/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/request.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "place/choose.h"
#include "profile/types.h"
#include "servet/node.h"

int srv_core_request_begin(srv_core_request *request, const servet_profile *profile,
                           const servet_at *at, servet_policy policy, const int *among,
                           int among_count, servet_error *error)
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

/* Fails if the policy is for memory, but contention for memory was not measured. */
static int check_memory(const srv_core_request *request, const srv_thread_cores *candidates,
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

int srv_core_request_cores(const srv_core_request *request, int threads, int *cores, int *count,
                           servet_error *error)
{
    srv_thread_cores candidates = {0};
    servet_code limit =
        request->policy == SERVET_POLICY_MEMORY ? SERVET_CODE_MEMORY : SERVET_CODE_COMMUNICATION;
    int code = srv_thread_cores_begin(&candidates, request->profile, request->node_class, limit,
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

int srv_core_request_most(const srv_core_request *request)
{
    const srv_class *classes = request->profile->classes.items;
    return srv_ranges_count(classes[request->node_class].machine.cores);
}
