/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/numbers.h"
#include "core/ranges.h"
#include "core/text.h"

/* Far more than any series has. */
static const size_t BYTES_MAX = (size_t)1 << 30;

/* Each row of all series read here fits. */
enum { COLUMNS_MAX = 4 };

bool srv_recorded_wanted(const srv_stage *stage, int code)
{
    return code == SERVET_EUNMEASURED && srv_machine_recorded(stage->machine);
}

/* --- tables -------------------------------------------------------------------------------------
 */

/* A file of numbers: rows after the header. */
typedef struct table {
    char path[SERVET_ERROR_FILE_MAX];
    char *text;
    char *rest; /* the rows that were not read yet */
} table;

static int open_table(const srv_stage *stage, const char *name, table *made, servet_error *error)
{
    size_t size;
    servet_error missing = SERVET_ERROR_INIT;
    made->text = NULL;
    int length = snprintf(made->path, sizeof made->path, "%s/%s",
                          srv_machine_recorded(stage->machine), name);
    if (length >= (int)sizeof made->path)
        return srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
    int code = srv_text_read(made->path, BYTES_MAX, &made->text, &size, &missing);
    made->rest = made->text;
    if (code == SERVET_ENOTFOUND)
        return srv_fail_at(error, SERVET_EUNMEASURED, made->path, 0, "not on record: %s", name);
    return code == SERVET_OK ? code : srv_fail_at(error, code, missing.file, 0, "%s", missing.text);
}

static bool is_row(const char *line)
{
    return *line && strchr("0123456789.-", *line);
}

/* The next row of `columns` numbers; false at the end. Comments and headers are passed over. */
static bool next_row(table *from, int columns, double *numbers)
{
    char *line;
    while ((line = strsep(&from->rest, "\n")) && !is_row(line))
        ;
    for (int i = 0; line && i < columns; i++) {
        char *end;
        numbers[i] = strtod(line, &end);
        if (end == line || (i + 1 < columns && *end != ','))
            return false;
        line = end + 1;
    }
    return line;
}

/* --- lines --------------------------------------------------------------------------------------
 */

static int read_block(const table *file, srv_block_series *series, servet_error *error)
{
    table rows = *file;
    double row[2];
    *series = (srv_block_series){0};
    if (sscanf(file->text, "# increments of core %d beside core %d", &series->core,
               &series->other) != 2)
        return srv_fail_at(error, SERVET_EFORMAT, file->path, 1, "two cores are expected");
    while (series->count < SRV_BLOCK_STEPS && next_row(&rows, 2, row)) {
        series->apart[series->count] = row[0];
        series->ns[series->count++] = row[1];
    }
    return SERVET_OK;
}

int srv_recorded_block(const srv_stage *stage, srv_block_series *series, servet_error *error)
{
    table file;
    int code = open_table(stage, "coherence.csv", &file, error);
    srv_numbers numbers = srv_numbers_begin();
    if (code == SERVET_OK)
        code = read_block(&file, series, error);
    srv_numbers_end(numbers);
    free(file.text);
    return code;
}

/* The file of the first core that has one: cores of a kind are alike. */
static int open_lines(const srv_stage *stage, const char *cores, int level, table *file,
                      servet_error *error)
{
    char name[48];
    int code = SERVET_EUNMEASURED;
    for (int first, last; code == SERVET_EUNMEASURED && srv_ranges_next(&cores, &first, &last);)
        for (int core = first; code == SERVET_EUNMEASURED && core <= last; core++) {
            servet_error missing = SERVET_ERROR_INIT;
            snprintf(name, sizeof name, "line-core%d-L%d.csv", core, level);
            code = open_table(stage, name, file, &missing);
            if (code != SERVET_OK && code != SERVET_EUNMEASURED)
                return srv_fail_at(error, code, missing.file, 0, "%s", missing.text);
        }
    return code == SERVET_OK ? code
                             : srv_fail(error, code, "the line of L%d is not on record", level);
}

static void add_stride(const double *row, srv_line_series *series)
{
    if (series->count >= SRV_LINE_STRIDES)
        return;
    series->stride[series->count] = row[1];
    series->first[series->count] = row[2];
    series->second[series->count++] = row[3];
}

int srv_recorded_lines(const srv_stage *stage, const char *cores, int level,
                       srv_line_series *series, int most, int *count, servet_error *error)
{
    table file;
    double row[COLUMNS_MAX];
    *count = 0;
    int code = open_lines(stage, cores, level, &file, error);
    if (code != SERVET_OK)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    while (next_row(&file, COLUMNS_MAX, row) && row[0] >= 1 && row[0] <= most) {
        int at = (int)row[0];
        while (*count < at)
            series[(*count)++] = (srv_line_series){0};
        add_stride(row, &series[at - 1]);
    }
    srv_numbers_end(numbers);
    free(file.text);
    return SERVET_OK;
}

/* --- distances ----------------------------------------------------------------------------------
 */

/* The cores that the comment names, in their order. */
static bool read_cores(const char *text, int *cores, int count)
{
    const char *list = strstr(text, "Cores:");
    char *end;
    if (!list)
        return false;
    list += strlen("Cores:");
    for (int i = 0; i < count; i++, list = end) {
        cores[i] = (int)strtol(list, &end, 10);
        if (end == list)
            return false;
    }
    return true;
}

