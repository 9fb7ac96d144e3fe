/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/keys.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define OF_CACHE(name, form, member, words, text)                                                  \
    {                                                                                              \
        "caches.N." name, SRV_IN_CACHE, form, offsetof(srv_cache, member), text, words          \
    }
#define OF_KIND(name, form, member, text)                                                          \
    {                                                                                              \
        name, SRV_IN_KIND, form, offsetof(srv_core_kind, member), text, NULL                       \
    }
#define OF_CLASS(name, form, member, text)                                                         \
    {                                                                                              \
        name, SRV_IN_CLASS, form, offsetof(srv_class, member), text, NULL                          \
    }
#define OF_MACHINE(member, form, text)                                                             \
    {                                                                                              \
        "machine." #member, SRV_IN_CLASS, form,                                                    \
            offsetof(srv_class, machine) + offsetof(servet_machine, member), text, NULL            \
    }
#define OF_RUN(name, form, member, text)                                                           \
    {                                                                                              \
        "run." name, SRV_IN_RUN, form, offsetof(servet_run, member), text, NULL                    \
    }
#define OF_PROFILE(name, form, member, text)                                                       \
    {                                                                                              \
        name, SRV_IN_PROFILE, form, offsetof(servet_profile, member), text, NULL                   \
    }

/* clang-format off: one key a line */
static const srv_key keys[] = {
    OF_KIND("caches.count", SRV_A_COUNT, caches, "number of cache levels"),
    OF_CACHE("bytes", SRV_A_VALUE, fact.bytes, NULL, "capacity of level N"),
    OF_CACHE("low", SRV_A_LOW, fact.bytes, NULL, "lower end of its interval, bytes"),
    OF_CACHE("high", SRV_A_HIGH, fact.bytes, NULL, "upper end of its interval, bytes"),
    OF_CACHE("measured", SRV_A_VALUE, fact.measured_bytes, NULL, "raw estimate, bytes"),
    OF_CACHE("reported", SRV_A_VALUE, fact.reported_bytes, NULL, "what the OS says, bytes"),
    OF_CACHE("verdict", SRV_A_WORD, fact.verdict, &srv_verdict_words, "agrees, differs or not visible"),
    OF_CACHE("kind", SRV_A_WORD, fact.kind, &srv_cache_kind_words, "capacity or turnover"),
    OF_CACHE("latency_ns", SRV_A_VALUE, fact.latency, NULL, "latency of a load that hits"),
    OF_CACHE("latency_cycles", SRV_A_VALUE, fact.latency_cycles, NULL, "the same in core cycles"),
    OF_CACHE("line", SRV_A_VALUE, fact.line, NULL, "line size, bytes"),
    OF_CACHE("confidence", SRV_A_NUMBER, fact.confidence, NULL, "0..1 that it is a cache level"),
    OF_CACHE("groups", SRV_SETS_OF_CORES, groups, NULL, "sets of cores that share an instance"),
    OF_KIND("memory.latency_ns", SRV_A_VALUE, memory_latency, "latency of a load from memory"),
    OF_KIND("kind.name", SRV_A_TEXT, name, "kind of the core asked about"),
    OF_KIND("kind.cores", SRV_A_STRING, cores, "cores of that kind as ranges"),
    OF_CLASS("kinds.count", SRV_A_COUNT, kinds, "number of core kinds"),
    OF_PROFILE("classes.count", SRV_A_COUNT, classes, "number of node classes"),
    OF_CLASS("class.name", SRV_A_TEXT, name, "the class asked about"),
    OF_CLASS("class.nodes", SRV_A_COUNT, nodes, "number of its nodes"),
    OF_MACHINE(hostname, SRV_A_TEXT, "first node of the class"),
    OF_MACHINE(os, SRV_A_TEXT, "operating system"),
    OF_MACHINE(architecture, SRV_A_TEXT, "architecture"),
    OF_MACHINE(cpu, SRV_A_TEXT, "processor model"),
    OF_MACHINE(cores, SRV_A_TEXT, "usable PUs as ranges"),
    OF_MACHINE(pu_count, SRV_AN_INT, "number of usable PUs"),
    OF_MACHINE(core_count, SRV_AN_INT, "number of cores"),
    OF_MACHINE(package_count, SRV_AN_INT, "number of packages"),
    OF_MACHINE(numa_count, SRV_AN_INT, "number of NUMA nodes"),
    OF_MACHINE(memory_bytes, SRV_A_SIZE, "installed memory"),
    OF_MACHINE(page_bytes, SRV_A_SIZE, "size of a base page"),
    OF_RUN("version", SRV_A_TEXT, version, "the Servet that measured"),
    OF_RUN("started", SRV_A_TEXT, started, "when, UTC"),
    OF_RUN("options", SRV_A_TEXT, options, "options given"),
    OF_RUN("clock", SRV_A_TEXT, clock, "clock used"),
    OF_RUN("clock_overhead_ns", SRV_A_VALUE, clock_overhead, "of reading it twice in a row"),
    OF_RUN("clock_resolution_ns", SRV_A_VALUE, clock_resolution, "its smallest step"),
    OF_RUN("frequency_hz", SRV_A_VALUE, frequency, "of the core while it was measured"),
    OF_RUN("huge_pages", SRV_A_VALUE, huge_pages, "share of memory on huge pages, 0..1"),
    OF_RUN("duration_s", SRV_A_VALUE, duration, "of the whole run"),
    OF_RUN("noise", SRV_A_VALUE, noise, "share of time lost to others, 0..1"),
    OF_RUN("steal", SRV_A_VALUE, steal, "share of time stolen, 0..1"),
    OF_RUN("others", SRV_A_VALUE, others, "share of time other processes took, 0..1"),
    OF_RUN("drift", SRV_A_VALUE, drift, "largest loss of frequency, 0..1"),
    OF_RUN("benchmarks", SRV_A_TEXT, benchmarks, "what was run, in order"),
    OF_RUN("seed", SRV_A_LONG, seed, "of the random orders"),
    OF_PROFILE("schema", SRV_AN_INT, schema, "version of the file format"),
};
/* clang-format on */

