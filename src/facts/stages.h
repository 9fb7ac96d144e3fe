/* SPDX-License-Identifier: BSD-3-Clause */
/** The stages of a node. */
#ifndef SRV_FACTS_STAGES_H
#define SRV_FACTS_STAGES_H

#include "run/stage.h"

srv_node_stage srv_measure_core_types, srv_measure_distances, srv_measure_sharing,
    srv_measure_sharing_2010, srv_measure_lines, srv_measure_memory, srv_measure_concurrency,
    srv_measure_translation, srv_measure_sync, srv_measure_loaded, srv_measure_peaks,
    srv_measure_accelerators;

#endif
