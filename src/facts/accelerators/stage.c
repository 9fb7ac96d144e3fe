/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerators: copies by NUMA node, at once, and between two of them. */
#include "facts/stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/bit.h"
#include "core/error.h"
#include "core/ranges.h"
#include "facts/accelerators/benchmark.h"
#include "facts/accelerators/detect.h"
#include "facts/memory/detect.h"
#include "facts/store.h"
#include "run/cores.h"
#include "sample/visit.h"

/* Rows of a link: both directions, large and small copies. */
enum { TO_DEVICE, TO_HOST, TO_DEVICE_SMALL, TO_HOST_SMALL, LINK_ROWS };
_Static_assert((int)TO_DEVICE == (int)SERVET_DIRECTION_TO_DEVICE &&
                   (int)TO_HOST == (int)SERVET_DIRECTION_TO_HOST,
               "rows of large copies are numbered by their direction");
enum { LARGE, SMALL, PAIR_ROWS };

typedef struct rows {
    srv_copy_row *row;
    int count;
} rows;

typedef struct accelerators {
    const srv_stage *stage;
    const srv_stage_place *place;
    srv_device device[SRV_DEVICES_MAX];
    int count;
    srv_numa numa[SRV_NUMA_MAX];
    bool has_cores[SRV_NUMA_MAX];
    int numa_count;
    int requester[SRV_NUMA_MAX]; /* the core that copies from and to each node */
    int *cores, core_count;      /* all, ascending */
    double bytes;                /* of a large copy */
    rows links, together, peers;
    servet_accelerator fact[SRV_DEVICES_MAX];
    char near[SRV_DEVICES_MAX][SERVET_CORES_MAX];
    servet_accelerator_link link[SRV_DEVICES_MAX][SRV_NUMA_MAX];
    int home[SRV_DEVICES_MAX]; /* index of the nearest NUMA node; -1: not measured */
    int core[SRV_DEVICES_MAX]; /* of its own, near there if one is left; -1: there are too few */
    char refusal[SERVET_TEXT_MAX];
} accelerators;

/* --- beginning -------------------------------------------------------------------------------- */

/* Nodes of memory alone take the core of the first node that has cores. */
static int choose_requesters(accelerators *on, servet_error *error)
{
    int code = SERVET_OK, first = -1;
    for (int i = 0; i < on->numa_count && code == SERVET_OK; i++) {
        on->has_cores[i] = *on->numa[i].cores;
        if (on->has_cores[i])
            code =
                srv_quietest_core(on->stage->machine, on->numa[i].cores, &on->requester[i], error);
        first = first < 0 && on->has_cores[i] ? i : first;
    }
    for (int i = 0; i < on->numa_count; i++)
        if (!on->has_cores[i])
            on->requester[i] = first >= 0 ? on->requester[first] : on->cores[0];
    return code;
}

static int begin(accelerators *on, servet_error *error)
{
    srv_machine *machine = on->stage->machine;
    double memory;
    int code = machine->ops->nodes(machine, on->numa, &on->numa_count, error);
    if (code == SERVET_OK)
        code = srv_cores_of(on->place, &on->cores, &on->core_count, error);
    if (code == SERVET_OK)
        code = machine->ops->memory(machine, &memory, error);
    if (code != SERVET_OK)
        return code;
    on->bytes =
        fmax(1, fmin(SRV_COPY_LARGE_BYTES, floor(SRV_MEMORY_SHARE_MAX * memory / on->count)));
    return choose_requesters(on, error);
}

static void finish(accelerators *on)
{
    free(on->cores);
    free(on->links.row);
    free(on->together.row);
    free(on->peers.row);
    free(on);
}

/* --- rows ------------------------------------------------------------------------------------- */

static int reserve(rows *of, int count, servet_error *error)
{
    of->row = calloc((size_t)count + 1, sizeof *of->row);
    return of->row ? SERVET_OK : srv_fail_memory(error);
}

static void add_copy(srv_copy_row *row, srv_copy copy, double bytes)
{
    bool large = bytes > SRV_COPY_SMALL_BYTES;
    copy.bytes = bytes;
    copy.in_flight = large ? SRV_COPY_IN_FLIGHT : 1;
    copy.seconds = SRV_TOGETHER_SECONDS;
    row->copy[row->count++] = copy;
}

/* A single node is requested as the core's own, which every system grants. */
static int node_number(const accelerators *on, int node)
{
    return on->numa_count > 1 ? node + 1 : 0;
}

