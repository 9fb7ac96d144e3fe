/* SPDX-License-Identifier: BSD-3-Clause */
/* How the network degrades with distance and with processes per node (Servet 3.0, 4). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/degradation/benchmark.h"
#include "facts/degradation/stage_senders.h"
#include "facts/store.h"

typedef struct ratios {
    srv_network_job *job;
    srv_network_senders senders;
    servet_degradation degradation;
    servet_ratios about;
    servet_ratio *ratio; /* so far, of an earlier job, too */
    int count;
    char doubt[SERVET_TEXT_MAX]; /* why they are not trusted; else "" */
    int last;                    /* number to measure */
    /** The ring shift for a number. */
    srv_ring_shift (*shift_of)(const struct ratios *on, int number);
    double power; /* of the number is how many messages share a link */
    bool *apart;  /* of each node of the shift: see srv_ring_shift */
} ratios;

/* Order of the numbers: the first one, which is the reference of all, the last one, then halves,
 * quarters and so on, so that those omitted for lack of time are between others. */
static void order_numbers(int *order, int count)
{
    int n = 0, step = 1;
    order[n++] = 0;
    while (step < count)
        step *= 2;
    if (count > 1)
        order[n++] = count - 1;
    for (; step > 1; step /= 2)
        for (int i = step / 2; i < count - 1; i += step)
            order[n++] = i;
}

/* --- probes ----------------------------------------------------------------------------------- */

static servet_value timed(const srv_interval *mean, int samples, servet_unit unit)
{
    return srv_timed(mean->value, mean->low, mean->high, samples, unit);
}

static int by_number(const void *a, const void *b)
{
    return ((const servet_ratio *)a)->at - ((const servet_ratio *)b)->at;
}

/* The first number is measured first. */
static void compare(ratios *on)
{
    qsort(on->ratio, (size_t)on->count, sizeof *on->ratio, by_number);
    servet_value first = on->ratio[0].bandwidth;
    for (int i = 0; i < on->count; i++) {
        const servet_value *own = &on->ratio[i].bandwidth;
        srv_interval ratio = {first.value / own->value, first.low / own->high,
                              first.high / own->low};
        on->ratio[i].ratio = timed(&ratio, own->samples, SERVET_UNIT_NONE);
        on->ratio[i].ratio.trusted = own->trusted;
    }
}

static int store_ratios(const ratios *on, servet_error *error)
{
    servet_ratio *rounded = calloc((size_t)on->count, sizeof *rounded);
    if (!rounded)
        return srv_fail_memory(error);
    for (int i = 0; i < on->count; i++) {
        rounded[i] = on->ratio[i];
        rounded[i].bandwidth = srv_network_rounded(rounded[i].bandwidth);
        rounded[i].ratio = srv_network_rounded(rounded[i].ratio);
    }
    const char *name = servet_degradation_name(on->degradation);
    int code =
        srv_store(SRV_JOB(on->job), &on->about, sizeof on->about, 1, error, "network.%s", name);
    if (code == SERVET_OK)
        code = srv_store(SRV_JOB(on->job), rounded, sizeof *rounded, on->count, error,
                         "network.%s.ratios", name);
    free(rounded);
    return code;
}

static int store(const ratios *on, servet_error *error)
{
    int code = on->count ? store_ratios(on, error) : SERVET_OK;
    return code == SERVET_OK && *on->doubt
               ? srv_doubt_facts(SRV_JOB(on->job), on->doubt, error, "network.%s",
                                 servet_degradation_name(on->degradation))
               : code;
}

static int node_at(const ratios *on, int place)
{
    return on->job->ranks[on->senders.ranks[place * on->senders.stride]].node;
}

static int probe(ratios *on, int number, double done, double *cost, servet_error *error)
{
    srv_messaging messaging = srv_network_job_messaging(on->job, true);
    srv_ring_shift shift = on->shift_of(on, number);
    /* Messages over slow links say nothing about the others, but take what these share. Where
     * there is none but such ones, they are what counts. */
    int counted = 0;
    for (int i = 0; i < shift.nodes; i++) {
        int to = (i + shift.distance) % shift.nodes;
        on->apart[i] = srv_network_is_slow_way(on->job->profile, node_at(on, i), node_at(on, to));
        counted += !on->apart[i];
    }
    shift.apart = counted > 0 ? on->apart : NULL;
    srv_interval bandwidth;
    int code = srv_bench_ring_shift(&messaging, &shift, done, &bandwidth, cost, error);
    if (code != SERVET_OK)
        return code;
    int messages = (counted > 0 ? counted : shift.nodes) * shift.processes;
    on->ratio[on->count++] =
        (servet_ratio){.at = number,
                       .nodes = shift.nodes,
                       .bandwidth = timed(&bandwidth, messages, SERVET_UNIT_BYTE_PER_SECOND)};
    if (counted == 0)
        snprintf(on->doubt, sizeof on->doubt, "all of its messages go over slow links");
    compare(on);
    code = store(on, error);
    return code == SERVET_OK ? srv_network_job_keep(on->job, error) : code;
}

static bool is_measured(const ratios *on, int number)
{
    for (int i = 0; i < on->count; i++)
        if (on->ratio[i].at == number)
            return true;
    return false;
}

/* Observed durations of probes: of one message per link, and the longest. */
typedef struct pace {
    double first, most;
} pace;

