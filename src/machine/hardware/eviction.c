/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials of eviction: elements in memory as short pointer chases. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/flag.h"
#include "machine/hardware/probes.h"
#include "machine/order.h"

/* --- the elements ----------------------------------------------------------------------------- */

static bool stand(const srv_elements *elements, const srv_eviction *eviction)
{
    return elements->arena.base && elements->arena.pages == eviction->pages &&
           elements->core == eviction->core && elements->count == eviction->elements &&
           elements->lines == eviction->lines && elements->seed == eviction->seed &&
           elements->element_bytes == eviction->element_bytes &&
           elements->line_bytes == eviction->line_bytes;
}

static char *element_at(const srv_elements *elements, uint32_t number)
{
    return elements->arena.base + number * (size_t)elements->element_bytes;
}

/* All elements have the same lines, so that those which share a set share all their sets. */
static void choose_lines(srv_elements *elements, uint64_t seed)
{
    size_t lines = (size_t)(elements->element_bytes / elements->line_bytes);
    srv_order order = srv_order_of(lines, seed);
    for (int i = 0; i < elements->lines; i++)
        elements->offset[i] =
            (uint16_t)(srv_order_at(&order, (size_t)i) * (size_t)elements->line_bytes);
}

/* Each line holds the address of the next one, the last one that of the first. */
static void link_lines(const srv_elements *elements)
{
    for (int e = 0; e < elements->count; e++) {
        char *base = element_at(elements, (uint32_t)e);
        for (int i = 0; i < elements->lines; i++) {
            int next = i + 1 < elements->lines ? i + 1 : 0;
            *(void **)(void *)(base + elements->offset[i]) = base + elements->offset[next];
        }
    }
}

static int build(srv_hardware *hw, const srv_eviction *eviction, servet_error *error)
{
    srv_elements *elements = &hw->elements;
    double bytes = eviction->elements * eviction->element_bytes;
    srv_hardware_forget_elements(hw);
    elements->offset = malloc((size_t)eviction->lines * sizeof *elements->offset);
    if (!elements->offset)
        return srv_fail_memory(error);
    int code = srv_arena_init(&elements->arena, (size_t)bytes, eviction->pages, error);
    if (code == SERVET_OK)
        code = srv_arena_grow(&elements->arena, (size_t)bytes, error);
    if (code != SERVET_OK)
        return code;
    elements->core = eviction->core;
    elements->count = eviction->elements;
    elements->lines = eviction->lines;
    elements->element_bytes = eviction->element_bytes;
    elements->line_bytes = eviction->line_bytes;
    elements->seed = eviction->seed;
    choose_lines(elements, eviction->seed);
    link_lines(elements);
    return SERVET_OK;
}

void srv_hardware_forget_elements(srv_hardware *hw)
{
    srv_arena_finish(&hw->elements.arena);
    free(hw->elements.offset);
    hw->elements = (srv_elements){.arena = SRV_ARENA_INIT};
}

/* --- a trial ---------------------------------------------------------------------------------- */

/* Independent loads: only the content of the caches matters afterwards. */
static void load_all(const srv_elements *elements, const uint32_t *element, int count)
{
    for (int e = 0; e < count; e++) {
        const char *base = element_at(elements, element[e]);
        for (int i = 0; i < elements->lines; i++)
            (void)*(void *const volatile *)(const void *)(base + elements->offset[i]);
    }
}

/* A byte of the element that its chase leaves out, if there is one: the translation is there then.
 */
static size_t unused_offset(const srv_elements *elements)
{
    size_t lines = (size_t)(elements->element_bytes / elements->line_bytes);
    for (size_t line = lines; line-- > 0;) {
        bool used = false;
        for (int i = 0; i < elements->lines; i++)
            used = used || elements->offset[i] == line * (size_t)elements->line_bytes;
        if (!used)
            return line * (size_t)elements->line_bytes;
    }
    return elements->offset[0];
}

static float time_element(const srv_elements *elements, const srv_clock *clock, uint32_t number,
                          size_t unused)
{
    char *base = element_at(elements, number);
    (void)*(volatile char *)(base + unused);
    void *at = base + elements->offset[0];
    uint64_t start = clock->ticks();
    for (int i = 0; i < elements->lines; i++)
        at = *(void *volatile *)at;
    double ns = (double)(clock->ticks() - start) * clock->ns_per_tick;
    return (float)fmax(0, ns - clock->overhead_ns);
}