static srv_copy_row *link_row(const accelerators *on, int device, int node, int kind)
{
    return &on->links.row[(device * on->numa_count + node) * LINK_ROWS + kind];
}

static int list_links(accelerators *on, servet_error *error)
{
    on->links.count = on->count * on->numa_count * LINK_ROWS;
    int code = reserve(&on->links, on->links.count, error);
    for (int i = 0; i < on->links.count && code == SERVET_OK; i++) {
        int kind = i % LINK_ROWS, node = i / LINK_ROWS % on->numa_count;
        add_copy(&on->links.row[i],
                 (srv_copy){.core = on->requester[node],
                            .device = i / LINK_ROWS / on->numa_count,
                            .peer = -1,
                            .to_host = kind == TO_HOST || kind == TO_HOST_SMALL,
                            .node = node_number(on, node)},
                 kind < TO_DEVICE_SMALL ? on->bytes : SRV_COPY_SMALL_BYTES);
    }
    return code;
}

static void add_together(accelerators *on, srv_copy_row *row, int device, int direction)
{
    add_copy(row,
             (srv_copy){.core = on->core[device],
                        .device = device,
                        .peer = -1,
                        .to_host = direction == SERVET_DIRECTION_TO_HOST,
                        .node = node_number(on, on->home[device])},
             on->bytes);
}

/* Devices that copy at once need a core each, and a place that is known. */
static bool can_copy_at_once(const accelerators *on)
{
    for (int i = 0; i < on->count; i++)
        if (on->core[i] < 0 || on->home[i] < 0)
            return false;
    return on->count > 1;
}

/* Adds rows of each direction: all devices at once, then the pairs. */
static int list_together(accelerators *on, servet_error *error)
{
    int pairs = on->count * (on->count - 1) / 2;
    int code = reserve(&on->together, SERVET_DIRECTION_COUNT * (1 + pairs), error);
    for (int k = 0; k < SERVET_DIRECTION_COUNT && code == SERVET_OK && can_copy_at_once(on); k++) {
        for (int i = 0; i < on->count; i++)
            add_together(on, &on->together.row[on->together.count], i, k);
        on->together.count++;
        for (int i = 0; i < on->count; i++)
            for (int j = i + 1; j < on->count; j++) {
                add_together(on, &on->together.row[on->together.count], i, k);
                add_together(on, &on->together.row[on->together.count++], j, k);
            }
    }
    return code;
}

static int list_peers(accelerators *on, servet_error *error)
{
    int code = reserve(&on->peers, on->count * (on->count - 1) * PAIR_ROWS, error);
    for (int i = 0; i < on->count && code == SERVET_OK; i++)
        for (int j = 0; j < on->count; j++)
            for (int kind = 0; kind < PAIR_ROWS && i != j; kind++)
                add_copy(&on->peers.row[on->peers.count++],
                         (srv_copy){.core = on->requester[on->home[i] < 0 ? 0 : on->home[i]],
                                    .device = i,
                                    .peer = j},
                         kind == LARGE ? on->bytes : SRV_COPY_SMALL_BYTES);
    return code;
}

/* --- near nodes ------------------------------------------------------------------------------- */

static void read_links(accelerators *on, int device)
{
    for (int i = 0; i < on->numa_count; i++)
        on->link[device][i] = (servet_accelerator_link){
            .node = on->numa[i].number,
            .to_device = srv_copy_rate(link_row(on, device, i, TO_DEVICE), 0),
            .to_host = srv_copy_rate(link_row(on, device, i, TO_HOST), 0),
            .to_device_latency = srv_copy_time(link_row(on, device, i, TO_DEVICE_SMALL), 0),
            .to_host_latency = srv_copy_time(link_row(on, device, i, TO_HOST_SMALL), 0)};
}

/* The cores of the near nodes, without those that do not fit. */
static void write_cores(const accelerators *on, const bool *near, char text[SERVET_CORES_MAX])
{
    int count = 0, *found = calloc((size_t)on->core_count, sizeof *found);
    for (int i = 0; i < on->core_count && found; i++)
        for (int k = 0; k < on->numa_count; k++)
            if (near[k] && srv_ranges_contain(on->numa[k].cores, on->cores[i])) {
                found[count++] = on->cores[i];
                break;
            }
    if (count == 0 || !srv_ranges_write(found, count, text, SERVET_CORES_MAX))
        *text = '\0';
    free(found);
}

