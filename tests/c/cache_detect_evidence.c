/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of translation, from curves with known TLBs, and turnover, from given boundaries. */
#include "test.h"
#include "fit_room.h"

#include "facts/cache/detect_parts.h"

enum { POINTS = 91 };

static const double PAGE = 4096, LINE = 64, KIB = 1024;

static servet_cache_analysis analysis;

/* --- translation ------------------------------------------------------------------------------ */

typedef struct tlb {
    double bytes, ns;
} tlb;

static double line_bytes[POINTS], line_ns[POINTS], page_bytes[POINTS], page_ns[POINTS];
static servet_curve lines, pages;
static servet_cache_evidence evidence;

/* A cycle through pages misses sharply, loads of all lines as often as their pages are too many. */
static double page_misses(double span, const tlb *on)
{
    return span > on->bytes ? 1 - pow(on->bytes / span, 8) : 0;
}

static double line_misses(double span, const tlb *on)
{
    return fmax(0, 1 - on->bytes / span);
}

/* Without translation: grows evenly with the logarithm of the size. */
static double cached(double bytes)
{
    return 2 + 0.01 * log2(bytes);
}

/* Lines of 2^12 to 2^27 bytes, and spans of pages that lie between. */
static bool find(const tlb *tlbs, int count)
{
    double penalty[SRV_POINTS_MAX];
    for (int i = 0; i < POINTS; i++) {
        line_bytes[i] = exp2(12 + i / 6.0);
        page_bytes[i] = exp2(12.07 + i / 6.0);
        line_ns[i] = cached(line_bytes[i]);
        page_ns[i] = cached(page_bytes[i] * LINE / PAGE);
        for (int k = 0; k < count; k++) {
            line_ns[i] += tlbs[k].ns * line_misses(line_bytes[i], &tlbs[k]);
            page_ns[i] += tlbs[k].ns * page_misses(page_bytes[i], &tlbs[k]);
        }
    }
    lines = (servet_curve){
        .n = POINTS, .bytes = line_bytes, .latency = line_ns, .unit = SERVET_UNIT_SECOND};
    pages = lines;
    pages.bytes = page_bytes;
    pages.latency = page_ns;
    evidence = (servet_cache_evidence){
        .lines = &lines, .pages = &pages, .line_bytes = LINE, .page_bytes = PAGE};
    analysis = (servet_cache_analysis){.level_count = 0};
    srv_fitter_init(fitter, shapes, &lines, 0, 1);
    bool found = srv_evidence_translation(&evidence, fitter, other_fitter, penalty, &analysis);
    assert_int_equal(found, analysis.tlb_count > 0);
    for (int i = 0; i < fitter->n; i++) {
        double expected = 0;
        for (int k = 0; k < analysis.tlb_count; k++)
            expected += analysis.tlb[k].penalty.value *
                        fmax(0, 1 - analysis.tlb[k].bytes.value / exp2(fitter->size[i]));
        assert_float_equal(penalty[i], expected, 1e-9);
    }
    return found;
}

static void is_tlb(int k, tlb expected, double octaves, double ns)
{
    const servet_tlb_step *found = &analysis.tlb[k];
    assert_float_equal(log2(found->bytes.value), log2(expected.bytes), octaves);
    assert_float_equal(found->penalty.value, expected.ns, ns);
    assert_true(found->bytes.low <= found->bytes.value && found->bytes.value <= found->bytes.high);
    assert_true(found->penalty.low >= 0 && found->penalty.low < found->penalty.value);
    assert_float_equal(found->penalty.high - found->penalty.value,
                       found->penalty.value - found->penalty.low, 1e-9);
    assert_int_equal(found->bytes.unit, SERVET_UNIT_BYTE);
    assert_int_equal(found->penalty.unit, SERVET_UNIT_SECOND);
    assert_int_equal(found->penalty.samples, POINTS);
    assert_true(found->bytes.trusted && found->penalty.trusted);
}

TEST(tlbs_have_their_reach_and_cost)
{
    const tlb one = {256 * KIB, 6}, two[] = {{256 * KIB, 4}, {6000 * KIB, 20}};
    assert_true(find(&one, 1));
    assert_int_equal(analysis.tlb_count, 1);
    is_tlb(0, one, 0.03, 0.1);
    assert_true(find(two, 2));
    assert_int_equal(analysis.tlb_count, 2);
    is_tlb(0, two[0], 0.05, 0.2);
    is_tlb(1, two[1], 0.05, 0.6);
}

