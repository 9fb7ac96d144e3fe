/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials of eviction and lines at a stride on this machine: properties of any machine, however
 * busy. */
#include "test.h"

#include "machine/hardware/probes.h"
#include "two_cores.h"

enum { ELEMENTS = 24, WALKED = 8, OTHERS = 8, TRIALS = 5, ELEMENT = 4096, LINE = 64 };

static uint32_t element[TRIALS * (WALKED + OTHERS)];
static float ns[TRIALS * WALKED];

/* Trial t walks the elements from t on, and the other core those that follow. */
static srv_eviction probe(void)
{
    srv_eviction all = {.core = cores[0],
                        .other = -1,
                        .pages = SERVET_PAGES_BASE,
                        .elements = ELEMENTS,
                        .element_bytes = ELEMENT,
                        .lines = 32,
                        .line_bytes = LINE,
                        .seed = 1,
                        .rounds = 2,
                        .trials = TRIALS,
                        .walked = WALKED,
                        .element = element};
    for (int t = 0; t < TRIALS; t++)
        for (int i = 0; i < WALKED; i++)
            element[t * WALKED + i] = (uint32_t)((t + i) % ELEMENTS);
    return all;
}

static srv_eviction probe_of_two(void)
{
    srv_eviction both = probe();
    both.other = cores[1];
    both.others = OTHERS;
    for (int t = 0; t < TRIALS; t++)
        for (int i = 0; i < WALKED + OTHERS; i++)
            element[t * (WALKED + OTHERS) + i] = (uint32_t)((t + i) % ELEMENTS);
    return both;
}

static int evict(const srv_eviction *all)
{
    for (int i = 0; i < TRIALS * WALKED; i++)
        ns[i] = -1;
    return machine->ops->evict(machine, all, ns, NULL);
}

/* A clock of coarse steps may see nothing of a few loads: then again, until it does. */
static void every_element_has_a_time(const srv_eviction *all)
{
    enum { REPETITIONS = 1000 };
    double sum = 0;
    for (int k = 0; k < REPETITIONS && sum == 0; k++) {
        assert_ok(evict(all));
        for (int i = 0; i < all->trials * all->walked; i++) {
            assert_true(isfinite(ns[i]) && ns[i] >= 0);
            sum += ns[i];
        }
    }
    assert_true(sum > 0);
}

/* --- trials ----------------------------------------------------------------------------------- */

TEST(any_part_of_an_element_may_be_traversed)
{
    static const int lines[] = {1, 2, 63, 64};
    for (int i = 0; i < 4; i++) {
        srv_eviction all = probe();
        all.lines = lines[i];
        every_element_has_a_time(&all);
    }
    srv_eviction small = probe();
    small.element_bytes = 256;
    small.lines = 4;
    every_element_has_a_time(&small);
    srv_eviction unwarmed = probe();
    unwarmed.rounds = 0;
    every_element_has_a_time(&unwarmed);
}

TEST(two_cores_take_turns)
{
    needs_two_cores();
    srv_eviction both = probe_of_two();
    for (int again = 0; again < 3; again++)
        every_element_has_a_time(&both);
    both.rounds = 0;
    every_element_has_a_time(&both);
    srv_eviction alone = probe();
    every_element_has_a_time(&alone);
}

/* --- memory ----------------------------------------------------------------------------------- */

static srv_elements *elements_of(srv_machine *on)
{
    return &((srv_hardware *)on)->elements;
}

static void *memory_after(const srv_eviction *all)
{
    assert_ok(machine->ops->evict(machine, all, ns, NULL));
    return elements_of(machine)->arena.base;
}

/* The byte in the last element is none of the loads': it stays as long as the memory does. */
TEST(memory_is_kept_between_equal_probes)
{
    srv_eviction all = probe();
    char *base = memory_after(&all);
    char *mark = base + (size_t)ELEMENTS * ELEMENT - 1;
    *mark = 42;
    all.rounds = 1;
    all.trials = 2;
    assert_ptr_equal(memory_after(&all), base);
    assert_int_equal(*mark, 42);
    all.seed++;
    char *other = memory_after(&all);
    assert_int_equal(other[(size_t)ELEMENTS * ELEMENT - 1], 0);
    srv_hardware_forget_elements((srv_hardware *)machine);
    assert_null(elements_of(machine)->arena.base);
    srv_hardware_forget_elements((srv_hardware *)machine);
}

