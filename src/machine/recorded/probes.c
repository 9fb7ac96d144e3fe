/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/recorded/probes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* --- items ----------------------------------------------------------------------------------- */

#define SIZE(struct_, member) sizeof(((struct_ *)NULL)->member)
#define F(struct_, member, form)                                                                   \
    {                                                                                              \
        SRV_ITEM_##form, offsetof(struct_, member), SIZE(struct_, member), 0, false                \
    }
#define L(struct_, member, form)                                                                   \
    {                                                                                              \
        SRV_ITEM_##form, offsetof(struct_, member), SIZE(struct_, member), 0, true                 \
    }
#define LIST(struct_, member, ints)                                                                \
    {                                                                                              \
        SRV_ITEM_LIST, offsetof(struct_, member), ints, offsetof(struct_, count), false            \
    }
#define SPREAD(struct_, member)                                                                    \
    F(struct_, member.median, NUMBER), F(struct_, member.minimum, NUMBER),                         \
        F(struct_, member.low, NUMBER), F(struct_, member.high, NUMBER),                           \
        F(struct_, member.n, COUNT)
/* A type that is no struct. */
#define ONE(type, form)                                                                            \
    {                                                                                              \
        SRV_ITEM_##form, 0, sizeof(type), 0, false                                                 \
    }

_Static_assert(sizeof(srv_rank_pair) == 2 * sizeof(int), "a pair is two numbers");

static const srv_item core[] = {ONE(int, WHOLE)}, bytes[] = {ONE(double, EXACT)},
                      set[] = {ONE(char *, STRING)}, nanoseconds[] = {ONE(float, SHORT)};

static const srv_item run[] = {
    F(srv_recorded_run, version, TEXT),
    F(srv_recorded_run, started, TEXT),
    F(srv_recorded_run, options.min_bytes, EXACT),
    F(srv_recorded_run, options.max_bytes, EXACT),
    F(srv_recorded_run, options.budget_seconds, EXACT),
    F(srv_recorded_run, options.pages, WHOLE),
    F(srv_recorded_run, options.seed, WHOLE),
    F(srv_recorded_run, options.approach, WHOLE),
    F(srv_recorded_run, benchmarks, TEXT),
    F(srv_recorded_run, options.sharing_ratio, NUMBER),
    F(srv_recorded_run, options.votes, WHOLE),
    F(srv_recorded_run, progress, WHOLE),
    F(srv_recorded_run, command, TEXT),
};

static const srv_item job[] = {
    F(srv_recorded_job, version, TEXT),         F(srv_recorded_job, started, TEXT),
    F(srv_recorded_job, layer_bytes, EXACT),    F(srv_recorded_job, message_bytes, EXACT),
    F(srv_recorded_job, budget_seconds, EXACT), F(srv_recorded_job, benchmarks, TEXT),
    F(srv_recorded_job, nodes, WHOLE),          F(srv_recorded_job, buffers, WHOLE),
    F(srv_recorded_job, progress, WHOLE),       F(srv_recorded_job, command, TEXT),
};

static const srv_item description[] = {
    F(servet_machine, hostname, TEXT),      F(servet_machine, os, TEXT),
    F(servet_machine, architecture, TEXT),  F(servet_machine, cpu, TEXT),
    F(servet_machine, cores, TEXT),         F(servet_machine, pu_count, WHOLE),
    F(servet_machine, core_count, WHOLE),   F(servet_machine, package_count, WHOLE),
    F(servet_machine, numa_count, WHOLE),   F(servet_machine, memory_bytes, EXACT),
    F(servet_machine, page_bytes, EXACT),   F(servet_machine, fingerprint, TEXT),
    F(servet_machine, logical_order, TEXT),
};

static const srv_item core_type[] = {F(srv_core_type, name, TEXT), F(srv_core_type, cores, TEXT)};

/* A level of srv_reported has no name of its own. */
#define LEVEL(member, form)                                                                        \
    {                                                                                              \
        SRV_ITEM_##form, offsetof(srv_reported, level[0].member) - offsetof(srv_reported, level),  \
            SIZE(srv_reported, level[0].member), 0, false                                          \
    }