static const uint32_t *trial_of(const srv_eviction *eviction, int trial)
{
    return eviction->element + (size_t)trial * (size_t)(eviction->walked + eviction->others);
}

static void time_all(const srv_elements *elements, const srv_clock *clock,
                     const srv_eviction *eviction, int trial, float *ns)
{
    const uint32_t *element = trial_of(eviction, trial);
    size_t unused = unused_offset(elements);
    for (int i = 0; i < eviction->walked; i++)
        ns[(size_t)trial * (size_t)eviction->walked + (size_t)i] =
            time_element(elements, clock, element[i], unused);
}

static void run_rounds(const srv_elements *elements, const srv_eviction *eviction, int trial)
{
    for (int round = 0; round < eviction->rounds; round++)
        load_all(elements, trial_of(eviction, trial), eviction->walked);
}

/* --- two cores -------------------------------------------------------------------------------- */

typedef struct duel {
    srv_flag walked, disturbed, left; /* trials whose rounds are done, by each; one is gone */
    const srv_elements *elements;
    const srv_clock *clock;
    const srv_eviction *eviction;
    float *ns;
} duel;

typedef struct duelist {
    int core;
    duel *of;
    bool times;
} duelist;

static bool time_trial(duel *on, int trial)
{
    run_rounds(on->elements, on->eviction, trial);
    srv_flag_raise(&on->walked, (unsigned)trial + 1);
    if (!srv_flag_wait(&on->disturbed, (unsigned)trial + 1, &on->left))
        return false;
    time_all(on->elements, on->clock, on->eviction, trial, on->ns);
    return true;
}

static bool disturb_trial(duel *on, int trial)
{
    const srv_eviction *eviction = on->eviction;
    if (!srv_flag_wait(&on->walked, (unsigned)trial + 1, &on->left))
        return false;
    for (int round = 0; round < eviction->rounds; round++)
        load_all(on->elements, trial_of(eviction, trial) + eviction->walked, eviction->others);
    srv_flag_raise(&on->disturbed, (unsigned)trial + 1);
    return true;
}

static void run_trials(void *self)
{
    duelist *mine = self;
    bool going = true;
    for (int trial = 0; trial < mine->of->eviction->trials && going; trial++)
        going = mine->times ? time_trial(mine->of, trial) : disturb_trial(mine->of, trial);
}

static void leave(void *self)
{
    srv_flag_raise(&((duelist *)self)->of->left, 1);
}

static int run_duel(srv_hardware *hw, const srv_eviction *eviction, float *ns, servet_error *error)
{
    static const srv_thread_team_job job = {.sample = run_trials, .finish = leave};
    duel *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->elements = &hw->elements;
    on->clock = &hw->clock;
    on->eviction = eviction;
    on->ns = ns;
    duelist both[] = {{eviction->core, on, true}, {eviction->other, on, false}};
    int code = srv_thread_team_run(&hw->topology, &hw->clock, &job, both, sizeof *both, 2, error);
    free(on);
    return code;
}

/* --- all trials ------------------------------------------------------------------------------- */

static void run_alone(srv_hardware *hw, const srv_eviction *eviction, float *ns)
{
    srv_spell spell = srv_spell_begin();
    for (int trial = 0; trial < eviction->trials; trial++) {
        run_rounds(&hw->elements, eviction, trial);
        time_all(&hw->elements, &hw->clock, eviction, trial, ns);
    }
    srv_hardware_end_spell(hw, &spell);
}

int srv_hardware_evict(srv_hardware *hw, const srv_eviction *eviction, float *ns,
                       servet_error *error)
{
    int code = srv_hardware_settle(hw, eviction->core, error);
    if (code == SERVET_OK && !stand(&hw->elements, eviction))
        code = build(hw, eviction, error);
    if (code != SERVET_OK || eviction->other >= 0)
        return code == SERVET_OK ? run_duel(hw, eviction, ns, error) : code;
    run_alone(hw, eviction, ns);
    return SERVET_OK;
}