static bool is_reported(const accelerators *on, int device, int node)
{
    return on->device[device].node == on->numa[node].number;
}

/* The reported one of the near nodes, or the one with the most bandwidth. */
static int find_home(const accelerators *on, int device, const bool *near)
{
    double best = 0;
    int home = -1;
    for (int i = 0; i < on->numa_count; i++) {
        const servet_accelerator_link *link = &on->link[device][i];
        double rate = link->to_device.value + link->to_host.value;
        if (near[i] && is_reported(on, device, i))
            return i;
        if (near[i] && rate > best) {
            best = rate;
            home = i;
        }
    }
    return home;
}

static servet_verdict compare_reported(const accelerators *on, int device, bool uniform)
{
    if (on->device[device].node < 0 || uniform)
        return SERVET_VERDICT_NOT_VISIBLE;
    return is_reported(on, device, on->home[device]) ? SERVET_VERDICT_AGREES
                                                     : SERVET_VERDICT_DIFFERS;
}

static void find_near(accelerators *on, int device)
{
    servet_accelerator *fact = &on->fact[device];
    bool near[SRV_NUMA_MAX];
    int nodes = 0;
    read_links(on, device);
    for (int i = 0; i < on->numa_count; i++)
        nodes += on->has_cores[i];
    int count = srv_detect_near(on->link[device], on->has_cores, on->numa_count, near);
    on->home[device] = count > 0 ? find_home(on, device, near) : -1;
    fact->verdict = SERVET_VERDICT_NOT_VISIBLE;
    if (on->home[device] < 0)
        return;
    write_cores(on, near, on->near[device]);
    fact->uniform = count == nodes;
    fact->verdict = compare_reported(on, device, fact->uniform);
}

static bool is_taken(const accelerators *on, int core, int devices)
{
    for (int i = 0; i < devices; i++)
        if (on->core[i] == core)
            return true;
    return false;
}

/* A core that no other device has: of its near ones if one is left, or else any. */
static int choose_core(const accelerators *on, int device)
{
    int any = -1;
    for (int i = 0; i < on->core_count; i++) {
        if (is_taken(on, on->cores[i], device))
            continue;
        if (on->home[device] >= 0 &&
            srv_ranges_contain(on->numa[on->home[device]].cores, on->cores[i]))
            return on->cores[i];
        any = any < 0 ? on->cores[i] : any;
    }
    return any;
}

/* --- measuring -------------------------------------------------------------------------------- */

/* Measures rows between two shares of the stage. */
static int visit_rows(accelerators *on, const rows *of, double from, double to, const char *what,
                      servet_error *error)
{
    srv_stage_task task = {srv_stage_part(on->stage, from, to), ""};
    snprintf(task.what, sizeof task.what, "%s: ", what);
    srv_sampler sampler = srv_stage_sampler(&task);
    return srv_bench_copies(&sampler, of->row, of->count, on->refusal, error);
}

static int measure_links(accelerators *on, double share, servet_error *error)
{
    int code = list_links(on, error);
    if (code == SERVET_OK)
        code = visit_rows(on, &on->links, 0, share, "copies by NUMA node", error);
    for (int i = 0; i < on->count && code == SERVET_OK; i++)
        find_near(on, i);
    for (int i = 0; i < on->count; i++)
        on->core[i] = choose_core(on, i);
    return code;
}

/* Each part gets time for its rows; pairs at once and between devices are as many. */
static int measure(accelerators *on, servet_error *error)
{
    double links = on->numa_count * LINK_ROWS, others = on->count - 1;
    double share = links / (links + (SERVET_DIRECTION_COUNT / 2. + PAIR_ROWS) * others);
    int code = measure_links(on, share, error);
    if (code == SERVET_OK)
        code = list_together(on, error);
    if (code == SERVET_OK)
        code = list_peers(on, error);
    if (code == SERVET_OK)
        code = visit_rows(on, &on->together, share, (1 + share) / 2, "copies at once", error);
    if (code == SERVET_OK)
        code = visit_rows(on, &on->peers, (1 + share) / 2, 1, "copies between accelerators", error);
    return code;
}

/* --- facts ------------------------------------------------------------------------------------ */

/* All devices at once: the first row of each direction. */
static void add_rates_together(accelerators *on, int device, int node)
{
    servet_accelerator_link *link = &on->link[device][node];
    int rows_each = on->together.count / SERVET_DIRECTION_COUNT;
    link->to_device_together = link->to_host_together =
        servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    if (on->together.count == 0 || node != on->home[device])
        return;
    link->to_device_together = srv_copy_rate(&on->together.row[TO_DEVICE * rows_each], device);
    link->to_host_together = srv_copy_rate(&on->together.row[TO_HOST * rows_each], device);
}

