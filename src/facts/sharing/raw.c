/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/sharing/raw.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/numbers.h"
#include "core/ranges.h"
#include "run/raw.h"

/* A row of the series: odds add up from visit to visit. */
typedef struct answer {
    bool traversal;
    int core, other;
    double odds;
} answer;

/* The number of a core, or `none` for an empty field. */
static bool read_core(const char *text, int none, int *core)
{
    *core = none;
    return (!*text && none < 0) || (srv_ranges_number(&text, INT_MAX, core) && !*text);
}

static bool read_odds(const char *text, double *odds)
{
    char *end;
    *odds = strtod(text, &end);
    return end > text && !*end;
}

/* Reads a row "walk,0,1,2,1.3,-4.2"; the other core is empty if more than two were measured at
 * once. Answers of tests by eviction are skipped. */
static int read_answer(const srv_raw_table *file, char *line, answer *read, bool *taken,
                       servet_error *error)
{
    char *fields[6];
    for (int i = 0; i < 6; i++)
        if (!(fields[i] = strsep(&line, ",")))
            return srv_raw_malformed(file, error);
    *read = (answer){.traversal = strcmp(fields[0], "walk") == 0};
    *taken = read->traversal || strcmp(fields[0], "read") == 0;
    if (*taken && (!read_core(fields[1], 0, &read->core) ||
                   !read_core(fields[2], -1, &read->other) || !read_odds(fields[5], &read->odds)))
        return srv_raw_malformed(file, error);
    return *taken || strcmp(fields[0], "evict") == 0 ? SERVET_OK : srv_raw_malformed(file, error);
}

static bool same_probe(const answer *a, const answer *b)
{
    return a->traversal == b->traversal && a->core == b->core && a->other == b->other;
}

/* The last answer to a probe counts. */
static int add_answer(answer *answers, int count, const answer *next)
{
    int i = 0;
    while (i < count && !same_probe(&answers[i], next))
        i++;
    answers[i] = *next;
    return i < count ? count : count + 1;
}

static bool same_couple(const srv_raw_odds *odds, const answer *of)
{
    return (odds->core == of->core && odds->other == of->other) ||
           (odds->core == of->other && odds->other == of->core);
}

/* Counts both directions of a couple once. */
static int join(const answer *answers, int count, srv_raw_odds *odds)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < n && !same_couple(&odds[k], &answers[i]))
            k++;
        if (k == n)
            odds[n++] = (srv_raw_odds){answers[i].core, answers[i].other, 0};
        odds[k].odds += answers[i].traversal ? answers[i].odds / 2 : answers[i].odds;
    }
    return n;
}

static int count_rows(const char *text)
{
    int rows = 1;
    for (; (text = strchr(text, '\n')); text++)
        rows++;
    return rows;
}

/* Reads the answers, at most the number that there is room for. */
static int read_answers(srv_raw_table *file, answer *answers, int *count, servet_error *error)
{
    answer next;
    bool taken;
    int code = SERVET_OK;
    for (char *line; code == SERVET_OK && (line = srv_raw_line(file));) {
        code = read_answer(file, line, &next, &taken, error);
        if (code == SERVET_OK && taken)
            *count = add_answer(answers, *count, &next);
    }
    return code;
}

int srv_raw_sharing(const srv_stage *stage, int level, srv_raw_odds **odds, int *count,
                    servet_error *error)
{
    srv_raw_table file;
    char name[32];
    snprintf(name, sizeof name, "sharing-L%d.csv", level);
    int code = srv_raw_open(stage, name, &file, error);
    if (code != SERVET_OK)
        return code;
    size_t rows = (size_t)count_rows(file.text);
    answer *answers = calloc(rows, sizeof *answers);
    *odds = calloc(rows, sizeof **odds);
    *count = 0;
    srv_numbers numbers = srv_numbers_begin();
    code = answers && *odds ? read_answers(&file, answers, count, error) : srv_fail_memory(error);
    srv_numbers_end(numbers);
    if (code == SERVET_OK)
        *count = join(answers, *count, *odds);
    else
        free(*odds);
    free(answers);
    free(file.text);
    return code;
}
