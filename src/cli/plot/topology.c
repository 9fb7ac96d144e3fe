/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the node as boxes: each is a set of cores, with lines for the resources that these cores
 * share. */
#include "cli/plot/plots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/parts.h"
#include "cli/report/text.h"
#include "core/cache.h"
#include "core/error.h"
#include "core/grow.h"
#include "core/human.h"
#include "core/ranges.h"
#include "servet/node.h"

/* --- sets of cores ---------------------------------------------------------------------------- */

/* Ranks of items: the lines of a set are in this order. */
enum { OF_NODE, OF_NUMA, OF_MEMORY, OF_KIND, OF_CACHE, OF_DISTANCE = OF_CACHE + 10, OF_CORE };

/* A resource that a set of cores shares. */
typedef struct item {
    char *cores;
    int size, first; /* number of cores, and the lowest core */
    int rank;
    figure_line line;
} item;

typedef struct items {
    int count;
    bool failed; /* memory was exhausted */
    item *item;
} items;

/* Adds an item, unless its set has no cores, such as a NUMA node with only memory. */
static void add_item(items *to, const char *cores, int rank, figure_tone tone, const char *text)
{
    if (!*cores)
        return;
    char *copy = strdup(cores);
    item *grown = srv_grow(to->item, (size_t)to->count, sizeof *grown);
    to->item = grown ? grown : to->item;
    if (!copy || !grown) {
        to->failed = true;
        free(copy);
        return;
    }
    item *added = &to->item[to->count++];
    *added = (item){copy, srv_ranges_count(cores), atoi(cores), rank, {.tone = tone}};
    snprintf(added->line.text, sizeof added->line.text, "%s", text);
    figure_end_character(added->line.text);
}

static void finish_items(items *of)
{
    for (int i = 0; i < of->count; i++)
        free(of->item[i].cores);
    free(of->item);
}

/* Orders larger sets first; equal sets are side by side, ordered by rank. */
static int compare(const void *a, const void *b)
{
    const item *one = a, *other = b;
    if (one->size != other->size)
        return one->size > other->size ? -1 : 1;
    if (one->first != other->first)
        return one->first < other->first ? -1 : 1;
    int order = strcmp(one->cores, other->cores);
    return order ? order : (one->rank > other->rank) - (one->rank < other->rank);
}

/* --- tones ------------------------------------------------------------------------------------ */

static figure_tone tone_of(servet_verdict verdict, bool trusted)
{
    static const figure_tone tones[SERVET_VERDICT_COUNT] = {
        [SERVET_VERDICT_AGREES] = FIGURE_AGREES,
        [SERVET_VERDICT_DIFFERS] = FIGURE_DIFFERS,
        [SERVET_VERDICT_NOT_VISIBLE] = FIGURE_NOT_VISIBLE,
        [SERVET_VERDICT_NOT_COMPARABLE] = FIGURE_PART};
    return trusted ? tones[verdict] : FIGURE_DOUBTED;
}

static bool is_trusted(const plot_source *source, const servet_at *at, const char *key)
{
    servet_trust trust;
    return servet_profile_trust(source->profile, at, key, &trust, NULL) == SERVET_OK &&
           trust.trusted;
}

/* --- what cores share ------------------------------------------------------------------------- */

/* Returns the tone for the verdict on the known size; different sets count like a different size.
 */
static figure_tone cache_tone(const plot_source *source, const servet_at *at,
                              const servet_cache *cache)
{
    servet_sharing sharing;
    char key[SERVET_NAME_MAX];
    bool size = cache->trusted || cache->kind == SERVET_CACHE_TURNOVER;
    if (servet_cache_sharing(source->profile, at, cache->level, &sharing) != SERVET_OK)
        return tone_of(cache->verdict, size);
    snprintf(key, sizeof key, "caches.%d.groups", cache->level);
    bool trusted = size && is_trusted(source, at, key);
    if (trusted && sharing.trusted && sharing.verdict == SERVET_VERDICT_DIFFERS)
        return FIGURE_DIFFERS;
    return tone_of(cache->verdict, trusted);
}

