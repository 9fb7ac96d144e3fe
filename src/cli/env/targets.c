/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/env/env.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/names.h"

const env_target env_targets[] = {
    {"openblas", "size of the L2, where the system's report is wrong or missing",
     env_print_numbers},
    {"blis", "ways, sets and lines of the caches of machines with SVE", env_print_numbers},
    {"omp", "places and number of OpenMP threads (--bound)", env_print_threads},
    {"ucx", "bandwidth of copies in memory", env_print_numbers},
    {"memkind", "NUMA nodes with faster memory than those of the cores", env_print_fast_nodes},
    {"interleave", "weights of NUMA nodes for weighted interleaving", env_print_weights},
    {NULL, NULL, NULL},
};

SRV_NAMES(env_bound_name, unsigned, ENV_BOUND_LIST)

void env_explain(const env_source *from, const char *format, ...)
{
    va_list arguments;
    if (!from->explain)
        return;
    fputs("# ", stdout);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

void env_print(const env_source *from, const char *format, ...)
{
    va_list arguments;
    from->printed->any = true;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

void env_leave_out(const env_source *from, const char *names, bool lacks, const char *reason)
{
    env_printed *printed = from->printed;
    env_explain(from, "%s: left out: %s", names, reason);
    if (!*printed->reason || (lacks && !printed->lacks))
        snprintf(printed->reason, sizeof printed->reason, "%.200s", reason);
    printed->lacks = printed->lacks || lacks;
}

void env_mark_unproven(const char *what)
{
    printf("# unproven: no program was shown to gain from %s\n", what);
}

bool env_fact(const env_source *from, const char *key, char text[SERVET_TEXT_MAX],
              char doubt[SERVET_TEXT_MAX])
{
    servet_trust trust;
    int code = servet_profile_get(from->profile, &from->at, key, text, SERVET_TEXT_MAX, NULL);
    if (code == SERVET_OK)
        code = servet_profile_trust(from->profile, &from->at, key, &trust, NULL);
    if (code != SERVET_OK)
        snprintf(doubt, SERVET_TEXT_MAX, "%s: %s", key,
                 code == SERVET_EUNMEASURED || code == SERVET_ERANGE ? "not measured"
                                                                     : servet_error_text(code));
    else if (!trust.trusted)
        snprintf(doubt, SERVET_TEXT_MAX, "%s: not trusted: %.160s", key, trust.reason);
    return code == SERVET_OK && trust.trusted;
}
