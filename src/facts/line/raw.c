/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/line/raw.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/numbers.h"
#include "core/ranges.h"
#include "run/raw.h"

/* Columns of the series of pairs. */
enum { COLUMNS_MAX = 4 };

static int read_block(const srv_raw_table *file, srv_block_series *series, servet_error *error)
{
    srv_raw_table rows = *file;
    double row[2] = {0};
    bool more = true;
    int code = SERVET_OK;
    *series = (srv_block_series){0};
    if (sscanf(file->text, "# increments of core %d beside core %d", &series->core,
               &series->other) != 2)
        return srv_fail_at(error, SERVET_EFORMAT, file->path, 1, "two cores are expected");
    while (series->count < SRV_BLOCK_STEPS && more && code == SERVET_OK) {
        code = srv_raw_next(&rows, 2, row, &more, error);
        series->apart[series->count] = row[0];
        series->ns[series->count] = row[1];
        series->count += more && code == SERVET_OK;
    }
    return code;
}

int srv_raw_block(const srv_stage *stage, srv_block_series *series, servet_error *error)
{
    srv_raw_table file;
    int code = srv_raw_open(stage, "coherence.csv", &file, error);
    srv_numbers numbers = srv_numbers_begin();
    if (code == SERVET_OK)
        code = read_block(&file, series, error);
    srv_numbers_end(numbers);
    free(file.text);
    return code;
}

/* The file of the first core that has one: cores of a kind are alike. */
static int open_lines(const srv_stage *stage, const char *cores, int level, srv_raw_table *file,
                      servet_error *error)
{
    char name[48];
    int code = SERVET_EUNMEASURED;
    for (int first, last; code == SERVET_EUNMEASURED && srv_ranges_next(&cores, &first, &last);)
        for (int core = first; code == SERVET_EUNMEASURED && core <= last; core++) {
            servet_error missing = SERVET_ERROR_INIT;
            snprintf(name, sizeof name, "line-core%d-L%d.csv", core, level);
            code = srv_raw_open(stage, name, file, &missing);
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

int srv_raw_lines(const srv_stage *stage, const char *cores, int level, srv_line_series *series,
                  int most, int *count, servet_error *error)
{
    srv_raw_table file;
    double row[COLUMNS_MAX];
    bool more = true;
    *count = 0;
    int code = open_lines(stage, cores, level, &file, error);
    if (code != SERVET_OK)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    while ((code = srv_raw_next(&file, COLUMNS_MAX, row, &more, error)) == SERVET_OK && more) {
        if (!(row[0] >= 1 && row[0] <= most)) {
            code = srv_raw_malformed(&file, error);
            break;
        }
        int at = (int)row[0];
        while (*count < at)
            series[(*count)++] = (srv_line_series){0};
        add_stride(row, &series[at - 1]);
    }
    srv_numbers_end(numbers);
    free(file.text);
    return code;
}