/* Within an octave there is one TLB, between the two by what they cost. */
TEST(close_steps_are_one_tlb)
{
    const tlb close[] = {{256 * KIB, 6}, {460 * KIB, 6}},
              apart[] = {{256 * KIB, 3}, {900 * KIB, 9}};
    assert_true(find(close, 2));
    assert_int_equal(analysis.tlb_count, 1);
    is_tlb(0, (tlb){sqrt(256 * 460) * KIB, 12}, 0.1, 0.4);
    assert_true(find(apart, 2));
    assert_int_equal(analysis.tlb_count, 2);
    is_tlb(0, apart[0], 0.1, 0.4);
    is_tlb(1, apart[1], 0.1, 0.4);
}

/* A step below a seventh of the fastest load is none. */
TEST(cheap_translation_is_not_listed)
{
    const tlb cheap = {256 * KIB, 0.24}, costly = {256 * KIB, 0.5};
    assert_false(find(&cheap, 1));
    assert_true(find(&costly, 1));
    is_tlb(0, costly, 0.1, 0.05);
    assert_false(find(NULL, 0));
}

/* With a prefetcher that loads four lines for each one, lines in pages need four times as much of a
 * cache of 512 KiB: what they cost more is no translation. */
TEST(evictions_by_prefetched_lines_are_not_a_tlb)
{
    assert_false(find(NULL, 0));
    for (int factor = 1; factor <= 16; factor *= 4) {
        double penalty[SRV_POINTS_MAX];
        for (int i = 0; i < POINTS; i++) {
            line_ns[i] = 2 + 12 * page_misses(line_bytes[i], &(tlb){512 * KIB, 0});
            page_ns[i] = 2 + 12 * page_misses(factor * page_bytes[i] / 64, &(tlb){512 * KIB, 0});
        }
        analysis = (servet_cache_analysis){.level_count = 0};
        srv_fitter_init(fitter, shapes, &lines, 0, 1);
        assert_int_equal(
            srv_evidence_translation(&evidence, fitter, other_fitter, penalty, &analysis),
            factor > 4);
    }
}

TEST(without_pages_nothing_is_known)
{
    const tlb one = {256 * KIB, 6};
    double penalty[SRV_POINTS_MAX];
    assert_true(find(&one, 1));
    servet_cache_evidence whole = evidence;
    evidence.line_bytes = 0;
    assert_false(srv_evidence_translation(&evidence, fitter, other_fitter, penalty, &analysis));
    evidence.line_bytes = PAGE;
    assert_false(srv_evidence_translation(&evidence, fitter, other_fitter, penalty, &analysis));
    evidence = whole;
    evidence.pages = NULL;
    assert_false(srv_evidence_translation(&evidence, fitter, other_fitter, penalty, &analysis));
}

/* --- turnover --------------------------------------------------------------------------------- */

static const double MIB = 1 << 20;

static srv_capacity capacity_at(double bytes)
{
    return (srv_capacity){.raw = bytes, .noise_low = 0.9 * bytes, .noise_high = 1.1 * bytes};
}

/* A rate with one or two boundaries, behind which a load takes 100 ns. */
static struct srv_seen_rate rate_of(double slowness, double first, double second)
{
    struct srv_seen_rate rate = {.slowness = slowness};
    rate.boundary[rate.n++] = (srv_boundary){capacity_at(first), 10, 100, 0.8};
    if (second > 0)
        rate.boundary[rate.n++] = (srv_boundary){capacity_at(second), 40, 100, 0.7};
    return rate;
}

static srv_rates rates;
static srv_turnover turnover;

static bool turns_over(double plain, double behind)
{
    srv_capacity capacity = capacity_at(plain);
    return srv_rates_turnover(&rates, &capacity, behind, &turnover);
}

static void is_turnover(bool hidden, double reach, double low, double high)
{
    assert_int_equal(turnover.hidden, hidden);
    assert_float_equal(turnover.reach, reach, 1e-6);
    assert_float_equal(turnover.low, low, 1e-6);
    assert_float_equal(turnover.high, high, 1e-6);
}

