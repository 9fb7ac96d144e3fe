/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/placement.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/json/document.h"
#include "core/ranges.h"
#include "core/text.h"
#include "core/utf8.h"

/* --- one rank --------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Sorts the numbers and returns them as ranges; NULL without memory. */
static char *write_ranges(int *cores, int count)
{
    enum { NUMBER_MAX = 12 };
    size_t size = (size_t)count * NUMBER_MAX;
    char *text = malloc(size);
    qsort(cores, (size_t)count, sizeof *cores, ascending);
    if (text)
        srv_ranges_write(cores, count, text, size);
    return text;
}

static int add(mpi_placement *placement, const char *host, size_t length, int *cores, int count,
               servet_error *error)
{
    mpi_placed *grown = srv_grow(placement->rank, (size_t)placement->count, sizeof *grown);
    if (!grown)
        return srv_fail_memory(error);
    placement->rank = grown;
    mpi_placed *rank = &placement->rank[placement->count++];
    *rank = (mpi_placed){strndup(host, length), write_ranges(cores, count), count};
    if (rank->host)
        srv_utf8_clean(rank->host);
    return rank->host && rank->cores ? SERVET_OK : srv_fail_memory(error);
}

/* --- text ------------------------------------------------------------------------------------- */

static bool take_number(const char **at, int *number)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    long value = strtol(*at, &end, 10);
    *at = end;
    *number = (int)value;
    return value < INT_MAX;
}

/* Reads "3,0,1" up to the end of the line. Returns the number of items; 0 if it is not such a list.
 */
static int take_cores(const char *at, int *cores)
{
    int count = 0;
    while (take_number(&at, &cores[count])) {
        count++;
        if (*at == '\0')
            return count;
        if (*at++ != ',')
            return 0;
    }
    return 0;
}

/* Reads a line "RANK HOST CORES". */
static int read_line(mpi_placement *placement, const char *line, const char *path, int number,
                     servet_error *error)
{
    int rank, count = 0;
    const char *at = line;
    int *cores = malloc((strlen(line) + 1) * sizeof *cores);
    if (!cores)
        return srv_fail_memory(error);
    bool fine = take_number(&at, &rank) && *at++ == ' ';
    size_t host = strcspn(at, " ");
    if (fine && host > 0 && at[host] == ' ')
        count = take_cores(at + host + 1, cores);
    int code;
    if (count == 0)
        code = srv_fail_at(error, SERVET_EFORMAT, path, number, "expected RANK HOST CORE,CORE,...");
    else if (rank != placement->count)
        code = srv_fail_at(error, SERVET_EFORMAT, path, number, "found rank %d, expected rank %d",
                           rank, placement->count);
    else
        code = add(placement, at, host, cores, count, error);
    free(cores);
    return code;
}

static int read_lines(mpi_placement *placement, char *text, const char *path, servet_error *error)
{
    int code = SERVET_OK, number = 0;
    for (char *line = text; *line && code == SERVET_OK;) {
        size_t length = strcspn(line, "\n");
        char *next = line + length + (line[length] == '\n');
        line[length] = '\0';
        number++;
        if (*line && *line != '#')
            code = read_line(placement, line, path, number, error);
        line = next;
    }
    return code;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static int read_cores(const json_t *list, int *cores, srv_json_path *where)
{
    size_t index;
    json_t *core;
    json_array_foreach (list, index, core) {
        if (!json_is_integer(core) || json_integer_value(core) < 0 ||
            json_integer_value(core) >= INT_MAX)
            return srv_json_path_fail(where, "expected the number of a core");
        cores[index] = (int)json_integer_value(core);
    }
    return SERVET_OK;
}

static int read_process(mpi_placement *placement, const json_t *process, srv_json_path *where)
{
    const char *host = json_string_value(json_object_get(process, "host"));
    const json_t *list = json_object_get(process, "cores"),
                 *rank = json_object_get(process, "rank");
    if (!host || json_array_size(list) == 0)
        return srv_json_path_fail(where, "expected a process with host and cores");
    if (json_integer_value(rank) != placement->count)
        return srv_json_path_fail(where, "expected rank %d", placement->count);
    int *cores = malloc(json_array_size(list) * sizeof *cores);
    if (!cores)
        return srv_fail_memory(where->error);
    int code = read_cores(list, cores, where);
    if (code == SERVET_OK)
        code = add(placement, host, strlen(host), cores, (int)json_array_size(list), where->error);
    free(cores);
    return code;
}

static int read_json(mpi_placement *placement, const char *path, servet_error *error)
{
    srv_document document;
    size_t index;
    json_t *process;
    int code = srv_document_read(&document, path, SRV_SERIES_BYTES_MAX, NULL, error);
    srv_json_path where = srv_json_path_in(path, document.text, error);
    srv_json_path_enter(&where, "processes");
    json_array_foreach (json_object_get(document.root, "processes"), index, process) {
        srv_json_path_enter_item(&where, (int)index);
        if (code == SERVET_OK)
            code = read_process(placement, process, &where);
        srv_json_path_leave(&where);
    }
    srv_document_free(&document);
    return code;
}

/* --- both formats ----------------------------------------------------------------------------- */

int mpi_placement_read(mpi_placement *placement, const char *path, servet_error *error)
{
    char *text = NULL;
    size_t size;
    *placement = (mpi_placement){NULL, 0};
    int code = srv_text_read(path, SRV_SERIES_BYTES_MAX, &text, &size, error);
    if (code == SERVET_OK)
        code = text[strspn(text, " \t\n")] == '{' ? read_json(placement, path, error)
                                                  : read_lines(placement, text, path, error);
    free(text);
    if (code == SERVET_OK && placement->count == 0)
        code = srv_fail_at(error, SERVET_EFORMAT, path, 0, "the placement has no processes");
    return code;
}

void mpi_placement_finish(mpi_placement *placement)
{
    for (int i = 0; i < placement->count; i++) {
        free(placement->rank[i].host);
        free(placement->rank[i].cores);
    }
    free(placement->rank);
    *placement = (mpi_placement){NULL, 0};
}
