/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials of elements of known colours that evict each other: the colours are found, or the two
 * halves of the trials disagree. */
#include "test.h"

#include "alloc.h"
#include "colour_trials.h"
#include "sim/random.h"

/* Agreement that a measurement requires (share/doc/detection.md). */
static const double AGREEMENT = 0.95;

/* --- trials ----------------------------------------------------------------------------------- */

/* A third of them each around the capacity: colours with many elements show in the smaller trials,
 * those with few in the larger. Three times as many elements as the largest trial has. */
static void run(colour_machine *machine, srv_coeviction *trials, int count, double share)
{
    double capacity = share * machine->colours * machine->ways;
    int elements = (int)(3 * 1.25 * capacity);
    machine->rounds = 3;
    colour_machine_begin(machine, elements, 1);
    *trials = (srv_coeviction){.elements = elements};
    for (int i = 0; i < 3; i++)
        colour_trials_add(machine, trials, count / 3, (int)((0.85 + 0.2 * i) * capacity));
}

static void finish(colour_machine *machine, srv_coeviction *trials, srv_colours *colours)
{
    colour_machine_finish(machine);
    srv_coeviction_finish(trials);
    srv_colours_finish(colours);
}

/* --- the truth -------------------------------------------------------------------------------- */

static int count_both(const srv_colours *found, const int *truth, int n, int colour, int expected)
{
    int both = 0;
    for (int e = 0; e < n; e++)
        both += found->colour[e] == colour && truth[e] == expected;
    return both;
}

/* The share of the elements that are in the colour that most of their true colour are in. */
static double right_share(const srv_colours *found, const int *truth, int n, int colours)
{
    int right = 0;
    for (int expected = 0; expected < colours; expected++) {
        int most = 0;
        for (int colour = 0; colour < found->count; colour++) {
            int both = count_both(found, truth, n, colour, expected);
            most = both > most ? both : most;
        }
        right += most;
    }
    return (double)right / n;
}

static void finds(colour_machine *machine, int count)
{
    srv_coeviction trials;
    srv_colours found;
    run(machine, &trials, count, 1);
    assert_ok(srv_detect_colours(&trials, &found, NULL));
    double right = right_share(&found, machine->colour, trials.elements, machine->colours);
    if (found.count != machine->colours || found.agreement < AGREEMENT || right < 0.97)
        fail_msg("%d colours of %d ways, busy %g: %d, agreement %.2f, right %.2f", machine->colours,
                 machine->ways, machine->busy, found.count, found.agreement, right);
    assert_true(found.left_over <= 0.03 * trials.elements);
    if (machine->busy == 0)
        assert_true(found.fast_ns < 1.5 * COLOUR_HIT_NS && found.slow_ns > 0.6 * COLOUR_MISS_NS);
    finish(machine, &trials, &found);
}

/* --- what is found ---------------------------------------------------------------------------- */

TEST(two_to_thirty_two_colours_are_found)
{
    for (size_t i = 1; i <= test_cases(5, 5); i++) {
        colour_machine machine = {.colours = 1 << i, .ways = 8, .step_ns = 20};
        finds(&machine, 2400);
    }
}

TEST(colours_are_found_with_any_ways_and_policy)
{
    for (size_t i = 0; i < test_cases(4, 4); i++) {
        colour_machine machine = {
            .colours = 8, .ways = i < 2 ? 4 : 8, .random = i % 2 == 0, .step_ns = 10};
        finds(&machine, 2400);
    }
}

/* Colours need not be a power of two. */
TEST(any_number_of_colours_is_found)
{
    for (size_t i = 1; i <= test_cases(4, 4); i++) {
        colour_machine machine = {.colours = 3 * (int)i, .ways = 8, .step_ns = 10};
        finds(&machine, 2400);
    }
}

TEST(bursts_of_other_work_do_not_matter)
{
    for (size_t i = 1; i <= test_cases(3, 3); i++) {
        colour_machine machine = {.colours = 16, .ways = 8, .busy = 0.2 * (double)i, .step_ns = 20};
        finds(&machine, 2400);
    }
}

