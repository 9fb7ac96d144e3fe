/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes the version of the program that links it. */
#include "servet/version.h"

const char *servet_version(void)
{
    return "0.0.1";
}
