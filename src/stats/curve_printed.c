/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads curves from the output of other tools. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/text.h"
#include "core/units.h"
#include "stats/curve.h"

/* --- lines of each tool ----------------------------------------------------------------------- */

/* Reads the size and the time of a line; false for another line. */
typedef bool line_reader(const char *line, double *bytes, double *time);

/* Reads two numbers with blanks between them, so that a date is not a point. */
static bool read_columns(const char *line, double *bytes, double *time)
{
    return sscanf(line, "%lf%*[ \t]%lf", bytes, time) == 2;
}

/* Reads a size in MiB with five decimals, and a time. */
static bool read_lat_mem_rd(const char *line, double *bytes, double *time)
{
    if (!read_columns(line, bytes, time))
        return false;
    *bytes = round(*bytes * (1 << 20));
    return true;
}

static bool read_tinymembench(const char *line, double *bytes, double *time)
{
    return sscanf(line, "%lf : %lf ns", bytes, time) == 2;
}

/* "  0:       1 bytes   4187 times -->      0.53 Mbps in      14.48 usec" */
static bool read_netpipe(const char *line, double *bytes, double *time)
{
    return sscanf(line, "%*d: %lf bytes %*d times --> %*f Mbps in %lf usec", bytes, time) == 2;
}

/* Size, Mbps and seconds, as in the file of NetPIPE's option -o. */
static bool read_netpipe_file(const char *line, double *bytes, double *time)
{
    double rate, megabits;
    char more;
    if (sscanf(line, "%lf %lf %lf %c", bytes, &rate, time, &more) != 3 || !(*time > 0))
        return false;
    megabits = *bytes * 8 / *time / (1 << 20);
    return fabs(rate / megabits - 1) < 0.1; /* the time has eight decimals */
}

/* "64 1.4", "4k 1.4", "1M 88.4" */
static bool read_plain(const char *line, double *bytes, double *time)
{
    static const char units[] = "kmgKMG";
    char unit = ' ', more;
    if (sscanf(line, "%lf%c %lf %c", bytes, &unit, time, &more) != 3 || !strchr(" \tkmgKMG", unit))
        return false;
    const char *found = strchr(units, unit);
    if (found)
        *bytes = ldexp(*bytes, 10 * ((int)(found - units) % 3 + 1));
    return true;
}

/* A tool, and how its output is recognized. */
typedef struct tool {
    const char *name;
    const char *marker, *also; /* words in the line before a table, or in each line */
    const char *unit;          /* unit of the times; NULL: the file does not say it */
    line_reader *read;
    bool subtracts_l1;
} tool;

static const tool tools[] = {
    {"lat_mem_rd", "\"stride=", "", "ns", read_lat_mem_rd, false},
    {"tinymembench", "block size : single random read", "", "ns", read_tinymembench, true},
    {"OSU's tests of latency", "# OSU ", "Latency", "us", read_columns, false},
    {"NetPIPE", " times -->", " Mbps in", "us", read_netpipe, false},
};
static const tool netpipe_file = {"NetPIPE", NULL, NULL, "s", read_netpipe_file, false};
static const tool plain = {"two columns", NULL, NULL, NULL, read_plain, false};

static const struct {
    const char *name;
    double seconds; /* 0: the unit is not a time */
} units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"s", 1}, {"cycles", 0}};

static const tool *find_tool(const char *line)
{
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (strstr(line, tools[i].marker) && strstr(line, tools[i].also))
            return &tools[i];
    return NULL;
}

/* The file while it is read. */
typedef struct reading {
    const char *path;
    const servet_printed *printed;
    const tool *tool;
    bool has_ended; /* the table has ended, but not the file */
    int line;
    double scale, offset;
    servet_curve curve;
    servet_error *error;
} reading;

static int refuse(reading *on, const char *reason)
{
    return srv_fail_at(on->error, SERVET_EARGUMENT, on->path, 0, "%s: %s", on->tool->name, reason);
}

/* Sets the tool and the conversion of its times to seconds or cycles. */
static int take_tool(reading *on, const tool *found)
{
    const char *unit = found->unit ? found->unit : on->printed->unit;
    on->tool = found;
    if (found->unit && on->printed->unit)
        return refuse(on, "it names the unit of its times: leave the unit out");
    if (!unit)
        return refuse(on, "the unit of the times is missing (ns, us, s or cycles)");
    if (found->subtracts_l1 && !(on->printed->base_latency > 0))
        return refuse(on, "it subtracts the latency of the L1, which is missing");
    if (!found->subtracts_l1 && on->printed->base_latency > 0)
        return refuse(on, "the latency of the L1 is in its times: leave it out");
    on->offset = on->printed->base_latency;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0) {
            on->scale = units[i].seconds > 0 ? units[i].seconds : 1;
            on->curve.unit = units[i].seconds > 0 ? SERVET_UNIT_SECOND : SERVET_UNIT_CYCLE;
            return SERVET_OK;
        }
    return srv_fail(on->error, SERVET_EARGUMENT,
                    "no unit of times: '%.16s' (expected ns, us, s or cycles)", unit);
}

