/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/translate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "machine/order.h"

/* --- placement -------------------------------------------------------------------------------- */

/* Lines have 32-bit numbers, enough for the pages that a probe touches: larger memory is
 * ignored. */
static const double LINES_MAX = 4294967295.0;

/* Runs of pages that keep their colour are long if caches have odd numbers of sets; longer runs
 * than this are contiguous for every purpose. */
enum { COLOURS_MAX = 1 << 16 };

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Base pages that fall on different sets of a cache. */
static uint32_t colours_of(const srv_model_cache *cache, double page_bytes)
{
    double colours = cache->bytes / cache->slices / cache->ways / page_bytes;
    return (uint32_t)fmin(fmax(1, ceil(colours)), COLOURS_MAX);
}

/* The colours of all caches together. */
static uint32_t colour_count(const srv_model *model)
{
    uint32_t colours = 1;
    for (int i = 0; i < model->cache_count; i++) {
        uint32_t own = colours_of(&model->cache[i], model->machine.page_bytes);
        uint32_t times = own / common_divisor(colours, own);
        if (!model->cache[i].virtually_indexed && colours <= COLOURS_MAX / times)
            colours *= times;
    }
    return colours;
}

/* A page that keeps its colour behaves as if it lay in a run of pages that begins with colour 0: so
 * the three placements differ in the length of their runs only. */
static uint32_t run_of(const srv_model *model)
{
    if (model->placement == SRV_PAGES_COLOURED)
        return colour_count(model);
    if (model->placement == SRV_PAGES_HUGE && model->huge_bytes > 0)
        return (uint32_t)(model->huge_bytes / model->machine.page_bytes);
    return 1;
}

static double smallest_line(const srv_model *model)
{
    double line = model->cache[0].line_bytes;
    for (int i = 1; i < model->cache_count; i++)
        line = fmin(line, model->cache[i].line_bytes);
    return line;
}

void srv_frames_init(srv_frames *frames, const srv_model *model, uint64_t seed)
{
    double bytes = fmin(model->machine.memory_bytes, LINES_MAX * smallest_line(model));
    *frames = (srv_frames){
        .page_bytes = model->machine.page_bytes,
        .huge_bytes = model->huge_bytes,
        .page_count = (uint32_t)(bytes / model->machine.page_bytes),
        .run = run_of(model),
        .seed = seed,
    };
}

static unsigned log2_of(double bytes)
{
    int exponent;
    frexp(bytes, &exponent);
    return (unsigned)exponent - 1;
}

static srv_order order_of(uint32_t count, uint64_t seed)
{
    return srv_order_of(count > 0 ? count : 1, seed);
}

/* The position of `index` in a random order, which repeats after its end. */
static uint32_t place(const srv_order *order, uint32_t index)
{
    return (uint32_t)srv_order_at(order, index % order->count);
}

static void place_huge(srv_space *space, srv_frames *frames)
{
    uint32_t pages = (uint32_t)(frames->page_count / 2 * frames->page_bytes / frames->huge_bytes);
    srv_order order = order_of(pages, frames->seed);
    for (size_t i = 0; i < space->count; i++)
        space->frame[i] = pages + place(&order, frames->huge_taken++);
}

/* Runs begin where the page number is a multiple of their length. */
static void place_base(srv_space *space, srv_frames *frames)
{
    uint32_t half = frames->huge_bytes > 0 ? frames->page_count / 2 : frames->page_count;
    uint32_t run = frames->run, at = 0;
    srv_order order = order_of(half / run, frames->seed);
    for (size_t i = 0; i < space->count; i++) {
        uint32_t within = (uint32_t)((space->first_page + i) % run);
        if (i == 0 || within == 0)
            at = place(&order, frames->base_taken++) * run;
        space->frame[i] = at + within;
    }
}

/* Makes room for the frames of all pages; the old ones are lost. */
static int make_room(srv_space *space, servet_error *error)
{
    if (space->count <= space->room)
        return SERVET_OK;
    free(space->frame);
    space->room = space->count;
    space->frame = malloc(space->room * sizeof *space->frame);
    if (space->frame)
        return SERVET_OK;
    *space = (srv_space)SRV_SPACE_INIT;
    return srv_fail_memory(error);
}

int srv_space_map(srv_space *space, srv_frames *frames, uint64_t first, double bytes, bool huge,
                  servet_error *error)
{
    bool on_huge = huge && frames->huge_bytes > 0;
    space->page_bits = log2_of(on_huge ? frames->huge_bytes : frames->page_bytes);
    space->offset_mask = (UINT64_C(1) << space->page_bits) - 1;
    space->first_page = first >> space->page_bits;
    space->count = srv_space_page(space, first + (uint64_t)bytes - 1) + 1;
    int code = make_room(space, error);
    if (code != SERVET_OK)
        return code;
    if (on_huge)
        place_huge(space, frames);
    else
        place_base(space, frames);
    return SERVET_OK;
}

int srv_space_copy(srv_space *space, const srv_space *other, servet_error *error)
{
    uint32_t *frame = space->frame;
    size_t room = space->room;
    *space = *other;
    space->frame = frame;
    space->room = room;
    int code = make_room(space, error);
    if (code == SERVET_OK)
        memcpy(space->frame, other->frame, space->count * sizeof *space->frame);
    return code;
}

void srv_space_finish(srv_space *space)
{
    free(space->frame);
    *space = (srv_space)SRV_SPACE_INIT;
}

/* --- translation buffers ---------------------------------------------------------------------- */

int srv_tlb_init(srv_tlb *tlb, const srv_model *model, double clock_ghz, servet_error *error)
{
    *tlb = (srv_tlb){0};
    int code = SERVET_OK;
    for (int i = 0; i < model->tlb_count && code == SERVET_OK; i++) {
        const srv_model_tlb *level = &model->tlb[i];
        int ways = level->ways > 0 ? level->ways : level->entries;
        srv_set_cache_shape shape = {.sets = (uint32_t)(level->entries / ways),
                                     .ways = (uint32_t)ways,
                                     .slices = 1,
                                     .replacement = SRV_REPLACE_LRU};
        code = srv_set_cache_create(&tlb->level[i], &shape, 0, error);
        tlb->penalty_ns[i] = level->penalty_cycles / clock_ghz;
        tlb->count = i + 1;
    }
    return code;
}

void srv_tlb_finish(srv_tlb *tlb)
{
    for (int i = 0; i < tlb->count; i++)
        srv_set_cache_destroy(tlb->level[i]);
    tlb->count = 0;
}

void srv_tlb_flush(srv_tlb *tlb)
{
    for (int i = 0; i < tlb->count; i++)
        srv_set_cache_flush(tlb->level[i], 0);
}

double srv_tlb_use(srv_tlb *tlb, uint64_t page, uint32_t frame, bool huge)
{
    double ns = 0;
    uint32_t tag = frame * 2 + huge + 1, victim;
    for (int i = 0; i < tlb->count; i++) {
        if (srv_set_cache_access(tlb->level[i], (uint32_t)page, tag, &victim))
            break;
        ns += tlb->penalty_ns[i];
    }
    return ns;
}
