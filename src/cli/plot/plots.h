/* SPDX-License-Identifier: BSD-3-Clause */
/** The table of pictures. Each is a word, a line of help, and a function that takes its data from a
 * profile and, if there are any, from the raw series beside it. */
#ifndef SRV_CLI_PLOT_PLOTS_H
#define SRV_CLI_PLOT_PLOTS_H

#include "cli/plot/figure.h"
#include "servet/profile.h"

/** Data of a plot. */
typedef struct plot_source {
    const servet_profile *profile;
    servet_at at;                    /**< with a class */
    char raw[SERVET_ERROR_FILE_MAX]; /**< folder of the raw series; "" if there are none */
} plot_source;

/** The profile's class `node_class`; NULL: that of this node, or the first one where the profile is
 * of other machines. The raw series are those beside the file, if it has only one class. */
void plot_source_init(plot_source *source, const servet_profile *profile, const char *node_class,
                      int core);

typedef struct plot {
    const char *word, *help;
    bool of_kind; /**< it is about the core type of at.core */
    /** Called by plot_fill(). */
    int (*fill)(const plot_source *source, figure *into, servet_error *error);
} plot;

enum { PLOT_COUNT = 9 };
extern const plot plots[PLOT_COUNT];

/** The plot of that word; NULL for none. */
const plot *plot_find(const char *word);

/** Fills in a figure of zeros, which figure_finish() frees in any case. Errors: SERVET_EUNMEASURED
 * (the text says what is missing), SERVET_EMEMORY. */
int plot_fill(const plot *wanted, const plot_source *source, figure *into, servet_error *error);

/* --- what each file fills in ------------------------------------------------------------------ */

int plot_topology(const plot_source *source, figure *into, servet_error *error);
int plot_latency(const plot_source *source, figure *into, servet_error *error);
int plot_colours(const plot_source *source, figure *into, servet_error *error);
int plot_distances(const plot_source *source, figure *into, servet_error *error);
int plot_memory(const plot_source *source, figure *into, servet_error *error);
int plot_roofline(const plot_source *source, figure *into, servet_error *error);
int plot_messages(const plot_source *source, figure *into, servet_error *error);
int plot_distance_ratio(const plot_source *source, figure *into, servet_error *error);
int plot_access_ratio(const plot_source *source, figure *into, servet_error *error);

/* --- what they have in common ----------------------------------------------------------------- */

/** "node01", or "node01, performance cores" where the class has several core types; for titles. */
void plot_subject(const plot_source *source, bool of_kind, char text[FIGURE_TITLE_MAX]);

/** The path of the raw series `name`; "" where no such series may be read. */
void plot_raw_path(const plot_source *source, const char *name, char path[SERVET_ERROR_FILE_MAX]);

/** Notes that the answer of a key is not trusted, and why; returns whether it is so. */
bool plot_note_doubt(const plot_source *source, const servet_at *at, const char *key,
                     const char *what, figure *into);

/** Ticks: "48 KiB"; "1.5". */
void plot_text_bytes(double value, char text[HUMAN_MAX]);
void plot_text_number(double value, char text[HUMAN_MAX]);

/** Ticks of a time in microseconds: "100 us", "10 ms". */
void plot_text_us(double value, char text[HUMAN_MAX]);

#endif
