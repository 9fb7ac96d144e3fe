/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages that evict each other, on a machine that is one cache of known colours and ways. */
#include "test.h"

#include "alloc.h"
#include "colour_trials.h"
#include "core/error.h"
#include "machine/order.h"
#include "facts/geometry/stage_parts.h"

enum { COLOURS = 4, WAYS = 4, ELEMENTS_MAX = 4096 };

static const double PAGE = 4096;

static colour_machine cache;
static srv_geometry_plan plan;
static double now; /* seconds */
static int probes, fails_at;

static double elapsed(srv_machine *self)
{
    (void)self;
    return now;
}

/* Each element has the colour that its number and the seed give it. */
static int evict(srv_machine *self, const srv_eviction *probe, float *ns, servet_error *error)
{
    (void)self;
    assert_true(probe->elements <= ELEMENTS_MAX && probe->other == -1);
    assert_int_equal(probe->core, plan.core);
    assert_int_equal(probe->lines, 64);
    if (++probes == fails_at)
        return srv_fail(error, SERVET_EMACHINE, "no answer");
    cache.rounds = probe->rounds;
    for (int t = 0; t < probe->trials; t++)
        colour_machine_run(&cache, probe->element + t * probe->walked, probe->walked,
                           ns + t * probe->walked);
    now += 1e-3 * probe->trials;
    return SERVET_OK;
}

static int noise(srv_machine *self, int core, double seconds, srv_noise *seen, servet_error *error)
{
    (void)self;
    assert_int_equal(core, plan.core);
    if (++probes == fails_at)
        return srv_fail(error, SERVET_EMACHINE, "no answer");
    *seen = (srv_noise){0};
    now += seconds;
    return SERVET_OK;
}

static const srv_machine_ops ops = {.evict = evict, .elapsed = elapsed, .noise = noise};
static srv_machine fake = {&ops};

static int prepare(void **state)
{
    (void)state;
    cache = (colour_machine){.colours = COLOURS, .ways = WAYS};
    colour_machine_begin(&cache, ELEMENTS_MAX, 1);
    plan = (srv_geometry_plan){
        .core = 3, .line_bytes = 64, .above_bytes = PAGE, .max_bytes = 128 * PAGE, .seed = 1};
    now = 0;
    probes = fails_at = 0;
    return 0;
}

static int finish(void **state)
{
    (void)state;
    colour_machine_finish(&cache);
    return 0;
}

static void finds(bool clear)
{
    srv_conflicts found = {0};
    assert_ok(srv_probe_pages(&fake, &plan, &found, NULL));
    assert_true(clear == (found.colour_count > 0 && found.ways_clear));
    if (clear) {
        assert_int_equal(found.colour_count, COLOURS);
        assert_int_equal(found.ways.ways, WAYS);
        assert_true(fabs(found.hit_ns - COLOUR_HIT_NS) < 0.05 * COLOUR_HIT_NS);
    }
    srv_conflicts_finish(&found);
    assert_null(found.trials.ns);
}

TEST_EACH(prepare, finish)

TEST(colours_and_ways_are_those_of_the_cache)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        plan.seed = seed;
        finds(true);
    }
}

TEST(other_work_does_not_change_the_result)
{
    cache.busy = 0.3;
    cache.step_ns = 20;
    finds(true);
}

/* The elements of a trial of turns that lie beside one of the colour that takes turns. */
static int count_beside(const srv_conflicts *found, int trial)
{
    const srv_coeviction *trials = &found->turns;
    const uint32_t *element = trials->element + trials->first[trial];
    size_t walked = trials->first[trial + 1] - trials->first[trial];
    int colour = cache.colour[element[0]], beside = 0;
    for (size_t i = 0; i < walked; i++) {
        int e = (int)element[i];
        beside += (e > 0 && cache.colour[e - 1] == colour) ||
                  (e + 1 < found->trials.elements && cache.colour[e + 1] == colour);
    }
    return beside;
}

/* With 16 colours every eighth page lies beside one of the counted colour: lines that a prefetcher
 * brings from the next page would take a way. (Some pages are given no colour.) */
TEST(pages_beside_the_counted_colour_take_no_part)
{
    colour_machine_finish(&cache);
    cache = (colour_machine){.colours = 16, .ways = 8};
    colour_machine_begin(&cache, ELEMENTS_MAX, 1);
    plan.above_bytes = 8 * PAGE;
    plan.max_bytes = 1024 * PAGE;
    srv_conflicts found = {0};
    assert_ok(srv_probe_pages(&fake, &plan, &found, NULL));
    assert_int_equal(found.ways.ways, 8);
    double beside = 0, all = 0;
    for (int t = 0; t < found.turns.trials; t++) {
        size_t walked = found.turns.first[t + 1] - found.turns.first[t];
        if (walked <= (size_t)found.turns.fillers + 9) {
            beside += count_beside(&found, t);
            all += (double)walked;
        }
    }
    assert_true(all > 0);
    assert_true(beside < 0.02 * all);
    srv_conflicts_finish(&found);
}

TEST(more_colours_than_probed_are_not_found)
{
    plan.max_bytes = WAYS * COLOURS * PAGE / 2;
    finds(false);
}

/* A cache that holds all probes shows no conflict. */
TEST(a_cache_without_end_is_not_found)
{
    colour_machine_finish(&cache);
    cache = (colour_machine){.colours = COLOURS, .ways = 1000};
    colour_machine_begin(&cache, ELEMENTS_MAX, 1);
    finds(false);
}

TEST(the_stage_ends_by_the_deadline)
{
    plan.deadline.at = 0.05;
    finds(false);
    assert_true(now >= 0.05 && now < 1); /* the last probe may be a long one */
}

TEST(failures_of_the_machine_are_reported)
{
    finds(true);
    int all = probes;
    assert_true(all > 20);
    for (int n = 1; n <= all; n++) {
        srv_conflicts found = {0};
        servet_error error = SERVET_ERROR_INIT;
        probes = 0;
        fails_at = n;
        assert_int_equal(srv_probe_pages(&fake, &plan, &found, &error), SERVET_EMACHINE);
        assert_string_equal(error.text, "no answer");
        srv_conflicts_finish(&found);
    }
}

static int probe_and_free(void)
{
    srv_conflicts found = {0};
    now = 0;
    int code = srv_probe_pages(&fake, &plan, &found, NULL);
    srv_conflicts_finish(&found);
    return code;
}

/* Every allocation at first, later ones here and there. */
TEST(failed_allocations_are_reported)
{
    for (size_t n = 1;; n += 1 + n / 16) {
        alloc_fail_at(n);
        int code = probe_and_free();
        bool lost = alloc_has_failed();
        alloc_fail_at(0);
        assert_int_equal(code, lost ? SERVET_EMEMORY : SERVET_OK);
        if (!lost) {
            assert_true(n > 100);
            break;
        }
    }
}
