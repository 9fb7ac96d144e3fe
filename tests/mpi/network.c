/* SPDX-License-Identifier: BSD-3-Clause */
/** The ranks of a job as a network: properties of every job, whatever its ranks and nodes. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"
#include "machine/ranks/ranks.h"

/* --- facts, one a line, in the Test Anything Protocol ----------------------------------------- */

typedef struct results {
    int number, failed;
} results;

static void ok(results *tap, bool passed, const char *name)
{
    printf("%sok %d - %s\n", passed ? "" : "not ", ++tap->number, name);
    tap->failed += !passed;
}

/* --- exchanges -------------------------------------------------------------------------------- */

typedef struct network_job {
    srv_network *network;
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count;
} network_job;

static int exchange_messages(const network_job *job, const srv_rank_pair *pairs, int count,
                             double bytes, srv_flow flow, srv_buffers buffers, srv_spread *times)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_exchange exchange = {pairs, count, bytes, flow, buffers, 0.01};
    int code = job->network->ops->exchange(job->network, &exchange, times, &error);
    if (code != SERVET_OK)
        printf("# %s\n", error.text);
    return code;
}

/* No message takes longer than all of the job until now. */
static bool plausible(const network_job *job, const srv_spread *time)
{
    return time->n >= 3 && time->minimum > 0 && time->minimum <= time->low &&
           time->low <= time->median && time->median <= time->high &&
           time->high < job->network->ops->elapsed(job->network);
}

static void check_places(results *tap, const network_job *job)
{
    int seen = 0, sum = 0;
    bool in_order = true, cores_listed = true;
    for (int i = 0; i < job->rank_count; i++) {
        in_order = in_order && job->ranks[i].node <= seen;
        seen += job->ranks[i].node == seen;
        cores_listed = cores_listed &&
                       srv_ranges_contain(job->nodes[job->ranks[i].node].cores, job->ranks[i].core);
    }
    for (int i = 0; i < job->node_count; i++)
        sum += job->nodes[i].rank_count;
    ok(tap, in_order && seen == job->node_count, "nodes are numbered in the order of their ranks");
    ok(tap, cores_listed, "each rank has a core of its node");
    ok(tap, sum == job->rank_count, "each rank is on one node");
}

static void check_refusals(results *tap, const network_job *job)
{
    srv_rank_pair self = {0, 0}, outside = {0, job->rank_count};
    srv_spread time;
    ok(tap,
       exchange_messages(job, &self, 1, 8, SRV_FLOW_PING_PONG, SRV_BUFFERS_WARM, &time) ==
           SERVET_EARGUMENT,
       "a rank is no pair with itself");
    ok(tap,
       exchange_messages(job, &outside, 1, 8, SRV_FLOW_PING_PONG, SRV_BUFFERS_WARM, &time) ==
           SERVET_EARGUMENT,
       "a rank that is none is refused");
}

/* The ranks of each node are those that the launcher was told: "alpha:2 beta:1". */
static void check_launch(results *tap, const network_job *job, char *const *hosts)
{
    char text[SERVET_NAME_MAX + 16];
    bool right = true;
    int count = 0;
    for (; hosts[count] && count < job->node_count; count++) {
        snprintf(text, sizeof text, "%s:%d", job->nodes[count].name, job->nodes[count].rank_count);
        right = right && strcmp(text, hosts[count]) == 0;
    }
    ok(tap, right && !hosts[count] && count == job->node_count,
       "nodes and their ranks are those that were started");
}

/* --- messages --------------------------------------------------------------------------------- */

/* Other processes may have the cores all the time that messages are sent for: the least times of
 * moments are compared until they differ. With a load of 17, eight moments were all disturbed. */
enum { MOMENTS = 64 };

enum { SIZES = 4 };

/* Lowers the least time of each size, in seconds, to that of another moment. */
static bool time_sizes(const network_job *job, srv_buffers buffers, double least[SIZES])
{
    static const double sizes[SIZES] = {0, 1, 4096, 1 << 20};
    srv_rank_pair last = {job->rank_count - 1, 0};
    for (int i = 0; i < SIZES; i++) {
        srv_spread time;
        if (exchange_messages(job, &last, 1, sizes[i], SRV_FLOW_PING_PONG, buffers, &time) !=
                SERVET_OK ||
            !plausible(job, &time))
            return false;
        least[i] = fmin(least[i], time.minimum);
    }
    return true;
}