enum { KEY_COUNT = sizeof keys / sizeof keys[0], KEY_MAX = 64 };

const char *servet_profile_key(int index, const char **summary)
{
    if (index < 0 || index >= KEY_COUNT)
        return NULL;
    if (summary)
        *summary = keys[index].summary;
    return keys[index].pattern;
}

/* --- finding one ------------------------------------------------------------------------------ */

/* Takes the digits at *at as an index from 1; one too large for any list stays too large. */
static bool take_index(const char **at, int *index)
{
    size_t digits = strspn(*at, "0123456789");
    if (!digits)
        return false;
    *index = digits > 9 ? 999999999 : atoi(*at);
    *at += digits;
    return true;
}

static bool matches(const char *pattern, const char *text, int *index)
{
    while (*pattern && *text) {
        if (*pattern == 'N') {
            if (!take_index(&text, index))
                return false;
            pattern++;
        } else if (*pattern++ != *text++) {
            return false;
        }
    }
    return *pattern == *text;
}

const srv_key *srv_key_find(const char *text, int *index)
{
    for (int i = 0; i < KEY_COUNT; i++)
        if (matches(keys[i].pattern, text, index))
            return &keys[i];
    return NULL;
}

static int min2(int a, int b)
{
    return a < b ? a : b;
}

/*
 * Edits (insert, delete, replace) between two keys, where N stands for any digit; a key that was
 * only begun is as near as one with a slip.
 */
static int distance(const char *pattern, const char *text)
{
    int row[KEY_MAX + 1] = {0}, columns = (int)strlen(pattern);
    for (int j = 0; j <= columns; j++)
        row[j] = j;
    for (int i = 1; text[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            bool digit = text[i - 1] >= '0' && text[i - 1] <= '9';
            bool same = pattern[j - 1] == text[i - 1] || (pattern[j - 1] == 'N' && digit);
            int replaced = diagonal + !same;
            diagonal = row[j];
            row[j] = min2(min2(row[j], row[j - 1]) + 1, replaced);
        }
    }
    int begun = row[0];
    for (int j = 1; j <= columns; j++)
        begun = min2(begun, row[j]);
    return min2(row[columns], 1 + 2 * begun);
}

const char *srv_key_nearest(const char *text)
{
    const char *nearest = keys[0].pattern;
    int least = distance(nearest, text);
    for (int i = 1; i < KEY_COUNT; i++) {
        int edits = distance(keys[i].pattern, text);
        if (edits < least) {
            least = edits;
            nearest = keys[i].pattern;
        }
    }
    return nearest;
}
