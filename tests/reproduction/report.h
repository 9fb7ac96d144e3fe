/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A program that says the same twice: as a section of share/doc/dev/reproduction.md, or as TAP,
 * where each claim is a case (`--claims`), and so is that FILE holds the section (`--check FILE`).
 */
#ifndef SRV_TESTS_REPORT_H
#define SRV_TESTS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct test_report {
    FILE *section; /**< Markdown goes here */
    char *text;    /**< the section, once closed */
    size_t size;
    bool tap;
    const char *checked; /**< FILE, or NULL */
    int claims, failed;
} test_report;

/**
 * Begins a report as the program's arguments say, and returns where in argv the program's own ones
 * begin. Ends the program if there is no memory.
 */
int report_begin(test_report *report, int argc, char **argv);

/** One thing that must hold. */
void report_claim(test_report *report, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** One thing that is to hold and does not yet; TAP calls that a TODO, and fails once it holds. */
void report_goal(test_report *report, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Remarks beside the claims; nothing in the section. */
void report_remark(const test_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Prints the requested report, frees, and returns the program's exit status. */
int report_end(test_report *report);

#endif
