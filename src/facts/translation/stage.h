/* SPDX-License-Identifier: BSD-3-Clause */
/** Translation of addresses: the TLBs of each core type, with base pages and with huge ones. */
#ifndef SRV_FACTS_TRANSLATION_STAGE_H
#define SRV_FACTS_TRANSLATION_STAGE_H

#include "run/stage.h"

/** See srv_benchmark.run. */
int srv_measure_translation(const srv_stage *stage, const srv_stage_place *place,
                            servet_error *error);

#endif