static void cache_text(const servet_cache *cache, char text[FIGURE_LINE_MAX])
{
    char size[HUMAN_MAX], reported[HUMAN_MAX], ns[HUMAN_MAX] = "";
    bool sized = srv_cache_has_size(cache);
    servet_value bytes = cache->bytes;
    bytes.trusted = true; /* the box has a mark of trust already */
    if (sized)
        report_bytes(&bytes, size);
    else
        report_interval(&cache->bytes, size);
    if (servet_value_known(&cache->latency))
        snprintf(ns, sizeof ns, " %s ns", HUMAN(cache->latency.value * HUMAN_NS, 3));
    int n = snprintf(text, FIGURE_LINE_MAX, "L%d %.20s%.20s", cache->level, size, ns);
    if (cache->verdict != SERVET_VERDICT_DIFFERS && cache->verdict != SERVET_VERDICT_NOT_COMPARABLE)
        return;
    report_reported(&cache->reported_bytes, reported);
    snprintf(text + n, FIGURE_LINE_MAX - (size_t)n, ", OS %.20s", reported);
}

/* Adds a cache. Without groups, it is a line of all cores of the core type; a single core has its
 * own cache. */
static void add_cache(const plot_source *source, const servet_at *at, int level, items *to)
{
    servet_cache cache;
    char text[FIGURE_LINE_MAX], unshared[FIGURE_LINE_MAX + 32], kind[SERVET_TEXT_MAX] = "";
    const char *cores;
    int count;
    if (servet_cache_get(source->profile, at, level, &cache) != SERVET_OK)
        return;
    figure_tone tone = cache_tone(source, at, &cache);
    int rank = OF_CACHE + SERVET_CACHE_LEVELS_MAX - level;
    cache_text(&cache, text);
    if (servet_cache_group_count(source->profile, at, level, &count) != SERVET_OK) {
        servet_profile_get(source->profile, at, "kind.cores", kind, sizeof kind, NULL);
        snprintf(unshared, sizeof unshared, "%s%s", text,
                 strpbrk(kind, ",-") ? ", shared by unknown PUs" : "");
        add_item(to, kind, rank, tone, unshared);
        return;
    }
    for (int i = 0; i < count; i++)
        if (servet_cache_group(source->profile, at, level, i, &cores) == SERVET_OK)
            add_item(to, cores, rank, tone, text);
}

static void add_kinds(const plot_source *source, items *to)
{
    servet_at any = {source->at.node_class, SERVET_ANY_CORE}, of_kind;
    servet_kind kind;
    char text[SERVET_NAME_MAX + 8];
    bool several = servet_kind_get(source->profile, &any, 1, &kind) == SERVET_OK;
    for (int i = 0; report_kind(source->profile, &any, i, &of_kind); i++) {
        int levels = 0;
        (void)servet_cache_count(source->profile, &of_kind, &levels);
        for (int level = 1; level <= levels; level++)
            add_cache(source, &of_kind, level, to);
        if (!several || servet_kind_get(source->profile, &any, i, &kind) != SERVET_OK)
            continue;
        snprintf(text, sizeof text, "%s cores", kind.name);
        add_item(to, kind.cores, OF_KIND, FIGURE_PLAIN, text);
    }
}

