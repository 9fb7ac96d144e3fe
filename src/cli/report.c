/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"

/*
 * A quiet virtual machine loses 2-3 % (share/doc/measuring.md): below twice that there is nothing a
 * person could do about it. Values stay exact far above; whether they did, each says itself.
 */
static const double noise_worth_saying = 0.05;

static const char unknown[] = "-";

/* --- values -------------------------------------------------------------------------------------- */

static void format_bytes(const servet_value *value, char text[HUMAN_MAX])
{
    strcpy(text, unknown);
    if (servet_value_known(value))
        human_bytes(value->value, text);
}

static void format_interval(const servet_value *value, char text[HUMAN_MAX])
{
    strcpy(text, unknown);
    if (servet_value_known(value) && value->low == value->high)
        human_bytes(value->low, text);
    else if (servet_value_known(value))
        human_interval(value->low, value->high, text);
}

static void format_number(const servet_value *value, char text[HUMAN_MAX])
{
    strcpy(text, unknown);
    if (servet_value_known(value))
        snprintf(text, HUMAN_MAX, "%.4g", value->value);
}

/* --- machine and run -------------------------------------------------------------------------- */

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static void print_machine(const servet_machine *machine)
{
    char memory[HUMAN_MAX], page[HUMAN_MAX];
    human_bytes(machine->memory_bytes, memory);
    human_bytes(machine->page_bytes, page);
    printf("Machine   %s: %s%s%s, %s\n", machine->hostname, machine->cpu, *machine->cpu ? ", " : "",
           machine->architecture, machine->os);
    printf("          %d core%s, %d PU%s (%s), %d package%s, %d NUMA node%s, %s, pages of %s\n",
           machine->core_count, plural(machine->core_count), machine->pu_count,
           plural(machine->pu_count), machine->cores, machine->package_count,
           plural(machine->package_count), machine->numa_count, plural(machine->numa_count), memory,
           page);
}

/* "LABEL 1.39 ns", or nothing where it is not known. */
static void print_known(const char *label, const servet_value *value, double scale,
                        const char *unit)
{
    if (servet_value_known(value))
        printf("%s%.3g %s", label, value->value * scale, unit);
}

static void print_run(const servet_run *run)
{
    printf("Measured  %s by Servet %s", run->started, run->version);
    print_known(" in ", &run->duration, 1, "s");
    printf("%s%s\n", *run->options ? ": " : "", run->options);
    printf("Clock     %s", run->clock);
    print_known(", overhead ", &run->clock_overhead, 1, "ns");
    print_known(", resolution ", &run->clock_resolution, 1, "ns");
    print_known("; noise ", &run->noise, 100, "%");
    print_known("; steal ", &run->steal, 100, "%");
    printf("; seed %lld\n", run->seed);
}

static void print_head(const servet_profile *profile, const servet_at *at)
{
    servet_machine machine;
    servet_run run;
    if (*servet_profile_path(profile))
        printf("Profile   %s\n", servet_profile_path(profile));
    if (at->node_class || servet_profile_class_count(profile) > 1) {
        char name[SERVET_NAME_MAX] = "", nodes[32] = "";
        servet_profile_get(profile, at, "class.name", name, sizeof name, NULL);
        servet_profile_get(profile, at, "class.nodes", nodes, sizeof nodes, NULL);
        printf("Class     %s (%s node%s; %d class%s in the profile)\n", name, nodes,
               plural(atoi(nodes)), servet_profile_class_count(profile),
               servet_profile_class_count(profile) == 1 ? "" : "es");
    }
    if (servet_profile_machine(profile, at, &machine) == SERVET_OK)
        print_machine(&machine);
    if (servet_profile_run(profile, &run) == SERVET_OK)
        print_run(&run);
}

/* --- what needs attention --------------------------------------------------------------------- */

static void warn_noise(const servet_profile *profile)
{
    servet_run run;
    if (servet_profile_run(profile, &run) != SERVET_OK)
        return;
    if (servet_value_known(&run.noise) && run.noise.value > noise_worth_saying)
        printf("! other work took %.1f %% of the time while measuring\n", run.noise.value * 100);
    if (servet_value_known(&run.steal) && run.steal.value > noise_worth_saying)
        printf("! the hypervisor took %.1f %% of the time while measuring\n",
               run.steal.value * 100);
}

