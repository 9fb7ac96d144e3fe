/* SPDX-License-Identifier: BSD-3-Clause */
/* Random halves of the nodes exchange messages, each node with one of the other half, all at once.
 * In several divisions every node has other partners, so that its median rate is its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/room.h"
#include "core/units.h"
#include "facts/cost.h"
#include "facts/store.h"
#include "machine/order.h"
#include "run/network/job.h"
#include "run/raw_file.h"
#include "sample/visit.h"
#include "stats/interval.h"
#include "stats/robust.h"
#include "stats/round_robin.h"

/* A median of twelve is right although a third of the partners are slow. */
enum { DIVISIONS = 12, NO_PARTNER = -1 };

/* Any seed: replays must send the same messages. */
static const uint64_t SEED = 38;

/* A node in a division. */
typedef struct part {
    int partner;
    double rate; /* of messages in each direction, those of all its processes together; B/s */
    double lost; /* share of time that its cores lost meanwhile */
} part;

typedef struct halves {
    srv_network_job *job;
    srv_room room;
    int nodes, processes; /* of the first nodes of the job; of each */
    double bytes;         /* of a message */
    int *rank;            /* process p of node n at [n * processes + p] */
    srv_couple *couples;
    srv_rank_pair *pairs;
    srv_spread *times;
    part *parts;                 /* of node n in division d at [n * DIVISIONS + d] */
    srv_repeat total[DIVISIONS]; /* rate of all messages in each direction */
    int count;                   /* of divisions so far */
} halves;

static part *part_of(const halves *on, int node, int division)
{
    return &on->parts[node * DIVISIONS + division];
}

/* --- who takes part --------------------------------------------------------------------------- */

/* Lists the ranks of a node that have a core of their own, up to `most`; returns their number. */
static int list_ranks(const srv_network_job *job, int node, int most, int *ranks)
{
    int count = 0;
    for (int place = job->first[node]; place < job->first[node + 1] && count < most; place++)
        if (!srv_network_job_is_twin(job, place))
            ranks[count++] = job->of_node[place];
    return count;
}

/* All nodes send with as many processes as the smallest one has, and the same number of bytes. */
static int begin(halves *on, servet_error *error)
{
    const srv_network_job *job = on->job;
    size_t all = (size_t)job->rank_count, nodes = (size_t)on->nodes;
    on->rank = srv_room_take(&on->room, all, sizeof *on->rank);
    on->couples = srv_room_take(&on->room, nodes, sizeof *on->couples);
    on->pairs = srv_room_take(&on->room, all, sizeof *on->pairs);
    on->times = srv_room_take(&on->room, all, sizeof *on->times);
    on->parts = srv_room_take(&on->room, nodes * DIVISIONS, sizeof *on->parts);
    if (on->room.failed)
        return srv_fail_memory(error);
    on->processes = job->rank_count;
    for (int node = 0; node < on->nodes; node++)
        on->processes = list_ranks(job, node, on->processes, on->rank);
    for (int node = 0; node < on->nodes; node++)
        list_ranks(job, node, on->processes, on->rank + node * on->processes);
    on->bytes = fmax(1, floor(job->message_bytes / on->processes));
    return SERVET_OK;
}

/* --- divisions -------------------------------------------------------------------------------- */

/* A round of a schedule of all couples, of nodes in a random order, is a random division, and no
 * two nodes meet twice before all have met. Returns the number of couples. */
static int divide(const halves *on, int division)
{
    srv_order order = srv_order_of((size_t)on->nodes, SEED);
    int round = division % srv_round_robin_rounds(on->nodes);
    int count = srv_round_robin_round(on->nodes, round, on->couples);
    for (int i = 0; i < count; i++)
        on->couples[i] = (srv_couple){(int)srv_order_at(&order, (size_t)on->couples[i].a),
                                      (int)srv_order_at(&order, (size_t)on->couples[i].b)};
    return count;
}

static int list_pairs(const halves *on, int couples)
{
    int count = 0;
    for (int i = 0; i < couples; i++)
        for (int p = 0; p < on->processes; p++) {
            int a = on->rank[on->couples[i].a * on->processes + p];
            int b = on->rank[on->couples[i].b * on->processes + p];
            on->pairs[count++] = (srv_rank_pair){a, b};
            on->pairs[count++] = (srv_rank_pair){b, a};
        }
    return count;
}

