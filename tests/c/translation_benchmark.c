/* SPDX-License-Identifier: BSD-3-Clause */
/* The probes of translation, and their results on the shipped models' TLBs. */
#include "test.h"

#include "core/error.h"
#include "facts/translation/benchmark.h"
#include "facts/translation/detect.h"
#include "sim/simulated.h"
#include "tlb_machine.h"

static const double MIB = 1 << 20;

static srv_translation_plan plan_of(srv_machine *machine, double base_bytes, double page_bytes)
{
    return (srv_translation_plan){.pages = page_bytes > base_bytes ? SERVET_PAGES_HUGE
                                                                   : SERVET_PAGES_BASE,
                                  .base_bytes = base_bytes,
                                  .page_bytes = page_bytes,
                                  .line_bytes = 64,
                                  .max_bytes = 256 * MIB,
                                  .seed = 1,
                                  .sampler.machine = machine};
}

static void one_tlb(tlb_machine *on, int entries)
{
    tlb_machine_init(on, 1);
    on->count = 1;
    on->tlb[0] = (tlb){.sets = 1, .ways = entries, .ns = 2};
}

/* With 64 KiB of memory to spread over there are 16 pages at most; half as many at twice the
 * distance. */
TEST(no_more_memory_is_used_than_allowed)
{
    tlb_machine on;
    srv_page_visits visits;
    srv_page_point point[SRV_PAGE_POINTS_MAX];
    one_tlb(&on, 64);
    srv_translation_plan plan = plan_of(&on.machine, 4096, 4096);
    plan.max_bytes = 65536;
    assert_ok(srv_bench_translation(&plan, &visits, NULL));
    assert_true(on.most_bytes <= 65536);
    int count = srv_page_curve(&visits, 4096, false, point);
    assert_int_equal(point[count - 1].lines, 16);
    count = srv_page_curve(&visits, 8192, false, point);
    assert_int_equal(point[count - 1].lines, 8);
    assert_int_equal(srv_detect_translation(&visits, false).count, 0);
    srv_page_visits_free(&visits);
    tlb_machine_finish(&on);
}

static int give_up(void *context, const char *what, double done)
{
    assert_string_equal(what, "");
    assert_true(done >= 0 && done <= 1);
    int *left = context;
    return --*left == 0;
}

TEST(the_caller_can_end_the_benchmark)
{
    tlb_machine on;
    srv_page_visits visits;
    int left = 10;
    one_tlb(&on, 64);
    srv_translation_plan plan = plan_of(&on.machine, 4096, 4096);
    plan.sampler.deadline.at = 0.01;
    assert_ok(srv_bench_translation(&plan, &visits, NULL));
    assert_true(visits.count > 0 && on.seconds <= 0.011);
    srv_page_visits_free(&visits);
    plan.sampler.deadline.at = 0;
    plan.sampler.progress = give_up;
    plan.sampler.context = &left;
    assert_code(srv_bench_translation(&plan, &visits, NULL), SERVET_EINTERRUPTED);
    assert_null(visits.visit);
    plan.sampler.progress = NULL;
    on.fail_at = on.probes + 5;
    assert_code(srv_bench_translation(&plan, &visits, NULL), SERVET_EMACHINE);
    assert_null(visits.visit);
    tlb_machine_finish(&on);
}

/* --- shipped models --------------------------------------------------------------------------- */

typedef struct known_level {
    int entries, ways; /* as the model says; ways 0: need not be seen */
    double miss;       /* cycles */
} known_level;

/* The first two have one level and two, pages of 8 and of 4 KiB. */
enum { QUICK = 2 };
static const struct known_model {
    const char *name;
    double ghz, page_bytes;
    int count;
    known_level level[2];
} known_models[] = {
    {"niagara-t1", 1.2, 8192, 1, {{64, 64, 60}}},
    {"dunnington", 2.4, 4096, 2, {{16, 4, 2}, {256, 0, 9}}},
    {"zen4-server", 3.5, 4096, 2, {{72, 72, 7}, {3072, 0, 30}}},
    {"sapphire-rapids-snc4", 3.0, 4096, 2, {{96, 6, 7}, {2048, 16, 25}}},
    {"power9", 3.5, 65536, 2, {{64, 64, 10}, {1024, 0, 45}}},
};

static void check_level(const srv_translation_level *found, const known_level *known,
                        const struct known_model *of, double granule)
{
    assert_true(found->entries.low <= known->entries && known->entries <= found->entries.high);
    assert_true(found->entries.high <= 1.15 * found->entries.low);
    assert_float_equal(1e9 * found->miss.value, known->miss / of->ghz,
                       0.15 * known->miss / of->ghz);
    assert_true(found->reach.low <= known->entries * granule &&
                known->entries * granule <= found->reach.high);
    if (known->ways > 0)
        assert_int_equal((int)found->ways.value, known->ways);
}

static srv_translation read_model(const struct known_model *model, double page_bytes,
                                  double max_bytes)
{
    srv_machine *machine;
    srv_page_visits visits;
    assert_ok(srv_simulated_create(&machine, model->name, NULL));
    srv_translation_plan plan = plan_of(machine, model->page_bytes, page_bytes);
    plan.max_bytes = max_bytes;
    assert_ok(srv_bench_translation(&plan, &visits, NULL));
    assert_true(machine->ops->elapsed(machine) < 2);
    srv_translation found = srv_detect_translation(&visits, false);
    srv_page_visits_free(&visits);
    srv_machine_destroy(machine);
    return found;
}

TEST(models_have_the_tlbs_that_they_describe)
{
    const size_t all = sizeof known_models / sizeof *known_models;
    for (size_t i = 0; i < test_cases(QUICK, all); i++) {
        const struct known_model *model = &known_models[i];
        srv_translation found = read_model(model, model->page_bytes, 12288 * model->page_bytes);
        assert_int_equal(found.count, model->count);
        assert_true(found.granule.value == model->page_bytes);
        double walk = 0;
        for (int k = 0; k < model->count; k++) {
            check_level(&found.level[k], &model->level[k], model, model->page_bytes);
            walk += model->level[k].miss / model->ghz;
        }
        assert_float_equal(1e9 * found.walk.value, walk, 0.1 * walk);
    }
}

/* The TLB holds the same number of huge pages; 512 of them fit the second level. */
TEST(huge_pages_of_a_model_reach_farther)
{
    const struct known_model *model = &known_models[3];
    srv_translation found = read_model(model, 2 * MIB, 1024 * MIB);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.pages_asked, 512);
    assert_true(found.granule.value == 2 * MIB);
    check_level(&found.level[0], &model->level[0], model, 2 * MIB);
}