static void warn_turnover(const servet_cache *cache)
{
    char reach[HUMAN_MAX], reported[HUMAN_MAX];
    human_interval(cache->bytes.low, cache->bytes.high, reach);
    printf("! L%d: shared, capacity not measurable; reachable %s at this access rate", cache->level,
           reach);
    if (servet_value_known(&cache->reported_bytes)) {
        human_bytes(cache->reported_bytes.value, reported);
        printf("; the OS reports %s", reported);
    }
    putchar('\n');
}

static void warn_size(const servet_cache *cache)
{
    char measured[HUMAN_MAX], interval[HUMAN_MAX], reported[HUMAN_MAX] = "nothing";
    human_bytes(cache->bytes.value, measured);
    format_interval(&cache->bytes, interval);
    if (servet_value_known(&cache->reported_bytes))
        human_bytes(cache->reported_bytes.value, reported);
    printf("! L%d: measured %s (%s), the OS reports %s\n", cache->level, measured, interval,
           reported);
}

static bool untrusted(const servet_value *value)
{
    return servet_value_known(value) && !value->trusted;
}

/* The size of a level that is turned over has had its line. */
static void warn_trust(const servet_cache *cache)
{
    bool size = cache->kind == SERVET_CACHE_CAPACITY && untrusted(&cache->bytes);
    bool latency = untrusted(&cache->latency);
    if (size || latency)
        printf("! L%d: %s%s%s not to be trusted\n", cache->level, size ? "size" : "",
               size && latency ? " and " : "", latency ? "latency" : "");
}

static void warn_cache(const servet_cache *cache)
{
    if (cache->kind == SERVET_CACHE_TURNOVER && servet_value_known(&cache->bytes))
        warn_turnover(cache);
    else if (cache->verdict == SERVET_VERDICT_DIFFERS && servet_value_known(&cache->bytes))
        warn_size(cache);
    warn_trust(cache);
}

/* --- the table -------------------------------------------------------------------------------- */

static void print_row(const char *level, const char *size, const char *interval, const char *ns,
                      const char *cycles, const char *line, const char *reported,
                      const char *verdict, const char *confidence)
{
    printf("  %-7s %9s  %-18s %8s %8s %6s %9s  %-12s %s\n", level, size, interval, ns, cycles, line,
           reported, verdict, confidence);
}

/* The papers' method has no intervals: its sizes were voted for, or a step of the curve decided. */
static bool is_2010(const servet_cache *cache)
{
    return cache->bytes.method == SERVET_METHOD_SERVET2010 ||
           cache->bytes.method == SERVET_METHOD_SERVET2010_STEP;
}

static void print_header(bool of_2010)
{
    print_row("level", "size", of_2010 ? "range of votes" : "95 % interval", "ns", "cycles", "line",
              "OS says", "verdict", of_2010 ? "votes" : "confidence");
}

static void print_cache(const servet_cache *cache)
{
    char level[16], size[HUMAN_MAX], interval[HUMAN_MAX], ns[HUMAN_MAX], cycles[HUMAN_MAX],
        line[HUMAN_MAX], reported[HUMAN_MAX], confidence[16];
    snprintf(level, sizeof level, "L%d", cache->level);
    format_bytes(&cache->bytes, size);
    format_interval(&cache->bytes, interval);
    snprintf(confidence, sizeof confidence, "%.0f %%", cache->confidence * 100);
    if (cache->bytes.method == SERVET_METHOD_SERVET2010_STEP) {
        strcpy(interval, unknown);
        strcpy(confidence, unknown);
    }
    format_number(&cache->latency, ns);
    format_number(&cache->latency_cycles, cycles);
    format_bytes(&cache->line, line);
    format_bytes(&cache->reported_bytes, reported);
    print_row(level, cache->kind == SERVET_CACHE_TURNOVER ? "reachable" : size, interval, ns,
              cycles, line, reported, servet_verdict_name(cache->verdict), confidence);
}