static int doubt_near(const accelerators *on, int device, servet_error *error)
{
    bool trusted = true;
    for (int i = 0; i < on->numa_count && on->home[device] >= 0; i++) {
        const servet_accelerator_link *link = &on->link[device][i];
        trusted = trusted && link->to_device.trusted && link->to_host.trusted &&
                  link->to_device_latency.trusted && link->to_host_latency.trusted;
    }
    return trusted ? SERVET_OK
                   : srv_doubt_facts(SRV_PLACE(on->place), "no second visit was as fast", error,
                                     "accelerators.devices.%d.cores "
                                     "accelerators.devices.%d.uniform",
                                     device + 1, device + 1);
}

static int store_devices(accelerators *on, servet_error *error)
{
    for (int i = 0; i < on->count; i++) {
        servet_accelerator *fact = &on->fact[i];
        fact->name = on->device[i].name;
        fact->bus = on->device[i].bus;
        fact->cards = on->device[i].cards;
        fact->node = on->device[i].node;
        fact->cores = on->near[i];
        for (int k = 0; k < on->numa_count; k++)
            add_rates_together(on, i, k);
    }
    int code = srv_store(SRV_PLACE(on->place), on->fact, sizeof *on->fact, on->count, error,
                         "accelerators.devices");
    for (int i = 0; i < on->count && code == SERVET_OK; i++) {
        code = srv_store(SRV_PLACE(on->place), on->link[i], sizeof *on->link[i], on->numa_count,
                         error, "accelerators.devices.%d.links", i + 1);
        if (code == SERVET_OK)
            code = doubt_near(on, i, error);
    }
    return code;
}

static int store_peers(const accelerators *on, servet_error *error)
{
    servet_accelerator_pair pairs[SRV_DEVICES_MAX * SRV_DEVICES_MAX];
    int count = 0;
    for (int i = 0; i < on->peers.count; i += PAIR_ROWS) {
        const srv_copy_row *large = &on->peers.row[i + LARGE], *small = &on->peers.row[i + SMALL];
        const srv_copy *copy = &large->copy[0];
        if (large->visits == 0 && small->visits == 0)
            continue;
        pairs[count++] =
            (servet_accelerator_pair){.from = copy->device,
                                      .to = copy->peer,
                                      .direct = on->device[copy->device].reaches >> copy->peer & 1,
                                      .bandwidth = srv_copy_rate(large, 0),
                                      .latency = srv_copy_time(small, 0)};
    }
    return count == 0 ? SERVET_OK
                      : srv_store(SRV_PLACE(on->place), pairs, sizeof *pairs, count, error,
                                  "accelerators.pairs");
}

/* --- overhead --------------------------------------------------------------------------------- */

/* Devices that copy at once, and the levels of both directions. */
enum { LEVELS_MAX = SERVET_DIRECTION_COUNT * SRV_OVERHEAD_LEVELS_MAX };

typedef struct overheads {
    srv_contention pair[SRV_DEVICES_MAX * SRV_DEVICES_MAX / 2];
    srv_overhead_level found[SRV_OVERHEAD_LEVELS_MAX];
    servet_accelerator_level level[LEVELS_MAX];
    srv_sets groups[LEVELS_MAX];
    int count;
} overheads;

/* The slower device of a pair, by what it keeps of its bandwidth alone. */
static srv_contention compare(const accelerators *on, const srv_copy_row *row, int direction)
{
    srv_contention slow = {.share = INFINITY};
    for (int i = 0; i < 2; i++) {
        int device = row->copy[i].device;
        const servet_accelerator_link *link = &on->link[device][on->home[device]];
        double alone =
            direction == SERVET_DIRECTION_TO_HOST ? link->to_host.value : link->to_device.value;
        servet_value rate = srv_copy_rate(row, i);
        if (rate.value / alone < slow.share)
            slow = (srv_contention){row->copy[0].device, row->copy[1].device, rate.value / alone,
                                    rate.low / alone,    rate.high / alone,   rate.value};
    }
    return slow;
}

