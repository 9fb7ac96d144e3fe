/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of threads that measure at once, while other programs take their cores: those count in
 * which all of them ran. */
#include "test.h"

#include <time.h>

#include "machine/hardware/clock.h"
#include "machine/hardware/company.h"

/* A load takes 2 ns while the other threads run, too, and 1 ns without one of them. */
static const double TOGETHER = 2, APART = 1, STEP_NS = 20e3;

/* When the threads of a model lose their cores: for `away_ns` every `period_ns`, from `offset_ns`
 * on. */
typedef struct slices {
    double period_ns, away_ns, offset_ns;
} slices;

static bool is_away(const slices *core, double ns)
{
    return fmod(ns + core->period_ns - core->offset_ns, core->period_ns) < core->away_ns;
}

/* The time at which a thread that needs STEP_NS of its core ends a step, and whether it lost it. */
static double end_of(const slices *core, double begin, bool *absent)
{
    double ran = 0, now = begin;
    for (const double tick = STEP_NS / 10; ran < STEP_NS; now += tick)
        ran += is_away(core, now) ? 0 : tick;
    *absent = now - begin > 2 * STEP_NS;
    return now;
}

static bool all_run(const slices *cores, int count, double begin, double end)
{
    for (int i = 0; i < count; i++)
        for (double now = begin; now < end; now += STEP_NS / 10)
            if (is_away(&cores[i], now))
                return false;
    return true;
}

/* Fills the log of a thread with its steps in `ns`. */
static void log_steps(srv_step_log *log, const slices *cores, int count, int thread, double ns)
{
    log->begin_ns = 0;
    for (double begin = 0, end; begin < ns; begin = end) {
        size_t at = log->count++ % SRV_SAMPLES_MAX;
        end = end_of(&cores[thread], begin, &log->absent[at]);
        log->end_ns[at] = end;
        log->value[at] = all_run(cores, count, begin, end) ? TOGETHER : APART;
    }
}

/* The share of the samples of all threads that show company, and what was missing. */
static double shown(const slices *cores, int count, double ns, srv_absence *absence)
{
    srv_company company;
    srv_absences absences = {0};
    double samples[SRV_SAMPLES_MAX], right = 0, all = 0;
    assert_ok(srv_company_init(&company, count, NULL));
    for (int i = 0; i < count; i++)
        log_steps(&company.log[i], cores, count, i, ns);
    assert_ok(srv_company_compare(&company, NULL));
    for (int i = 0; i < count; i++) {
        size_t n = srv_company_samples(&company, i, samples);
        assert_true(n >= SRV_SAMPLES_MIN && n <= SRV_SAMPLES_MAX);
        for (size_t k = 0; k < n; k++)
            right += samples[k] == TOGETHER;
        all += (double)n;
    }
    srv_company_note(&company, &absences);
    *absence = srv_absences_seen(&absences);
    srv_company_finish(&company);
    return right / all;
}

TEST(samples_in_which_both_ran_count)
{
    const slices cores[][2] = {
        {{8e6, 0, 0}, {8e6, 0, 0}},         /* nobody is disturbed */
        {{8e6, 4e6, 1e6}, {8e6, 0, 0}},     /* one core is half taken */
        {{8e6, 4e6, 1e6}, {6e6, 3e6, 2e6}}, /* both are */
        {{30e6, 27e6, 0}, {30e6, 0, 0}},    /* one is nearly always */
    };
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        srv_absence absence;
        assert_float_equal(shown(cores[i], 2, 19e6 + 11e6 * (i == 3), &absence), 1, 0);
        assert_float_equal(absence.share, 0, 0);
    }
}

TEST(threads_that_never_meet_say_so)
{
    const slices cores[] = {{8e6, 4e6, 0}, {8e6, 4e6, 4e6}};
    srv_absence absence;
    assert_float_equal(shown(cores, 2, 19e6, &absence), 0, 0);
    assert_float_equal(absence.share, 1, 1e-9);
}

/* A third thread is away for all of the time: the two others count while they run both. */
TEST(the_most_company_counts)
{
    srv_company company;
    srv_absences absences = {0};
    double samples[SRV_SAMPLES_MAX];
    const slices cores[] = {{8e6, 4e6, 1e6}, {8e6, 0, 0}};
    assert_ok(srv_company_init(&company, 3, NULL));
    for (int i = 0; i < 2; i++)
        log_steps(&company.log[i], cores, 2, i, 16e6);
    assert_ok(srv_company_compare(&company, NULL));
    for (int i = 0; i < 2; i++)
        for (size_t n = srv_company_samples(&company, i, samples); n-- > 0;)
            assert_float_equal(samples[n], TOGETHER, 0);
    assert_int_equal(srv_company_samples(&company, 2, samples), 0);
    srv_company_note(&company, &absences);
    assert_float_equal(srv_absences_seen(&absences).share, (0.5 + 0.5) / 3, 1e-9);
    srv_company_finish(&company);
}

/* The log of a thread that runs has lost its oldest steps when the other one comes back. */
TEST(the_newest_steps_are_kept)
{
    const slices cores[] = {{100e6, 40e6, 0}, {100e6, 0, 0}};
    srv_absence absence;
    assert_float_equal(shown(cores, 2, 50e6, &absence), 1, 0);
    assert_float_equal(absence.share, 0, 0);
}

static void spin(double ns)
{
    for (double end = srv_clock_raw_ns() + ns; srv_clock_raw_ns() < end;)
        ;
}

TEST(a_thread_that_sleeps_is_absent)
{
    static srv_step_log log;
    const struct timespec pause = {0, 20000000};
    srv_step_log_begin(&log);
    for (int i = 0; i < SRV_SAMPLES_MIN; i++) {
        spin(STEP_NS);
        srv_step_log_add(&log, i);
    }
    nanosleep(&pause, NULL);
    srv_step_log_add(&log, SRV_SAMPLES_MIN);
    assert_true(log.absent[SRV_SAMPLES_MIN]);
    assert_true(log.lost_ns > 0.9 * 20e6);
    assert_false(srv_step_log_suffices(&log, 10));
    assert_true(srv_step_log_suffices(&log, 1e-6));
}

/* On a busy machine the thread may lose its core: then again, until it does not. */
TEST(a_long_step_is_no_absence)
{
    static srv_step_log log;
    double lost = INFINITY;
    bool absent = true;
    while (lost > 1e6) {
        log = (srv_step_log){.count = 0};
        srv_step_log_begin(&log);
        spin(STEP_NS);
        srv_step_log_add(&log, 1);
        spin(4e6);
        srv_step_log_add(&log, 1);
        lost = log.lost_ns;
        absent = log.absent[1];
    }
    assert_false(absent);
}
