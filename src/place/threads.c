/* SPDX-License-Identifier: BSD-3-Clause */
/* Places the threads of a process. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "place/request.h"
#include "profile/types.h"

SRV_NAMES(servet_policy_name, servet_policy, SERVET_POLICY_LIST)

/* Sets `*trusted` if the placement is the same without the facts that are not trusted. */
static int check_sure(const srv_core_request *request, const int *cores, int threads, bool *sure,
                      servet_error *error)
{
    servet_profile trusted = *request->profile;
    int count, *again = calloc((size_t)threads, sizeof *again);
    if (!again)
        return srv_fail_memory(error);
    trusted.trusted_only = true;
    srv_core_request sure_only = *request;
    sure_only.profile = &trusted;
    int code = srv_core_request_cores(&sure_only, threads, again, &count, NULL);
    *sure = code == SERVET_OK && count == threads &&
            memcmp(again, cores, (size_t)threads * sizeof *cores) == 0;
    free(again);
    return code == SERVET_EMEMORY ? srv_fail_memory(error) : SERVET_OK;
}

static int place(const srv_core_request *request, int *cores, int threads, bool *sure,
                 servet_error *error)
{
    int count;
    int code = srv_core_request_cores(request, threads, cores, &count, error);
    if (code == SERVET_OK && count < threads)
        code = srv_fail(error, SERVET_ERANGE, "%d threads do not fit: %s has cores for %d", threads,
                        servet_policy_name(request->policy), count);
    return code == SERVET_OK ? check_sure(request, cores, threads, sure, error) : code;
}

int servet_thread_place(const servet_profile *profile, const servet_at *at, servet_policy policy,
                        const int *among, int among_count, int cores[], int threads, bool *trusted,
                        servet_error *error)
{
    srv_core_request request;
    servet_profile all = *profile;
    bool sure = false;
    if (threads < 1)
        return srv_fail(error, SERVET_EARGUMENT, "the number of threads must be at least 1");
    int *placed = calloc((size_t)threads, sizeof *placed);
    int code = placed
                   ? srv_core_request_begin(&request, &all, at, policy, among, among_count, error)
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