/* Adds the rates of both directions, whose mean is that of both nodes; returns that of all. */
static double read_rates(const halves *on, int couples, int division)
{
    double total = 0;
    const srv_spread *time = on->times;
    for (int node = 0; node < on->nodes; node++)
        *part_of(on, node, division) = (part){NO_PARTNER, NAN, NAN};
    for (int i = 0; i < couples; i++) {
        double rate = 0;
        for (int k = 0; k < 2 * on->processes; k++, time++)
            rate += on->bytes / time->median / 2;
        *part_of(on, on->couples[i].a, division) = (part){on->couples[i].b, rate, NAN};
        *part_of(on, on->couples[i].b, division) = (part){on->couples[i].a, rate, NAN};
        total += rate;
    }
    return total;
}

/* The mean over the cores of each node. */
static int sample_noise(const halves *on, int division, servet_error *error)
{
    srv_noise_monitor *monitor = &on->job->course->monitor;
    int code = srv_noise_monitor_sample(monitor, error);
    for (int node = 0; node < on->nodes && code == SERVET_OK; node++) {
        double lost = 0;
        for (int p = 0; p < on->processes; p++)
            lost += monitor->last[on->rank[node * on->processes + p]].core.lost / on->processes;
        part_of(on, node, division)->lost = fmin(fmax(lost, 0), 1);
    }
    return code;
}

static int visit(halves *on, const srv_messaging *messaging, srv_exchange *exchange, double *cost,
                 servet_error *error)
{
    int division = on->count, couples = divide(on, division);
    double moment = srv_sampler_now(&messaging->sampler);
    exchange->count = list_pairs(on, couples);
    int code = srv_messaging_probe(messaging, exchange, (double)division / DIVISIONS, on->times,
                                   cost, error);
    if (code != SERVET_OK)
        return code;
    on->total[division] = (srv_repeat){read_rates(on, couples, division), moment, division};
    on->count++;
    return sample_noise(on, division, error);
}

/* A division may take longer than all before it by this factor. */
static const double GROWTH = 2;

/* Messages of the first division take longer than one alone by this factor: as many times as those
 * to the farthest distance that is known, but at least the geometric mean of 1, as in a network
 * without limits, and of the number of couples, as on one link for all. */
static double foresee_crowding(const halves *on)
{
    const servet_profile *profile = on->job->profile;
    servet_ratios about;
    servet_ratio farthest = {.at = 0};
    if (servet_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &about) == SERVET_OK)
        (void)servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, about.largest, &farthest);
    return fmax(sqrt(on->nodes / 2.0), farthest.ratio.value);
}

static int visit_all(halves *on, servet_error *error)
{
    srv_messaging messaging = srv_network_job_messaging(on->job, true);
    srv_exchange exchange = {.pairs = on->pairs,
                             .count = list_pairs(on, divide(on, 0)),
                             .bytes = on->bytes,
                             .flow = SRV_FLOW_ONE_WAY,
                             .buffers = SRV_BUFFERS_ROTATED,
                             .seconds = SRV_SHIFT_SECONDS};
    double most =
               on->processes * foresee_crowding(on) * srv_messaging_foresee(&messaging, &exchange),
           cost = 0;
    srv_loop loop = srv_loop_of(&messaging.sampler, DIVISIONS, 1, error);
    while (srv_loop_next(&loop))
        if (srv_loop_due(&loop, SRV_WANT_VISIT, GROWTH * most, NULL)) {
            loop.code = visit(on, &messaging, &exchange, &cost, error);
            most = on->count == 1 ? cost : fmax(most, cost);
        }
    return loop.code;
}

/* --- facts ------------------------------------------------------------------------------------ */

/* The median rate of a node over the divisions in which it had a partner. */
static servet_value rate_of(const halves *on, int node)
{
    double rates[DIVISIONS];
    int count = 0;
    for (int d = 0; d < on->count; d++)
        if (part_of(on, node, d)->partner != NO_PARTNER)
            rates[count++] = part_of(on, node, d)->rate;
    if (count == 0)
        return servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    srv_interval found = srv_interval_of(rates, (size_t)count);
    return srv_timed(found.value, found.low, found.high, count, SERVET_UNIT_BYTE_PER_SECOND);
}

/* The mean over the divisions, between the least and the most of them. */
static servet_value lost_of(const halves *on, int node)
{
    double sum = 0, least = INFINITY, most = 0;
    for (int d = 0; d < on->count; d++) {
        double lost = part_of(on, node, d)->lost;
        sum += lost;
        least = fmin(least, lost);
        most = fmax(most, lost);
    }
    if (isnan(sum))
        return servet_value_unknown(SERVET_UNIT_NONE);
    double mean = fmin(fmax(sum / on->count, least), most);
    return srv_timed(mean, least, most, on->count, SERVET_UNIT_NONE);
}

/* Layers compare each node with the partners of its partners (srv_slowness_of()), because the times
 * of two pairs of sound nodes may differ by their places in the network. Here each rate is a median
 * over random partners, so that the rates of sound nodes are alike. */