static int probe_all(ratios *on, int *order, int *numbers, servet_error *error)
{
    int planned = 0, code = SERVET_OK;
    srv_ring_shift first = on->shift_of(on, 1);
    pace seen = {srv_ring_shift_seconds(&first, on->job->byte_between), INFINITY};
    for (int number = 1; number <= on->last; number = srv_network_next_number(number, on->last))
        numbers[planned++] = number;
    order_numbers(order, planned);
    srv_messaging messaging = srv_network_job_messaging(on->job, true);
    for (int i = 0; i < planned && code == SERVET_OK; i++) {
        int number = numbers[order[i]];
        double cost = fmin(seen.first * pow(number, on->power), seen.most);
        if (is_measured(on, number))
            continue;
        if (srv_sampler_fits(&messaging.sampler, cost)) {
            code = probe(on, number, (double)i / planned, &cost, error);
            if (number == 1)
                seen.first = cost;
            if (number == on->last)
                seen.most = fmax(seen.first, cost);
        } else if (number == 1) {
            /* Without the first number nothing can be compared. */
            snprintf(on->doubt, sizeof on->doubt,
                     "messages of %.0f bytes take %.0f s, more than the time limit leaves",
                     on->job->message_bytes, cost);
            break;
        }
    }
    return code;
}

/* Doubts the ratios if too few nodes are left without the slow one. */
static void doubt_slow_node(ratios *on)
{
    int slow = on->senders.slow;
    servet_value slowness;
    if (slow >= 0 && on->count > 0 &&
        servet_network_slowness(on->job->profile, slow, &slowness) == SERVET_OK)
        snprintf(on->doubt, sizeof on->doubt,
                 "%.64s: its messages take %.1f times as long as those of other nodes, and delay "
                 "theirs",
                 on->job->nodes[slow].name, slowness.value);
}

/* Takes over the ratios of an earlier job, if they are of the same shifts. */
static void recall(ratios *on)
{
    const servet_profile *profile = on->job->profile;
    servet_ratios about;
    servet_ratio found = {.at = 0};
    if (servet_network_ratios(profile, on->degradation, &about) != SERVET_OK ||
        servet_network_ratio(profile, on->degradation, 1, &found) != SERVET_OK ||
        about.bytes != on->about.bytes || found.nodes != on->shift_of(on, 1).nodes)
        return;
    /* Why the ratios of an earlier job are not trusted; "" where they are. */
    const servet_at any = {.node_class = servet_profile_class_name(on->job->profile, 0),
                           .core = SERVET_ANY_CORE};
    servet_trust trust = {.reason = ""};
    char key[SERVET_NAME_MAX];
    snprintf(key, sizeof key, "network.%s.count", servet_degradation_name(on->degradation));
    (void)servet_profile_trust(on->job->profile, &any, key, &trust, NULL);
    memcpy(on->doubt, trust.reason, sizeof on->doubt);
    for (int at = 1; at <= on->last; at = srv_network_next_number(at, on->last))
        if (servet_network_ratio(profile, on->degradation, at, &found) == SERVET_OK &&
            found.ratio.method != SERVET_METHOD_INTERPOLATED)
            on->ratio[on->count++] = found;
}

static int measure(ratios *on, servet_error *error)
{
    int count = 0;
    for (int number = 1; number <= on->last; number = srv_network_next_number(number, on->last))
        count++;
    size_t room = (size_t)count;
    int *order = calloc(room, sizeof *order), *numbers = calloc(room, sizeof *numbers);
    on->apart = calloc((size_t)on->senders.nodes, sizeof *on->apart);
    on->ratio = calloc(room, sizeof *on->ratio);
    on->about.bytes = on->job->message_bytes;
    bool allocated = order && numbers && on->apart && on->ratio;
    if (allocated)
        recall(on);
    int code = allocated ? probe_all(on, order, numbers, error) : srv_fail_memory(error);
    if (code == SERVET_OK) {
        doubt_slow_node(on);
        code = store(on, error);
    }
    free(order);
    free(numbers);
    free(on->apart);
    free(on->ratio);
    return code;
}

static srv_ring_shift one_process_each(const ratios *on, int distance)
{
    return (srv_ring_shift){.ranks = on->senders.ranks,
                            .nodes = on->senders.nodes,
                            .stride = on->senders.stride,
                            .processes = 1,
                            .distance = distance,
                            .bytes = on->job->message_bytes};
}

int srv_network_measure_distance(srv_network_job *job, servet_error *error)
{
    ratios on = {
        .job = job,
        .degradation = SERVET_DEGRADATION_DISTANCE,
        .shift_of = one_process_each,
        .power = 0.5, /* between a link for everybody and a ring */
    };
    int code = srv_network_senders_find(job, &on.senders, error);
    on.last = on.senders.nodes / 2;
    on.about.constant_total = true;
    if (code == SERVET_OK && on.last > 0)
        code = measure(&on, error);
    free(on.senders.ranks);
    return code;
}

/* 2 * NC processes in all, as far as that divides; all of the nodes where these are too few, or
 * where some are unlike: then the same nodes take part each time. */
static srv_ring_shift to_the_next_node(const ratios *on, int processes)
{
    int nodes = on->about.constant_total ? 2 * on->last / processes : on->senders.nodes;
    return (srv_ring_shift){.ranks = on->senders.ranks,
                            .nodes = nodes,
                            .stride = on->senders.stride,
                            .processes = processes,
                            .distance = 1,
                            .bytes = on->job->message_bytes};
}

int srv_network_measure_access(srv_network_job *job, servet_error *error)
{
    ratios on = {
        .job = job,
        .degradation = SERVET_DEGRADATION_ACCESS,
        .shift_of = to_the_next_node,
        .power = 1,
    };
    int code = srv_network_senders_find(job, &on.senders, error);
    on.last = on.senders.stride;
    on.about.constant_total = !on.senders.left_out && on.senders.nodes >= 2 * on.last;
    if (code == SERVET_OK && on.senders.nodes > 1)
        code = measure(&on, error);
    free(on.senders.ranks);
    return code;
}
