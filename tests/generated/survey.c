/* SPDX-License-Identifier: BSD-3-Clause */
#include "survey.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "pool.h"
#include "report.h"

enum { FACTS_MAX = 64 };

/* A row of the table. */
typedef struct tally {
    char fact[FACT_NAME_MAX];
    int counts[OUTCOME_COUNT];
} tally;

typedef struct survey {
    const survey_kind *kind;
    int first;
    condition noise;
    const char *raw; /* folder of raw series, or NULL */
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

static void remark(const char *kind, int index, const truth *fact, outcome is, const char *said)
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
    printf("# %s %d: %s: %s says %s; it is %s\n", kind, index, words[is], fact->key, answer, known);
}

static void compare(survey *all, int index, const servet_profile *profile, const truths *known)
{
    char said[TRUTH_TEXT_MAX];
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < known->count; i++) {
        const truth *fact = &known->list[i];
        outcome is = compare_fact(profile, fact, said);
        row_of(all, fact->fact)->counts[is]++;
        if (is != FACT_RIGHT)
            remark(all->kind->name, index, fact, is, said);
    }
    fflush(stdout);
    pthread_mutex_unlock(&all->lock);
}

static void fail(survey *all, int index, const char *why)
{
    pthread_mutex_lock(&all->lock);
    printf("# %s %d: %s\n", all->kind->name, index, why);
    all->failed++;
    pthread_mutex_unlock(&all->lock);
}

/* Writes the model for the reader of models, which checks it. */
static int write_model(const survey *all, int index, char *path, servet_error *error)
{
    json_t *model = all->kind->model(index, &all->noise);
    int file = mkstemps(path, 5), code = SERVET_OK;
    if (!model || file < 0 || json_dumpfd(model, file, 0) != 0)
        code = srv_fail(error, SERVET_EIO, "no model");
    if (file >= 0)
        close(file);
    json_decref(model);
    return code;
}

static int measure_model(const survey *all, int index, const char *raw, servet_profile **profile,
                         servet_error *error)
{
    char path[] = "/tmp/servet-model-XXXXXX.json";
    int code = write_model(all, index, path, error);
    if (code == SERVET_OK)
        code = all->kind->measure(index, &all->noise, path, raw, profile, error);
    unlink(path);
    return code;
}

/* The folder has its name once the series are whole. */
static int measure_kept(const survey *all, int index, servet_profile **profile, servet_error *error)
{
    char whole[PATH_MAX], begun[PATH_MAX + 8];
    snprintf(whole, sizeof whole, "%s/%d-%s", all->raw, index, all->noise.word);
    snprintf(begun, sizeof begun, "%s.begun", whole);
    if (access(whole, F_OK) == 0)
        return all->kind->again(whole, profile, error);
    if (mkdir(begun, 0777) != 0 && errno != EEXIST)
        return srv_fail(error, SERVET_EIO, "%s: %s", begun, strerror(errno));
    int code = measure_model(all, index, begun, profile, error);
    if (code == SERVET_OK && rename(begun, whole) != 0)
        code = srv_fail(error, SERVET_EIO, "%s: %s", whole, strerror(errno));
    return code;
}

static void measure(void *context, int number)
{
    survey *all = context;
    int index = all->first + number;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile = NULL;
    truths *known = calloc(1, sizeof *known);
    int code = !known     ? srv_fail_memory(&error)
               : all->raw ? measure_kept(all, index, &profile, &error)
                          : measure_model(all, index, NULL, &profile, &error);
    if (code == SERVET_OK) {
        all->kind->truths(index, &all->noise, profile, known);
        compare(all, index, profile, known);
    } else {
        fail(all, index, error.text);
    }
    servet_profile_close(profile);
    free(known);
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

static int print_model(const survey_kind *kind, int index, const condition *noise)
{
    json_t *model = kind->model(index, noise);
    int failed = !model || json_dumpf(model, stdout, JSON_INDENT(2)) != 0;
    json_decref(model);
    return failed;
}

static int sum_up(survey *all, test_report *report)
{
    int sums[OUTCOME_COUNT] = {0};
    write_table(report->section, all, sums);
    int facts = sums[FACT_RIGHT] + sums[FACT_MARKED] + sums[FACT_WRONG];
    report_claim(report, all->failed == 0, "all %ss are measured", all->kind->name);
    report_claim(report, sums[FACT_WRONG] <= all->kind->wrong_most * facts,
                 "%d of %d facts are wrong without a mark", sums[FACT_WRONG], facts);
    return report_end(report);
}

int survey_main(int argc, char **argv, const survey_kind *kind)
{
    survey *all = calloc(1, sizeof *all);
    test_report report;
    if (argc > 2 && strcmp(argv[1], "--model") == 0) {
        condition noise;
        free(all);
        return condition_find(argc > 3 ? argv[3] : kind->noise, &noise)
                   ? print_model(kind, atoi(argv[2]), &noise)
                   : 2;
    }
    int at = report_begin(&report, argc, argv);
    const char *raw = NULL;
    if (kind->again && argc > at + 1 && strcmp(argv[at], "--raw") == 0) {
        raw = argv[at + 1];
        at += 2;
    }
    if (!all || argc < at + 2) {
        free(all);
        return 2;
    }
    *all = (survey){.kind = kind, .first = atoi(argv[at]), .raw = raw};
    if (!condition_find(argc > at + 2 ? argv[at + 2] : kind->noise, &all->noise)) {
        free(all);
        return 2;
    }
    pthread_mutex_init(&all->lock, NULL);
    pool_run(atoi(argv[at + 1]), measure, all);
    pthread_mutex_destroy(&all->lock);
    int status = sum_up(all, &report);
    free(all);
    return status;
}