TEST(a_boundary_that_stays_is_a_capacity)
{
    rates = (srv_rates){.count = 0};
    assert_false(turns_over(8 * MIB, 100));
    is_turnover(false, 8 * MIB, 8 * MIB, 8 * MIB);
    rates = (srv_rates){2, {rate_of(4, 7 * MIB, 0), rate_of(0.5, 9 * MIB, 0)}};
    assert_false(turns_over(8 * MIB, 100));
    is_turnover(false, 8 * MIB, 7 * MIB, 9 * MIB);
}

/* The boundary moves by more than 1.5 and by more than noise: a slower rate reaches less, a faster
 * one more. */
TEST(a_boundary_that_moves_with_the_rate_is_turnover)
{
    rates = (srv_rates){1, {rate_of(4, 5 * MIB, 0)}};
    assert_true(turns_over(8 * MIB, 100));
    is_turnover(false, 8 * MIB, 5 * MIB, 8 * MIB);
    rates.rate[0] = rate_of(4, 5.5 * MIB, 0);
    assert_false(turns_over(8 * MIB, 100));
    rates.rate[0] = rate_of(4, 13 * MIB, 0); /* the wrong way */
    assert_false(turns_over(8 * MIB, 100));
    rates.rate[0] = rate_of(0.5, 13 * MIB, 0);
    assert_true(turns_over(8 * MIB, 100));
    is_turnover(false, 8 * MIB, 8 * MIB, 13 * MIB);
    rates.rate[0] = rate_of(0.5, 5 * MIB, 0);
    assert_false(turns_over(8 * MIB, 100));
    rates.rate[0] = rate_of(4, 5 * MIB, 0);
    rates.rate[0].boundary[0].capacity.noise_high = 7.3 * MIB; /* plain: from 7.2 */
    assert_false(turns_over(8 * MIB, 100));
    rates.rate[0].boundary[0].capacity.noise_high = 7.1 * MIB;
    assert_true(turns_over(8 * MIB, 100));
    rates.rate[0].same = true; /* the plain steps explain it */
    assert_false(turns_over(8 * MIB, 100));
}

/* The latency behind the boundary must be at least 0.4 of that behind the plain one. */
TEST(a_boundary_with_another_latency_does_not_count)
{
    rates = (srv_rates){1, {rate_of(4, 5 * MIB, 0)}};
    assert_true(turns_over(8 * MIB, 249));
    assert_false(turns_over(8 * MIB, 251));
    is_turnover(false, 8 * MIB, 8 * MIB, 8 * MIB);
    rates.rate[0].n = 0;
    assert_false(turns_over(8 * MIB, 100));
}

/* A rate twice as fast shows the plain boundary and one of 64 MiB: the plain one reaches half. */
TEST(a_level_that_only_faster_rates_show_is_hidden)
{
    rates = (srv_rates){1, {rate_of(0.5, 8 * MIB, 64 * MIB)}};
    assert_true(turns_over(8 * MIB, 100));
    is_turnover(true, 32 * MIB, 32 * MIB, 64 * MIB);
    assert_float_equal(turnover.latency, 40, 0);
    assert_float_equal(turnover.confidence, 0.7, 0);
    rates.rate[0] = rate_of(0.1, 8 * MIB, 64 * MIB); /* no less than the plain boundary */
    assert_true(turns_over(8 * MIB, 100));
    is_turnover(true, 8 * MIB, 8 * MIB, 64 * MIB);
    rates = (srv_rates){2, {rate_of(0.5, 8 * MIB, 48 * MIB), rate_of(0.25, 8 * MIB, 64 * MIB)}};
    rates.rate[1].boundary[1].before = 41;
    assert_true(turns_over(8 * MIB, 100)); /* the least: 24 and 16 MiB */
    is_turnover(true, 16 * MIB, 16 * MIB, 64 * MIB);
    assert_float_equal(turnover.latency, 41, 0);
    rates.rate[0] = rate_of(0.5, 8 * MIB, 32 * MIB); /* as much: the first counts */
    assert_true(turns_over(8 * MIB, 100));
    is_turnover(true, 16 * MIB, 16 * MIB, 64 * MIB);
    assert_float_equal(turnover.latency, 40, 0);
}

