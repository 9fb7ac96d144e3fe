/* SPDX-License-Identifier: BSD-3-Clause */
/** Texts that all parts of the report use: values, sets of cores, series. */
#ifndef SRV_CLI_REPORT_TEXT_H
#define SRV_CLI_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/human.h"
#include "cli/report/document.h"
#include "servet/node.h"

/**
 * Points `of_kind` to kind `index` (from 0) for `at`: the kind of at->core, or each kind of the
 * class, by any of its cores, because these measure alike. False beyond the last.
 */
bool report_kind(const servet_profile *profile, const servet_at *at, int index, servet_at *of_kind);

/** Stands where nothing is known. */
extern const char report_unknown[];

/** "" for one, "s" for any other number. */
const char *report_plural(int count);

/** Adds ", 4 cores" and a detail to a list, or ", pages of 4 KiB"; nothing for 0, which stands for
 * what is not known. */
void report_add_count(char *text, size_t size, int count, const char *noun, const char *detail);
void report_add_bytes(char *text, size_t size, double bytes, const char *noun);

/** Follows a number: "?" if it was measured and is not trusted, " (OS)" if only the operating
 * system says so, else "". */
const char *report_mark(const servet_value *value);

/** A size that stands under "OS says": without a mark. */
void report_reported(const servet_value *value, char text[HUMAN_MAX]);

/** With its mark: a size ("48 KiB", "48 KiB?"), a number, a time in units of which `per_second`
 * (HUMAN_NS, HUMAN_US) are a second ("1.39"), a bandwidth in GB/s ("9.81"); report_unknown where it
 * is not known. */
void report_bytes(const servet_value *value, char text[HUMAN_MAX]);
void report_number(const servet_value *value, char text[HUMAN_MAX]);
void report_time(const servet_value *seconds, double per_second, char text[HUMAN_MAX]);
void report_rate(const servet_value *value, char text[HUMAN_MAX]);

/** "46.9-48.8 KiB": the interval of a size. */
void report_interval(const servet_value *value, char text[HUMAN_MAX]);

enum { REPORT_CONFIDENCE_MAX = 16, REPORT_DOUBT_MAX = SERVET_TEXT_MAX + 32 };

/** "87 %", or "not trusted". */
void report_confidence(double confidence, bool trusted, char text[REPORT_CONFIDENCE_MAX]);

/** "agrees", or "not trusted"; that a level is not comparable needs no trust. */
const char *report_verdict(servet_verdict verdict, bool trusted);

/** A level of TLBs, as texts. Entries, ways and reach are an interval where the measurements do not
 * determine one number: "1240-2170". */
typedef struct report_tlb {
    char entries[HUMAN_MAX], ways[HUMAN_MAX], reach[HUMAN_MAX], miss[HUMAN_MAX];
    char confidence[REPORT_CONFIDENCE_MAX];
} report_tlb;

void report_tlb_text(const servet_tlb *tlb, report_tlb *text);

/** Why the answer of a key is not trusted; "" where it is, or there is none. `at` NULL: of
 * communication. */
void report_reason(const servet_profile *profile, const servet_at *at, const char *key,
                   char reason[SERVET_TEXT_MAX]);

/** " (not trusted: other work took 51 % of the core's time)", to stand behind the key's value; ""
 * if that is trusted. */
void report_doubt(const servet_profile *profile, const servet_at *at, const char *key,
                  char text[REPORT_DOUBT_MAX]);

/** Adds a line about a key, with that behind it. */
void report_doubted(document *to, const char *text, const servet_profile *profile,
                    const servet_at *at, const char *key);

/** True if each core has an instance of the cache level to itself; false if that is not known. */
bool report_is_private(const servet_profile *profile, const servet_at *at, int level);

enum { REPORT_LEVEL_MAX = 16 };

/** "L2"; "memory" for 0. */
void report_level_name(int level, char name[REPORT_LEVEL_MAX]);

/** The sets of cores of a level, by the public queries about them. */
typedef struct report_sets {
    int (*count)(const servet_profile *profile, const servet_at *at, int level, int *count);
    int (*set)(const servet_profile *profile, const servet_at *at, int level, int index,
               const char **cores);
} report_sets;

/** Room for a list of sets that is still read; `servet get` gives those that are longer. */
enum { REPORT_SETS_MAX = 64 };

/**
 * "0,2  1,3", or its beginning and how many there are: "0,128  1,129  ...  (128 sets)". "-" where
 * they were not measured.
 */
void report_sets_text(const report_sets *sets, const servet_profile *profile, const servet_at *at,
                      int level, char text[REPORT_SETS_MAX]);

/** A set of cores, cut to `size` behind one of its numbers, with an end that shows it. */
void report_set_text(const char *cores, char *text, size_t size);

enum { REPORT_KIND_MAX = REPORT_SETS_MAX + SERVET_NAME_MAX + 8 };

/** The cores of the kind of at->core, with its name where there are several: "0-15 (performance)".
 */
void report_kind_text(const servet_profile *profile, const servet_at *at,
                      char text[REPORT_KIND_MAX]);

/** The bandwidth of each of `number` (from 1) things at once, as the public queries have it. */
typedef int report_series(const servet_profile *profile, const servet_at *at, int level, int number,
                          servet_value *bandwidth);

/** Adds a row that begins with `name`: GB/s for each of the numbers, "" where it is not known. */
void report_series_row(report_table *table, const char *name, const report_numbers *numbers,
                       report_series *series, const servet_profile *profile, const servet_at *at,
                       int level);

/** True if a word is in a list with commas between its words. */
bool report_is_listed(const char *list, const char *word);

#endif
