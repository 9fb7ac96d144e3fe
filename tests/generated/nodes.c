/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole nodes that nobody chose: each fact of the profile against what the node is.
 *
 *   generated-nodes [--claims] FIRST COUNT [NOISE]    compares nodes FIRST..FIRST+COUNT-1
 *   generated-nodes --model N [NOISE]                 prints the model of node N
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/model/simulated.h"
#include "node.h"
#include "pool.h"
#include "report.h"
#include "run/measure.h"

enum { FACTS_MAX = 64 };

/* Share of the facts that may be wrong without a mark. */
static const double WRONG_MAX = 0.02;

/* Of every sample, relative. */
static const double NOISE = 0.02;

/* A row of the table. */
typedef struct tally {
    char fact[FACT_NAME_MAX];
    int counts[OUTCOME_COUNT];
} tally;

typedef struct survey {
    int first;
    double noise;
    int facts, failed;
    tally row[FACTS_MAX];
    pthread_mutex_t lock;
} survey;

static const char *const words[OUTCOME_COUNT] = {"right", "marked", "WRONG", "absent"};

static tally *row_of(survey *all, const char *fact)
{
    for (int i = 0; i < all->facts; i++)
        if (strcmp(all->row[i].fact, fact) == 0)
            return &all->row[i];
    tally *next = &all->row[all->facts++];
    snprintf(next->fact, sizeof next->fact, "%s", fact);
    return next;
}

static void remark(int index, const truth *fact, outcome is, const char *said)
{
    char known[TRUTH_TEXT_MAX], answer[TRUTH_TEXT_MAX];
    if (fact->text[0] != '\0')
        snprintf(known, sizeof known, "%s", fact->text);
    else
        snprintf(known, sizeof known, "%.4g", fact->value);
    snprintf(answer, sizeof answer, "%s", said);
    for (char *at = known; (at = strchr(at, '\n'));)
        *at = ' ';
    for (char *at = answer; (at = strchr(at, '\n'));)
        *at = ' ';
    printf("# node %d: %s: %s says %s; it is %s\n", index, words[is], fact->key, answer, known);
}

static void compare_node(survey *all, int index, const servet_profile *profile, const node *made)
{
    char said[TRUTH_TEXT_MAX];
    truths *known = calloc(1, sizeof *known);
    if (!known)
        abort();
    node_truths(made, known);
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < known->count; i++) {
        const truth *fact = &known->list[i];
        outcome is = compare_fact(profile, fact, said);
        row_of(all, fact->fact)->counts[is]++;
        if (is != FACT_RIGHT)
            remark(index, fact, is, said);
    }
    fflush(stdout);
    pthread_mutex_unlock(&all->lock);
    free(known);
}

/* Writes the model for the reader of models, which checks it. */
static int machine_of(const node *made, int index, srv_machine **machine, servet_error *error)
{
    char path[] = "/tmp/servet-node-XXXXXX.json";
    json_t *model = node_model(made, index);
    int file = mkstemps(path, 5);
    int code = SERVET_EIO;
    if (model && file >= 0 && json_dumpfd(model, file, 0) == 0)
        code = srv_simulated_create(machine, path, error);
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    json_decref(model);
    return code;
}

static void measure(void *context, int number)
{
    survey *all = context;
    int index = all->first + number;
    node made = node_generate(index, all->noise);
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    servet_error error = {0};
    servet_profile *profile;
    srv_machine *machine;
    int code = machine_of(&made, index, &machine, &error);
    if (code == SERVET_OK) {
        code = srv_measure_on(machine, &options, &profile, &error);
        srv_machine_destroy(machine);
    }
    if (code == SERVET_OK) {
        compare_node(all, index, profile, &made);
        servet_profile_close(profile);
        return;
    }
    pthread_mutex_lock(&all->lock);
    printf("# node %d: %s\n", index, error.text);
    all->failed++;
    pthread_mutex_unlock(&all->lock);
}

static void write_table(FILE *out, const survey *all, int sums[OUTCOME_COUNT])
{
    fprintf(out, "| fact | right | marked | wrong | not given |\n"
                 "| --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < all->facts; i++) {
        const tally *row = &all->row[i];
        fprintf(out, "| %s |", row->fact);
        for (int j = 0; j < OUTCOME_COUNT; j++) {
            fprintf(out, " %d |", row->counts[j]);
            sums[j] += row->counts[j];
        }
        fprintf(out, "\n");
    }
    fprintf(out, "| all |");
    for (int j = 0; j < OUTCOME_COUNT; j++)
        fprintf(out, " %d |", sums[j]);
    fprintf(out, "\n");
}

static int print_model(int index, double noise)
{
    node made = node_generate(index, noise);
    json_t *model = node_model(&made, index);
    int failed = !model || json_dumpf(model, stdout, JSON_INDENT(2)) != 0;
    json_decref(model);
    return failed;
}

int main(int argc, char **argv)
{
    static survey all;
    int sums[OUTCOME_COUNT] = {0};
    test_report report;
    if (argc > 2 && strcmp(argv[1], "--model") == 0)
        return print_model(atoi(argv[2]), argc > 3 ? atof(argv[3]) : NOISE);
    int at = report_begin(&report, argc, argv);
    if (argc < at + 2)
        return 2;
    all.first = atoi(argv[at]);
    all.noise = argc > at + 2 ? atof(argv[at + 2]) : NOISE;
    pthread_mutex_init(&all.lock, NULL);
    pool_run(atoi(argv[at + 1]), measure, &all);
    pthread_mutex_destroy(&all.lock);
    write_table(report.section, &all, sums);
    int facts = sums[FACT_RIGHT] + sums[FACT_MARKED] + sums[FACT_WRONG];
    report_claim(&report, all.failed == 0, "all nodes are measured");
    report_claim(&report, sums[FACT_WRONG] <= WRONG_MAX * facts,
                 "%d of %d facts are wrong without a mark", sums[FACT_WRONG], facts);
    return report_end(&report);
}
