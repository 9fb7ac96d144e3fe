/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/version.h"

const char *servet_version(void)
{
    return SERVET_VERSION;
}
