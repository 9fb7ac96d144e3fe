/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/warnings.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report/doubts.h"
#include "cli/report/parts.h"
#include "cli/report/text.h"
#include "cli/report/wrap.h"
#include "core/memory_stream.h"

/* " on efficiency cores" where there are several kinds, else nothing. */
static void tell_apart(const servet_profile *profile, const servet_at *at, int index, char *of,
                       size_t size)
{
    servet_kind kind;
    *of = '\0';
    if (at->core == SERVET_ANY_CORE && servet_kind_get(profile, at, 1, &kind) == SERVET_OK &&
        servet_kind_get(profile, at, index, &kind) == SERVET_OK)
        snprintf(of, size, " on %s cores", kind.name);
}

static void warn_all(FILE *to, const servet_profile *profile, const servet_at *at)
{
    char of[SERVET_NAME_MAX + 16];
    servet_at of_kind;
    report_warn_run(to, profile, at);
    for (int i = 0; report_kind(profile, at, i, &of_kind); i++) {
        tell_apart(profile, at, i, of, sizeof of);
        report_warn_caches(to, profile, &of_kind, of);
    }
    report_warn_node(to, profile, at);
}

static void write_lines(FILE *to, const servet_profile *profile, const servet_at *at)
{
    if (at)
        warn_all(to, profile, at);
    else
        report_warn_network(to, profile);
}

/* Without memory for them they are as they come. */
void report_write_warnings(FILE *to, const servet_profile *profile, const servet_at *at)
{
    srv_memory_stream memory;
    char *lines = NULL;
    if (srv_memory_stream_open(&memory)) {
        write_lines(memory.stream, profile, at);
        (void)srv_memory_stream_close(&memory, &lines, NULL);
    }
    if (lines)
        report_write_doubts(to, lines);
    else
        write_lines(to, profile, at);
    free(lines);
}

static void print_lines(const char *lines)
{
    for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
        report_print_wrapped("", 2, lines);
}

/* Without memory they are not wrapped. */
void report_print_warnings(const servet_profile *profile, const servet_at *at)
{
    srv_memory_stream memory;
    char *lines = NULL;
    if (srv_memory_stream_open(&memory)) {
        report_write_warnings(memory.stream, profile, at);
        (void)srv_memory_stream_close(&memory, &lines, NULL);
    }
    if (lines)
        print_lines(lines);
    else
        report_write_warnings(stdout, profile, at);
    free(lines);
}