static bool make_room(servet_curve *curve)
{
    double *bytes = srv_grow(curve->bytes, curve->n, sizeof *bytes);
    curve->bytes = bytes ? bytes : curve->bytes;
    double *latency = srv_grow(curve->latency, curve->n, sizeof *latency);
    curve->latency = latency ? latency : curve->latency;
    return bytes && latency;
}

static int take_point(reading *on, double bytes, double time)
{
    servet_curve *curve = &on->curve;
    double latency = time * on->scale + on->offset;
    if (!srv_unit_holds(SERVET_UNIT_BYTE, bytes) || !srv_unit_holds(curve->unit, latency))
        return srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line,
                           "a size or a time that no machine has");
    if (curve->n > 0 && bytes <= curve->bytes[curve->n - 1])
        return srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line, "sizes must ascend");
    if (!make_room(curve))
        return srv_fail_memory(on->error);
    curve->bytes[curve->n] = bytes;
    curve->latency[curve->n++] = latency;
    return SERVET_OK;
}

static int take_line(reading *on, const char *line)
{
    double bytes, time;
    const tool *found = find_tool(line);
    int code = SERVET_OK;
    if (found && found != on->tool)
        code = take_tool(on, found);
    if (code != SERVET_OK || !on->tool)
        return code;
    bool is_point = on->tool->read(line, &bytes, &time);
    if (found && !is_point)
        on->curve.n = 0; /* another table begins */
    if (found)
        on->has_ended = false;
    else if (on->tool->marker && !is_point)
        on->has_ended = on->has_ended || on->curve.n > 0 || strstr(line, on->tool->marker);
    return is_point && bytes > 0 && !on->has_ended ? take_point(on, bytes, time) : SERVET_OK;
}

/* Finds the format of a file without a tool's words: the format of its first point. */
static int guess_tool(reading *on, const char *line)
{
    double bytes, time;
    if (netpipe_file.read(line, &bytes, &time))
        return take_tool(on, &netpipe_file);
    return plain.read(line, &bytes, &time) ? take_tool(on, &plain) : SERVET_OK;
}

static bool has_marks(const char *text)
{
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (strstr(text, tools[i].marker))
            return true;
    return false;
}

static int read_lines(reading *on, char *text)
{
    bool marked = has_marks(text);
    int code = SERVET_OK;
    for (char *line; code == SERVET_OK && (line = srv_text_line(&text));) {
        on->line++;
        if (!marked && !on->tool)
            code = guess_tool(on, line);
        if (code == SERVET_OK)
            code = take_line(on, line);
    }
    if (code == SERVET_OK && on->curve.n < 2)
        code = srv_fail_at(on->error, SERVET_EFORMAT, on->path, 0,
                           "no curve: expected bytes,ns or bytes,cycles in the first line, or the "
                           "output of lat_mem_rd, tinymembench, osu_latency or NetPIPE");
    return code;
}

/* Returns true if the first line, without comments and empty lines, is a point. */
static bool begins_with_point(const char *text)
{
    char line[128];
    double bytes, time;
    while (*text == '#' || *text == '\n' || *text == '\r') {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\r\n"), text);
    return netpipe_file.read(line, &bytes, &time) || plain.read(line, &bytes, &time);
}

static int read_csv(const char *path, char *text, size_t size, const servet_printed *printed,
                    servet_curve *curve, servet_error *error)
{
    if (printed->unit || printed->base_latency > 0)
        return srv_fail_at(error, SERVET_EARGUMENT, path, 0,
                           "the first line names the unit of the times: leave it out, and the "
                           "latency of the L1");
    return srv_curve_parse(path, text, size, curve, error);
}

int servet_curve_read_printed(const char *path, const servet_printed *printed, servet_curve *curve,
                              servet_error *error)
{
    reading on = {.path = path, .printed = printed, .curve = SERVET_CURVE_INIT, .error = error};
    char *text;
    size_t size;
    int code = srv_text_read(path, SRV_FILE_BYTES_MAX, &text, &size, error);
    if (code != SERVET_OK)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    code = has_marks(text) || begins_with_point(text)
               ? read_lines(&on, text)
               : read_csv(path, text, size, printed, &on.curve, error);
    srv_numbers_end(numbers);
    free(text);
    if (code == SERVET_OK)
        *curve = on.curve;
    else
        servet_curve_free(&on.curve);
    return code;
}