/* Groups of one device do not count: the device is in no pair of the level. */
static int add_level(const accelerators *on, int direction, const srv_overhead_level *found,
                     overheads *to, servet_error *error)
{
    int number[SRV_DEVICES_MAX], group[SRV_DEVICES_MAX], at = to->count++;
    int count = srv_detect_overhead_groups(to->pair, found, group, on->count);
    for (int i = 0; i < on->count; i++)
        number[i] = i;
    to->level[at] = (servet_accelerator_level){.direction = (servet_direction)direction,
                                               .bandwidth = found->bandwidth};
    return srv_add_groups(&to->groups[at], number, group, on->count, count, 2, error);
}

/* `*known` becomes false if not all pairs of the direction were measured. */
static int find_levels(const accelerators *on, int direction, overheads *to, bool *known,
                       servet_error *error)
{
    int rows_each = on->together.count / SERVET_DIRECTION_COUNT, code = SERVET_OK;
    const srv_copy_row *first = &on->together.row[direction * rows_each];
    size_t slow = 0;
    for (const srv_copy_row *row = first + 1; row < first + rows_each && *known; row++) {
        *known = row->visits > 0;
        to->pair[slow] = compare(on, row, direction);
        slow += to->pair[slow].share < SRV_MEMORY_WHOLE;
    }
    int count = *known ? srv_detect_overheads(to->pair, slow, to->found) : 0;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = add_level(on, direction, &to->found[i], to, error);
    return code;
}

static int store_levels(const accelerators *on, const overheads *to, servet_error *error)
{
    int code = srv_store(SRV_PLACE(on->place), to->level, sizeof *to->level, to->count, error,
                         "accelerators.levels");
    for (int i = 0; i < to->count && code == SERVET_OK; i++)
        code = srv_store(SRV_PLACE(on->place), to->groups[i].set, sizeof *to->groups[i].set,
                         to->groups[i].count, error, "accelerators.levels.%d.groups", i + 1);
    return code;
}

static int store_overheads(const accelerators *on, servet_error *error)
{
    overheads *to = calloc(1, sizeof *to);
    bool known = on->together.count > 0;
    int code = to ? SERVET_OK : srv_fail_memory(error);
    for (int k = 0; k < SERVET_DIRECTION_COUNT && known && code == SERVET_OK; k++)
        code = find_levels(on, k, to, &known, error);
    if (known && code == SERVET_OK)
        code = store_levels(on, to, error);
    for (int i = 0; to && i < to->count; i++)
        srv_sets_finish(&to->groups[i]);
    free(to);
    return code;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* A driver that does nothing is an error where nothing else is wanted. */
static int check_refusal(const accelerators *on, servet_error *error)
{
    for (int i = 0; i < on->links.count; i++)
        if (on->links.row[i].visits > 0)
            return SERVET_OK;
    bool alone = on->stage->options->only == SRV_BIT(SERVET_BENCHMARK_ACCELERATORS);
    return alone && *on->refusal ? srv_fail(error, SERVET_EUNSUPPORTED, "%s", on->refusal)
                                 : SERVET_OK;
}

static int find_devices(accelerators *on, servet_error *error)
{
    servet_error local = SERVET_ERROR_INIT;
    int code = srv_machine_devices(on->stage->machine, on->device, &on->count, &local);
    if (code == SERVET_EUNSUPPORTED)
        snprintf(on->refusal, sizeof on->refusal, "%.*s", SERVET_TEXT_MAX - 1, local.text);
    else if (code != SERVET_OK)
        return srv_fail(error, code, "%s", local.text);
    on->count = code == SERVET_OK ? on->count : 0;
    return SERVET_OK;
}

static int measure_and_store(accelerators *on, servet_error *error)
{
    int code = begin(on, error);
    if (code == SERVET_OK)
        code = measure(on, error);
    if (code == SERVET_OK)
        code = check_refusal(on, error);
    if (code == SERVET_OK)
        code = store_devices(on, error);
    if (code == SERVET_OK)
        code = store_overheads(on, error);
    return code == SERVET_OK ? store_peers(on, error) : code;
}

int srv_measure_accelerators(const srv_stage *stage, const srv_stage_place *place,
                             servet_error *error)
{
    accelerators *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->stage = stage;
    on->place = place;
    int code = find_devices(on, error);
    if (code == SERVET_OK && on->count > 0)
        code = measure_and_store(on, error);
    else if (code == SERVET_OK && *on->refusal)
        code = check_refusal(on, error);
    else if (code == SERVET_OK)
        code = store_devices(on, error);
    finish(on);
    return code;
}