/* --- refinement alone ------------------------------------------------------------------------- */

enum { N_MAX = 32 };

static float both[N_MAX * N_MAX], half[2][N_MAX * N_MAX];
static int label[N_MAX];

/* Effects that do not vary: what lies this far from another colour's is sure. */
static const srv_modes exact = {.other = 0, .same = 1, .spread = {1e-3, 1e-3}};

static void set(int n, int i, int j, double effect)
{
    float *const all[] = {both, half[0], half[1]};
    for (int k = 0; k < 3; k++)
        all[k][i * n + j] = all[k][j * n + i] = (float)effect;
}

static void set_all(int n, int first, int end, int other, int other_end, double effect)
{
    for (int i = first; i < end; i++)
        for (int j = other; j < other_end; j++)
            if (i != j)
                set(n, i, j, effect);
}

/* Elements of colours in turn, which have an effect of 1 on their own and 0 on others. */
static void set_colours(int n, int colours)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            set(n, i, j, i % colours == j % colours);
}

static srv_colours refined(int n, const srv_modes *two)
{
    srv_effects effects = {n, {half[0], half[1]}, both};
    srv_colours found = {.colour = label};
    assert_true(srv_colours_refine(&effects, two, &found));
    return found;
}

static void is_in_turn(int n, int colours)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            assert_int_equal(label[i] == label[j], i % colours == j % colours);
}

TEST(elements_move_to_the_colour_that_affects_them)
{
    set_colours(24, 3);
    for (int i = 0; i < 24; i++)
        label[i] = i % 3;
    label[3] = 1;
    label[7] = 2;
    label[8] = 20; /* alone so far */
    srv_colours found = refined(24, &exact);
    is_in_turn(24, 3);
    assert_int_equal(found.count, 3);
    assert_int_equal(found.left_over, 0);
    assert_float_equal(found.agreement, 1, 0);
}

TEST(parts_of_one_colour_are_joined)
{
    set_colours(24, 3);
    for (int i = 0; i < 24; i++)
        label[i] = i % 3 + (i % 3 == 1 && i > 12 ? 5 : 0);
    assert_int_equal(refined(24, &exact).count, 3);
    is_in_turn(24, 3);
    for (int i = 0; i < 24; i++)
        label[i] = i % 6;
    assert_int_equal(refined(24, &exact).count, 3);
    is_in_turn(24, 3);
}

/* Colours are merged if they affect each other more than half of their own effect: here 0.4. */
static int count_of_two(double between)
{
    set_all(13, 0, 6, 0, 6, 1);
    set_all(13, 6, 13, 6, 13, 0.6);
    set_all(13, 0, 6, 6, 13, between);
    for (int i = 0; i < 13; i++)
        label[i] = i < 6 ? 0 : 6;
    return refined(13, &exact).count;
}

TEST(colours_that_affect_each_other_little_are_two)
{
    assert_int_equal(count_of_two(0.38), 2);
    assert_int_equal(count_of_two(0.42), 1);
    assert_int_equal(count_of_two(-1), 2);
}

/* The mean of 9 effects that vary by 0.2 has an error of 0.2 / 3; four of these are sure. */
static int label_of_weak(double effect)
{
    const srv_modes vary = {.other = 0.1, .same = 1, .spread = {0.2, 0.1}};
    set_all(19, 0, 9, 0, 9, 1);
    set_all(19, 9, 18, 9, 18, 1);
    set_all(19, 0, 9, 9, 19, 0.1);
    set_all(19, 9, 18, 18, 19, effect);
    for (int i = 0; i < 19; i++)
        label[i] = i / 9;
    srv_colours found = refined(19, &vary);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.left_over, label[18] < 0);
    assert_float_equal(found.agreement, 1, 0); /* among elements with a colour */
    return label[18];
}

TEST(an_element_that_nothing_affects_has_no_colour)
{
    double sure = 0.1 + 4 * 0.2 / 3;
    assert_int_equal(label_of_weak(0.98 * sure), -1);
    assert_int_equal(label_of_weak(1.02 * sure), 1);
}