/* Adds the NUMA nodes, unless there is only one, which is the node itself. */
static void add_numa(const plot_source *source, items *to)
{
    servet_numa numa;
    servet_value rate = {.trusted = true}, ns = {.trusted = true};
    int count = 0;
    (void)servet_numa_count(source->profile, &source->at, &count);
    for (int i = 0; i < count && count > 1; i++) {
        char text[FIGURE_LINE_MAX];
        if (servet_numa_get(source->profile, &source->at, i, &numa) != SERVET_OK)
            continue;
        int n = snprintf(text, sizeof text, "NUMA node %d", numa.number);
        if (servet_numa_bandwidth(source->profile, &source->at, i, i, &rate) == SERVET_OK)
            n += snprintf(text + n, sizeof text - (size_t)n, ", %s GB/s",
                          HUMAN(rate.value * 1e-9, 3));
        if (servet_numa_latency(source->profile, &source->at, i, i, &ns) == SERVET_OK)
            snprintf(text + n, sizeof text - (size_t)n, ", %s ns", HUMAN(ns.value * HUMAN_NS, 3));
        add_item(to, numa.cores, OF_NUMA,
                 rate.trusted && ns.trusted ? FIGURE_PLAIN : FIGURE_DOUBTED, text);
    }
}

static void add_memory(const plot_source *source, items *to)
{
    servet_memory_level level;
    const char *cores;
    int count = 0, groups;
    (void)servet_memory_level_count(source->profile, &source->at, &count);
    for (int i = 1; i <= count; i++) {
        char text[FIGURE_LINE_MAX], enough[HUMAN_MAX];
        if (servet_memory_level_get(source->profile, &source->at, i, &level) != SERVET_OK ||
            servet_memory_group_count(source->profile, &source->at, i, &groups) != SERVET_OK)
            continue;
        int n = snprintf(text, sizeof text, "contend for memory");
        if (level.saturation) {
            report_saturation(source->profile, &source->at, i, level.saturation, enough);
            snprintf(text + n, sizeof text - (size_t)n, "; %.24s saturate%s it", enough,
                     level.saturation == 1 ? "s" : "");
        }
        for (int k = 0; k < groups; k++)
            if (servet_memory_group(source->profile, &source->at, i, k, &cores) == SERVET_OK)
                add_item(to, cores, OF_MEMORY, tone_of(level.verdict, level.trusted), text);
    }
}

/* Adds the distances; a single core has none. */
static void add_distances(const plot_source *source, items *to)
{
    servet_distance_layer layer;
    const char *cores;
    int count = 0, groups;
    (void)servet_distance_layer_count(source->profile, &source->at, &count);
    for (int i = 1; i <= count; i++) {
        char text[FIGURE_LINE_MAX];
        if (servet_distance_layer_get(source->profile, &source->at, i, &layer) != SERVET_OK ||
            !servet_value_known(&layer.latency) ||
            servet_distance_group_count(source->profile, &source->at, i, &groups) != SERVET_OK)
            continue;
        snprintf(text, sizeof text, "%s ns core to core", HUMAN(layer.latency.value * HUMAN_NS, 3));
        for (int k = 0; k < groups; k++)
            if (servet_distance_group(source->profile, &source->at, i, k, &cores) == SERVET_OK &&
                strpbrk(cores, ",-"))
                add_item(to, cores, OF_DISTANCE, tone_of(layer.verdict, layer.trusted), text);
    }
}

static void add_cores(const servet_machine *machine, items *to)
{
    char number[16], text[FIGURE_LINE_MAX];
    const char *ranges = machine->cores;
    for (int core, last; srv_ranges_next(&ranges, &core, &last);)
        for (; core <= last; core++) {
            snprintf(number, sizeof number, "%d", core);
            snprintf(text, sizeof text, "PU %d", core);
            add_item(to, number, OF_CORE, FIGURE_PLAIN, text);
        }
}

/* --- boxes ------------------------------------------------------------------------------------ */

/* The tree of sets being built: the item that made each box. */
typedef struct tree {
    figure *into;
    const item **of; /* item of each box */
    bool crossed;    /* some sets overlap without being nested */
} tree;

/* Finds the box in which to put the set, or the box that the set has already; FIGURE_NONE if it
 * overlaps another set without being nested. */
