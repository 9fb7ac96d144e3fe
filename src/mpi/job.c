/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file is lines of text:
 *     servet 0.3.0
 *     options --only layers
 *     series n1
 *     node n1 4 0-3
 */
#include "mpi/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"
#include "machine/ranks/ranks.h"
#include "run/resume.h"
#include "servet/version.h"

enum { LINE_SIZE = SERVET_CORES_MAX + SERVET_TEXT_MAX, DIFFERENCE_MAX = 192 };

typedef struct job {
    const srv_network_node *nodes;
    int count;
    int series; /* node whose raw series are kept */
    const char *options;
} job;

static job describe(srv_network *network, const char *options)
{
    job now = {.options = options};
    const srv_rank *ranks;
    int rank_count;
    network->ops->describe(network, &ranks, &rank_count, &now.nodes, &now.count, NULL);
    now.series = ranks[0].node;
    return now;
}

/* --- writing ---------------------------------------------------------------------------------- */

static int write_job(const job *now, const char *path, servet_error *error)
{
    srv_file file;
    int code = srv_file_begin(&file, path, error);
    if (code != SERVET_OK)
        return code;
    fprintf(file.stream, "servet %s\noptions %s\nseries %s\n", servet_version(), now->options,
            now->nodes[now->series].name);
    for (int i = 0; i < now->count; i++)
        fprintf(file.stream, "node %s %d %s\n", now->nodes[i].name, now->nodes[i].rank_count,
                now->nodes[i].cores);
    return srv_file_commit(&file, error);
}

/* --- comparing -------------------------------------------------------------------------------- */

/* Differences between jobs, as far as the record was read. */
typedef struct comparison {
    const job *now;
    const char *path;
    int *number;                /* number of each node in the earlier job, or -1 */
    int count;                  /* number of nodes of the earlier job */
    int gone;                   /* nodes of the earlier job that this job does not have */
    char cores[DIFFERENCE_MAX]; /* the cores of a node that differ, then and now */
    char version[SERVET_NAME_MAX], options[SERVET_TEXT_MAX], series[SERVET_NAME_MAX];
} comparison;

static int find_node(const job *now, const char *name)
{
    for (int i = 0; i < now->count; i++)
        if (strcmp(now->nodes[i].name, name) == 0)
            return i;
    return -1;
}

static void compare_node(comparison *of, const char *name, int processes, const char *cores)
{
    int i = find_node(of->now, name), number = of->count++;
    if (i < 0) {
        of->gone++;
        return;
    }
    const srv_network_node *node = &of->now->nodes[i];
    of->number[i] = number;
    if (node->rank_count != processes || strcmp(node->cores, cores) != 0)
        snprintf(of->cores, sizeof of->cores, "%.30s had %d on cores %.40s, now %d on %.40s", name,
                 processes, cores, node->rank_count, node->cores);
}

/* A line without its end. */
static bool read_line(comparison *of, const char *line)
{
    char name[SERVET_NAME_MAX], cores[LINE_SIZE];
    int processes;
    if (sscanf(line, "node %63s %d %s", name, &processes, cores) == 3)
        compare_node(of, name, processes, cores);
    else if (strncmp(line, "servet ", strlen("servet ")) == 0)
        snprintf(of->version, sizeof of->version, "%.63s", line + strlen("servet "));
    else if (sscanf(line, "series %63s", name) == 1)
        memcpy(of->series, name, sizeof name);
    else if (strncmp(line, "options ", strlen("options ")) == 0)
        snprintf(of->options, sizeof of->options, "%.*s", SERVET_TEXT_MAX - 1,
                 line + strlen("options "));
    else
        return false;
    return true;
}

static bool read_job(comparison *of, FILE *file)
{
    char line[LINE_SIZE];
    bool understood = true;
    while (understood && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        understood = read_line(of, line);
    }
    return understood && !ferror(file) && of->count > 0;
}

static int check(const comparison *of, servet_error *error)
{
    int code = srv_resume_check(of->version, of->options, of->now->options, error);
    if (code == SERVET_OK && *of->cores)
        code = srv_fail(error, SERVET_EARGUMENT, "cannot resume: the processes have changed: %s",
                        of->cores);
    return code;
}

static int compare(comparison *of, FILE *file, servet_error *error)
{
    of->number = malloc((size_t)of->now->count * sizeof *of->number);
    if (!of->number)
        return srv_fail_memory(error);
    for (int i = 0; i < of->now->count; i++)
        of->number[i] = -1;
    return read_job(of, file)
               ? check(of, error)
               : srv_fail_at(error, SERVET_EFORMAT, of->path, 0, "not a job description");
}

static int resume(comparison *of, srv_network *network, FILE *file, mpi_job_relation *relation,
                  servet_error *error)
{
    int code = compare(of, file, error);
    if (code != SERVET_OK)
        return code;
    bool same = of->gone == 0 && of->count == of->now->count;
    relation->match = same ? MPI_JOB_SAME : MPI_JOB_MOVED;
    if (same)
        code = srv_ranks_renumber(network, of->number, error);
    job now = describe(network, of->now->options);
    int series = find_node(&now, of->series);
    relation->lost_series = series < 0;
    relation->has_series = series < 0 || series == now.series;
    now.series = series < 0 ? now.series : series;
    return code == SERVET_OK ? write_job(&now, of->path, error) : code;
}

int mpi_job_resume(srv_network *network, const char *path, const char *options,
                   mpi_job_relation *relation, servet_error *error)
{
    job now = describe(network, options);
    FILE *file;
    servet_error missing = SERVET_ERROR_INIT;
    *relation = (mpi_job_relation){MPI_JOB_NEW, true, false};
    int code = srv_text_check_found(path, &missing);
    if (code == SERVET_OK)
        code = srv_text_open(path, &file, &missing);
    if (code == SERVET_ENOTFOUND)
        return write_job(&now, path, error);
    if (code != SERVET_OK)
        return srv_fail_at(error, code, path, missing.line, "%s", missing.text);
    comparison of = {.now = &now, .path = path};
    code = resume(&of, network, file, relation, error);
    fclose(file);
    free(of.number);
    return code;
}