/* Two elements are no colour, and neither is less than 0.35 of what each has on average. */
static srv_colours with_few(int many, int few)
{
    int n = many + few;
    set_all(n, 0, many, 0, many, 1);
    set_all(n, many, n, many, n, 1);
    set_all(n, 0, many, many, n, 0);
    for (int i = 0; i < n; i++)
        label[i] = i < many ? 0 : many;
    return refined(n, &exact);
}

TEST(few_elements_are_no_colour)
{
    assert_int_equal(with_few(3, 2).count, 1);
    assert_int_equal(with_few(3, 2).left_over, 2);
    assert_int_equal(label[3], -1);
    assert_int_equal(with_few(3, 3).count, 2);
    assert_int_equal(with_few(20, 4).count, 1); /* 4.2 */
    assert_int_equal(with_few(20, 4).left_over, 4);
    assert_int_equal(with_few(20, 5).count, 2);
    assert_int_equal(with_few(20, 5).left_over, 0);
}

TEST(elements_agree_if_both_halves_have_their_colour)
{
    for (int other = 0; other < 2; other++) {
        set_colours(20, 2);
        for (int j = 0; j < 20; j++) /* in one half element 4 is as those of the other colour */
            half[other][4 * 20 + j] = j % 2;
        for (int i = 0; i < 20; i++)
            label[i] = i % 2;
        srv_colours found = refined(20, &exact);
        is_in_turn(20, 2);
        assert_float_equal(found.agreement, 0.95, 1e-12);
        assert_int_equal(found.left_over, 0);
    }
}

TEST(clusters_of_one_have_no_colour)
{
    set_colours(8, 8);
    for (int i = 0; i < 8; i++)
        label[i] = i;
    srv_colours found = refined(8, &exact);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.left_over, 8);
    assert_float_equal(found.agreement, 0, 0);
}

/* --- a recorded machine ----------------------------------------------------------------------- */

/* tests/data/machines/README.md has the format. */
enum { ELEMENTS = 384, WALKED = 128, TRIALS_READ = 1000 };
static const double STEP_NS = 10;

static void read_trial(FILE *stream, srv_coeviction *trials, size_t at)
{
    unsigned char mask[ELEMENTS / 8], steps[WALKED];
    assert_int_equal(fread(mask, 1, sizeof mask, stream), sizeof mask);
    assert_int_equal(fread(steps, 1, sizeof steps, stream), sizeof steps);
    int walked = 0;
    for (uint32_t e = 0; e < ELEMENTS; e++)
        if (mask[e / 8] >> (e % 8) & 1) {
            assert_true(walked < WALKED);
            trials->element[at + (size_t)walked] = e;
            trials->ns[at + (size_t)walked] = (float)(steps[walked] * STEP_NS);
            walked++;
        }
    assert_int_equal(walked, WALKED);
}