static int find_place(const tree *in, const item *wanted, bool *is_there)
{
    const figure_boxes *boxes = &in->into->boxes;
    int at = 0;
    *is_there = false;
    for (int next = at; next != FIGURE_NONE;) {
        at = next;
        if (in->of[at]->size == wanted->size &&
            srv_ranges_within(wanted->cores, in->of[at]->cores)) {
            *is_there = true;
            return at;
        }
        next = FIGURE_NONE;
        for (int i = boxes->box[at].child; i != FIGURE_NONE; i = boxes->box[i].next) {
            if (srv_ranges_within(wanted->cores, in->of[i]->cores))
                next = i;
            else if (srv_ranges_overlap(in->of[i]->cores, wanted->cores))
                return FIGURE_NONE;
        }
    }
    return at;
}

/* Returns true if the box has this line already: two core types may have the same line. */
static bool has_line(const figure_box *box, const char *text)
{
    for (int i = 0; i < box->line_count; i++)
        if (strcmp(box->line[i].text, text) == 0)
            return true;
    return false;
}

static bool put_item(tree *in, const item *next)
{
    bool is_there;
    int at = find_place(in, next, &is_there);
    in->crossed = in->crossed || at == FIGURE_NONE;
    if (at == FIGURE_NONE)
        return true;
    if (!is_there && (at = figure_add_box(&in->into->boxes, at)) == FIGURE_NONE)
        return false;
    if (!is_there)
        in->of[at] = next;
    figure_box *box = &in->into->boxes.box[at];
    if (!has_line(box, next->line.text))
        figure_add_line(box, next->line.tone, "%s", next->line.text);
    return true;
}

/* --- alike boxes ------------------------------------------------------------------------------ */

static bool is_core(const char *text)
{
    return strncmp(text, "PU ", 3) == 0;
}

/* Returns true if two boxes differ only in the numbers of their cores. */
static bool are_alike(const figure_boxes *boxes, int a, int b)
{
    const figure_box *one = &boxes->box[a], *other = &boxes->box[b];
    if (one->line_count != other->line_count)
        return false;
    for (int i = 0; i < one->line_count; i++)
        if (strcmp(one->line[i].text, other->line[i].text) != 0 &&
            !(is_core(one->line[i].text) && is_core(other->line[i].text)))
            return false;
    int i = one->child, k = other->child;
    for (; i != FIGURE_NONE && k != FIGURE_NONE; i = boxes->box[i].next, k = boxes->box[k].next)
        if (!are_alike(boxes, i, k))
            return false;
    return i == k;
}

/* Adds a box that represents `count` boxes, beginning with `first`. */
static bool put_rest(tree *in, int before, int first, int count)
{
    enum { NAMED = 4 };
    char cores[FIGURE_LINE_MAX - 4]; /* and " ..." */
    figure_boxes *boxes = &in->into->boxes;
    int rest = figure_add_box(boxes, before);
    if (rest == FIGURE_NONE)
        return false;
    figure_box *box = &boxes->box[rest];
    boxes->box[before].child = FIGURE_NONE;
    figure_add_line(box, FIGURE_PLAIN, "and %d more alike:", count);
    for (int i = first, named = 0; i != FIGURE_NONE && i != rest && named < NAMED;
         i = boxes->box[i].next, named++) {
        report_set_text(in->of[i]->cores, cores, sizeof cores);
        figure_add_line(box, FIGURE_PLAIN, "%s%s", cores, named + 1 == NAMED ? " ..." : "");
    }
    return true;
}

/* Draws two of many alike boxes side by side. */
static bool fold(tree *in, int at)
{
    enum { DRAWN = 2, MANY = 4 };
    figure_boxes *boxes = &in->into->boxes;
    int first = boxes->box[at].child, count = 0, last_drawn = first;
    bool alike = true;
    for (int i = first; i != FIGURE_NONE; i = boxes->box[i].next) {
        alike = alike && are_alike(boxes, first, i);
        last_drawn = count + 1 == DRAWN ? i : last_drawn;
        count++;
    }
    if (alike && count >= MANY) {
        int hidden = boxes->box[last_drawn].next;
        if (!put_rest(in, at, hidden, count - DRAWN))
            return false;
        boxes = &in->into->boxes;
        boxes->box[last_drawn].next = boxes->count - 1;
        boxes->box[at].child = first;
    }
    for (int i = boxes->box[at].child; i != FIGURE_NONE; i = in->into->boxes.box[i].next)
        if (!fold(in, i))
            return false;
    return true;
}

