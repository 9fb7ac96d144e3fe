/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulator skips lines of an element that are found alike, and rounds that repeat themselves.
 * The times are those of a simulation load by load, to the last bit. */
#include "test.h"

#include "sim/random.h"
#include "sim/simulated_traversal.h"
#include "sim/trials.h"
#include "sample_model.h"

enum { LINE = 64, ELEMENT = 1024 };

/* Changes of the sample model: L1 of 16 sets of 4 lines, L2 of 128 sets of 8. */
typedef struct variation {
    const char *name;
    srv_replacement replacement;
    srv_inclusion inclusion; /* of L2 */
    int slices;              /* of L2 */
    double turnover_ms;      /* of L2 */
    int tlb_entries;
    int prefetchers;
} variation;

static srv_model *model_of(const variation *variant)
{
    srv_model *model = kept_model(sample_model());
    for (int i = 0; i < model->cache_count; i++)
        model->cache[i].replacement = variant->replacement;
    srv_model_cache *last = &model->cache[1];
    last->inclusion = variant->inclusion;
    last->slices = variant->slices;
    last->bytes *= variant->slices;
    last->turnover_ms = variant->turnover_ms;
    model->memory_bytes_per_second_core = 1e9;
    model->tlb_count = variant->tlb_entries > 0;
    model->tlb[0] = (srv_model_tlb){.entries = variant->tlb_entries, .penalty_cycles = 7};
    model->prefetcher_count = variant->prefetchers;
    model->prefetcher[0] =
        (srv_model_prefetcher){.type = SRV_PREFETCH_NEXT_LINE, .level = 2, .reach_bytes = LINE};
    return model;
}

enum { ELEMENTS = 400, WALKED = 90, OTHERS = 20, TRIALS = 30, LINES = 8 };

static const uint32_t *random_elements(uint64_t seed)
{
    static uint32_t element[TRIALS * (WALKED + OTHERS)];
    for (int i = 0; i < TRIALS * (WALKED + OTHERS); i++)
        element[i] = srv_random_below(&seed, ELEMENTS);
    return element;
}

static srv_eviction eviction_of(double element_bytes)
{
    return (srv_eviction){.core = 0,
                          .other = 1,
                          .elements = ELEMENTS,
                          .element_bytes = element_bytes,
                          .lines = LINES,
                          .line_bytes = LINE,
                          .seed = 5,
                          .rounds = 2,
                          .trials = TRIALS,
                          .walked = WALKED,
                          .others = OTHERS,
                          .element = random_elements(7)};
}

/* Times of all elements in all trials; returns the time at their end. */
static double run_trials(const srv_model *model, const srv_eviction *eviction, int together,
                         float ns[TRIALS * WALKED])
{
    srv_address_range range = {.bytes = eviction->elements * eviction->element_bytes};
    uint64_t *lines = srv_trials_lines(eviction, together);
    srv_trials trials = {.eviction = eviction, .line = lines, .together = together, .other = 1};
    assert_ok(srv_hierarchy_create(&trials.hierarchy, model, NULL));
    srv_hierarchy_flush(trials.hierarchy, 3);
    assert_ok(srv_hierarchy_enter(trials.hierarchy, &range, NULL));
    assert_ok(srv_hierarchy_join(trials.hierarchy, 1, 0, NULL));
    srv_trials_fill(&trials);
    for (int trial = 0; trial < TRIALS; trial++)
        srv_trials_run(&trials, trial, ns + (size_t)trial * WALKED);
    srv_hierarchy_destroy(trials.hierarchy);
    free(lines);
    return trials.now_ns;
}

static void check_lines(const variation *variant)
{
    static float each[TRIALS * WALKED], first[TRIALS * WALKED];
    srv_model *model = model_of(variant);
    srv_eviction eviction = eviction_of(ELEMENT);
    if (srv_trials_together(model, &eviction) != LINES)
        fail_msg("%s: not alike", variant->name);
    double each_end = run_trials(model, &eviction, 1, each);
    double first_end = run_trials(model, &eviction, LINES, first);
    if (memcmp(each, first, sizeof each) != 0 ||
        memcmp(&each_end, &first_end, sizeof each_end) != 0)
        fail_msg("%s: other times", variant->name);
}

