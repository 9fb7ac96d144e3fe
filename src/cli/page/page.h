/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes the report as one page of HTML: the document of report/report.h, and pictures. The page
 * loads no other files. The same profile gives the same page. */
#ifndef SRV_CLI_PAGE_PAGE_H
#define SRV_CLI_PAGE_PAGE_H

#include <stdio.h>

#include "cli/plot/plots.h"

/** Writes the page; returns SERVET_OK or SERVET_EMEMORY. */
int page_write(FILE *to, const plot_source *source, servet_error *error);

#endif
