/* SPDX-License-Identifier: BSD-3-Clause */
/** The table of pictures. Each row has a word, a line of help, and a function that takes the data
 * from a profile and, if they exist, from the raw series beside it. */
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

/** Sets the class `node_class` of the profile; NULL: the class of this node or, if the profile is
 * of other machines, its first class. The raw series beside the file are used only if the profile
 * has one class. */
void plot_source_init(plot_source *source, const servet_profile *profile, const char *node_class,
                      int core);

typedef struct plot {
    const char *word, *help;
    bool of_kind; /**< the picture is of the core type of at.core */
    /** Fills in the figure; called by plot_fill(). */
    int (*fill)(const plot_source *source, figure *into, servet_error *error);
} plot;

enum { PLOT_COUNT = 10 };
extern const plot plots[PLOT_COUNT];

/** Returns the plot with this word; NULL: there is none. */
const plot *plot_find(const char *word);

/** Fills in a zeroed figure; call figure_finish() also after a failure. Errors: SERVET_EUNMEASURED
 * (the text says what is missing), SERVET_EMEMORY. */
int plot_fill(const plot *wanted, const plot_source *source, figure *into, servet_error *error);

/* --- functions that fill in figures ----------------------------------------------------------- */

int plot_topology(const plot_source *source, figure *into, servet_error *error);
int plot_latency(const plot_source *source, figure *into, servet_error *error);
int plot_distances(const plot_source *source, figure *into, servet_error *error);
int plot_memory(const plot_source *source, figure *into, servet_error *error);
int plot_loaded(const plot_source *source, figure *into, servet_error *error);
int plot_roofline(const plot_source *source, figure *into, servet_error *error);
int plot_messages(const plot_source *source, figure *into, servet_error *error);
int plot_distance_ratio(const plot_source *source, figure *into, servet_error *error);
int plot_access_ratio(const plot_source *source, figure *into, servet_error *error);
int plot_nodes(const plot_source *source, figure *into, servet_error *error);

/* --- common parts ----------------------------------------------------------------------------- */

/** Writes "node01" for a title, or "node01, performance cores" if the class has several core types.
 */
void plot_subject(const plot_source *source, bool of_kind, char text[FIGURE_TITLE_MAX]);

/** The path of the raw series `name`; "" where no such series may be read. */
void plot_raw_path(const plot_source *source, const char *name, char path[SERVET_ERROR_FILE_MAX]);

/** If the answer to a key is not trusted, notes that with the reason, and returns true. */
bool plot_note_doubt(const plot_source *source, const servet_at *at, const char *key,
                     const char *what, figure *into);

/** Ticks: "48 KiB"; "1.5". */
void plot_text_bytes(double value, char text[HUMAN_MAX]);
void plot_text_number(double value, char text[HUMAN_MAX]);

/** Ticks of a time in microseconds: "100 us", "10 ms". */
void plot_text_us(double value, char text[HUMAN_MAX]);

#endif