TEST(lines_of_an_element_are_found_alike)
{
    static const variation variants[] = {
        {"lru", SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, 1, 0, 0, 0},
        {"tree", SRV_REPLACE_PLRU, SRV_NON_INCLUSIVE, 1, 0, 0, 0},
        {"inclusive", SRV_REPLACE_LRU, SRV_INCLUSIVE, 1, 0, 0, 0},
        {"exclusive", SRV_REPLACE_LRU, SRV_EXCLUSIVE, 1, 0, 0, 0},
        {"victim", SRV_REPLACE_PLRU, SRV_VICTIM, 1, 0, 0, 0},
        {"slices", SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, 3, 0, 0, 0},
        {"inclusive slices", SRV_REPLACE_PLRU, SRV_INCLUSIVE, 6, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        check_lines(&variants[i]);
}

static int together_in(const variation *variant, double element_bytes, double cache_line,
                       double busy)
{
    srv_model *model = model_of(variant);
    srv_eviction eviction = eviction_of(element_bytes);
    model->cache[1].line_bytes = cache_line;
    model->noise.sibling.busy = busy;
    int together = srv_trials_together(model, &eviction);
    return together;
}

TEST(other_lines_are_simulated_each)
{
    const variation lru = {"lru", SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, 1, 0, 0, 0};
    variation changed = lru;
    assert_int_equal(together_in(&lru, ELEMENT, LINE, 0), LINES);
    assert_int_equal(together_in(&lru, 2 * ELEMENT, LINE, 0),
                     1); /* two lines of it in one set of L1 */
    assert_int_equal(together_in(&lru, ELEMENT, 2 * LINE, 0), 1); /* two lines of it in one of L2 */
    assert_int_equal(together_in(&lru, ELEMENT, LINE, 0.3), 1);
    changed.turnover_ms = 1;
    assert_int_equal(together_in(&changed, ELEMENT, LINE, 0), 1);
    changed = lru;
    changed.replacement = SRV_REPLACE_RANDOM;
    assert_int_equal(together_in(&changed, ELEMENT, LINE, 0), 1);
    changed.replacement = SRV_REPLACE_ADAPTIVE;
    assert_int_equal(together_in(&changed, ELEMENT, LINE, 0), 1);
}

enum { ROUNDS = 24 };

static void start(srv_simulated_traversal *simulated, srv_hierarchy **hierarchy,
                  const srv_model *model, const srv_traversal *traversal)
{
    assert_ok(srv_hierarchy_create(hierarchy, model, NULL));
    assert_ok(srv_simulated_traversal_start(simulated, *hierarchy, model, 0, traversal, 1, NULL));
}

/* Is true if rounds of `lines` lines were found to repeat themselves; the clock shows no
 * difference. */
static bool check_rounds(const variation *variant, int lines, int chains)
{
    srv_model *model = model_of(variant);
    srv_traversal traversal = {.bytes = lines * (double)LINE,
                               .line_bytes = LINE,
                               .pages = SERVET_PAGES_BASE,
                               .chains = chains,
                               .seed = 11};
    srv_simulated_traversal each, watched;
    srv_hierarchy *of_each, *of_watched;
    start(&each, &of_each, model, &traversal);
    start(&watched, &of_watched, model, &traversal);
    srv_simulated_traversal_watch(&watched);
    for (int i = 0; i < ROUNDS * lines; i++) {
        srv_simulated_traversal_step(&each);
        srv_simulated_traversal_step(&watched);
        if (memcmp(&each.now_ns, &watched.now_ns, sizeof each.now_ns) != 0)
            fail_msg("%s, %d lines: %.17g ns, not %.17g, after %d loads", variant->name, lines,
                     watched.now_ns, each.now_ns, i + 1);
    }
    bool repeats = watched.round.repeats;
    srv_simulated_traversal_finish(&each);
    srv_simulated_traversal_finish(&watched);
    srv_hierarchy_destroy(of_each);
    srv_hierarchy_destroy(of_watched);
    return repeats;
}

/* 20 lines are in L1, 500 in L2, 3000 in memory; TLBs of 8 pages miss from 512 lines on. */
TEST(rounds_repeat_themselves)
{
    static const variation variants[] = {
        {"lru", SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, 1, 0, 0, 0},
        {"translated", SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, 1, 0, 8, 0},
        {"inclusive", SRV_REPLACE_LRU, SRV_INCLUSIVE, 1, 0, 8, 0},
        {"exclusive", SRV_REPLACE_LRU, SRV_EXCLUSIVE, 1, 0, 8, 0},
        {"victim", SRV_REPLACE_LRU, SRV_VICTIM, 2, 0, 8, 0},
    };
    static const int lines[] = {1, 20, 500, 3000};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
            for (int chains = 1; chains <= 4; chains += 3)
                if (!check_rounds(&variants[i], lines[k], chains))
                    fail_msg("%s: %d lines do not repeat", variants[i].name, lines[k]);
}

TEST(rounds_that_differ_are_simulated)
{
    static const variation variants[] = {
        {"random", SRV_REPLACE_RANDOM, SRV_NON_INCLUSIVE, 1, 0, 0, 0},
        {"turnover", SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, 1, 0.001, 0, 0},
        {"prefetched", SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, 1, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        assert_true(check_rounds(&variants[i], 20, 1));
        assert_false(check_rounds(&variants[i], 200, 1));
    }
}