static const srv_item level[] = {LEVEL(bytes, EXACT), LEVEL(line_bytes, EXACT), LEVEL(cores, TEXT)};

static const srv_item clock_facts[] = {F(srv_clock_facts, name, TEXT),
                                       F(srv_clock_facts, overhead_ns, NUMBER),
                                       F(srv_clock_facts, resolution_ns, NUMBER)};

static const srv_item numa[] = {F(srv_numa, number, WHOLE), F(srv_numa, bytes, EXACT),
                                F(srv_numa, cores, TEXT)};

static const srv_item glance[] = {F(srv_glance, core, WHOLE), L(srv_glance, seconds, NUMBER)};

static const srv_item noise[] = {F(srv_noise, lost, NUMBER), F(srv_noise, steal, NUMBER),
                                 F(srv_noise, others, NUMBER), F(srv_noise, ghz, NUMBER)};

static const srv_item absence[] = {F(srv_absence, share, NUMBER), F(srv_absence, longest, NUMBER),
                                   F(srv_absence, foreign, NUMBER), F(srv_absence, moved, WHOLE)};

static const srv_item traversal[] = {
    F(srv_traversal, core, WHOLE),          F(srv_traversal, bytes, EXACT),
    L(srv_traversal, largest_bytes, EXACT), F(srv_traversal, pattern, WHOLE),
    F(srv_traversal, line_bytes, EXACT),    F(srv_traversal, stride, EXACT),
    F(srv_traversal, apart, EXACT),         F(srv_traversal, phases, WHOLE),
    F(srv_traversal, chains, WHOLE),        F(srv_traversal, delay, WHOLE),
    F(srv_traversal, pages, WHOLE),         F(srv_traversal, node, WHOLE),
    L(srv_traversal, seed, SEED),           L(srv_traversal, seconds, NUMBER),
};

static const srv_item timing[] = {
    F(srv_timing, mean, NUMBER), SPREAD(srv_timing, spread),   F(srv_timing, huge_share, NUMBER),
    F(srv_timing, ghz, NUMBER),  F(srv_timing, error, NUMBER), F(srv_timing, busy, NUMBER),
};

static const srv_item stream[] = {
    F(srv_stream, core, WHOLE), F(srv_stream, kernel, WHOLE), F(srv_stream, bytes, EXACT),
    F(srv_stream, node, WHOLE), F(srv_stream, pages, WHOLE),  L(srv_stream, seconds, NUMBER),
};

static const srv_item spread[] = {
    F(srv_spread, median, NUMBER), F(srv_spread, minimum, NUMBER), F(srv_spread, low, NUMBER),
    F(srv_spread, high, NUMBER),   F(srv_spread, n, COUNT),
};

static const srv_item load[] = {
    F(srv_load_request, chase.core, WHOLE),
    F(srv_load_request, chase.bytes, EXACT),
    F(srv_load_request, chase.line_bytes, EXACT),
    F(srv_load_request, chase.pages, WHOLE),
    F(srv_load_request, chase.node, WHOLE),
    L(srv_load_request, chase.seed, SEED),
    L(srv_load_request, chase.seconds, NUMBER),
    F(srv_load_request, bytes, EXACT),
    F(srv_load_request, modified, WHOLE),
    F(srv_load_request, pause_ns, EXACT),
    LIST(srv_load_request, cores, 1),
};

static const srv_item loaded[] = {
    F(srv_load_answer, chase.mean, NUMBER), SPREAD(srv_load_answer, chase.spread),
    F(srv_load_answer, chase.ghz, NUMBER),  F(srv_load_answer, chase.error, NUMBER),
    SPREAD(srv_load_answer, rate),
};

static const srv_item transfer[] = {
    F(srv_line_transfer, owner, WHOLE),    F(srv_line_transfer, reader, WHOLE),
    F(srv_line_transfer, bytes, EXACT),    F(srv_line_transfer, line_bytes, EXACT),
    F(srv_line_transfer, modified, WHOLE), L(srv_line_transfer, seed, SEED),
    L(srv_line_transfer, seconds, NUMBER),
};

