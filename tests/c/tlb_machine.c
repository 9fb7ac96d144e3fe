/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/order.h"
#include "tlb_machine.h"

enum { FOREIGN_PAGES = 1 << 20 };

static const double SECOND_CACHE = 3.2, PROBE_SECONDS = 5e-4, BURST_SECONDS = 5e-3;

double tlb_machine_chance(tlb_machine *on)
{
    on->random = srv_load_next(on->random);
    return (double)(srv_mix(on->random) >> 11) / 9007199254740992.0; /* 2^53 */
}

/* --- TLBs ------------------------------------------------------------------------------------- */

/* The entries of one level: page numbers from 1 on, and when each was used. */
typedef struct entries {
    const tlb *of;
    uint32_t *page, *used;
} entries;

static uint32_t set_of(const tlb *of, uint32_t page)
{
    uint32_t sets = (uint32_t)of->sets, rest = page / sets;
    return (of->hashed ? page ^ rest ^ rest / sets : page) % sets;
}

static int victim(tlb_machine *on, const tlb *of, const uint32_t *page, const uint32_t *used)
{
    int oldest = 0;
    for (int i = 0; i < of->ways; i++) {
        if (page[i] == 0)
            return i;
        if (used[i] < used[oldest])
            oldest = i;
    }
    return of->random ? (int)(tlb_machine_chance(on) * of->ways) : oldest;
}

/* Uses a page; whether it was there. */
static bool use(tlb_machine *on, entries *in, uint32_t page, uint32_t now)
{
    size_t first = (size_t)set_of(in->of, page) * (size_t)in->of->ways;
    uint32_t *pages = in->page + first, *used = in->used + first;
    for (int i = 0; i < in->of->ways; i++)
        if (pages[i] == page + 1) {
            used[i] = now;
            return true;
        }
    int i = victim(on, in->of, pages, used);
    pages[i] = page + 1;
    used[i] = now;
    return false;
}

static double translate(tlb_machine *on, entries *in, uint32_t page, uint32_t now)
{
    double ns = 0;
    for (int k = 0; k < on->count && !use(on, &in[k], page, now); k++)
        ns += on->tlb[k].ns + (k == on->count - 1 ? on->walk_ns : 0);
    return ns;
}

static bool is_random(const tlb_machine *on)
{
    bool random = on->foreign > 0;
    for (int k = 0; k < on->count; k++)
        random = random || on->tlb[k].random;
    return random;
}

/* The mean over the last rounds of some, in which the same order comes again and again. Least
 * recently used pages repeat after a round for each level. */
static double go_round(tlb_machine *on, entries *in, const srv_traversal *traversal, int lines)
{
    int many = lines < 600 && on->foreign > 0 ? 40 : 6, loads = 0;
    int before = is_random(on) ? many / 2 : on->count,
        rounds = is_random(on) ? many : on->count + 1;
    uint32_t now = 1, first = (uint32_t)(traversal->seed % 64);
    srv_order order = srv_order_of((size_t)lines, traversal->seed);
    double ns = 0;
    for (int i = 0; i < rounds * lines; i++) {
        double place = (double)srv_order_at(&order, (size_t)(i % lines)) * traversal->stride +
                       i % lines % traversal->phases * traversal->apart;
        double took = translate(on, in, first + (uint32_t)(place / on->page_bytes), ++now);
        if (i >= before * lines) {
            ns += took;
            loads++;
        }
        if (on->foreign > 0 && tlb_machine_chance(on) < on->foreign)
            translate(on, in, (uint32_t)(FOREIGN_PAGES * (1 + tlb_machine_chance(on))), ++now);
    }
    return ns / loads;
}

static double count_misses(tlb_machine *on, const srv_traversal *traversal, int lines)
{
    entries in[TLBS_MAX];
    for (int k = 0; k < on->count; k++) {
        size_t count = (size_t)on->tlb[k].sets * (size_t)on->tlb[k].ways;
        in[k] = (entries){&on->tlb[k], calloc(count, sizeof *in->page),
                          calloc(count, sizeof *in->used)};
        assert_true(in[k].page && in[k].used);
    }
    on->walk_ns = on->walks * lines;
    double ns = go_round(on, in, traversal, lines);
    for (int k = 0; k < on->count; k++) {
        free(in[k].page);
        free(in[k].used);
    }
    return ns;
}

/* --- answers ---------------------------------------------------------------------------------- */

static double translation_ns(tlb_machine *on, const srv_traversal *traversal, int lines)
{
    for (size_t i = 0; i < on->answers; i++)
        if (on->answer[i].stride == traversal->stride && on->answer[i].lines == lines)
            return on->answer[i].ns;
    if (on->answers == on->room) {
        on->room = 2 * on->room + 64;
        on->answer = realloc(on->answer, on->room * sizeof *on->answer);
        assert_non_null(on->answer);
    }
    double ns = count_misses(on, traversal, lines);
    on->answer[on->answers++] = (struct answer){traversal->stride, lines, ns};
    return ns;
}

/* Beyond the first cache loads slow down to the second. */
static double cache_ns(const tlb_machine *on, int lines)
{
    double missing = fmin(1, fmax(0, 5.0 * lines / on->lines - 5));
    return on->hit_ns * (1 + (SECOND_CACHE - 1) * missing);
}

static double noise(tlb_machine *on)
{
    if (on->seconds > on->burst_end) {
        on->burst = tlb_machine_chance(on) < on->bursts;
        on->burst_end = on->seconds - BURST_SECONDS * log(1 - tlb_machine_chance(on));
    }
    double slower = on->burst ? 1.3 + tlb_machine_chance(on) : 1;
    return slower * (1 + on->jitter * (2 * tlb_machine_chance(on) - 1));
}

static int traverse(srv_machine *machine, const srv_traversal *traversal, int count,
                    srv_timing *timing, servet_error *error)
{
    tlb_machine *on = (tlb_machine *)machine;
    bool spread = traversal->pattern == SRV_PATTERN_SPREAD;
    srv_traversal placed = *traversal;
    assert_int_equal(count, 1);
    assert_true(spread || traversal->pattern == SRV_PATTERN_LINES);
    assert_int_equal(srv_check_traverse(traversal, count, NULL), SERVET_OK);
    if (!spread) {
        placed.stride = traversal->line_bytes;
        placed.phases = 1;
        placed.apart = 0;
    }
    if (on->old && spread && traversal->stride < on->page_bytes)
        return srv_fail(error, SERVET_EUNMEASURED, "not on record");
    if (++on->probes == on->fail_at)
        return srv_fail(error, SERVET_EMACHINE, "no more answers");
    int lines = (int)lrint(traversal->bytes / placed.stride);
    double ns =
        cache_ns(on, on->prefetched && !spread ? 1 : lines) + translation_ns(on, &placed, lines);
    on->seconds += PROBE_SECONDS;
    on->most_bytes = fmax(on->most_bytes, traversal->bytes);
    on->most_lines = lines > on->most_lines ? lines : on->most_lines;
    *timing = (srv_timing){.mean = ns * noise(on), .huge_share = 0.5};
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return ((tlb_machine *)machine)->seconds;
}

static const srv_machine_ops ops = {.traverse = traverse, .elapsed = elapsed};

void tlb_machine_init(tlb_machine *on, uint64_t seed)
{
    *on = (tlb_machine){.machine = {&ops},
                        .page_bytes = 4096,
                        .hit_ns = 1,
                        .lines = 512,
                        .random = srv_mix(seed + 1)};
}

void tlb_machine_finish(tlb_machine *on)
{
    free(on->answer);
    on->answer = NULL;
    on->answers = on->room = 0;
}
