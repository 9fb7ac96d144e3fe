/* SPDX-License-Identifier: BSD-3-Clause */
/* How the network degrades with distance and with the processes of a node (Servet 3.0, 4.1
 * and 4.2). */
#include "facts/degradation/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/numbers.h"
#include "facts/degradation/benchmark.h"
#include "facts/degradation/stage_senders.h"

typedef struct ratios {
    srv_network_job *job;
    srv_network_senders senders;
    srv_network_ratios *facts; /* the answers so far, of an earlier job, too */
    int last;                  /* number to ask about */
    /** The question about a number. */
    srv_ring_shift (*question)(const struct ratios *on, int number);
    const char *file, *column;
} ratios;

/* --- numbers ------------------------------------------------------------------------------------
 */

static int numbers_up_to(int last)
{
    int count = 0;
    for (int number = 1; number <= last; number = srv_network_next_number(number, last))
        count++;
    return count;
}

/* Of so many numbers the i-th that is asked, from 0: the first one, which all are compared with,
 * the last one, then halves, quarters and so on, so that what time cuts off lies between others. */
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

/* --- asking -------------------------------------------------------------------------------------
 */

static servet_value timed(const srv_mean *mean, int samples, servet_unit unit)
{
    return (servet_value){mean->value, mean->low,           mean->high, samples,
                          unit,        SERVET_METHOD_TIMED, true};
}

static int by_number(const void *a, const void *b)
{
    return ((const srv_network_ratio *)a)->at - ((const srv_network_ratio *)b)->at;
}

/* The first number is asked first. */
static void compare(srv_network_ratios *facts)
{
    qsort(facts->ratio, (size_t)facts->count, sizeof *facts->ratio, by_number);
    servet_value first = facts->ratio[0].bandwidth;
    for (int i = 0; i < facts->count; i++) {
        const servet_value *own = &facts->ratio[i].bandwidth;
        srv_mean ratio = {first.value / own->value, first.low / own->high, first.high / own->low};
        facts->ratio[i].ratio = timed(&ratio, own->samples, SERVET_UNIT_NONE);
        facts->ratio[i].ratio.trusted = own->trusted;
    }
}

static int ask(ratios *on, int number, double done, double *cost, servet_error *error)
{
    srv_messaging messaging = srv_network_job_messaging(on->job);
    srv_ring_shift shift = on->question(on, number);
    srv_mean bandwidth;
    int code = srv_bench_ring_shift(&messaging, &shift, done, &bandwidth, cost, error);
    if (code != SERVET_OK)
        return code;
    int messages = shift.nodes * shift.processes;
    on->facts->ratio[on->facts->count++] =
        (srv_network_ratio){.at = number,
                            .nodes = shift.nodes,
                            .bandwidth = timed(&bandwidth, messages, SERVET_UNIT_BYTE_PER_SECOND)};
    compare(on->facts);
    return srv_network_job_keep(on->job, error);
}

static bool is_known(const srv_network_ratios *facts, int number)
{
    for (int i = 0; i < facts->count; i++)
        if (facts->ratio[i].at == number)
            return true;
    return false;
}

/* Questions may take as much longer than the last one as there are messages on the same link. */
static int ask_all(ratios *on, int *order, int *numbers, servet_error *error)
{
    int planned = 0, code = SERVET_OK;
    double cost = 0;
    for (int number = 1; number <= on->last; number = srv_network_next_number(number, on->last))
        numbers[planned++] = number;
    order_numbers(order, planned);
    srv_messaging messaging = srv_network_job_messaging(on->job);
    for (int i = 0; i < planned && code == SERVET_OK; i++) {
        double own;
        if (is_known(on->facts, numbers[order[i]]))
            continue;
        if (i > 0 && cost > srv_messaging_left(&messaging))
            break;
        code = ask(on, numbers[order[i]], (double)i / planned, &own, error);
        cost = fmax(cost, own);
    }
    return code;
}

/* --- telling ------------------------------------------------------------------------------------
 */

