/* SPDX-License-Identifier: BSD-3-Clause */
/** The report as one page of HTML, which loads nothing: advice, disagreements, pictures, tables,
 *  and how it was measured. The same profile gives the same page. */
#ifndef SRV_CLI_PAGE_PAGE_H
#define SRV_CLI_PAGE_PAGE_H

#include <stdio.h>

#include "cli/plot/plots.h"

/** Writes the page; returns SERVET_OK or SERVET_EMEMORY. */
int page_write(FILE *to, const plot_source *source, servet_error *error);

/* --- its tables ------------------------------------------------------------------------------- */

/** Each with its heading; nothing where the profile has none of it. */
void page_caches(FILE *to, const plot_source *source);
void page_translation(FILE *to, const plot_source *source);
void page_distances(FILE *to, const plot_source *source);
void page_memory(FILE *to, const plot_source *source);
void page_layers(FILE *to, const plot_source *source);

#endif
