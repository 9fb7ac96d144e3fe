/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/names.h"

#include "servet/node.h"

SRV_NAMES(servet_kernel_name, servet_kernel, SERVET_KERNEL_LIST)
SRV_NAMES(servet_precision_name, servet_precision, SERVET_PRECISION_LIST)
SRV_NAMES(servet_width_name, servet_width, SERVET_WIDTH_LIST)
SRV_NAMES(servet_work_name, servet_work, SERVET_WORK_LIST)
SRV_NAMES(servet_pages_name, servet_pages, SERVET_PAGES_LIST)