static int save(const ratios *on, servet_error *error)
{
    srv_file raw;
    bool wanted;
    int code = srv_network_job_file(on->job, on->file, &raw, &wanted, error);
    if (code != SERVET_OK || !wanted)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    fprintf(raw.stream,
            "# messages of %.0f bytes, %s buffers\n%s,nodes,bytes_per_second,low,high\n",
            on->job->options->message_bytes, srv_network_job_buffers(on->job, SRV_BUFFERS_ROTATED),
            on->column);
    for (int i = 0; i < on->facts->count; i++) {
        const srv_network_ratio *ratio = &on->facts->ratio[i];
        fprintf(raw.stream, "%d,%d,%.5g,%.5g,%.5g\n", ratio->at, ratio->nodes,
                ratio->bandwidth.value, ratio->bandwidth.low, ratio->bandwidth.high);
    }
    srv_numbers_end(numbers);
    return srv_file_commit(&raw, error);
}

/* Room for all answers, with those that an earlier job has to the same questions. */
static int make_room(ratios *on, size_t room, servet_error *error)
{
    srv_network_ratios *facts = on->facts;
    if (facts->bytes != on->job->options->message_bytes || !is_known(facts, 1))
        facts->count = 0;
    size_t known = (size_t)facts->count;
    srv_network_ratio *ratio =
        realloc(facts->ratio, (known > room ? known : room) * sizeof *facts->ratio);
    if (!ratio)
        return srv_fail_memory(error);
    facts->ratio = ratio;
    facts->bytes = on->job->options->message_bytes;
    return SERVET_OK;
}

static int measure(ratios *on, servet_error *error)
{
    size_t room = (size_t)numbers_up_to(on->last);
    int *order = calloc(room, sizeof *order), *numbers = calloc(room, sizeof *numbers);
    int code = order && numbers ? make_room(on, room, error) : srv_fail_memory(error);
    if (code == SERVET_OK)
        code = ask_all(on, order, numbers, error);
    if (code == SERVET_OK)
        code = save(on, error);
    free(order);
    free(numbers);
    return code;
}

/* --- distance -----------------------------------------------------------------------------------
 */

static srv_ring_shift one_process_each(const ratios *on, int distance)
{
    return (srv_ring_shift){.ranks = on->senders.ranks,
                            .nodes = on->senders.nodes,
                            .stride = on->senders.stride,
                            .processes = 1,
                            .distance = distance,
                            .bytes = on->job->options->message_bytes};
}

int srv_network_measure_distance(srv_network_job *job, servet_error *error)
{
    ratios on = {.job = job,
                 .facts = &job->facts->distance,
                 .question = one_process_each,
                 .file = "distance-ratio.csv",
                 .column = "distance"};
    int code = srv_network_senders_find(job, &on.senders, error);
    on.last = on.senders.nodes / 2;
    on.facts->constant_total = true;
    if (code == SERVET_OK && on.last > 0)
        code = measure(&on, error);
    free(on.senders.ranks);
    return code;
}

/* --- access -------------------------------------------------------------------------------------
 */

/* 2 * NC processes in all, as far as that divides, or where nodes are too few all of them. */
static srv_ring_shift to_the_next_node(const ratios *on, int processes)
{
    int nodes = on->facts->constant_total ? 2 * on->last / processes : on->senders.nodes;
    return (srv_ring_shift){.ranks = on->senders.ranks,
                            .nodes = nodes,
                            .stride = on->senders.stride,
                            .processes = processes,
                            .distance = 1,
                            .bytes = on->job->options->message_bytes};
}

int srv_network_measure_access(srv_network_job *job, servet_error *error)
{
    ratios on = {.job = job,
                 .facts = &job->facts->access,
                 .question = to_the_next_node,
                 .file = "access-ratio.csv",
                 .column = "processes_per_node"};
    int code = srv_network_senders_find(job, &on.senders, error);
    on.last = on.senders.stride;
    on.facts->constant_total = on.senders.nodes >= 2 * on.last;
    if (code == SERVET_OK && on.senders.nodes > 1)
        code = measure(&on, error);
    free(on.senders.ranks);
    return code;
}
