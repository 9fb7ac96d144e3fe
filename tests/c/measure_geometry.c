/* SPDX-License-Identifier: BSD-3-Clause */
/* Geometry by conflict on simulated machines: the answer is what the machine was made of. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/model/simulated.h"
#include "measure/geometry.h"
#include "sample_model.h"

static const double KIB = 1 << 10, MIB = 1 << 20;

/* --- machines -----------------------------------------------------------------------------------
 */

/* A core with two caches of its own before a last one of 16 MiB. 0 stands for the usual. */
typedef struct known {
    const char *name;
    double l1_kib;
    int l1_ways;
    double l2_kib;
    int l2_ways;
    srv_replacement policy; /* of L2 */
    srv_inclusion inclusion, last; /* of L2 and of the last one, towards what is above */
    double page_kib;
    bool huge;
    double line;
    double jitter, steal, busy;
} known;

static void set_cache(srv_model_cache *cache, double bytes, int ways, double cycles)
{
    cache->bytes = bytes;
    cache->ways = ways;
    cache->latency_cycles = cycles;
    cache->pus_per_instance = 1;
}

static void set_caches(srv_model *model, const known *of)
{
    model->cache_count = 3;
    model->cache[2] = model->cache[1];
    set_cache(&model->cache[0], of->l1_kib * KIB, of->l1_ways, 4);
    set_cache(&model->cache[1], of->l2_kib * KIB, of->l2_ways, 14);
    set_cache(&model->cache[2], 16 * MIB, 16, 50);
    model->cache[1].replacement = of->policy;
    model->cache[1].inclusion = of->inclusion;
    model->cache[2].inclusion = of->last;
    model->cache[2].level = 3;
    for (int i = 0; i < 3 && of->line > 0; i++)
        model->cache[i].line_bytes = of->line;
}

static srv_model *model_of(const known *of)
{
    srv_model *model = sample_model();
    set_caches(model, of);
    model->kind[0].clock_ghz = 2.5;
    model->machine.page_bytes = of->page_kib > 0 ? of->page_kib * KIB : 4096;
    model->huge_bytes = 2 * MIB;
    model->tlb_count = 2;
    model->tlb[0] = (srv_model_tlb){.entries = 64, .penalty_cycles = 7};
    model->tlb[1] = (srv_model_tlb){.entries = 2048, .ways = 8, .penalty_cycles = 30};
    model->noise = (srv_model_noise){.jitter = of->jitter, .steal = of->steal};
    if (of->busy > 0)
        model->noise.sibling =
            (srv_model_sibling){.busy = of->busy, .burst_ms = 5, .levels = 2};
    return model;
}

/* --- measuring ----------------------------------------------------------------------------------
 */

static srv_geometry measure(const known *of, long seed)
{
    srv_machine *machine;
    srv_geometry geometry;
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    options.seed = seed;
    options.pages = of->huge ? SERVET_PAGES_HUGE : SERVET_PAGES_BASE;
    assert_int_equal(srv_simulated_from(&machine, model_of(of), NULL), SERVET_OK);
    srv_stage stage = {.machine = machine, .options = &options, .name = "all", .to = 1};
    assert_int_equal(srv_measure_geometry(&stage, 3, of->line > 0 ? of->line : 64, &geometry, NULL),
                     SERVET_OK);
    srv_machine_destroy(machine);
    return geometry;
}
#include <time.h>
int main(int argc, char **argv)
{
    static const known cases[] = {
        {"32K8 512K8 lru", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"32K8 1M8 plru", 32, 8, 1024, 8, SRV_REPLACE_PLRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"48K12 1.25M10 plru", 48, 12, 1280, 10, SRV_REPLACE_PLRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"48K12 1.25M20 lru", 48, 12, 1280, 20, SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"48K12 2M16 plru", 48, 12, 2048, 16, SRV_REPLACE_PLRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"16K4 256K4 lru", 16, 4, 256, 4, SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"16K4 256K8 random", 16, 4, 256, 8, SRV_REPLACE_RANDOM, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"64K16 1M16 random", 64, 16, 1024, 16, SRV_REPLACE_RANDOM, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"64K4 512K8 random", 64, 4, 512, 8, SRV_REPLACE_RANDOM, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"32K8 512K8 adaptive", 32, 8, 512, 8, SRV_REPLACE_ADAPTIVE, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"32K8 512K8 inclusive", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_INCLUSIVE, SRV_NON_INCLUSIVE},
        {"32K8 512K8 exclusive", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_EXCLUSIVE, SRV_NON_INCLUSIVE},
        {"32K8 512K8 victim", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_VICTIM, SRV_NON_INCLUSIVE},
        {"32K8 512K8 L3 victim", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, SRV_VICTIM},
        {"32K8 512K8 L3 exclusive", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, SRV_EXCLUSIVE},
        {"32K8 512K8 L3 inclusive", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, SRV_INCLUSIVE},
        {"32K8 512K8 16K pages", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE, .page_kib = 16},
        {"32K8 512K8 64K pages", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE, .page_kib = 64},
        {"32K8 512K8 huge", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE, .huge = true},
        {"32K8 512K8 jitter", 32, 8, 512, 8, SRV_REPLACE_PLRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE, .jitter = .05, .steal = .05},
        {"32K8 512K8 busy .13", 32, 8, 512, 8, SRV_REPLACE_PLRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE, .busy = .13},
        {"32K8 512K8 busy .6", 32, 8, 512, 8, SRV_REPLACE_PLRU, SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE, .busy = .6},
        {"64K4 8M16 line 256", 64, 4, 2048, 16, SRV_REPLACE_LRU, SRV_INCLUSIVE, SRV_NON_INCLUSIVE, .page_kib = 64, .line = 256},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        const known *of = &cases[i];
        if (argc > 1 && atoi(argv[1]) != i) continue;
        for (long seed = 1; seed <= (argc > 2 ? atoi(argv[2]) : 2); seed++) {
            clock_t t = clock();
            srv_geometry g = measure(of, seed);
            printf("%d %s seed %ld:", i, of->name, seed);
            for (int k = 0; k < g.count; k++)
                printf(" %d x %d x %g (%.1f)", g.cache[k].ways, g.cache[k].sets, g.cache[k].line_bytes, g.cache[k].odds);
            double l = of->line > 0 ? of->line : 64;
            bool a = g.count > 0 && g.cache[0].ways == of->l1_ways && srv_geometry_bytes(&g.cache[0]) == of->l1_kib * KIB && g.cache[0].line_bytes == l;
            bool b = g.count > 1 && g.cache[1].ways == of->l2_ways && srv_geometry_bytes(&g.cache[1]) == of->l2_kib * KIB;
            printf("  %s %s %.2f s\n", a ? "ok" : "WRONG", b ? "ok" : "WRONG", (double)(clock() - t) / CLOCKS_PER_SEC);
            fflush(stdout);
        }
    }
    return 0;
}