static void find_outliers(servet_node_rate *rates, int count, double *numbers, bool *is_outlier)
{
    for (int i = 0; i < count; i++)
        numbers[i] = rates[i].bandwidth.value;
    srv_find_low(numbers, (size_t)count, SERVET_SLOW_NODE, is_outlier);
    for (int i = 0; i < count; i++) {
        rates[i].slow = is_outlier[i];
        numbers[i] = 1 - rates[i].lost.value;
    }
    srv_find_low(numbers, (size_t)count, SRV_VISITS_RATIO_MAX, is_outlier);
    for (int i = 0; i < count; i++)
        rates[i].noisy = is_outlier[i];
}

/* The median of all nodes, with the interval that its ranks have. */
static servet_value usual_of(const servet_node_rate *rates, int count, double *numbers)
{
    size_t known = 0;
    for (int i = 0; i < count; i++)
        if (servet_value_known(&rates[i].bandwidth))
            numbers[known++] = rates[i].bandwidth.value;
    srv_interval found = srv_interval_of(numbers, known);
    return srv_timed(found.value, found.low, found.high, (int)known, SERVET_UNIT_BYTE_PER_SECOND);
}

static int store(halves *on, servet_error *error)
{
    size_t nodes = (size_t)on->nodes;
    servet_node_rate *rates = srv_room_take(&on->room, nodes, sizeof *rates);
    double *numbers = srv_room_take(&on->room, 2 * nodes, sizeof *numbers);
    bool *is_outlier = srv_room_take(&on->room, nodes, sizeof *is_outlier);
    if (on->room.failed)
        return srv_fail_memory(error);
    for (int node = 0; node < on->nodes; node++) {
        rates[node].bandwidth = srv_network_rounded(rate_of(on, node));
        rates[node].lost = srv_network_rounded(lost_of(on, node));
    }
    servet_value usual = usual_of(rates, on->nodes, numbers);
    /* With fewer divisions, the partners of a slow node may seem slow as well, and the median of a
     * few divisions says little of the others. */
    if (on->count >= SRV_RANKS_MIN)
        find_outliers(rates, on->nodes, numbers, is_outlier);
    servet_bisection about = {.nodes = on->nodes,
                              .processes = on->processes,
                              .bytes = on->bytes,
                              .bandwidth = srv_network_rounded(srv_repeats_value(
                                  on->total, on->count, SERVET_UNIT_BYTE_PER_SECOND)),
                              .usual = srv_network_rounded(usual)};
    about.bandwidth.trusted = on->count >= SRV_RANKS_MIN;
    int code = srv_store(SRV_JOB(on->job), &about, sizeof about, 1, error, "network.bisection");
    return code == SERVET_OK ? srv_store(SRV_JOB(on->job), rates, sizeof *rates, on->nodes, error,
                                         "network.node_rates")
                             : code;
}

static int save(const halves *on, servet_error *error)
{
    srv_raw_file raw;
    if (srv_raw_begin(&raw, on->job->options->raw_dir, error, "bisection.csv")) {
        fprintf(raw.stream, "# messages of %.0f bytes, %d process%s of each node, %s buffers\n",
                on->bytes, on->processes, on->processes == 1 ? "" : "es",
                srv_network_job_buffers(on->job, SRV_BUFFERS_ROTATED));
        fputs("division,node,partner,bytes_per_second,lost\n", raw.stream);
        for (int d = 0; d < on->count; d++)
            for (int node = 0; node < on->nodes; node++) {
                const part *of = part_of(on, node, d);
                if (of->partner != NO_PARTNER)
                    fprintf(raw.stream, "%d,%d,%d,%.5g,%.3g\n", d, node, of->partner, of->rate,
                            of->lost);
            }
    }
    return srv_raw_end(&raw, error);
}

int srv_network_measure_bisection(srv_network_job *job, servet_error *error)
{
    int wanted = job->options->nodes;
    halves on = {.job = job, .nodes = wanted ? wanted : job->node_count};
    if (on.nodes < 2)
        return SERVET_OK;
    int code = begin(&on, error);
    if (code == SERVET_OK)
        code = visit_all(&on, error);
    if (code == SERVET_OK)
        code = save(&on, error);
    if (code == SERVET_OK && on.count > 0)
        code = store(&on, error);
    srv_room_free(&on.room);
    return code;
}

/* The processes of a node send together as many bytes as one message has. */
double srv_network_cost_bisection(const srv_scale *scale)
{
    double bytes = scale->message_bytes;
    return scale->sender_nodes < 2
               ? 0
               : DIVISIONS *
                     (srv_noise_sample_seconds(0, 1) +
                      srv_network_cost_probe(scale->byte_between, bytes, SRV_SHIFT_SECONDS, false));
}
