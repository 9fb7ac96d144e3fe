/* SPDX-License-Identifier: BSD-3-Clause */
#include "fake_machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

static fake_machine *self(srv_machine *machine)
{
    return (fake_machine *)machine;
}

/* Uniform in -1..1 (a linear congruential generator is random enough for jitter). */
static double chance(fake_machine *fake)
{
    fake->random = fake->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(fake->random >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

/* Random loads over `bytes` hit a cache of C bytes with probability C / bytes; cyclic ones over
 * coloured pages all or none. */
static double missing(const fake_machine *fake, double capacity, double bytes)
{
    return fake->sharp ? bytes > capacity : fmax(0, 1 - capacity / bytes);
}

/* The traversals, of these at once, that go through the same instance of a level as this one. */
static int traversals_through(const fake_machine *fake, int level, const srv_traversal *traversals,
                              int count, int core)
{
    int through = 0, instance = fake->instance[level][core];
    for (int i = 0; i < count; i++)
        through += traversals[i].core == core ||
                   (instance && fake->instance[level][traversals[i].core] == instance);
    return through;
}

static double latency(const fake_machine *fake, const srv_traversal *traversals, int count,
                      const srv_traversal *traversal)
{
    bool by_page = traversal->pattern == SRV_PATTERN_PAGES;
    double footprint = by_page ? traversal->bytes * traversal->line_bytes / 4096 : traversal->bytes;
    double ns = fake->level[0].ns;
    for (int i = 0; i < fake->level_count; i++) {
        bool last = i + 1 == fake->level_count;
        double next = last ? fake->memory_ns : fake->level[i + 1].ns;
        double capacity =
            fake->level[i].bytes / traversals_through(fake, i, traversals, count, traversal->core);
        if (fake->slow_core && traversal->core >= fake->slow_core)
            capacity /= 2;
        if (last && fake->residence_ns > 0)
            capacity = fake->residence_ns * traversal->line_bytes * traversal->chains /
                       (next + traversal->delay);
        ns += (next - fake->level[i].ns) * missing(fake, capacity, footprint);
    }
    if (fake->tlb_bytes > 0)
        ns += fake->tlb_ns * missing(fake, fake->tlb_bytes, traversal->bytes);
    return ns / traversal->chains + traversal->delay;
}

double fake_machine_latency(const fake_machine *fake, const srv_traversal *traversal)
{
    return latency(fake, traversal, 1, traversal);
}

static srv_timing answer(fake_machine *fake, const srv_traversal *traversals, int count, int i)
{
    const srv_traversal *traversal = &traversals[i];
    fake->largest_bytes = fmax(fake->largest_bytes, traversal->bytes);
    fake->last_core = traversal->core;
    if (fake->size_count < (int)(sizeof fake->sizes / sizeof *fake->sizes))
        fake->sizes[fake->size_count++] = traversal->bytes;
    double ns = latency(fake, traversals, count, traversal) * (1 + fake->jitter * chance(fake));
    if (fake->slow_every && fake->traversals % fake->slow_every == 0)
        ns *= 3;
    bool slowed = fake->sibling > 0 && (chance(fake) + 1) / 2 < fake->sibling;
    double busy = slowed ? 1.3 + 0.1 * chance(fake) : 1;
    if (slowed)
        ns *= 2 + 0.8 * chance(fake);
    return (srv_timing){ns, {ns, ns, ns, ns, 100}, 1, 2, 1e-4 * ns, busy};
}

static int traverse(srv_machine *machine, const srv_traversal *traversals, int count,
                    srv_timing *timings, servet_error *error)
{
    fake_machine *fake = self(machine);
    if (++fake->traversals == fake->fail_at)
        return srv_fail(error, SERVET_EMACHINE, "the machine broke");
    fake->most_at_once = count > fake->most_at_once ? count : fake->most_at_once;
    for (int i = 0; i < count; i++)
        timings[i] = answer(fake, traversals, count, i);
    fake->seconds += traversals->seconds + traversals->bytes / 64 * 20e-9;
    return SERVET_OK;
}

/* The machine reports capacities, but no sets of cores. */
static int evict(srv_machine *machine, const srv_eviction *eviction, float *ns, servet_error *error)
{
    (void)machine, (void)eviction, (void)ns;
    return srv_fail(error, SERVET_EUNMEASURED, "the fake machine has no sets");
}

static int describe(srv_machine *machine, servet_machine *description, servet_error *error)
{
    (void)machine, (void)error;
    *description = (servet_machine){.hostname = "fake",
                                    .os = "None 1.0",
                                    .architecture = "fake",
                                    .cpu = "Fake",
                                    .cores = "0-3",
                                    .pu_count = 4,
                                    .core_count = 4,
                                    .package_count = 1,
                                    .numa_count = 1,
                                    .memory_bytes = 1e10,
                                    .page_bytes = 4096};
    return SERVET_OK;
}

static int core_types(srv_machine *machine, srv_core_type list[SRV_CORE_TYPES_MAX], int *count,
                      servet_error *error)
{
    (void)error;
    memcpy(list, self(machine)->kind, sizeof self(machine)->kind);
    *count = self(machine)->kind_count;
    return SERVET_OK;
}

static int reported(srv_machine *machine, int core, srv_reported *answer, servet_error *error)
{
    (void)core, (void)error;
    *answer = self(machine)->reported;
    return SERVET_OK;
}

static int clock_facts(srv_machine *machine, srv_clock_facts *facts, servet_error *error)
{
    (void)machine, (void)error;
    *facts = (srv_clock_facts){"virtual", 1, 0.5};
    return SERVET_OK;
}

static int memory(srv_machine *machine, double *bytes, servet_error *error)
{
    (void)error;
    *bytes = self(machine)->memory_bytes;
    return SERVET_OK;
}

static int noise(srv_machine *machine, int core, double seconds, srv_noise *answer,
                 servet_error *error)
{
    (void)error;
    fake_machine *fake = self(machine);
    fake->seconds += seconds;
    bool over = fake->stolen_until > 0 && fake->seconds >= fake->stolen_until;
    *answer = (srv_noise){fake->noise_of_core[core], over ? 0 : fake->steal, fake->others,
                          fake->slower_after > 0 && fake->seconds > fake->slower_after ? 1 : 2};
    return SERVET_OK;
}

static int absence(srv_machine *machine, srv_absence *answer, servet_error *error)
{
    (void)error;
    *answer = self(machine)->absence;
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return self(machine)->seconds;
}

static void destroy(srv_machine *machine)
{
    (void)machine;
}

void fake_machine_init(fake_machine *fake)
{
    static const srv_machine_ops ops = {
        .describe = describe,
        .core_types = core_types,
        .reported = reported,
        .clock = clock_facts,
        .memory = memory,
        .noise = noise,
        .absence = absence,
        .traverse = traverse,
        .evict = evict,
        .elapsed = elapsed,
        .destroy = destroy,
    };
    *fake = (fake_machine){
        .machine = {&ops},
        .level_count = 3,
        .level = {{32 << 10, 1}, {1 << 20, 4}, {16 << 20, 20}},
        .memory_ns = 100,
        .kind_count = 1,
        .kind = {{"all", "0-3"}},
        .reported = {3, {{32 << 10, 64, ""}, {1 << 20, 64, ""}, {16 << 20, 64, ""}}},
        .memory_bytes = 8e9,
        .steal = NAN,
        .others = NAN,
        .random = 1,
    };
}