static const srv_item false_sharing[] = {
    F(srv_false_sharing, core, WHOLE), F(srv_false_sharing, other, WHOLE),
    F(srv_false_sharing, apart, EXACT), L(srv_false_sharing, seconds, NUMBER)};

static const srv_item sync[] = {F(srv_sync, op, WHOLE), LIST(srv_sync, cores, 1),
                                L(srv_sync, seconds, NUMBER)};

static const srv_item eviction[] = {
    F(srv_hashed_eviction, eviction.core, WHOLE),
    F(srv_hashed_eviction, eviction.other, WHOLE),
    F(srv_hashed_eviction, eviction.pages, WHOLE),
    F(srv_hashed_eviction, eviction.elements, WHOLE),
    F(srv_hashed_eviction, eviction.element_bytes, EXACT),
    F(srv_hashed_eviction, eviction.lines, WHOLE),
    F(srv_hashed_eviction, eviction.line_bytes, EXACT),
    L(srv_hashed_eviction, eviction.seed, SEED),
    F(srv_hashed_eviction, eviction.rounds, WHOLE),
    F(srv_hashed_eviction, eviction.trials, WHOLE),
    F(srv_hashed_eviction, eviction.walked, WHOLE),
    F(srv_hashed_eviction, eviction.others, WHOLE),
    F(srv_hashed_eviction, hash, SEED),
};

static const srv_item computation[] = {
    F(srv_computation, core, WHOLE), F(srv_computation, precision, WHOLE),
    F(srv_computation, width, WHOLE), L(srv_computation, seconds, NUMBER)};

static const srv_item computed[] = {
    SPREAD(srv_computed, rate),
    F(srv_computed, ghz, NUMBER),
    F(srv_computed, bits, WHOLE),
};

static const srv_item device[] = {
    F(srv_device, name, TEXT),  F(srv_device, bus, TEXT),   F(srv_device, node, WHOLE),
    F(srv_device, cores, TEXT), F(srv_device, cards, TEXT), F(srv_device, reaches, WHOLE),
};

static const srv_item copy[] = {
    F(srv_copy, core, WHOLE),      F(srv_copy, device, WHOLE),   F(srv_copy, peer, WHOLE),
    F(srv_copy, to_host, WHOLE),   F(srv_copy, node, WHOLE),     F(srv_copy, bytes, EXACT),
    F(srv_copy, in_flight, WHOLE), L(srv_copy, seconds, NUMBER),
};

static const srv_item host[] = {F(srv_network_node, name, TEXT), F(srv_network_node, cores, TEXT),
                                F(srv_network_node, rank_count, WHOLE),
                                F(srv_network_node, machine, WHOLE)};

static const srv_item rank[] = {F(srv_rank, node, WHOLE), F(srv_rank, core, WHOLE)};

static const srv_item exchange[] = {
    F(srv_exchange, batch, WHOLE),    F(srv_exchange, flow, WHOLE),
    F(srv_exchange, buffers, WHOLE),  F(srv_exchange, bytes, EXACT),
    L(srv_exchange, seconds, NUMBER), LIST(srv_exchange, pairs, 2),
};

static const srv_item rank_glance[] = {L(srv_rank_glance, seconds, NUMBER),
                                       LIST(srv_rank_glance, ranks, 1)};

static const srv_item rank_noise[] = {
    F(srv_rank_noise, core.lost, NUMBER),       F(srv_rank_noise, core.steal, NUMBER),
    F(srv_rank_noise, core.others, NUMBER),     F(srv_rank_noise, core.ghz, NUMBER),
    F(srv_rank_noise, absence.share, NUMBER),   F(srv_rank_noise, absence.longest, NUMBER),
    F(srv_rank_noise, absence.foreign, NUMBER), F(srv_rank_noise, absence.moved, WHOLE),
};

/* --- probes ----------------------------------------------------------------------------------- */

static const srv_noise noise_unknown = {NAN, NAN, NAN, NAN};
static const srv_absence absence_unknown = {NAN, 0, NAN, 0};
static const srv_rank_noise rank_noise_unknown = {{NAN, NAN, NAN, NAN}, {NAN, 0, NAN, 0}};