/* --- the node --------------------------------------------------------------------------------- */

static void put_head(const plot_source *source, const servet_machine *machine, figure_box *box)
{
    servet_value ns, rate;
    char size[HUMAN_MAX];
    int cores;
    figure_add_line(box, FIGURE_PLAIN, "%s%s%s", machine->hostname, *machine->cpu ? ": " : "",
                    machine->cpu);
    human_bytes(machine->memory_bytes, size);
    if (!(machine->memory_bytes > 0))
        strcpy(size, "size not known");
    if (servet_memory_latency(source->profile, &source->at, &ns) == SERVET_OK)
        figure_add_line(box, ns.trusted ? FIGURE_PLAIN : FIGURE_DOUBTED, "memory %s, %s ns", size,
                        HUMAN(ns.value * HUMAN_NS, 3));
    else
        figure_add_line(box, FIGURE_PLAIN, "memory %s", size);
    if (servet_memory_single(source->profile, &source->at, &rate) == SERVET_OK)
        figure_add_line(box, rate.trusted ? FIGURE_PLAIN : FIGURE_DOUBTED,
                        "one core copies %s GB/s", HUMAN(rate.value * 1e-9, 3));
    if (servet_memory_saturation(source->profile, &source->at, &cores) != SERVET_OK)
        return;
    report_saturation(source->profile, &source->at, 0, cores, size);
    figure_add_line(
        box, is_trusted(source, &source->at, "memory.saturation") ? FIGURE_PLAIN : FIGURE_DOUBTED,
        "%s saturate%s the memory of the node", size, cores == 1 ? "s" : "");
}

static bool build(const plot_source *source, const servet_machine *machine, const items *from,
                  const item *all, tree *in)
{
    enum { FEW = 16 };
    if (figure_add_box(&in->into->boxes, FIGURE_NONE) == FIGURE_NONE)
        return false;
    in->of[0] = all;
    put_head(source, machine, &in->into->boxes.box[0]);
    for (int i = 0; i < from->count; i++)
        if (!put_item(in, &from->item[i]))
            return false;
    if (in->crossed)
        figure_add_note(in->into,
                        "Sets of PUs that cross those drawn are left out: servet show lists "
                        "them.");
    return all->size <= FEW || fold(in, 0);
}

int plot_topology(const plot_source *source, figure *into, servet_error *error)
{
    servet_machine machine;
    items of = {.count = 0};
    char subject[FIGURE_TITLE_MAX];
    if (servet_profile_machine(source->profile, &source->at, &machine) != SERVET_OK)
        return srv_fail(error, SERVET_EUNMEASURED, "the profile does not describe a node");
    into->form = FIGURE_BOXES;
    plot_subject(source, false, subject);
    figure_set_title(into, "What was measured of %s", subject);
    add_kinds(source, &of);
    add_numa(source, &of);
    add_memory(source, &of);
    add_distances(source, &of);
    add_cores(&machine, &of);
    if (of.count > 0)
        qsort(of.item, (size_t)of.count, sizeof *of.item, compare);
    tree built = {.into = into, .of = calloc((size_t)of.count + 1, sizeof *built.of)};
    const item all = {.cores = machine.cores, .size = srv_ranges_count(machine.cores)};
    bool done = !of.failed && built.of && build(source, &machine, &of, &all, &built);
    free(built.of);
    finish_items(&of);
    return done ? SERVET_OK : srv_fail_memory(error);
}
