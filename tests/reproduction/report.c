/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int report_begin(test_report *report, int argc, char **argv)
{
    int at = 1;
    *report = (test_report){0};
    if (argc > 2 && strcmp(argv[1], "--check") == 0) {
        report->checked = argv[2];
        at = 3;
    } else if (argc > 1 && strcmp(argv[1], "--claims") == 0) {
        at = 2;
    }
    report->tap = at > 1;
    report->section = open_memstream(&report->text, &report->size);
    if (!report->section) {
        perror(argv[0]);
        exit(1);
    }
    return at;
}

/* The words of one TAP line between its result and its directive. */
__attribute__((format(printf, 4, 0))) static void
say(test_report *report, bool holds, const char *directive, const char *format, va_list args)
{
    report->claims++;
    if (!report->tap)
        return;
    printf("%sok %d - ", holds ? "" : "not ", report->claims);
    vprintf(format, args);
    puts(directive);
    fflush(stdout);
}

void report_claim(test_report *report, bool holds, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(report, holds, "", format, args);
    va_end(args);
    report->failed += !holds;
}

void report_goal(test_report *report, bool holds, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(report, holds, " # TODO", format, args);
    va_end(args);
}

void report_remark(const test_report *report, const char *format, ...)
{
    va_list args;
    if (!report->tap)
        return;
    printf("# ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

/* The whole file in memory; NULL if that fails. */
static char *content_of(const char *path)
{
    FILE *file = fopen(path, "r");
    char *content = NULL;
    size_t size = 0;
    if (file && getdelim(&content, &size, '\0', file) < 0) {
        free(content);
        content = NULL;
    }
    if (file)
        fclose(file);
    return content;
}

static void check_file(test_report *report)
{
    char *content = content_of(report->checked);
    report_claim(report, content && strstr(content, report->text),
                 "the checked-in table is the generated one (else: ninja reproduction)");
    free(content);
}

int report_end(test_report *report)
{
    fclose(report->section);
    if (report->checked)
        check_file(report);
    if (report->tap)
        printf("1..%d\n", report->claims);
    else
        fputs(report->text, stdout);
    free(report->text);
    return report->tap && report->failed ? 1 : 0;
}
