/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulator skips lines of an element that are found alike. The times are those of a simulation
 * load by load, to the last bit. */
#include "test.h"

#include "sim/random.h"
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
        {"lru", SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, 1, 0},
        {"tree", SRV_REPLACE_PLRU, SRV_NON_INCLUSIVE, 1, 0},
        {"inclusive", SRV_REPLACE_LRU, SRV_INCLUSIVE, 1, 0},
        {"exclusive", SRV_REPLACE_LRU, SRV_EXCLUSIVE, 1, 0},
        {"victim", SRV_REPLACE_PLRU, SRV_VICTIM, 1, 0},
        {"slices", SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, 3, 0},
        {"inclusive slices", SRV_REPLACE_PLRU, SRV_INCLUSIVE, 6, 0},
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
    const variation lru = {"lru", SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, 1, 0};
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
