/* SPDX-License-Identifier: BSD-3-Clause */
/* Cyclic accesses to elements of one colour, with others in between: the number that the cache
 * holds is found. */
#include "test.h"

#include "colour_trials.h"
#include "sim/random.h"

enum { COLOURS = 16, BETWEEN = 10, PASSES = 24, TRIALS = 10 };

/* With random replacement, lines evict each other for a while even if all of them fit. */
enum { ROUNDS = 8 };

/* Elements with numbers e, e + COLOURS, ... are of one colour. */
static void begin(colour_machine *machine, uint64_t seed)
{
    machine->colours = COLOURS;
    machine->rounds = ROUNDS;
    colour_machine_begin(machine, COLOURS * SRV_TURNS_MAX, seed);
    for (int e = 0; e < machine->elements; e++)
        machine->colour[e] = e % COLOURS;
}

static void probe(colour_machine *machine, srv_coeviction *turns, int lines, int count)
{
    size_t at;
    int walked = lines + BETWEEN;
    turns->fillers = BETWEEN;
    assert_ok(srv_coeviction_add(turns, count, walked, &at, NULL));
    for (int t = 0; t < count; t++, at += (size_t)walked) {
        uint32_t *element = turns->element + at,
                 colour = srv_random_below(&machine->state, COLOURS);
        for (int i = 0; i < walked; i++)
            element[i] = i < lines ? colour + (uint32_t)(i * COLOURS)
                                   : (colour + 1 + (uint32_t)(i - lines)) % COLOURS;
        colour_machine_run(machine, element, walked, turns->ns + at);
    }
}

/* All numbers up to twice the ways, again and again. */
static srv_coeviction trials_of(colour_machine *machine, uint64_t seed)
{
    srv_coeviction turns = {0};
    begin(machine, seed);
    for (int pass = 0; pass < PASSES; pass++)
        for (int lines = 1; lines <= 2 * machine->ways + 2; lines++)
            probe(machine, &turns, lines, TRIALS);
    colour_machine_finish(machine);
    return turns;
}

static srv_ways detect(colour_machine *machine, uint64_t seed, bool *clear)
{
    srv_ways ways = {0};
    srv_coeviction turns = trials_of(machine, seed);
    assert_ok(srv_detect_turns(&turns, ROUNDS, &ways, clear, NULL));
    srv_coeviction_finish(&turns);
    return ways;
}

static const int ways_known[] = {2, 4, 6, 8, 10, 12, 16, 20};
enum { KNOWN = sizeof ways_known / sizeof *ways_known };

TEST(lru_shows_its_ways)
{
    for (int i = 0; i < KNOWN; i++) {
        bool clear;
        colour_machine machine = {.ways = ways_known[i], .step_ns = 20};
        srv_ways ways = detect(&machine, (uint64_t)i, &clear);
        assert_true(clear);
        assert_int_equal(ways.ways, ways_known[i]);
        assert_int_equal(ways.next, ways_known[i] + 1);
        assert_true(fabs(ways.hit_ns - COLOUR_HIT_NS) < 0.1 * COLOUR_HIT_NS);
    }
}

/* Many ways may be unclear, none are wrong. */
TEST(random_replacement_shows_its_ways)
{
    for (int i = 0; i < (int)test_cases(5, KNOWN); i++) {
        bool clear;
        colour_machine machine = {.ways = ways_known[i], .random = true, .step_ns = 10};
        srv_ways ways = detect(&machine, (uint64_t)i, &clear);
        assert_true(clear || ways_known[i] > 8);
        if (clear)
            assert_int_equal(ways.ways, ways_known[i]);
    }
}

/* Other programs disturb a fifth to more than half of the trials; the quiet trials decide. */
TEST(bursts_of_other_work_do_not_matter)
{
    static const double busy[] = {0.2, 0.4, 0.6};
    for (int k = 0; k < 3; k++)
        for (int random = 0; random < 2; random++)
            for (uint64_t seed = 0; seed < test_cases(1, 8); seed++) {
                bool clear;
                colour_machine machine = {
                    .ways = 8, .random = random, .busy = busy[k], .step_ns = 20};
                srv_ways ways = detect(&machine, seed, &clear);
                if (!clear || ways.ways != 8)
                    fail_msg("busy %g, %s: %d ways%s", busy[k], random ? "random" : "LRU",
                             ways.ways, clear ? "" : ", unclear");
            }
}

TEST(points_ascend_and_have_an_error)
{
    srv_turns points[SRV_TURNS_MAX];
    colour_machine machine = {.ways = 4};
    srv_coeviction turns = trials_of(&machine, 1);
    assert_int_equal(srv_turns_read(&turns, points), 10);
    for (int i = 0; i < 10; i++) {
        double expected = i < 4 ? COLOUR_HIT_NS : COLOUR_MISS_NS;
        assert_int_equal(points[i].lines, i + 1);
        assert_true(points[i].ns >= expected && points[i].ns <= 1.02 * expected);
        assert_true(points[i].error > 0 && points[i].error < 0.01 * expected);
    }
    srv_coeviction_finish(&turns);
}

TEST(without_trials_nothing_is_found)
{
    bool clear = true;
    srv_ways ways;
    srv_coeviction turns = {0};
    assert_ok(srv_detect_turns(&turns, ROUNDS, &ways, &clear, NULL));
    assert_false(clear);
    srv_coeviction_finish(&turns);
}

/* Numbers up to the ways, which all hit. */
TEST(without_misses_the_result_is_not_clear)
{
    bool clear = true;
    srv_ways ways;
    srv_coeviction turns = {0};
    colour_machine machine = {.ways = 8, .step_ns = 20};
    begin(&machine, 1);
    for (int lines = 1; lines <= 8; lines++)
        probe(&machine, &turns, lines, TRIALS);
    assert_ok(srv_detect_turns(&turns, ROUNDS, &ways, &clear, NULL));
    assert_false(clear);
    srv_coeviction_finish(&turns);
    colour_machine_finish(&machine);
}