#define OF(items, struct_)                                                                         \
    {                                                                                              \
        items, sizeof items / sizeof *items, sizeof(struct_)                                       \
    }
#define NOTHING                                                                                    \
    {                                                                                              \
        NULL, 0, 0                                                                                 \
    }

const srv_probe_row srv_probes[SRV_PROBE_COUNT] = {
    [SRV_PROBE_RUN] = {"run", NOTHING, OF(run, srv_recorded_run), SRV_KEPT_FIXED},
    [SRV_PROBE_DESCRIBE] = {"describe", NOTHING, OF(description, servet_machine), SRV_KEPT_FIXED},
    [SRV_PROBE_CORE_TYPES] = {"kinds", NOTHING, OF(core_type, srv_core_type), SRV_KEPT_FIXED},
    [SRV_PROBE_REPORTED] = {"reported", OF(core, int), OF(level, ((srv_reported *)NULL)->level[0]),
                            SRV_KEPT_FIXED},
    [SRV_PROBE_CLOCK] = {"clock", NOTHING, OF(clock_facts, srv_clock_facts), SRV_KEPT_FIXED},
    [SRV_PROBE_NUMA] = {"nodes", NOTHING, OF(numa, srv_numa), SRV_KEPT_FIXED},
    [SRV_PROBE_OBJECTS] = {"objects", NOTHING, OF(set, char *), SRV_KEPT_FIXED},
    [SRV_PROBE_MEMORY] = {"memory", NOTHING, OF(bytes, double), SRV_KEPT_BOTH},
    [SRV_PROBE_NOISE] = {"noise", OF(glance, srv_glance), OF(noise, srv_noise), SRV_KEPT_PART,
                         &noise_unknown},
    [SRV_PROBE_ABSENCE] = {"absence", NOTHING, OF(absence, srv_absence), SRV_KEPT_PART,
                           &absence_unknown},
    [SRV_PROBE_TRAVERSE] = {"traverse", OF(traversal, srv_traversal), OF(timing, srv_timing),
                            SRV_KEPT_PART},
    [SRV_PROBE_STREAM] = {"stream", OF(stream, srv_stream), OF(spread, srv_spread), SRV_KEPT_PART},
    [SRV_PROBE_LOAD] = {"load", OF(load, srv_load_request), OF(loaded, srv_load_answer),
                        SRV_KEPT_PART},
    [SRV_PROBE_TRANSFER] = {"transfer", OF(transfer, srv_line_transfer), OF(timing, srv_timing),
                            SRV_KEPT_PART},
    [SRV_PROBE_FALSE_SHARING] = {"false_sharing", OF(false_sharing, srv_false_sharing),
                                 OF(timing, srv_timing), SRV_KEPT_PART},
    [SRV_PROBE_SYNC] = {"synchronize", OF(sync, srv_sync), OF(spread, srv_spread), SRV_KEPT_PART},
    [SRV_PROBE_EVICT] = {"evict", OF(eviction, srv_hashed_eviction), OF(nanoseconds, float),
                         SRV_KEPT_PART},
    [SRV_PROBE_COMPUTE] = {"compute", OF(computation, srv_computation), OF(computed, srv_computed),
                           SRV_KEPT_PART},
    [SRV_PROBE_DEVICES] = {"devices", NOTHING, OF(device, srv_device), SRV_KEPT_FIXED},
    [SRV_PROBE_COPY] = {"device_copy", OF(copy, srv_copy), OF(spread, srv_spread), SRV_KEPT_PART},
    [SRV_PROBE_JOB] = {"job", NOTHING, OF(job, srv_recorded_job), SRV_KEPT_FIXED},
    [SRV_PROBE_HOSTS] = {"hosts", NOTHING, OF(host, srv_network_node), SRV_KEPT_FIXED},
    [SRV_PROBE_RANKS] = {"ranks", NOTHING, OF(rank, srv_rank), SRV_KEPT_FIXED},
    [SRV_PROBE_EXCHANGE] = {"exchange", OF(exchange, srv_exchange), OF(spread, srv_spread),
                            SRV_KEPT_PART},
    [SRV_PROBE_RANK_NOISE] = {"noise", OF(rank_glance, srv_rank_glance),
                              OF(rank_noise, srv_rank_noise), SRV_KEPT_PART, &rank_noise_unknown},
};