static void check_sizes(results *tap, const network_job *job)
{
    double least[SRV_BUFFERS_COUNT][SIZES];
    bool fine = true, longer = false, touched = false;
    for (int i = 0; i < SRV_BUFFERS_COUNT * SIZES; i++)
        least[i / SIZES][i % SIZES] = INFINITY;
    for (int moment = 0; moment < MOMENTS && fine && !(longer && touched); moment++) {
        longer = true;
        for (int b = 0; b < SRV_BUFFERS_COUNT; b++) {
            fine = fine && time_sizes(job, (srv_buffers)b, least[b]);
            longer = longer && least[b][SIZES - 1] > 2 * least[b][1];
        }
        touched = least[SRV_BUFFERS_TOUCHED][SIZES - 1] > least[SRV_BUFFERS_WARM][SIZES - 1];
    }
    ok(tap, fine, "messages of any size, from memory of all sorts, have a time");
    ok(tap, longer, "a message of 1 MiB takes longer than one of a byte");
    ok(tap, touched, "writing it and reading it takes time, too");
}

/* Is true if 128 messages take longer than one. */
static bool time_batch(const network_job *job, srv_exchange exchange, bool *fine)
{
    srv_network *network = job->network;
    srv_spread one, batch;
    bool longer = false;
    for (int moment = 0; moment < MOMENTS && *fine && !longer; moment++) {
        exchange.batch = 1;
        *fine = network->ops->exchange(network, &exchange, &one, NULL) == SERVET_OK;
        exchange.batch = 128;
        *fine = *fine && network->ops->exchange(network, &exchange, &batch, NULL) == SERVET_OK &&
                plausible(job, &batch);
        longer = *fine && batch.minimum > one.minimum;
    }
    return longer;
}

/* In turn and at once, as small as nothing and so large that a send waits for its receive. */
static void check_batches(results *tap, const network_job *job)
{
    static const srv_flow flows[] = {SRV_FLOW_PING_PONG, SRV_FLOW_AT_ONCE};
    static const double sizes[] = {0, 8, 100000};
    const srv_rank_pair last = {job->rank_count - 1, 0};
    bool fine = true, longer = true;
    for (int i = 0; i < 2 * 3 * SRV_BUFFERS_COUNT; i++) {
        srv_exchange exchange = {.pairs = &last,
                                 .count = 1,
                                 .bytes = sizes[i / 2 % 3],
                                 .flow = flows[i % 2],
                                 .buffers = (srv_buffers)(i / 6),
                                 .seconds = 0.005,
                                 .batch = 1};
        longer = time_batch(job, exchange, &fine) && longer;
    }
    ok(tap, fine, "batches of any size, from memory of all sorts, have a time");
    ok(tap, longer, "128 messages take longer than one");
}

static void check_all_pairs(results *tap, const network_job *job)
{
    int count = job->rank_count / 2;
    srv_rank_pair *pairs = malloc((size_t)count * sizeof *pairs);
    srv_spread *times = calloc((size_t)count, sizeof *times);
    bool fine = pairs && times;
    for (int i = 0; fine && i < count; i++)
        pairs[i] = (srv_rank_pair){i, job->rank_count - 1 - i};
    fine = fine && exchange_messages(job, pairs, count, 1024, SRV_FLOW_PING_PONG, SRV_BUFFERS_WARM,
                                     times) == SERVET_OK;
    for (int i = 0; fine && i < count; i++)
        fine = plausible(job, &times[i]);
    ok(tap, fine, "disjoint pairs go at once");
    free(pairs);
    free(times);
}

static void check_rings(results *tap, const network_job *job)
{
    int count = job->rank_count;
    srv_rank_pair *pairs = malloc((size_t)count * sizeof *pairs);
    srv_spread *times = calloc((size_t)count, sizeof *times);
    bool fine = pairs && times;
    for (int distance = 1; fine && distance < count; distance++) {
        for (int i = 0; i < count; i++)
            pairs[i] = (srv_rank_pair){i, (i + distance) % count};
        fine = exchange_messages(job, pairs, count, 65536, SRV_FLOW_ONE_WAY, SRV_BUFFERS_WARM,
                                 times) == SERVET_OK;
        for (int i = 0; fine && i < count; i++)
            fine = plausible(job, &times[i]);
    }
    ok(tap, fine, "all ranks send round a ring, at every distance");
    free(pairs);
    free(times);
}

static void check_time_target(results *tap, const network_job *job)
{
    srv_rank_pair pair = {0, 1};
    srv_spread time;
    double began = job->network->ops->elapsed(job->network);
    srv_exchange exchange = {&pair, 1, 8, SRV_FLOW_PING_PONG, SRV_BUFFERS_WARM, 0.25};
    int code = job->network->ops->exchange(job->network, &exchange, &time, NULL);
    double took = job->network->ops->elapsed(job->network) - began;
    ok(tap, code == SERVET_OK && took > 0.05, "an exchange takes about the time that it was given");
}

/* --- noise ------------------------------------------------------------------------------------ */