/* Rates that show it in another place only speak against a level that stays. */
TEST(moves_outvote_a_hidden_level)
{
    rates = (srv_rates){2, {rate_of(0.5, 8 * MIB, 64 * MIB), rate_of(0.25, 40 * MIB, 0)}};
    assert_true(turns_over(8 * MIB, 100));
    is_turnover(false, 8 * MIB, 8 * MIB, 64 * MIB);
    rates.count = 3;
    rates.rate[2] = rate_of(0.4, 8 * MIB, 60 * MIB);
    assert_true(turns_over(8 * MIB, 100));
    assert_true(turnover.hidden);
    assert_float_equal(turnover.reach, 24 * MIB, 1);
}

/* Two faster rates that begin at 1 MiB show a capacity of 2 MiB, or it is none. One that begins
 * just in front of it, and a slower one, say nothing. */
TEST(a_boundary_that_faster_rates_do_not_show_is_denied)
{
    const srv_capacity capacity = capacity_at(2 * MIB);
    const struct srv_seen_rate far = rate_of(0.25, 16 * MIB, 0);
    rates = (srv_rates){2, {rate_of(0.5, 8 * MIB, 0), far}};
    rates.rate[0].from = rates.rate[1].from = 1 * MIB;
    assert_true(srv_rates_deny(&rates, &capacity));
    rates.rate[1].same = true; /* the plain steps explain it */
    assert_false(srv_rates_deny(&rates, &capacity));
    rates.rate[1] = far;
    rates.rate[1].from = 1.5 * MIB;
    assert_false(srv_rates_deny(&rates, &capacity));
    rates.rate[1] = rate_of(0.25, 2.1 * MIB, 16 * MIB);
    rates.rate[1].from = 1 * MIB;
    assert_false(srv_rates_deny(&rates, &capacity));
    rates.rate[1] = rate_of(4, 8 * MIB, 0);
    rates.rate[1].from = 1 * MIB;
    assert_false(srv_rates_deny(&rates, &capacity));
}

/* --- other rates ------------------------------------------------------------------------------ */

static double one_knee(double bytes, double knee)
{
    return 2 + 30 * page_misses(bytes, &(tlb){knee, 0});
}

/* A delay of 5 ns for each load, and two chains at once, of curves with one cache of 256 KiB. */
TEST(rates_lose_what_the_rate_costs)
{
    static double slow_ns[POINTS], fast_ns[POINTS];
    srv_fit fit;
    srv_rates found;
    for (int i = 0; i < POINTS; i++) {
        line_bytes[i] = exp2(12 + i / 6.0);
        line_ns[i] = one_knee(line_bytes[i], 256 * KIB);
        slow_ns[i] = line_ns[i] + 5;
        fast_ns[i] = one_knee(line_bytes[i], 2048 * KIB) / 2;
    }
    lines = (servet_curve){
        .n = POINTS, .bytes = line_bytes, .latency = line_ns, .unit = SERVET_UNIT_CYCLE};
    servet_curve slow = lines, fast = lines;
    slow.latency = slow_ns;
    fast.latency = fast_ns;
    evidence = (servet_cache_evidence){.lines = &lines, .rates = {&slow, &fast}, .rate_count = 2};
    analysis = (servet_cache_analysis){.level_count = 0};
    srv_fitter_init(fitter, shapes, &lines, 0, 1);
    srv_fit_steps(fitter, &fit);
    srv_rates_find(&evidence, &analysis, fitter, &fit, other_fitter, &found);
    assert_int_equal(found.count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(found.rate[i].n, 1);
        assert_float_equal(found.rate[i].boundary[0].before, 2, 0.05);
        assert_float_equal(found.rate[i].boundary[0].behind, 32, 0.5);
        assert_float_equal(log2(found.rate[i].boundary[0].capacity.raw), i ? 21 : 18, 0.1);
        assert_true(found.rate[i].boundary[0].confidence > 0.9);
    }
    assert_true(found.rate[0].same);
    assert_false(found.rate[1].same);
    assert_float_equal(found.rate[0].slowness, slow_ns[POINTS - 1] / line_ns[POINTS - 1], 1e-9);
    assert_float_equal(found.rate[1].slowness, fast_ns[POINTS - 1] / line_ns[POINTS - 1], 1e-9);
    slow.n = 60; /* ends earlier: is compared there */
    srv_rates_find(&evidence, &analysis, fitter, &fit, other_fitter, &found);
    assert_float_equal(found.rate[0].slowness, slow_ns[59] / line_ns[59], 1e-9);
}

TEST_GROUP(fit_room_make, fit_room_free)