static void read_recorded(const char *name, srv_coeviction *trials)
{
    char path[512];
    size_t at;
    snprintf(path, sizeof path, "%s/tests/data/machines/%s", getenv("SOURCE_ROOT"), name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    *trials = (srv_coeviction){.elements = ELEMENTS};
    assert_ok(srv_coeviction_add(trials, TRIALS_READ, WALKED, &at, NULL));
    for (int t = 0; t < TRIALS_READ; t++)
        read_trial(stream, trials, at + (size_t)t * WALKED);
    assert_int_equal(fgetc(stream), EOF);
    fclose(stream);
}

/* An L2 of 512 KiB and 8 ways, pages of 4 KiB; another guest is on the sibling thread more than
 * half of the time, and both cores were busy besides. */
TEST(sixteen_colours_of_a_guest_on_zen_3_are_found)
{
    srv_coeviction trials;
    srv_colours found;
    int size[16] = {0};
    read_recorded("milan-vm/coeviction-128-7.bin", &trials);
    assert_ok(srv_detect_colours(&trials, &found, NULL));
    assert_int_equal(found.count, 16);
    if (found.agreement < AGREEMENT)
        fail_msg("agreement %.3f", found.agreement);
    for (int e = 0; e < ELEMENTS; e++)
        if (found.colour[e] >= 0)
            size[found.colour[e]]++;
    for (int k = 0; k < 16; k++) /* 24 each, by chance */
        assert_true(size[k] >= 10 && size[k] <= 44);
    srv_coeviction_finish(&trials);
    srv_colours_finish(&found);
}

/* --- what is not believed --------------------------------------------------------------------- */

static void disagrees(const srv_coeviction *trials, const char *what)
{
    srv_colours found;
    assert_ok(srv_detect_colours(trials, &found, NULL));
    if (found.count >= 2 && found.agreement >= AGREEMENT)
        fail_msg("%s: %d colours, agreement %.2f, slow %.2f", what, found.count, found.agreement,
                 found.slow_share);
    srv_colours_finish(&found);
}

/* Times of two modes that have nothing to do with who is in the trial. */
TEST(noise_has_no_colours)
{
    for (uint64_t seed = 1; seed <= test_cases(5, 5); seed++) {
        srv_coeviction trials;
        uint64_t random = seed;
        colour_machine machine = {.colours = 16, .ways = 8};
        run(&machine, &trials, 300, 1);
        for (size_t i = 0; i < trials.first[trials.trials]; i++)
            trials.ns[i] = (float)(srv_random_unit(&random) < 0.5 ? COLOUR_HIT_NS : COLOUR_MISS_NS);
        disagrees(&trials, "noise");
        finish(&machine, &trials, &(srv_colours){0});
    }
}

/* All hit, or nearly all miss. */
TEST(trials_far_from_the_capacity_have_no_colours)
{
    static const double shares[] = {0.3, 4};
    for (size_t i = 0; i < test_cases(4, 4); i++) {
        srv_coeviction trials;
        colour_machine machine = {.colours = 8, .ways = 8, .busy = i < 2 ? 0.4 : 0, .step_ns = 20};
        run(&machine, &trials, 600, shares[i % 2]);
        disagrees(&trials, i % 2 == 0 ? "all hit" : "all miss");
        finish(&machine, &trials, &(srv_colours){0});
    }
}

/* --- errors ----------------------------------------------------------------------------------- */

TEST(too_few_trials_are_refused)
{
    srv_coeviction trials = {.elements = 8};
    srv_colours found;
    colour_machine machine = {.colours = 2, .ways = 4, .rounds = 1};
    colour_machine_begin(&machine, 8, 1);
    colour_trials_add(&machine, &trials, 7, 4);
    assert_int_equal(srv_detect_colours(&trials, &found, NULL), SERVET_EARGUMENT);
    assert_null(found.colour);
    colour_trials_add(&machine, &trials, 1, 4);
    assert_ok(srv_detect_colours(&trials, &found, NULL));
    srv_colours_finish(&found);
    trials.elements = 7;
    assert_int_equal(srv_detect_colours(&trials, &found, NULL), SERVET_EARGUMENT);
    finish(&machine, &trials, &found);
}

static int detect_and_free(void *context)
{
    srv_colours found;
    int code = srv_detect_colours(context, &found, NULL);
    assert_true(code == SERVET_OK || !found.colour);
    srv_colours_finish(&found);
    return code;
}

TEST(failed_allocations_are_reported)
{
    srv_coeviction trials;
    colour_machine machine = {.colours = 4, .ways = 4};
    run(&machine, &trials, 150, 1);
    assert_true(alloc_fail_everywhere(detect_and_free, &trials) >= 12);
    finish(&machine, &trials, &(srv_colours){0});
}

static int add_and_free(void *context)
{
    size_t at;
    srv_coeviction trials = {.elements = 8};
    (void)context;
    int code = SERVET_OK;
    for (int i = 0; i < 20 && code == SERVET_OK; i++)
        code = srv_coeviction_add(&trials, 3, 4, &at, NULL);
    srv_coeviction_finish(&trials);
    return code;
}

TEST(lost_trials_are_reported)
{
    assert_true(alloc_fail_everywhere(add_and_free, NULL) >= 3);
}
