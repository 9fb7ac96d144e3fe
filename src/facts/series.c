/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of raw series, by the tables of the families. */
#include <fnmatch.h>

#include "facts/facts.h"
#include "facts/network.h"

/* Files of no family: repeats of all of them, and a machine's own answers. */
static const char OF_NODE[] = "repeats.csv answers-*.txt", OF_JOB[] = "answers-network-*.txt";

static bool matches(const char *patterns, const char *name)
{
    char pattern[32];
    for (int length; sscanf(patterns, "%31s%n", pattern, &length) == 1; patterns += length)
        if (fnmatch(pattern, name, 0) == 0)
            return true;
    return false;
}

static bool is_of_job(const char *name)
{
    for (const srv_benchmark *row = srv_network_plan; row->cost; row++)
        if (matches(row->series, name))
            return true;
    return matches(OF_JOB, name);
}

/* The papers' approach writes no series of its own. */
static bool is_of_node(const char *name)
{
    for (const srv_benchmark *row = srv_facts_of(SERVET_APPROACH_DEFAULT); row->cost; row++)
        if (matches(row->series, name))
            return true;
    return matches(OF_NODE, name);
}

bool servet_is_series(const char *name, bool of_job)
{
    return of_job ? is_of_job(name) : is_of_node(name) && !is_of_job(name);
}