/* All elements have the same lines, each once, in a cycle; what is not a pointer is not written. */
TEST(lines_of_an_element_are_a_cycle)
{
    srv_eviction all = probe();
    memory_after(&all);
    const srv_elements *elements = elements_of(machine);
    for (size_t e = 0; e < ELEMENTS; e++) {
        char *base = elements->arena.base + e * ELEMENT;
        void *at = base + elements->offset[0];
        bool seen[ELEMENT / LINE] = {false};
        for (int i = 0; i < all.lines; i++) {
            size_t offset = (size_t)((char *)at - base);
            assert_true(offset < ELEMENT && offset % LINE == 0 && !seen[offset / LINE]);
            assert_int_equal(offset, elements->offset[i]);
            seen[offset / LINE] = true;
            at = *(void **)at;
        }
        assert_ptr_equal(at, base + elements->offset[0]);
    }
}

/* --- refusals --------------------------------------------------------------------------------- */

TEST(invalid_probes_are_refused)
{
    const srv_eviction good = probe();
    srv_eviction bad[] = {good, good, good, good, good, good, good, good, good, good, good, good};
    bad[0].walked = 0;
    bad[1].lines = 0;
    bad[2].lines = ELEMENT / LINE + 1;
    bad[3].other = bad[3].core;
    bad[4].others = 1; /* that no core traverses */
    bad[5].elements = 0;
    bad[6].trials = 0;
    bad[7].rounds = -1;
    bad[8].line_bytes = 0;
    bad[9].line_bytes = 12; /* pointers would not be whole */
    bad[10].element_bytes = 1 << 20;
    bad[11].others = -1;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        servet_error error = SERVET_ERROR_INIT;
        if (machine->ops->evict(machine, &bad[i], ns, &error) != SERVET_EARGUMENT)
            fail_msg("probe %zu was not refused", i);
        assert_int_equal(error.code, SERVET_EARGUMENT);
        assert_true(*error.text != '\0');
    }
    every_element_has_a_time(&good); /* and the machine still answers */
}

TEST(a_core_that_does_not_exist_is_reported)
{
    srv_eviction nowhere = probe();
    nowhere.core = 1000000;
    assert_true(evict(&nowhere) < 0);
    srv_eviction lonely = probe_of_two();
    lonely.other = 1000000;
    assert_true(evict(&lonely) < 0);
    srv_eviction all = probe();
    every_element_has_a_time(&all);
}

/* --- lines at a stride ------------------------------------------------------------------------ */

static srv_traversal lines_at(double stride, int count)
{
    return (srv_traversal){.core = cores[0],
                           .bytes = count * stride,
                           .pattern = SRV_PATTERN_SETS,
                           .line_bytes = LINE,
                           .stride = stride,
                           .phases = 1,
                           .chains = 1,
                           .seed = 1,
                           .seconds = 2e-5};
}

static int traverse(const srv_traversal *traversal, srv_timing *timing)
{
    memset(timing, 0, sizeof *timing);
    return machine->ops->traverse(machine, traversal, 1, timing, NULL);
}

TEST(lines_at_any_stride_have_a_time)
{
    srv_timing timing;
    for (double stride = 512; stride <= 65536; stride *= 2)
        for (int phases = 1; phases <= 8; phases *= 2) {
            srv_traversal sets = lines_at(stride, 9);
            sets.phases = phases;
            sets.apart = phases > 1 ? LINE : 0;
            for (int spread = 0; spread < 2; spread++) {
                sets.pattern = spread ? SRV_PATTERN_SPREAD : SRV_PATTERN_SETS;
                assert_ok(traverse(&sets, &timing));
                assert_true(timing.spread.n > 0);
                assert_true(timing.spread.minimum > 0 && isfinite(timing.spread.high));
            }
        }
}

TEST(lines_without_room_are_refused)
{
    srv_timing timing;
    const srv_traversal good = lines_at(4096, 8);
    srv_traversal bad[] = {good, good, good, good, good, good};
    bad[0].phases = 0;
    bad[1].phases = 3;
    bad[1].apart = 2048; /* the third one would lie on the next */
    bad[2].phases = 2;
    bad[2].apart = 12; /* no whole pointer */
    bad[3].stride = 0;
    bad[4].bytes = 0;
    bad[5].pattern = SRV_PATTERN_SPREAD;
    bad[5].phases = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (traverse(&bad[i], &timing) != SERVET_EARGUMENT)
            fail_msg("traversal %zu was not refused", i);
    assert_ok(traverse(&good, &timing));
}

TEST_GROUP(two_cores_begin, two_cores_end)