/* FNV-1a over the numbers of the elements. */
srv_hashed_eviction srv_eviction_hashed(const srv_eviction *of)
{
    size_t count = (size_t)of->trials * (size_t)(of->walked + of->others);
    srv_hashed_eviction made = {*of, UINT64_C(0xcbf29ce484222325)};
    for (size_t i = 0; i < count; i++)
        made.hash = (made.hash ^ of->element[i]) * UINT64_C(0x100000001b3);
    return made;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* A request, to be written loosely or not. */
typedef struct wording {
    const srv_call *call;
    bool loosely;
} wording;

static void write_request(FILE *to, const void *context)
{
    const wording *of = context;
    const srv_probe_row *probe = &srv_probes[of->call->kind];
    fputs(probe->word, to);
    srv_items_write(&probe->request, of->call->request, of->call->requests, of->loosely, to);
}

char *srv_call_text(const srv_call *call, bool loosely)
{
    return srv_text_written(write_request, &(wording){call, loosely});
}

static void write_answer(FILE *to, const void *context)
{
    const srv_call *call = context;
    fputs(" =", to);
    srv_items_write(&srv_probes[call->kind].answer, call->list ? *call->list : call->answer,
                    call->count ? *call->count : call->most, false, to);
}

static void write_refusal(FILE *to, const void *context)
{
    fprintf(to, " ! %s", servet_error_name(*(const int *)context));
}

char *srv_answer_text(const srv_call *call, int status)
{
    return status == SERVET_OK ? srv_text_written(write_answer, call)
                               : srv_text_written(write_refusal, &status);
}

bool srv_call_matches(const char *line, const char *request, const char **answer)
{
    for (;;) {
        srv_word wanted = srv_word_next(&request);
        if (wanted.length == 0)
            break;
        srv_word found = srv_word_next(&line);
        bool same =
            wanted.length == found.length && strncmp(wanted.text, found.text, wanted.length) == 0;
        if (!same && !srv_word_is(wanted, "*"))
            return false;
    }
    *answer = line;
    srv_word next = srv_word_next(&line);
    return srv_word_is(next, "=") || srv_word_is(next, "!");
}

static int read_refusal(srv_word name)
{
#define CODE(code, value, text) code,
    static const int codes[] = {SERVET_ERROR_LIST(CODE)};
#undef CODE
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] != SERVET_OK && srv_word_is(name, servet_error_name(codes[i])))
            return codes[i];
    return SERVET_EFORMAT;
}

/* The number of structs, for which there is room or none is needed; -1: not that many. */
static int read_count(srv_word from, const srv_call *call, size_t left)
{
    char *end;
    long count = strtol(from.text, &end, 10);
    /* each item in a list takes a blank and a character at least */
    int items = srv_probes[call->kind].answer.count;
    long most = call->list ? (long)left / (2 * items) : call->most;
    bool fits = from.length > 0 && end == from.text + from.length && count >= 0 && count <= most;
    return fits && (call->count || count == call->most) ? (int)count : -1;
}

int srv_answer_read(const char *text, const srv_call *call)
{
    const srv_items *items = &srv_probes[call->kind].answer;
    srv_word sign = srv_word_next(&text), number = srv_word_next(&text);
    if (srv_word_is(sign, "!"))
        return read_refusal(number);
    int count = read_count(number, call, strlen(text));
    if (!srv_word_is(sign, "=") || count < 0)
        return SERVET_EFORMAT;
    if (call->list && !(*call->list = calloc((size_t)count + 1, items->size)))
        return SERVET_EMEMORY;
    if (call->list)
        *call->count = count;
    int code = srv_items_read(items, text, call->list ? *call->list : call->answer, count);
    if (code == SERVET_OK && call->count)
        *call->count = count;
    return code;
}
