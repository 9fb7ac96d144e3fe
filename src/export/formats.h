/* SPDX-License-Identifier: BSD-3-Clause */
/** Writers of the formats, one for each file. */
#ifndef SRV_EXPORT_FORMATS_H
#define SRV_EXPORT_FORMATS_H

#include "servet/export.h"

/** Writes a file; see servet_export_write(). */
typedef int srv_export_writer(const servet_profile *profile, const servet_export_request *request,
                              FILE *stream, servet_error *error);

/** Compares with a file of the site; see servet_export_compare(). */
typedef int srv_export_comparer(const servet_profile *profile, const servet_export_request *request,
                                const char *path, FILE *stream, int *differences,
                                servet_error *error);

srv_export_writer srv_export_hwloc_xml, srv_export_slurm_conf, srv_export_slurm_yaml,
    srv_export_reframe_processor, srv_export_reframe_reference, srv_export_sys_sage_numa,
    srv_export_sys_sage_cores, srv_export_clustercockpit;
srv_export_comparer srv_export_slurm_compare;

#endif