static void print_memory(const servet_profile *profile, const servet_at *at)
{
    servet_value latency;
    char ns[HUMAN_MAX];
    if (servet_memory_latency(profile, at, &latency) != SERVET_OK) {
        puts("  memory  not reached: there may be more caches");
        return;
    }
    format_number(&latency, ns);
    printf("  %-7s %9s  %-18s %8s%s\n", "memory", "", "", ns,
           latency.trusted ? "" : "  not to be trusted");
}

/* Beyond these a list is no longer read; `servet get` gives all. */
enum { GROUPS_SHOWN = 16 };

static bool is_private(const servet_profile *profile, const servet_at *at, int level, int count)
{
    const char *cores;
    for (int i = 0; i < count; i++)
        if (servet_cache_group(profile, at, level, i, &cores) == SERVET_OK && strpbrk(cores, ",-"))
            return false;
    return true;
}

/* The default method does not ask who shares a cache: that goes without saying. */
static void print_unmeasured(const servet_profile *profile, const servet_at *at, int level,
                             const char *reason)
{
    servet_cache cache;
    if (servet_cache_get(profile, at, level, &cache) == SERVET_OK && is_2010(&cache))
        printf("  sharing of L%d: not measured%s%s\n", level, reason ? ", " : "",
               reason ? reason : "");
}

static void print_sharing(const servet_profile *profile, const servet_at *at, int level,
                          const char *reason)
{
    const char *cores;
    int count;
    if (servet_cache_group_count(profile, at, level, &count) != SERVET_OK) {
        print_unmeasured(profile, at, level, reason);
        return;
    }
    if (is_private(profile, at, level, count)) {
        printf("  L%d is private to each core\n", level);
        return;
    }
    printf("  L%d is shared by", level);
    for (int i = 0; i < count && i < GROUPS_SHOWN; i++)
        if (servet_cache_group(profile, at, level, i, &cores) == SERVET_OK)
            printf("  %s", cores);
    puts(count > GROUPS_SHOWN ? "  ..." : "");
}

static void print_caches(const servet_profile *profile, const servet_at *at, int count)
{
    servet_cache cache;
    for (int level = 1; level <= count; level++)
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK)
            warn_cache(&cache);
    print_header(servet_cache_get(profile, at, 1, &cache) == SERVET_OK && is_2010(&cache));
    for (int level = 1; level <= count; level++)
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK)
            print_cache(&cache);
}

static void print_kind(const servet_profile *profile, const servet_at *at, const char *reason)
{
    char name[SERVET_NAME_MAX] = "", cores[SERVET_TEXT_MAX] = "...";
    int count = 0;
    servet_profile_get(profile, at, "kind.name", name, sizeof name, NULL);
    servet_profile_get(profile, at, "kind.cores", cores, sizeof cores, NULL);
    printf("\nEach of the cores %s (%s)\n", cores, name);
    if (servet_cache_count(profile, at, &count) != SERVET_OK) {
        printf("  caches not measured%s%s\n", reason ? ", " : "", reason ? reason : "");
        return;
    }
    if (count == 0)
        printf("  no cache is visible\n");
    else
        print_caches(profile, at, count);
    print_memory(profile, at);
    for (int level = 1; level <= count; level++)
        print_sharing(profile, at, level, reason);
}

/* A core of kind `index`; any will do, as they measure alike. */
static int first_core(const servet_profile *profile, const servet_at *at, int index, int *core)
{
    servet_kind kind;
    int code = servet_kind_get(profile, at, index, &kind);
    if (code == SERVET_OK)
        *core = atoi(kind.cores);
    return code;
}

void cli_report(const servet_profile *profile, const servet_at *at, const char *reason)
{
    servet_at asked = at ? *at : (servet_at){NULL, SERVET_ANY_CORE};
    print_head(profile, &asked);
    warn_noise(profile);
    if (asked.core != SERVET_ANY_CORE) {
        print_kind(profile, &asked, reason);
        return;
    }
    for (int i = 0; first_core(profile, &asked, i, &asked.core) == SERVET_OK; i++)
        print_kind(profile, &asked, reason);
}
