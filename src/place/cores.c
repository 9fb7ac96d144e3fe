/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts sets of cores between the forms that programs have, and binds threads to them. */
#include <stdlib.h>
#include <string.h>

#include "core/affinity.h"
#include "core/error.h"
#include "core/ranges.h"
#include "servet/place.h"

/* --- sets ------------------------------------------------------------------------------------- */

int servet_cores_from_text(const char *text, int cores[], int size, int *count)
{
    int first, last, found = 0;
    if (*text && !srv_ranges_valid(text))
        return SERVET_EFORMAT;
    for (; srv_ranges_next(&text, &first, &last); found += last - first + 1)
        for (int i = 0; i <= last - first && found + i < size; i++)
            cores[found + i] = first + i;
    *count = found;
    return SERVET_OK;
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Leaves each number once; returns how many there are. */
static int sort_once(int *numbers, int count)
{
    int kept = 0;
    qsort(numbers, (size_t)count, sizeof *numbers, ascending);
    for (int i = 0; i < count; i++)
        if (kept == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}

static bool any_negative(const int cores[], int count)
{
    for (int i = 0; i < count; i++)
        if (cores[i] < 0)
            return true;
    return count < 0;
}

int servet_cores_to_text(const int cores[], int count, char *text, size_t size)
{
    if (any_negative(cores, count))
        return SERVET_EARGUMENT;
    if (size == 0)
        return SERVET_ERANGE;
    char *written = malloc(size);
    int *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
    int code = written && sorted ? SERVET_OK : SERVET_EMEMORY;
    if (code == SERVET_OK) {
        *written = '\0';
        if (count > 0)
            memcpy(sorted, cores, (size_t)count * sizeof *sorted);
        if (count > 0 && !srv_ranges_write(sorted, sort_once(sorted, count), written, size))
            code = SERVET_ERANGE;
    }
    if (code == SERVET_OK)
        memcpy(text, written, strlen(written) + 1);
    free(written);
    free(sorted);
    return code;
}

static bool is_mask(size_t bytes)
{
    return bytes % sizeof(unsigned long) == 0;
}

int servet_cores_from_mask(const void *mask, size_t bytes, int cores[], int size, int *count)
{
    if (!is_mask(bytes))
        return SERVET_EARGUMENT;
    srv_affinity_cores(mask, bytes, cores, size, count);
    return SERVET_OK;
}

int servet_cores_to_mask(const int cores[], int count, void *mask, size_t bytes)
{
    if (!is_mask(bytes) || any_negative(cores, count))
        return SERVET_EARGUMENT;
    for (int i = 0; i < count; i++)
        if ((size_t)cores[i] >= 8 * bytes)
            return SERVET_ERANGE;
    memset(mask, 0, bytes);
    (void)srv_affinity_add(cores, count, mask, bytes);
    return SERVET_OK;
}

/* --- threads ---------------------------------------------------------------------------------- */

int servet_cores_usable(int cores[], int size, int *count, servet_error *error)
{
    srv_affinity mask;
    if (!srv_affinity_get(&mask))
        return srv_fail(error, SERVET_EUNSUPPORTED,
                        "the system does not say which cores the thread may use");
    srv_affinity_cores(&mask, sizeof mask, cores, size, count);
    return SERVET_OK;
}

int servet_core_here(int *core)
{
    int here = srv_affinity_here();
    if (here < 0)
        return SERVET_EUNSUPPORTED;
    *core = here;
    return SERVET_OK;
}

/* The system ignores cores that the process may not use, without an error if one core is left. */
int servet_bind_thread(const int cores[], int count, servet_error *error)
{
    srv_affinity before, wanted = {{0}}, bound;
    if (count < 1 || any_negative(cores, count))
        return srv_fail(error, SERVET_EARGUMENT, "a thread is bound to one core or more, from 0");
    if (!srv_affinity_get(&before))
        return srv_fail(error, SERVET_EUNSUPPORTED, "the system does not bind threads");
    if (srv_affinity_add(cores, count, &wanted, sizeof wanted) && srv_affinity_set(&wanted) &&
        srv_affinity_get(&bound) && memcmp(&wanted, &bound, sizeof wanted) == 0)
        return SERVET_OK;
    (void)srv_affinity_set(&before);
    return srv_fail(error, SERVET_ERANGE, "the process may not use core %d%s", cores[0],
                    count > 1 ? ", or another one of those given" : "");
}
