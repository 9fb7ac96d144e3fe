/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise is detected, decides which facts are trusted, and is stored. The machines: one with given
 * noise, and simulated ones with steal and drift. */
#include "test.h"

#include "fake_machine.h"
#include "sim/simulated.h"
#include "run/node.h"
#include "run/noise_monitor.h"
#include "sample_model.h"

static fake_machine fake;
static srv_node node;
static srv_noise_monitor monitor;

TEST_FIXTURE(prepare)
{
    fake_machine_init(&fake);
    return 0;
}

static const char *reason(void)
{
    static char text[SERVET_TEXT_MAX];
    srv_seen_reason(&monitor.now[0], false, text);
    return text;
}

static bool trusts(void)
{
    return !*reason();
}

static servet_run record(void)
{
    servet_run run = {.seed = 1};
    srv_noise_monitor_record(&monitor, &run);
    return run;
}

TEST_FIXTURE(end)
{
    srv_noise_monitor_finish(&monitor);
    return 0;
}

static void begin_within(srv_machine *machine, double budget)
{
    assert_ok(srv_node_begin(&node, machine, "0-3", NULL));
    assert_ok(srv_noise_monitor_begin(&monitor, &node.head, budget, SERVET_BENCHMARK_COUNT, NULL));
}

static void begin(srv_machine *machine)
{
    begin_within(machine, 0);
    srv_noise_monitor_next(&monitor);
}

TEST_EACH(prepare, end)

TEST(a_quiet_machine_is_trusted)
{
    begin(&fake.machine);
    assert_ok(srv_noise_monitor_sample(&monitor, NULL));
    assert_true(trusts());
    servet_run run = record();
    assert_float_equal(run.noise.value, 0, 0);
    assert_float_equal(run.drift.value, 0, 0);
    assert_false(servet_value_known(&run.steal)); /* nothing is reported */
    assert_false(servet_value_known(&run.others));
}

/* A process that takes the core for a moment disturbs few samples; the run records the largest
 * share. */
TEST(lost_time_is_recorded_and_disturbs_few_samples)
{
    begin(&fake.machine);
    fake.noise_of_core[node.rank.core] = 0.4;
    fake.others = 0.3;
    srv_noise_monitor_sample(&monitor, NULL);
    assert_true(trusts());
    fake.noise_of_core[node.rank.core] = 0.01;
    srv_noise_monitor_sample(&monitor, NULL);
    servet_run run = record();
    assert_float_equal(run.noise.value, 0.4, 1e-12);
    assert_float_equal(run.others.value, 0.3, 1e-12);
}

TEST(stolen_time_between_samples_counts)
{
    begin(&fake.machine);
    fake.steal = 0.4;
    srv_noise_monitor_sample(&monitor, NULL);
    assert_true(trusts());
    fake.steal = 0.6;
    srv_noise_monitor_sample(&monitor, NULL);
    assert_string_equal(reason(), "the hypervisor took 60 % of the core's time");
    srv_noise_monitor_next(&monitor); /* the last sample was before this benchmark, too */
    assert_false(trusts());
    fake.steal = 0.1;
    srv_noise_monitor_sample(&monitor, NULL);
    srv_noise_monitor_next(&monitor);
    srv_noise_monitor_sample(&monitor, NULL);
    assert_true(trusts());
    assert_float_equal(record().steal.value, 0.6, 1e-12);
}

TEST(half_the_frequency_is_drift)
{
    fake.slower_after = 1;
    begin(&fake.machine);
    fake.seconds = 2;
    srv_noise_monitor_sample(&monitor, NULL);
    assert_string_equal(reason(), "the core slowed down by 50 %");
    assert_float_equal(record().drift.value, 0.5, 1e-12);
}

TEST(coarse_clocks_give_correct_shares)
{
    begin(&fake.machine);
    fake.steal = 1.7;
    srv_noise_monitor_sample(&monitor, NULL);
    assert_float_equal(record().steal.value, 1, 0);
    assert_string_equal(reason(), "the hypervisor took 100 % of the core's time");
}

/* Only the absence during the benchmark counts, not the absence before it. */
TEST(a_benchmark_that_did_not_run_is_not_trusted)
{
    fake.absence = (srv_absence){.share = 0.9, .longest = 5, .foreign = 0.9, .moved = 1};
    begin(&fake.machine);
    fake.absence = (srv_absence){.share = 0.2, .longest = 0.9, .foreign = 0.05};
    srv_noise_monitor_sample(&monitor, NULL);
    assert_true(trusts());
    fake.absence.share = 0.52;
    srv_noise_monitor_sample(&monitor, NULL);
    assert_string_equal(reason(), "of threads that measure at once 52 % did not run");
    srv_noise_monitor_next(&monitor);
    fake.absence = (srv_absence){.share = 0.1, .longest = 2.04};
    srv_noise_monitor_sample(&monitor, NULL);
    assert_string_equal(reason(), "the benchmark stood still for 2.0 s");
    srv_noise_monitor_next(&monitor);
    fake.absence = (srv_absence){.moved = 1};
    srv_noise_monitor_sample(&monitor, NULL);
    assert_string_equal(reason(), "others moved the benchmark to other cores");
}

static const char *shared_reason(void)
{
    static char text[SERVET_TEXT_MAX];
    srv_seen_shared_reason(&monitor.now[0], text);
    return text;
}

/* A program on another core does not use this core, but it uses the memory. */
TEST(shared_resources_are_not_trusted_beside_other_programs)
{
    begin(&fake.machine);
    assert_string_equal(shared_reason(), "");
    fake.absence.foreign = 0.5;
    srv_noise_monitor_sample(&monitor, NULL);
    assert_true(trusts());
    assert_string_equal(shared_reason(), "other programs used 50 % of the processors");
    srv_noise_monitor_next(&monitor);
    fake.absence.foreign = 0.02;
    srv_noise_monitor_sample(&monitor, NULL);
    assert_string_equal(shared_reason(), "");
}

/* A recording may have no answers about noise. */
TEST(unknown_noise_is_no_reason_for_distrust)
{
    begin(&fake.machine);
    fake.absence = (srv_absence){NAN, 0, NAN, 0};
    srv_noise_monitor_sample(&monitor, NULL);
    assert_true(trusts());
    assert_string_equal(shared_reason(), "");
}

TEST(samples_of_a_small_budget_are_short)
{
    begin_within(&fake.machine, 1);
    fake.seconds = 0;
    for (int i = 0; i < SERVET_BENCHMARK_COUNT; i++)
        srv_noise_monitor_sample(&monitor, NULL);
    assert_true(fake.seconds < 0.1);
}

TEST_EACH(NULL, NULL)

/* Times grow by 60 % within a minute: the frequency falls to 1 / 1.6. */
TEST(noise_of_a_model_is_reported)
{
    for (int drift = 0; drift < 2; drift++) {
        srv_model *model = sample_model();
        srv_machine *machine;
        srv_noise noise;
        *(drift ? &model->noise.drift : &model->noise.steal) = drift ? 0.6 : 0.5;
        assert_ok(srv_simulated_from(&machine, model, NULL));
        begin(machine);
        if (drift)
            machine->ops->noise(machine, 0, 60, &noise, NULL);
        srv_noise_monitor_sample(&monitor, NULL);
        assert_false(trusts());
        if (drift)
            assert_float_equal(record().drift.value, 1 - 1 / 1.6, 0.01);
        else
            assert_float_equal(record().steal.value, 0.5, 0.1);
        srv_noise_monitor_finish(&monitor);
        srv_machine_destroy(machine);
    }
}
