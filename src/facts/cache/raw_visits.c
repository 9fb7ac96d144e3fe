/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/raw_visits.h"

#include <stdio.h>

#include "core/file.h"
#include "core/numbers.h"

static const char HEADER[] = "bytes,placement,moment,seconds,ns,error,busy,ghz";

int srv_visits_write(const char *path, const srv_visits *visits, servet_error *error)
{
    srv_file file;
    int code = srv_file_begin(&file, path, error);
    if (code != SERVET_OK)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    fprintf(file.stream, "# %zu of %zu visits were quiet\n%s\n", srv_visits_quiet(visits),
            visits->count, HEADER);
    for (size_t i = 0; i < visits->count; i++) {
        const srv_visit *visit = &visits->visit[i];
        fprintf(file.stream, "%.17g,%d,%d,%.6f,%.9g,%.3g,%.5g,%.6g\n", visit->bytes,
                visit->placement, visit->moment, visit->seconds, visit->ns, visit->error,
                visit->busy, visit->ghz);
    }
    srv_numbers_end(numbers);
    return srv_file_commit(&file, error);
}
