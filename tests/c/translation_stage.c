/* SPDX-License-Identifier: BSD-3-Clause */
/* The family from the probes to the profile, on models whose TLBs are known. */
#include "test.h"

#include <math.h>

#include "machine/model/model.h"
#include "run/measure.h"

static servet_profile *measure(const char *model, double budget)
{
    servet_profile *profile = NULL;
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    options.only = 1u << SERVET_BENCHMARK_TRANSLATION;
    options.machine = model;
    options.budget_seconds = budget;
    assert_int_equal(servet_measure(&options, &profile, NULL), SERVET_OK);
    return profile;
}

static void entries_of_a_model_are_found(void **state)
{
    (void)state;
    srv_model *model;
    int count;
    servet_tlb tlb;
    servet_profile *profile = measure("dunnington", 0);
    assert_int_equal(srv_model_read(&model, "dunnington", NULL), SERVET_OK);
    assert_int_equal(servet_tlb_count(profile, NULL, SERVET_PAGES_BASE, &count), SERVET_OK);
    assert_int_equal(count, model->tlb_count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(servet_tlb_get(profile, NULL, SERVET_PAGES_BASE, i + 1, &tlb), SERVET_OK);
        assert_in_range(model->tlb[i].entries, (int)tlb.entries.low, (int)ceil(tlb.entries.high));
        assert_float_equal(tlb.reach_bytes.value, 4096 * tlb.entries.value, 1);
        assert_true(tlb.latency.value > 0 && tlb.confidence > 0.5);
    }
    srv_model_free(model);
    servet_profile_close(profile);
}

/* In no time nothing is told, rather than something wrong. */
static void without_time_nothing_is_measured(void **state)
{
    (void)state;
    int count;
    servet_profile *profile = measure("dunnington", 1e-3);
    assert_int_equal(servet_tlb_count(profile, NULL, SERVET_PAGES_BASE, &count),
                     SERVET_EUNMEASURED);
    servet_profile_close(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_of_a_model_are_found),
        cmocka_unit_test(without_time_nothing_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