static int find(const int *cores, int count, int core)
{
    int i = 0;
    while (i < count && cores[i] != core)
        i++;
    return i;
}

/* Puts the matrix of `listed` cores into the order of `cores`. */
static bool reorder(const servet_matrix *matrix, const int *listed, const int *cores, double *cost)
{
    int n = (int)matrix->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int row = find(listed, n, cores[i]), column = find(listed, n, cores[j]);
            if (row == n || column == n)
                return false;
            cost[i * n + j] = matrix->cost[row * n + column];
        }
    return true;
}

static int take_matrix(const table *file, const servet_matrix *matrix, const int *cores,
                       srv_distances *distances, servet_error *error)
{
    int n = (int)matrix->n;
    int *listed = calloc((size_t)n, sizeof *listed);
    distances->count = n;
    distances->at_once = 1;
    distances->cost = calloc(matrix->n * matrix->n, sizeof *distances->cost);
    distances->loose = calloc(matrix->n * matrix->n, sizeof *distances->loose);
    int code = SERVET_OK;
    if (!listed || !distances->cost || !distances->loose)
        code = srv_fail_memory(error);
    else if (!read_cores(file->text, listed, n) || !reorder(matrix, listed, cores, distances->cost))
        code = srv_fail_at(error, SERVET_EFORMAT, file->path, 1, "these are other cores");
    free(listed);
    return code;
}

int srv_recorded_distances(const srv_stage *stage, const int *cores, int count,
                           srv_distances *distances, servet_error *error)
{
    table file;
    servet_matrix matrix = SERVET_MATRIX_INIT;
    *distances = (srv_distances){0};
    int code = open_table(stage, "distance.csv", &file, error);
    if (code == SERVET_OK)
        code = servet_matrix_read(file.path, &matrix, error);
    if (code == SERVET_OK && matrix.n != (size_t)count)
        code = srv_fail_at(error, SERVET_EFORMAT, file.path, 0, "%zu cores of %d", matrix.n, count);
    if (code == SERVET_OK)
        code = take_matrix(&file, &matrix, cores, distances, error);
    servet_matrix_free(&matrix);
    free(file.text);
    return code;
}

/* --- sharing ------------------------------------------------------------------------------------
 */

/* A row of the series: odds add up from visit to visit. */
typedef struct answer {
    bool walk;
    int core, other;
    double odds;
} answer;

/* "walk,0,1,2,1.3,-4.2"; the other core is not named where more than two were asked at once. */
static bool read_answer(char *line, answer *read)
{
    char *fields[6];
    for (int i = 0; i < 6; i++)
        if (!(fields[i] = strsep(&line, ",")))
            return false;
    *read = (answer){.walk = strcmp(fields[0], "walk") == 0,
                     .core = atoi(fields[1]),
                     .other = *fields[2] ? atoi(fields[2]) : -1,
                     .odds = strtod(fields[5], NULL)};
    return read->walk || strcmp(fields[0], "read") == 0;
}

static bool same_question(const answer *a, const answer *b)
{
    return a->walk == b->walk && a->core == b->core && a->other == b->other;
}

/* What a question was told last is what it was told. */
static int add_answer(answer *answers, int count, const answer *next)
{
    int i = 0;
    while (i < count && !same_question(&answers[i], next))
        i++;
    answers[i] = *next;
    return i < count ? count : count + 1;
}

static bool same_couple(const srv_recorded_odds *odds, const answer *of)
{
    return (odds->core == of->core && odds->other == of->other) ||
           (odds->core == of->other && odds->other == of->core);
}

/* Both walkers of a couple say the same thing once. */
static int join(const answer *answers, int count, srv_recorded_odds *odds)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < n && !same_couple(&odds[k], &answers[i]))
            k++;
        if (k == n)
            odds[n++] = (srv_recorded_odds){answers[i].core, answers[i].other, 0};
        odds[k].odds += answers[i].walk ? answers[i].odds / 2 : answers[i].odds;
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

int srv_recorded_sharing(const srv_stage *stage, int level, srv_recorded_odds **odds, int *count,
                         servet_error *error)
{
    table file;
    char name[32], *line;
    snprintf(name, sizeof name, "sharing-L%d.csv", level);
    int code = open_table(stage, name, &file, error);
    if (code != SERVET_OK)
        return code;
    size_t rows = (size_t)count_rows(file.text);
    answer *answers = calloc(rows, sizeof *answers), next;
    *odds = calloc(rows, sizeof **odds);
    srv_numbers numbers = srv_numbers_begin();
    int n = 0;
    while (answers && *odds && (line = strsep(&file.rest, "\n")))
        if (read_answer(line, &next))
            n = add_answer(answers, n, &next);
    srv_numbers_end(numbers);
    bool whole = answers && *odds;
    *count = whole ? join(answers, n, *odds) : 0;
    free(answers);
    free(file.text);
    if (whole)
        return SERVET_OK;
    free(*odds);
    return srv_fail_memory(error);
}
