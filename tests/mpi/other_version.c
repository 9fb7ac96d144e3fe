/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked into a program, it makes that another version. */
#include "servet/version.h"

const char *servet_version(void)
{
    return "0.0.1";
}
