/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes texts for all parts of the report: values, sets of cores, series. */
#ifndef SRV_CLI_REPORT_TEXT_H
#define SRV_CLI_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/report/document.h"
#include "core/human.h"
#include "servet/network.h"
#include "servet/node.h"

/**
 * Sets `of_kind` to core type `index` (from 0) for `at`: the core type of at->core, or each core
 * type of the class, by one of its cores. Returns false beyond the last one.
 */
bool report_kind(const servet_profile *profile, const servet_at *at, int index, servet_at *of_kind);

/** The text for an unknown value. */
extern const char report_unknown[];

/** "" for one, "s" for any other number. */
const char *report_plural(int count);

/** Adds ", 4 cores" and a detail to a list, or ", pages of 4 KiB"; nothing for 0, which means that
 * the number is not known. */
void report_add_count(char *text, size_t size, int count, const char *noun, const char *detail);
void report_add_bytes(char *text, size_t size, double bytes, const char *noun);

/** Returns the mark behind a number: "?" if it was measured and is not trusted, " (OS)" if only the
 * operating system reports it, otherwise
 * "". */
const char *report_mark(const servet_value *value);

/** Writes a size for the column "OS says", without a mark. */
void report_reported(const servet_value *value, char text[HUMAN_MAX]);

/** Write a value with its mark, or report_unknown: a size ("48 KiB", "48 KiB?"), a number, a time
 * in a unit of which a second has `per_second` (HUMAN_NS, HUMAN_US) ("1.39"), a bandwidth in GB/s
 * ("9.81"). */
void report_bytes(const servet_value *value, char text[HUMAN_MAX]);
void report_number(const servet_value *value, char text[HUMAN_MAX]);
void report_time(const servet_value *seconds, double per_second, char text[HUMAN_MAX]);
void report_rate(const servet_value *value, char text[HUMAN_MAX]);

/** In what a node is unlike the others: "slow, noisy"; "": in nothing. Static text. */
const char *report_outlier(const servet_node_rate *of);

/** Writes the interval of a size: "46.9-48.8 KiB". */
void report_interval(const servet_value *value, char text[HUMAN_MAX]);

enum { REPORT_CONFIDENCE_MAX = 16, REPORT_DOUBT_MAX = SERVET_TEXT_MAX + 32 };

/** "87 %", or "not trusted". */
void report_confidence(double confidence, bool trusted, char text[REPORT_CONFIDENCE_MAX]);

/** Returns "agrees", or "not trusted"; "not comparable" is returned in any case. */
const char *report_verdict(servet_verdict verdict, bool trusted);

/** The texts for a TLB. Entries, ways and reach are intervals ("1240-2170") if the measurements do
 * not determine one number. */
typedef struct report_tlb {
    char entries[HUMAN_MAX], ways[HUMAN_MAX], reach[HUMAN_MAX], miss[HUMAN_MAX];
    char confidence[REPORT_CONFIDENCE_MAX];
} report_tlb;

void report_tlb_text(const servet_tlb *tlb, report_tlb *text);

/** Writes the reason why the answer to a key is not trusted; "" if it is, or if there is none. `at`
 * NULL: a fact of communication. */
void report_reason(const servet_profile *profile, const servet_at *at, const char *key,
                   char reason[SERVET_TEXT_MAX]);

/** Writes " (not trusted: other work took 51 % of the core's time)" for the end of a line about the
 * key; "" if it is trusted. */
void report_doubt(const servet_profile *profile, const servet_at *at, const char *key,
                  char text[REPORT_DOUBT_MAX]);

/** Adds a line about a key, with the text of report_doubt() behind it. */
void report_doubted(document *to, const char *text, const servet_profile *profile,
                    const servet_at *at, const char *key);

/** Returns true if each core has its own instance of the cache level; false if that is not known.
 */
bool report_is_private(const servet_profile *profile, const servet_at *at, int level);

enum { REPORT_LEVEL_MAX = 16 };

/** "L2"; "memory" for 0. */
void report_level_name(int level, char name[REPORT_LEVEL_MAX]);

/** The public queries of the sets of cores of a level. */
typedef struct report_sets {
    int (*count)(const servet_profile *profile, const servet_at *at, int level, int *count);
    int (*set)(const servet_profile *profile, const servet_at *at, int level, int index,
               const char **cores);
} report_sets;

/** Limit of a printed list of sets; `servet get` prints longer ones. */
enum { REPORT_SETS_MAX = 64 };

/**
 * Writes the sets, "0,2  1,3", or the first ones and their number: "0,128  1,129  ...  (128 sets)".
 * "-" if they were not measured.
 */
void report_sets_text(const report_sets *sets, const servet_profile *profile, const servet_at *at,
                      int level, char text[REPORT_SETS_MAX]);

/** Writes a set of cores; a long one is cut to `size` behind a number, with an end that shows this.
 */
void report_set_text(const char *cores, char *text, size_t size);

enum { REPORT_KIND_MAX = REPORT_SETS_MAX + SERVET_NAME_MAX + 8 };

/** Writes the cores of the core type of at->core, with its name if there are several core types:
 * "0-15 (performance)". */
void report_kind_text(const servet_profile *profile, const servet_at *at,
                      char text[REPORT_KIND_MAX]);

/** A public query: the bandwidth of each of `number` (from 1) cores, threads or chains at once. */
typedef int report_series(const servet_profile *profile, const servet_at *at, int level, int number,
                          servet_value *bandwidth);

/** Adds a row that begins with `name`: GB/s for each of the numbers, "" if it is not known. */
void report_series_row(report_table *table, const char *name, const report_numbers *numbers,
                       report_series *series, const servet_profile *profile, const servet_at *at,
                       int level);

/** True if a word is in a list with commas between its words. */
bool report_is_listed(const char *list, const char *word);

#endif