static void check_noise(results *tap, const network_job *job)
{
    srv_rank_noise *noises = malloc((size_t)job->rank_count * sizeof *noises);
    int *ranks = malloc((size_t)job->rank_count * sizeof *ranks);
    bool fine = noises && ranks;
    for (int i = 0; fine && i < job->rank_count; i++) {
        ranks[i] = job->rank_count - 1 - i;
        noises[i].core.lost = noises[i].core.ghz = -1;
    }
    fine = fine && job->network->ops->noise(job->network, ranks, job->rank_count, 0.05, noises,
                                            NULL) == SERVET_OK;
    for (int i = 0; fine && i < job->rank_count; i++)
        fine = noises[i].core.lost >= 0 && noises[i].core.lost <= 1 && noises[i].core.ghz > 0;
    ok(tap, fine, "each rank says what disturbs it");
    free(noises);
    free(ranks);
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* A profile is what a node was told to measure. */
static int measure_nothing(const servet_measure_options *options, char **profile, size_t *size,
                           servet_error *error)
{
    if (strcmp(options->machine, "broken") == 0)
        return srv_fail(error, SERVET_EMACHINE, "broken");
    FILE *stream = open_memstream(profile, size);
    if (!stream)
        return SERVET_EMEMORY;
    fprintf(stream, "%s up to %g B", options->machine, options->max_bytes);
    return fclose(stream) == 0 ? SERVET_OK : SERVET_EMEMORY;
}

/* Counts the profiles that say what was to be measured. */
static void count_profiles(void *context, int node, const char *profile, size_t size)
{
    static const char expected[] = "athlon3200 up to 4096 B";
    int *seen = context;
    seen[node] += size == strlen(expected) && memcmp(profile, expected, size) == 0;
}

static void check_nodes(results *tap, const network_job *job)
{
    size_t n = (size_t)job->node_count;
    int *seen = calloc(n, sizeof *seen);
    bool *known = calloc(n, sizeof *known);
    servet_error *errors = calloc(n, sizeof *errors), error = SERVET_ERROR_INIT;
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    srv_survey survey = {&options, NULL, count_profiles, seen};
    options.machine = "athlon3200";
    options.max_bytes = 4096;
    bool fine = seen && known && errors &&
                srv_network_measure_nodes(job->network, &survey, errors, &error) == SERVET_OK;
    for (int i = 0; fine && i < job->node_count; i++)
        fine = errors[i].code == SERVET_OK && seen[i] == 1;
    ok(tap, fine, "each node hands in the profile that it measured");
    survey.known = known;
    known[job->node_count - 1] = true;
    fine = fine && srv_network_measure_nodes(job->network, &survey, errors, &error) == SERVET_OK;
    for (int i = 0; fine && i < job->node_count; i++)
        fine = seen[i] == (known[i] ? 1 : 2);
    ok(tap, fine, "a node that is known is not measured");
    options.machine = "broken";
    known[job->node_count - 1] = false;
    fine = fine && srv_network_measure_nodes(job->network, &survey, errors, &error) == SERVET_OK;
    for (int i = 0; fine && i < job->node_count; i++)
        fine = errors[i].code == SERVET_EMACHINE && strcmp(errors[i].text, "broken") == 0 &&
               seen[i] == (i + 1 < job->node_count ? 2 : 1);
    ok(tap, fine, "what a node cannot measure is its own error, and no profile");
    free(seen);
    free(known);
    free(errors);
}

typedef struct command_line {
    results *tap;
    char *const *hosts; /* HOST:RANKS, ended by NULL; none: whatever there is */
} command_line;

static int check_all(void *context, srv_network *network)
{
    const command_line *line = context;
    results *tap = line->tap;
    network_job job = {.network = network};
    network->ops->describe(network, &job.ranks, &job.rank_count, &job.nodes, &job.node_count, NULL);
    check_places(tap, &job);
    check_refusals(tap, &job);
    if (line->hosts[0])
        check_launch(tap, &job, line->hosts);
    if (job.rank_count > 1) {
        check_sizes(tap, &job);
        check_batches(tap, &job);
        check_all_pairs(tap, &job);
        check_rings(tap, &job);
        check_time_target(tap, &job);
    }
    check_noise(tap, &job);
    check_nodes(tap, &job);
    printf("1..%d\n", tap->number);
    return tap->failed != 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    servet_error error = SERVET_ERROR_INIT;
    results tap = {0, 0};
    command_line line = {&tap, argv + 1};
    int status;
    const srv_ranks_job job = {check_all, &line, NULL, measure_nothing};
    if (srv_ranks_run(&job, &status, &error) == SERVET_OK)
        return status;
    printf("Bail out! %s\n", error.text);
    return EXIT_FAILURE;
}
